//! Dice that a player can check. They follow from a secret, whose hash is told first, and from salts of the players, which
//! come after the hash.
//!
//! Roll `n` of a board takes numbers of 32 bits, high octet first, from block 0, then from block 1, and so on. A block is
//! `HMAC-SHA256(secret, "turnpost roll 1\nBOARD\nN\nBLOCK\n" + each salt and "\n")`. For a die with `s` sides, numbers from
//! the greatest multiple of `s` on are passed over. The face is the remainder by `s`, plus one.

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use turnpost_games::{Cast, Chance};

use crate::ids::BoardId;

/// The largest number of bytes in a word for the dice.
const WORD: usize = 200;

/// Decides the dice of a board. Only the server knows it before the game is over.
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret of a board. `key` is in no backup of the database, and `nonce` is in the record of the board.
    pub fn of_board(key: &[u8; 32], board: BoardId, nonce: &[u8; 32]) -> Secret {
        Secret(hmac(key, &[format!("turnpost dice secret 1\n{board}\n").as_bytes(), nonce]))
    }

    /// Reads the secret that is told after a game: 64 hexadecimal digits.
    pub fn read(text: &str) -> Option<Secret> {
        Some(Secret(HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()?))
    }

    /// The secret in hexadecimal digits.
    pub fn write(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// The hash that is told before the game, in hexadecimal digits.
    pub fn hash(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.0))
    }
}

/// The dice of one board.
pub struct Dice {
    pub secret: Secret,
    pub board: BoardId,
    /// One line for each seat, in the order of the seats: 32 hexadecimal digits, or empty for a seat that gave no word.
    pub salts: Vec<String>,
}

impl Dice {
    /// Roll `n` of the board, from 1. `None` if `chance` has no casts.
    pub fn roll(&self, n: u32, chance: Chance) -> Option<Cast> {
        let Chance::Dice { count, sides } = chance else { return None };
        let sides = u64::from(sides);
        let limit = (1_u64 << 32).checked_div(sides)? * sides;
        let fair = (0..).flat_map(|block| self.block(n, block)).filter(|number| *number < limit);
        let faces = fair.take(count.into()).map(|number| (number % sides) as u8 + 1);
        Cast::of(&faces.collect::<Vec<u8>>())
    }

    /// Why these rolls, with their numbers, are not those of the secret with this hash; `None` if they are.
    pub fn forged(&self, hash: &str, rolls: &[(u32, Chance, Cast)]) -> Option<String> {
        if self.secret.hash() != hash {
            return Some("the secret of its dice is not the one whose hash was told".to_owned());
        }
        let (n, ..) = rolls.iter().find(|(n, chance, cast)| self.roll(*n, *chance) != Some(*cast))?;
        // The right roll would tell of a secret that is not told yet.
        Some(format!("roll {n} does not follow from the secret of its dice"))
    }

    fn block(&self, n: u32, block: u64) -> Vec<u64> {
        let mut text = format!("turnpost roll 1\n{}\n{n}\n{block}\n", self.board);
        self.salts.iter().for_each(|salt| text.extend([salt, "\n"]));
        let octets = hmac(&self.secret.0, &[text.as_bytes()]);
        let (numbers, _) = octets.as_chunks();
        numbers.iter().map(|four| u32::from_be_bytes(*four).into()).collect()
    }
}

/// The salt of a player's word: printable ASCII, at most 200 signs. `None` for other words.
pub fn salt_of_word(word: &str) -> Option<String> {
    let word = word.trim();
    let is_plain = word.bytes().all(|octet| (b' '..=b'~').contains(&octet));
    (is_plain && !word.is_empty() && word.len() <= WORD).then(|| salt_of("word", word))
}

/// The salt of a letter without a word for the dice.
pub fn salt_of_letter(message_id: &str) -> String {
    salt_of("letter", message_id)
}

/// Records are public and are never erased. So they have hashes: a player's word might be a password or a name.
fn salt_of(what: &str, text: &str) -> String {
    let hash = Sha256::digest(format!("turnpost {what} 1\n{text}\n"));
    HEXLOWER.encode(hash.get(..16).unwrap_or_default())
}

fn hmac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    // HMAC pads a short key with zeros to the block of its hash (RFC 2104 2).
    let mut block = [0; 64];
    block.iter_mut().zip(key).for_each(|(octet, key)| *octet = *key);
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&block.into());
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}
