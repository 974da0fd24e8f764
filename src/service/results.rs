//! What commands found or did, for the answer.

use serde::Serialize;

use crate::service::view::GameRow;

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

/// A rating in a list.
#[derive(Debug, Clone, Serialize)]
pub struct RankRow {
    /// Its place, from 1.
    pub place: u32,
    /// Whose.
    pub player: String,
    /// `1662.31`.
    pub rating: String,
    /// `290.32`.
    pub deviation: String,
    /// Whether the deviation is still large.
    pub provisional: bool,
    /// Rated games won.
    pub won: u32,
    /// Rated games lost.
    pub lost: u32,
    /// Rated games tied.
    pub tied: u32,
}

/// A list of ratings.
#[derive(Debug, Clone, Serialize)]
pub struct Ranking {
    /// The game's name.
    pub name: &'static str,
    /// Its word.
    pub game: &'static str,
    /// `standings` or `ratings`.
    pub word: &'static str,
    /// The rows, the highest rating first.
    pub rows: Vec<RankRow>,
    /// The place to go on from, when there are more.
    pub next: Option<u32>,
}

/// Boards of one game in a list of all games.
#[derive(Debug, Clone, Serialize)]
pub struct BoardList {
    /// What is listed.
    pub title: String,
    /// The rows.
    pub rows: Vec<GameRow>,
    /// Whether there are more.
    pub more: bool,
}

/// An analysis as people read it.
#[derive(Debug, Clone, Serialize)]
pub struct AnalysisView {
    /// The board.
    pub board: u32,
    /// The game's name.
    pub name: &'static str,
    /// What values count: `points`.
    pub unit: String,
    /// The userids of the first and the second seat.
    pub players: [String; 2],
    /// What the seats are called.
    pub sides: [&'static str; 2],
    /// How the game ended, as a sentence.
    pub result: String,
    /// Positions looked at for each ply.
    pub nodes: u64,
    /// The ply from which on all values are exact.
    pub solved_from: Option<u32>,
    /// A row a ply.
    pub rows: Vec<AnalysisRow>,
}

/// A ply of an analysis.
#[derive(Debug, Clone, Serialize)]
pub struct AnalysisRow {
    /// Its number.
    pub ply: u32,
    /// Whose it was, in the game's words.
    pub side: &'static str,
    /// Its notation.
    pub played: String,
    /// What could be reached before it.
    pub before: String,
    /// What could be reached after it.
    pub after: String,
    /// What would have been better.
    pub better: String,
}
