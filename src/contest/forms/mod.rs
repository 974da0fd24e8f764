//! The forms of contests, a file each. A form says what players can ask, who is allowed in, and what happens next.

pub mod all_play_all;
pub mod ladder;
mod played;
pub mod season;

use jiff::Timestamp;
use turnpost_games::GameKind;

use crate::board::interval::Interval;
use crate::contest::events::{Noted, Opened, Ruling};
use crate::contest::record::Contest;
use crate::contest::terms::{Competitor, ContestPair, ContestTerms, LeagueOptions};
use crate::failure::{CommandError, Error};
use crate::ids::{BoardId, Userid};
use crate::store::{ContestEventKind, ContestForm, ContestNewsKind, PlayerId, Store};

/// What differs between the forms of contests.
pub struct FormKind {
    /// The words that its command takes.
    pub words: &'static [&'static str],
    /// Refuses a player who may not enter.
    pub enter: fn(&Store, &Contest, PlayerId, Stay) -> Result<(), CommandError>,
    /// The refusal of what only entrants may ask, with the name of the contest and that of the player.
    pub outside: fn(&GameKind, &str, &Userid) -> CommandError,
    /// What is due in a contest that is not closed.
    pub next: fn(&Store, &Contest, &Due) -> Result<NextStep, Error>,
}

/// When something is due, and what decides it besides the contest.
pub struct Due<'a> {
    pub now: Timestamp,
    /// The options that the host set for leagues.
    pub leagues: &'a LeagueOptions,
    /// When all clocks stood still.
    pub stops: &'a [Interval],
}

/// The most boards that one step makes or ends, because letters wait for it.
const BATCH: usize = 50;

/// How long a player enters for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    UntilTheyLeave,
    /// Only the next season of a league.
    Once,
}

impl ContestForm {
    /// A season is entered through its league.
    pub fn kind(self) -> &'static FormKind {
        match self {
            ContestForm::Event => &all_play_all::FORM,
            ContestForm::League | ContestForm::Season => &season::FORM,
            ContestForm::Ladder => &ladder::FORM,
        }
    }
}

/// What happens next in a contest. It is found before the transaction that carries it out.
pub enum NextStep {
    /// Nothing before then, or before a player does something.
    Wait(Option<Timestamp>),
    /// The record takes in which games have ended.
    CatchUp,
    Note(Notes),
    /// The contest begins with these groups.
    Start(Vec<Vec<Competitor>>),
    /// Another contest begins with these groups, which this one notes.
    Found(Box<ContestTerms>, Vec<Vec<Competitor>>, Notes),
    /// Games begin.
    Open(Vec<Opening>),
    Withdraw(Vec<Withdrawal>),
    /// Running boards of players who withdrew end.
    EndBoards(Vec<BoardId>),
    /// Only its maker ever joined it.
    Forget,
}

/// Games that begin together, and who is told.
pub struct Opening {
    pub games: OpenedGames,
    pub told: Vec<ToldPlayer>,
}

pub enum OpenedGames {
    /// Those of a group. Two of whom one blocks the other have no board.
    OfGroup(Opened),
    /// One that a player asked for.
    Asked(ContestPair),
}

/// Events for the record of a contest, and who is told.
#[derive(Default)]
pub struct Notes {
    pub events: Vec<Noted>,
    pub told: Vec<ToldPlayer>,
}

pub struct ToldPlayer {
    pub player: PlayerId,
    pub news: ContestNewsKind,
}

pub struct Withdrawal {
    pub player: PlayerId,
    pub why: &'static str,
}

impl Notes {
    pub fn of(kind: ContestEventKind, text: impl Into<String>) -> Notes {
        Notes { events: vec![Noted::of(kind, text)], told: Vec::new() }
    }

    pub fn ruled(ruling: &Ruling) -> Notes {
        Notes { events: vec![Noted::ruled(ruling)], told: Vec::new() }
    }

    /// The same, told to these players.
    pub fn tell(mut self, players: impl IntoIterator<Item = PlayerId>, news: ContestNewsKind) -> Notes {
        self.told.extend(players.into_iter().map(|player| ToldPlayer { player, news }));
        self
    }

    /// Adds what happens to a player.
    pub fn add(&mut self, kind: ContestEventKind, player: PlayerId, text: &str) {
        self.events.push(Noted { player: Some(player), ..Noted::of(kind, text) });
    }

    /// These, then others.
    pub fn then(mut self, later: Notes) -> Notes {
        self.events.extend(later.events);
        self.told.extend(later.told);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

impl Contest {
    /// Notes what happens, and keeps what players are to be told.
    pub fn note_all(&mut self, store: &Store, notes: Notes, now: Timestamp) -> Result<(), Error> {
        for noted in notes.events {
            self.keep(store, noted, now)?;
        }
        for ToldPlayer { player, news } in notes.told {
            store.add_contest_news(player, self.row.id, news, now)?;
        }
        Ok(())
    }
}
