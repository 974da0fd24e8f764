//! What a command did or found, for the templates of the answer.

use serde::Serialize;

use crate::service::view::GameRow;

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Note {
    /// `signup` after `signoff`.
    Back {
        userid: String,
        addresses: Vec<String>,
        /// The addresses that have not confirmed yet.
        waiting: Vec<String>,
    },
    Addresses {
        userid: String,
        addresses: Vec<String>,
        /// The addresses that have not confirmed yet.
        waiting: Vec<String>,
    },
    Confirmed {
        userid: String,
        address: String,
    },
    Password {
        userid: String,
    },
    /// `forgot`, whether or not the account exists.
    Forgot,
    SignedOff {
        userid: String,
        /// Games that still run.
        running: usize,
    },
    Deleted {
        userid: String,
        /// The boards it resigned.
        resigned: Vec<u32>,
    },
    Settings(Box<SettingsView>),
    Vacation {
        first: String,
        last: String,
    },
    VacationOff {
        /// False when there was no vacation to take back.
        any: bool,
    },
    Resent {
        board: Option<u32>,
    },
    Profile(Profile),
    /// The newest players.
    Players {
        /// Their userids, since when, and whether they have signed off.
        rows: Vec<(String, String, bool)>,
        more: bool,
    },
    Sent {
        to: Vec<String>,
    },
    Broadcast {
        /// Recipients.
        count: usize,
    },
    /// The server asks an address whether it wants to watch.
    Asked {
        address: String,
    },
    Watches {
        address: String,
        board: u32,
    },
    Unwatched {
        address: String,
        board: u32,
    },
    /// A player hears when games end, or no longer does.
    Notify {
        game: &'static str,
        on: bool,
    },
}

#[derive(Debug, Clone, Serialize)]
pub struct SettingsView {
    pub userid: String,
    /// Switches by their keys.
    pub switches: Vec<(&'static str, bool)>,
    pub zone: String,
    /// What is set for games, a sentence each.
    pub games: Vec<String>,
    /// The players they block.
    pub blocked: Vec<String>,
}

/// What everybody may know of a player.
#[derive(Debug, Clone, Serialize)]
pub struct Profile {
    pub userid: String,
    /// The day they signed up.
    pub since: String,
    /// The level of a robot.
    pub level: Option<u8>,
    /// `active`, `signed-off` or `deleted`.
    pub state: String,
    /// True when they can challenge for others.
    pub organiser: bool,
    /// A line for each game, with the rating where there is one.
    pub games: Vec<String>,
    /// Their present or next vacation, as a sentence.
    pub vacation: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct RankRow {
    /// Its place, from 1.
    pub place: u32,
    pub player: String,
    /// `1662.31`.
    pub rating: String,
    /// `290.32`.
    pub deviation: String,
    /// The deviation is still large.
    pub provisional: bool,
    pub won: u32,
    pub lost: u32,
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
    pub title: String,
    pub rows: Vec<GameRow>,
    pub more: bool,
}

/// An analysis as people read it.
#[derive(Debug, Clone, Serialize)]
pub struct AnalysisView {
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
    /// Positions searched for each ply.
    pub nodes: u64,
    /// The ply from which on all values are exact.
    pub solved_from: Option<u32>,
    /// A row for each ply.
    pub rows: Vec<AnalysisRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct AnalysisRow {
    pub ply: u32,
    /// The player's side, in the game's words.
    pub side: &'static str,
    pub played: String,
    /// The value before it.
    pub before: String,
    /// The value after it.
    pub after: String,
    /// The better line, if there was one.
    pub better: String,
}
