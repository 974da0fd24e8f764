//! What commands about accounts, talk and watching did.

use serde::Serialize;

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
