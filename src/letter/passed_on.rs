//! Masks passwords and tokens in the texts of a letter that other people read.
//!
//! This happens before the transaction: a long text must not keep other letters waiting.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use jiff::Timestamp;

use crate::commands::talk::Audience;
use crate::commands::{Command, LANGUAGE, Line, Reading};
use crate::credentials::{Proofs, Writer, password, token};
use crate::failure::Error;
use crate::ids::{Userid, Which};
use crate::language::body::{TEXT_AT_MOST, shorten};
use crate::language::{Secrets, passwords_told, suspects, without_told};
use crate::mail::{Letter, token as token_syntax};
use crate::store::{BoardFilter, CodeHash, PlayerId, Store};

/// Passwords and tokens are searched in this many bytes of a text. The part that is passed on is shorter.
const LOOK_AT: usize = 8 * TEXT_AT_MOST;

/// Longest token in any encoding, in bytes: a cut text loses this much more, so that half a token cannot remain.
const HALF: usize = 400;

/// Replaces a text whose tokens cannot all be masked.
const LEFT_OUT: &str = "[A text was left out here: it holds part of a code from a mail of this server.]";

/// At most this many boards of a player have their tokens masked, newest first. No board is added after `TOKENS` codes.
const BOARDS: u32 = 200;
const TOKENS: usize = 20_000;

/// At most this many checks of a letter's words against its writer's password. Each takes as long as a login.
const TRIES: usize = 3;

/// At most this many userids of a text are looked up. The others count as known.
const LOOKED_UP: usize = 200;

/// Masks passwords and tokens in the texts for others: the letter's `words`, its messages, chats and replies.
pub fn mask_words(
    store: &Store,
    letter: &Letter,
    proofs: &Proofs,
    writer: &Writer,
    (holder, now): (Option<PlayerId>, Timestamp),
    lines: &mut [Line],
    words: &mut String,
) -> Result<(), Error> {
    let mut texts = vec![(words, 0)];
    let mut named = Vec::new();
    for line in lines {
        let request = match &mut line.reading {
            Reading::Command(request) => request,
            // The board decides which of a reply's lines the opponent reads.
            Reading::Reply(text) => {
                texts.push((text, 1));
                continue;
            }
            _ => continue,
        };
        named.extend(request.userid().cloned());
        let Command::Talk(talk) = &mut request.command else { continue };
        if let Audience::Players(to) = &talk.to {
            named.extend(to.iter().cloned());
        }
        texts.push((&mut talk.text, 0));
    }
    texts.retain(|(text, _)| !text.is_empty());
    let tokens =
        Tokens { store, letter, holder, named, now, codes: OnceCell::new(), mailed: OnceCell::new() };
    let mut tries = TRIES;
    for (text, own_lines) in texts {
        let said = own_password(store, writer, text, &mut tries)?.mask(text);
        *text = masked(store, proofs, &tokens, &said, own_lines)?;
    }
    Ok(())
}

/// The writer's own password, if a sentence about a password holds it.
fn own_password(store: &Store, writer: &Writer, text: &str, tries: &mut usize) -> Result<Secrets, Error> {
    let mut own = Secrets::default();
    let words = suspects(text.get(..text.floor_char_boundary(LOOK_AT)).unwrap_or_default());
    for (word, player) in
        words.iter().flat_map(|word| writer.players().iter().map(move |player| (word, player)))
    {
        if *tries == 0 {
            break;
        }
        let Some(hash) = store.player_by_id(*player)?.password_hash else { continue };
        *tries -= 1;
        if password::fits(word, &hash) {
            own.add(word);
        }
    }
    Ok(own)
}

/// `text` without passwords and tokens. If part of a token remains, the text is left out. Its first `own_lines` are
/// for the server: those that hold no part of a token are still kept.
fn masked(
    store: &Store,
    proofs: &Proofs,
    tokens: &Tokens<'_>,
    text: &str,
    own_lines: usize,
) -> Result<String, Error> {
    let mut looked_at = proofs.mask_up_to(text, LOOK_AT);
    if looked_at.len() >= LOOK_AT {
        looked_at.truncate(looked_at.floor_char_boundary(LOOK_AT - HALF));
        // Readers see that the text was cut.
        looked_at.push_str("\n[...]");
    }
    let masked = without_told(&others(store, text, &looked_at)?.mask(&looked_at));
    let mut failed = None;
    let mut knows = |code: &str| {
        tokens.knows(code).unwrap_or_else(|why| {
            failed = Some(why);
            true
        })
    };
    let mut masked = token_syntax::mask(&masked, &mut knows);
    if token_syntax::leaves_part(&masked, &mut knows) {
        let own = masked
            .split_inclusive('\n')
            .take(own_lines)
            .filter(|own| !token_syntax::leaves_part(own, &mut knows));
        masked = own.chain([LEFT_OUT]).collect();
    }
    match failed {
        Some(why) => Err(why),
        None => Ok(shorten(&masked)),
    }
}

/// True if `code` is one of the codes, or the beginning or end of one. `codes` holds each forwards and backwards.
fn is_one_of(codes: &BTreeSet<String>, code: &str) -> bool {
    let begins = |code: &str| {
        codes
            .range::<str, _>((Bound::Included(code), Bound::Unbounded))
            .next()
            .is_some_and(|next| next.starts_with(code))
    };
    begins(code) || begins(&backwards(code))
}

fn backwards(code: &str) -> String {
    code.chars().rev().collect()
}

/// Passwords in `looked_at` that are in command lines of `text` or told in a sentence. Prose such as `delete that
/// please` can look like a command, so a password after a userid counts only if the account exists.
fn others(store: &Store, text: &str, looked_at: &str) -> Result<Secrets, Error> {
    let words: HashSet<&str> = words_of(looked_at).collect();
    let mut accounts: HashMap<String, bool> = HashMap::new();
    let mut others = Secrets::default();
    let in_commands =
        LANGUAGE.passwords_in(text).into_iter().map(|(userid, password)| (Some(userid), password));
    for (userid, password) in in_commands.chain(passwords_told(looked_at)) {
        if !words_of(&password).all(|word| words.contains(word)) {
            continue;
        }
        let Some(userid) = userid else {
            others.add(&password);
            continue;
        };
        let key = userid.key();
        let known = match accounts.get(&key) {
            Some(known) => *known,
            None if accounts.len() >= LOOKED_UP => true,
            None => {
                let known = store.player(&userid)?.is_some();
                accounts.insert(key, known);
                known
            }
        };
        if known {
            others.add(&password);
        }
    }
    Ok(others)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// All tokens of the letter's sender, its token's holder and the named players. Made when a text might hold one.
struct Tokens<'a> {
    store: &'a Store,
    letter: &'a Letter,
    /// The player of the letter's token.
    holder: Option<PlayerId>,
    /// Players who log in or get a message.
    named: Vec<Userid>,
    now: Timestamp,
    codes: OnceCell<BTreeSet<String>>,
    /// Hashes of codes that mails hold in addition to tokens.
    mailed: OnceCell<HashSet<CodeHash>>,
}

impl Tokens<'_> {
    /// True if `code` is a known code, or the beginning or end of a token's code.
    fn knows(&self, code: &str) -> Result<bool, Error> {
        if is_one_of(self.codes()?, code) {
            return Ok(true);
        }
        let mailed = match self.mailed.get() {
            Some(mailed) => mailed,
            None => {
                let mailed = self.store.mailed_codes()?.into_iter().collect();
                self.mailed.get_or_init(|| mailed)
            }
        };
        Ok(!mailed.is_empty() && mailed.contains(&CodeHash::of(code)))
    }

    fn codes(&self) -> Result<&BTreeSet<String>, Error> {
        if let Some(codes) = self.codes.get() {
            return Ok(codes);
        }
        let codes = self.make()?;
        Ok(self.codes.get_or_init(|| codes))
    }

    fn make(&self) -> Result<BTreeSet<String>, Error> {
        let mut players: Vec<PlayerId> = self.holder.into_iter().collect();
        if let Some(sender) = &self.letter.sender {
            players.extend(self.store.players_at(sender)?.iter().map(|account| account.id));
        }
        for userid in &self.named {
            players.extend(self.store.player(userid)?.map(|account| account.id));
        }
        players.sort_unstable_by_key(|player| player.0);
        players.dedup();
        let mut codes = BTreeSet::new();
        let mut boards = HashSet::new();
        for player in players.into_iter().filter(|player| !player.is_robot()) {
            codes.extend(token::codes_of_player(self.store, player, self.now)?);
            codes.extend(token::codes_of_messages(self.store, player)?);
            let filter = BoardFilter {
                player: Some(player),
                which: Which::All,
                limit: BOARDS,
                ..BoardFilter::default()
            };
            for row in self.store.boards(&filter)? {
                if boards.insert(row.id.0) && codes.len() < TOKENS {
                    codes.extend(token::codes_of_board(self.store, &row)?);
                }
            }
        }
        codes.extend(codes.iter().map(|code| backwards(code)).collect::<Vec<_>>());
        Ok(codes)
    }
}
