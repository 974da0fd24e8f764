//! Small types that all modules share: userids, boards, plies, letter identities, addresses.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use turnpost_games::Seat;

/// A player's name: a letter, then 1 to 19 letters, digits, `-` or `_`. Case does not matter in comparisons.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Userid(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a name is a letter followed by 1 to 19 letters, digits, '-' or '_'")]
pub struct NotAUserid;

impl Userid {
    pub const MAX: usize = 20;

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Lower case, for comparison and lookup.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl FromStr for Userid {
    type Err = NotAUserid;

    fn from_str(text: &str) -> Result<Userid, NotAUserid> {
        let mut characters = text.chars();
        let first = characters.next().is_some_and(|c| c.is_ascii_alphabetic());
        let rest = characters.all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if first && rest && (2..=Self::MAX).contains(&text.len()) {
            Ok(Userid(text.to_owned()))
        } else {
            Err(NotAUserid)
        }
    }
}

impl PartialEq for Userid {
    fn eq(&self, other: &Userid) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Userid {}

impl fmt::Display for Userid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a board, from 1, over all games of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoardId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a board number is a whole number from 1 to 4294967295")]
pub struct NotABoardId;

impl FromStr for BoardId {
    type Err = NotABoardId;

    fn from_str(text: &str) -> Result<BoardId, NotABoardId> {
        read_number(text).filter(|n| *n > 0).map(BoardId).ok_or(NotABoardId)
    }
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a ply on its board, from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ply(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a move's number is a whole number")]
pub struct NotAPly;

impl Ply {
    /// The board before ply 1.
    pub const START: Ply = Ply(0);

    pub fn next(self) -> Ply {
        Ply(self.0.saturating_add(1))
    }
}

impl FromStr for Ply {
    type Err = NotAPly;

    fn from_str(text: &str) -> Result<Ply, NotAPly> {
        read_number(text).map(Ply).ok_or(NotAPly)
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads digits only: `u32::from_str` also takes a `+`.
fn read_number(text: &str) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The SHA-256 of a letter; two deliveries of the same letter share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Identity(pub [u8; 32]);

impl Identity {
    /// The identity of a letter with a proof of its writer. A forged copy without the proof has another identity.
    pub fn with(self, proof: &str) -> Identity {
        let hash = Sha256::new().chain_update(b"turnpost letter with token\0").chain_update(self.0);
        Identity(hash.chain_update(proof).finalize().into())
    }
}

/// The highest level of the robot. Each level has its own account.
pub const ROBOT_LEVELS: u8 = 9;

/// The comparison key of an address: the local part in ASCII lower case, the domain in its DNS form (RFC 5890
/// 2.3.2). Unicode case folding would merge different mailboxes: it turns KELVIN SIGN into `k`.
pub fn address_key(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((local, domain)) => format!("{}@{}", local.to_ascii_lowercase(), domain_key(domain)),
        None => address.to_ascii_lowercase(),
    }
}

/// The comparison key of a domain.
pub fn domain_key(domain: &str) -> String {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let ascii = (!domain.is_ascii()).then(|| idna::domain_to_ascii(domain).ok()).flatten();
    ascii.unwrap_or_else(|| domain.to_ascii_lowercase())
}

/// The comparison key of a mailbox: its address without the `+extension`, and at Gmail without dots. One person
/// reads all addresses of a mailbox.
pub fn mailbox(address: &str) -> String {
    let address = address_key(address);
    let Some((local, domain)) = address.rsplit_once('@') else { return address };
    let name = local.split('+').next().filter(|name| !name.is_empty()).unwrap_or(local);
    match domain {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
        _ => format!("{name}@{domain}"),
    }
}

pub fn same_address(one: &str, other: &str) -> bool {
    address_key(one) == address_key(other)
}

/// Which boards a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    #[default]
    All,
    /// Boards in play.
    Active,
    /// Finished boards.
    Inactive,
    /// Boards in play on which the player is to move.
    Next,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_case_and_the_dots_of_gmail_make_no_new_mailbox() {
        for (address, expected) in [
            ("Zoe@Z.example", "zoe@z.example"),
            ("zoe+a@z.example", "zoe@z.example"),
            ("zoe+a+b@z.example", "zoe@z.example"),
            ("+zoe@z.example", "+zoe@z.example"),
            ("z.oe@z.example", "z.oe@z.example"),
            ("Z.o.e+a@GoogleMail.com.", "zoe@gmail.com"),
            ("nobody", "nobody"),
        ] {
            assert_eq!(mailbox(address), expected);
        }
    }

    #[test]
    fn userids_are_compared_without_case_and_printed_as_written() {
        let ann: Userid = "Ann-Lee_9".parse().unwrap();
        assert_eq!(ann, "aNN-lEE_9".parse().unwrap());
        assert_eq!(ann.to_string(), "Ann-Lee_9");
    }

    #[test]
    fn what_is_no_userid() {
        for text in ["", "a", "9ann", "-ann", "ann bob", "ann@x", "änn", "a23456789012345678901"] {
            assert!(text.parse::<Userid>().is_err(), "{text:?}");
        }
        assert!("a2345678901234567890".parse::<Userid>().is_ok());
    }

    #[test]
    fn board_numbers_are_plain_digits_from_one() {
        for text in ["", "0", "-1", "+1", " 1", "1.0", "4294967296", "99999999999999999999"] {
            assert!(text.parse::<BoardId>().is_err(), "{text:?}");
        }
        assert_eq!("4294967295".parse(), Ok(BoardId(u32::MAX)));
        assert_eq!("007".parse(), Ok(BoardId(7)));
    }

    #[test]
    fn addresses_are_one_by_ascii_case_and_by_the_domain_of_dns() {
        for (one, other) in [
            ("Kim@Example.ORG", "kim@example.org"),
            ("kim@m\u{fc}nchen.example", "kim@XN--mnchen-3ya.example"),
            ("kim@MU\u{308}NCHEN.example.", "kim@xn--mnchen-3ya.example"),
        ] {
            assert!(same_address(one, other), "{one} {other}");
        }
        // KELVIN SIGN, long s, dotted and dotless i, capital sharp s, full width, a letter of another case.
        for (one, other) in [
            ("\u{212A}im@x.org", "kim@x.org"),
            ("\u{17F}am@x.org", "sam@x.org"),
            ("k\u{130}m@x.org", "kim@x.org"),
            ("k\u{131}m@x.org", "kim@x.org"),
            ("\u{1E9E}@x.org", "\u{DF}@x.org"),
            ("\u{FF2B}im@x.org", "kim@x.org"),
            ("\u{DC}li@x.org", "\u{FC}li@x.org"),
            ("kim@x.org", "kim@x.org.example"),
        ] {
            assert!(!same_address(one, other), "{one} {other}");
        }
    }
}
