//! What commands about accounts, talk and watching did, and the mails they cause beside the answer.

use serde::Serialize;

use super::transcript::Thread;
use super::view::BoardUpdate;
use crate::store::{LastMail, PlayerId};

/// What was done, for the answer.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Note {
    /// `signup` after `signoff`.
    Back {
        /// Whose account.
        userid: String,
        /// Where its mail goes.
        addresses: Vec<String>,
        /// Where a reply is waited for.
        waiting: Vec<String>,
    },
    /// Where mail goes now.
    Addresses {
        /// Whose.
        userid: String,
        /// All of them.
        addresses: Vec<String>,
        /// Where a reply is waited for.
        waiting: Vec<String>,
    },
    /// An address was shown to be its player's.
    Confirmed {
        /// Whose.
        userid: String,
        /// Which.
        address: String,
    },
    /// A new password holds.
    Password {
        /// Whose.
        userid: String,
    },
    /// `forgot`, whether or not there is such an account.
    Forgot,
    /// Signed off.
    SignedOff {
        /// Who.
        userid: String,
        /// How many games still run.
        running: usize,
    },
    /// Deleted.
    Deleted {
        /// Who.
        userid: String,
        /// The boards that were resigned.
        resigned: Vec<u32>,
    },
    /// What is set.
    Settings(Box<SettingsView>),
    /// A vacation is announced.
    Vacation {
        /// Its first day.
        first: String,
        /// Its last.
        last: String,
    },
    /// Vacations are taken back; whether there were any.
    VacationOff {
        /// Whether there were any.
        any: bool,
    },
    /// A mail is on its way again.
    Resent {
        /// The board it is about.
        board: Option<u32>,
    },
    /// A public card.
    Profile(Profile),
    /// The players who came last.
    Players {
        /// Their userids, since when, and whether they have signed off.
        rows: Vec<(String, String, bool)>,
        /// Whether there are more.
        more: bool,
    },
    /// A message went out.
    Sent {
        /// To whom.
        to: Vec<String>,
    },
    /// A message to everybody went out.
    Broadcast {
        /// To how many.
        count: usize,
    },
    /// An address was asked.
    Asked {
        /// Which.
        address: String,
    },
    /// An address watches.
    Watches {
        /// Which.
        address: String,
        /// The board.
        board: u32,
    },
    /// An address no longer watches.
    Unwatched {
        /// Which.
        address: String,
        /// The board.
        board: u32,
    },
    /// Whether a player is told when games end.
    Notify {
        /// The game's name.
        game: &'static str,
        /// Whether.
        on: bool,
    },
}

/// All that a player has set.
#[derive(Debug, Clone, Serialize)]
pub struct SettingsView {
    /// Whose.
    pub userid: String,
    /// Switches by their keys.
    pub switches: Vec<(&'static str, bool)>,
    /// The zone.
    pub zone: String,
    /// What is set for games, a sentence each.
    pub games: Vec<String>,
    /// Whom they keep away.
    pub blocked: Vec<String>,
}

/// What everybody may know of a player.
#[derive(Debug, Clone, Serialize)]
pub struct Profile {
    /// Who.
    pub userid: String,
    /// The day they signed up.
    pub since: String,
    /// Of the robot, its level.
    pub level: Option<u8>,
    /// `active`, `signed-off` or `deleted`.
    pub state: String,
    /// Whether they challenge for others.
    pub organiser: bool,
    /// A line for each game, with the rating where there is one.
    pub games: Vec<String>,
    /// The vacation they are on, or the next one, as a sentence.
    pub vacation: Option<String>,
}

/// To whom a mail goes that is neither the answer nor the notice of a move.
#[derive(Debug, Clone)]
pub enum To {
    /// To all confirmed addresses of a player.
    Player(PlayerId),
    /// To one address.
    Address(String),
}

/// Such a mail.
#[derive(Debug)]
pub struct Mailing {
    /// To whom.
    pub to: To,
    /// The board's thread it belongs to.
    pub thread: Option<Thread>,
    /// What it says.
    pub parcel: Parcel,
}

/// What a mailing says.
#[derive(Debug)]
pub enum Parcel {
    /// Words of the server, or of a player.
    Text(Text),
    /// News of a board for somebody who does not play there, with what they can do about it.
    BoardUpdate(Box<BoardUpdate>, Onlooker),
    /// Bytes that were sent before.
    Again(LastMail),
}

/// Why somebody who does not play is told.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Onlooker {
    /// The address watches the board.
    Watches {
        /// Which.
        address: String,
    },
    /// The player asked to hear when games end.
    HearsOfEnds {
        /// Who.
        userid: String,
    },
}

/// A mail that is mostly words.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Text {
    /// What a player says.
    Said {
        /// Who.
        by: String,
        /// To whom, when to some.
        to: Vec<String>,
        /// `message`, `broadcast` or `chat`.
        kind: &'static str,
        /// Who reads it.
        reader: String,
        /// The board's game and number, of a chat.
        board: Option<(&'static str, u32)>,
        /// The words.
        text: String,
    },
    /// A reset token.
    Token {
        /// Whose.
        userid: String,
        /// The token.
        token: String,
    },
    /// Whether the address is its player's.
    Confirm {
        /// Whose account.
        userid: String,
        /// Which.
        address: String,
        /// Whether the account was made just now.
        is_new: bool,
        /// Whether mail came back from it.
        came_back: bool,
        /// The token of the Reply-To.
        token: String,
    },
    /// Mail no longer goes here.
    AddressLeft {
        /// Whose account.
        userid: String,
    },
    /// Whether the address wants to watch.
    Code {
        /// The game's word.
        game: &'static str,
        /// The board.
        board: u32,
        /// Who plays.
        players: [String; 2],
        /// The address.
        address: String,
        /// The code.
        code: String,
    },
    /// The address no longer watches.
    Unwatched {
        /// The board.
        board: u32,
        /// Who plays.
        players: [String; 2],
    },
}

impl Text {
    /// Whether it holds a token or code, so that its bytes are not kept.
    pub fn is_secret(&self) -> bool {
        matches!(self, Text::Token { .. } | Text::Code { .. } | Text::Confirm { .. })
    }
}

/// What the player wrote beside a command that mails others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Who says it.
    pub by: String,
    /// The words, passwords masked.
    pub text: String,
    /// Who hears it.
    pub to: Vec<PlayerId>,
}
