//! The terms of contests, their players, and the plan of a league's seasons.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use turnpost_games::GameKind;

use crate::language::BoardOptions;
use crate::store::{Bank, ContestForm, PlayerId};

/// What a contest was made with: the text of its first event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestTerms {
    pub form: String,
    /// The key of its game.
    pub game: String,
    pub name: String,
    /// It begins when this many have joined.
    pub size: u32,
    /// Two: each pair plays both ways.
    pub rounds: u32,
    /// When it begins, full or not: a second since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<i64>,
    pub options: BoardOptions,
    /// Which season of its league it is, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<u32>,
}

impl ContestTerms {
    /// When it begins, full or not.
    pub fn starts_at(&self) -> Option<Timestamp> {
        Timestamp::from_second(self.starts_at?).ok()
    }
}

/// Of regular players hardly one in a hundred games is lost on time with it, and it bounds the whole game.
const CONTEST_CLOCK: Bank = Bank { hours: 20 * 24, refill: 36 };

/// Adds a bank that each move refills to options of boards that name no limit of time.
pub(crate) fn in_contest(options: BoardOptions) -> BoardOptions {
    // Without a limit a board, and with it the contest, could run for ever.
    let has_limit = |days: Option<u32>| days.is_some_and(|days| days > 0);
    match options.clock.is_some() || has_limit(options.forfeit) || has_limit(options.total) {
        true => options,
        false => BoardOptions { clock: Some(CONTEST_CLOCK), forfeit: None, total: None, ..options },
    }
}

/// The options of a game's league and ladder, unless the host sets others: the shorter start, if the game has one.
pub(crate) fn usual_options(game: &GameKind) -> BoardOptions {
    let random = game.options.iter().find(|option| option.name == "random");
    let own = random.map(|option| (option.name.to_owned(), None)).into_iter().collect();
    in_contest(BoardOptions { game: own, ..BoardOptions::default() })
}

/// The options that the host set for the boards of leagues, by the keys of games.
pub type LeagueOptions = BTreeMap<String, BoardOptions>;

/// The state of a league in addition to its members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeagueState {
    /// Members who play only the next season.
    pub once: Vec<PlayerId>,
    pub next: Option<SeasonPlan>,
    /// The members were told of it.
    pub announced: bool,
    /// Seasons that have begun.
    pub seasons: u32,
}

/// When a season begins, and after how many weeks the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonPlan {
    /// A second since 1970.
    pub starts_at: i64,
    pub weeks: i64,
    /// It should have begun before: the members know.
    #[serde(default)]
    pub put_off: bool,
}

/// A player of a group, with their rating when it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Competitor {
    pub player: PlayerId,
    /// Hundredths.
    pub rating: i64,
    /// Hundredths.
    pub deviation: i64,
    /// How many groups up the last season sent them, its running games counted half.
    pub sent: i32,
}

/// Two competitors who have a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContestPair {
    /// From 0, in the contest.
    pub number: u32,
    pub group: usize,
    /// Their places in the group; the first moves first.
    pub seats: [usize; 2],
}

impl ContestForm {
    /// The name of the league or the ladder of a game.
    pub fn name_of(self, game: &str) -> String {
        format!("{game}-{self}")
    }
}
