//! The terms of contests, their players, and the plan of a league's seasons.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnpost_games::{GameKind, registry};

use crate::contest::admission::EntryTerms;
use crate::contest::pairing::Pairing;
use crate::contest::table::GameResult;
use crate::ids::Seat;
use crate::language::BoardOptions;
use crate::store::{Bank, BoardState, ContestBoardRow, ContestForm, ContestRow, Ending, PlayerId};

/// What a contest was made with: the text of its first event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestTerms {
    pub form: String,
    /// Key of the game in the registry.
    pub game: String,
    pub name: String,
    /// The most players.
    pub size: u32,
    #[serde(default, skip_serializing_if = "Pairing::is_all_play_all")]
    pub pairing: Pairing,
    /// All play all: games of each pair; with two, each player moves first once. Swiss: the number of rounds.
    pub rounds: u32,
    /// Swiss: the next round begins at the latest this many weeks after the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weeks: Option<u32>,
    /// Teams: the players of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<u32>,
    #[serde(flatten)]
    pub dates: EventDates,
    #[serde(default, skip_serializing_if = "EntryTerms::is_for_all")]
    pub entry: EntryTerms,
    pub options: BoardOptions,
    /// Number of the season in its league, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<u32>,
}

impl ContestTerms {
    /// The terms of a contest without an end (a league or a ladder), in which each pair plays once.
    pub fn new(form: ContestForm, game: &str, name: String, options: BoardOptions) -> ContestTerms {
        let (form, game) = (form.as_str().to_owned(), game.to_owned());
        ContestTerms {
            form,
            game,
            name,
            size: 0,
            pairing: Pairing::AllPlayAll,
            rounds: 1,
            weeks: None,
            boards: None,
            dates: EventDates::default(),
            entry: EntryTerms::default(),
            options,
            season: None,
        }
    }
}

/// When an event begins, and until when players join it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventDates {
    /// When it begins even if it is not full, or when it began, in seconds since 1970.
    #[serde(default)]
    pub starts_at: Option<i64>,
    /// When joining ends, in seconds since 1970; not after `starts_at`.
    #[serde(default)]
    pub until: Option<i64>,
    /// Whether it begins as soon as it is full.
    // Events were promised this before there was a choice.
    #[serde(default = "yes")]
    pub when_full: bool,
}

fn yes() -> bool {
    true
}

impl Default for EventDates {
    fn default() -> EventDates {
        EventDates { starts_at: None, until: None, when_full: true }
    }
}

impl EventDates {
    pub fn starts_at(&self) -> Option<Timestamp> {
        Timestamp::from_second(self.starts_at?).ok()
    }

    pub fn until(&self) -> Option<Timestamp> {
        Timestamp::from_second(self.until?).ok()
    }
}

/// This bank limits the length of a game. Regular players lose hardly one game in a hundred on time.
const CONTEST_CLOCK: Bank = Bank { hours: 20 * 24, refill: 36 };

/// Adds a bank to board options that set no time limit.
pub(crate) fn in_contest(options: BoardOptions) -> BoardOptions {
    // Without a limit a board, and with it the contest, could run for ever.
    let has_limit = |days: Option<u32>| days.is_some_and(|days| days > 0);
    match options.clock.is_some() || has_limit(options.forfeit) || has_limit(options.total) {
        true => options,
        false => BoardOptions { clock: Some(CONTEST_CLOCK), forfeit: None, total: None, ..options },
    }
}

/// The options of a game's league and ladder, unless the host sets others. If the game has a shorter start, it is used.
pub(crate) fn usual_options(game: &GameKind) -> BoardOptions {
    let random = game.options.iter().find(|option| option.name == "random");
    let random = random.map(|option| (option.name.to_owned(), None));
    let own = random.into_iter().chain(game.more_between_people(&[])).collect();
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
    /// True if the members were told of the next season.
    pub announced: bool,
    /// Seasons that have begun.
    pub seasons: u32,
}

/// When a season begins, and how many weeks later the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonPlan {
    /// Unix time.
    pub starts_at: i64,
    pub weeks: i64,
    /// True if the season was postponed. The members have been told so.
    #[serde(default)]
    pub put_off: bool,
}

/// A player of a group, with the rating when the contest began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Competitor {
    pub player: PlayerId,
    /// Hundredths.
    pub rating: i64,
    /// Hundredths.
    pub deviation: i64,
    /// How many groups up the last season sent the player, with its running games counted half.
    pub sent: i32,
}

/// A game of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestPair {
    /// The first moves first.
    pub players: [PlayerId; 2],
    pub group: usize,
    /// From 1 in a contest with rounds; otherwise 0.
    #[serde(default)]
    pub round: u32,
    /// False for some games of old records: each player has half a point.
    pub has_board: bool,
    /// On a ladder: true if the second player asked for the game, false if the first did.
    second_asked: bool,
    /// When a ladder noted the end of the game.
    pub ended_at: Option<Timestamp>,
}

impl ContestPair {
    pub fn new(players: [PlayerId; 2], group: usize) -> ContestPair {
        ContestPair { players, group, round: 0, has_board: true, second_asked: false, ended_at: None }
    }

    pub fn asked_by(self, seat: Seat) -> ContestPair {
        ContestPair { second_asked: seat == Seat::Second, ..self }
    }

    /// The seat of the player who asked for the game.
    pub fn asking_seat(&self) -> Seat {
        if self.second_asked { Seat::Second } else { Seat::First }
    }

    pub fn challenger(&self) -> PlayerId {
        *self.asking_seat().of(&self.players)
    }

    pub fn challenged(&self) -> PlayerId {
        *self.asking_seat().other().of(&self.players)
    }

    /// The result on the game's board, for the seats of the start. Players might have swapped or been replaced since.
    pub(super) fn result(&self, board: &ContestBoardRow) -> GameResult {
        let players = self.players;
        let have_swapped = board.players[0] == players[1] || board.players[1] == players[0];
        match (board.state, board.ending, board.winner) {
            (BoardState::Running, ..) => GameResult::Running,
            (BoardState::Declined, ..) => GameResult::Void,
            (BoardState::Finished, Some(Ending::Abandoned), None) => GameResult::Void,
            (BoardState::Finished, _, None) => GameResult::Draw,
            (BoardState::Finished, _, Some(seat)) => {
                GameResult::Won(if have_swapped { seat.other() } else { seat })
            }
        }
    }
}

/// Bank of the boards of a slow league.
const SLOW_CLOCK: Bank = Bank { hours: 40 * 24, refill: 72 };

/// The name of the slow league of a game.
pub fn slow_league(game: &str) -> String {
    ContestForm::League.name_of(&format!("{game}-slow"))
}

impl ContestRow {
    /// The options of a league's boards. A slow league has what the host or the game sets, with its own bank.
    pub(crate) fn in_league(&self, set: BoardOptions) -> BoardOptions {
        match self.league_name() == slow_league(&self.game) {
            true => BoardOptions { clock: Some(SLOW_CLOCK), forfeit: None, total: None, ..set },
            false => set,
        }
    }

    /// The name of the league of a season; of any other contest, its own name.
    pub fn league_name(&self) -> &str {
        match (self.form, self.name.rsplit_once('-')) {
            (ContestForm::Season, Some((league, _))) => league,
            _ => &self.name,
        }
    }

    /// What people call the contest: `DVONN league, season 3`. An event has only its name.
    pub fn title(&self) -> String {
        let (league, season) = (self.league_name(), self.name.strip_prefix(self.league_name()));
        let season = season.and_then(|rest| rest.strip_prefix('-'));
        let season = season.map_or(String::new(), |number| format!(", season {number}"));
        match self.form {
            ContestForm::Event => self.name.clone(),
            form => format!("{}{season}", form.title_of(&self.game, league)),
        }
    }
}

impl ContestForm {
    /// The title of the league or the ladder of this name: `DVONN slow league`.
    pub fn title_of(self, game: &str, name: &str) -> String {
        let title = registry::find(game).map_or(game, |game| game.name);
        match self {
            ContestForm::Ladder => format!("{title} ladder"),
            _ if name == slow_league(game) => format!("{title} slow league"),
            _ => format!("{title} league"),
        }
    }

    /// The name of the league or the ladder of a game.
    pub fn name_of(self, game: &str) -> String {
        format!("{game}-{self}")
    }
}
