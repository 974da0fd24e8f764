//! The forms of contests, one file per form. A form defines its commands, who can enter, and what happens next.

pub mod all_play_all;
pub mod knock_out;
pub mod ladder;
mod played;
pub mod season;
pub mod swiss;

use jiff::{SignedDuration, Timestamp};
use turnpost_games::GameKind;

use crate::board::interval::Interval;
use crate::contest::events::{Noted, Opened, Ruling};
use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::terms::{Competitor, ContestPair, ContestTerms, LeagueOptions};
use crate::failure::{CommandError, Error};
use crate::ids::BoardId;
use crate::store::{ContestEventKind, ContestForm, ContestNewsKind, ContestRow, PlayerId, Store};

/// What differs between the forms of contests.
pub struct FormKind {
    /// Subcommands of the form.
    pub words: &'static [&'static str],
    /// Returns a refusal if the player is not allowed to enter.
    pub enter: fn(&Store, &Contest, PlayerId, Stay) -> Result<(), CommandError>,
    /// Makes the refusal of a request that only entrants can make. Takes the contest's name and the player's userid.
    pub outside: fn(&GameKind, &str) -> CommandError,
    /// Returns the next step of a contest that is not closed.
    pub next: fn(&Store, &Contest, &Due) -> Result<NextStep, Error>,
}

/// Inputs of [`FormKind::next`] in addition to the contest.
pub struct Due<'a> {
    pub now: Timestamp,
    /// The options that the host set for leagues.
    pub leagues: &'a LeagueOptions,
    /// Intervals in which the server was down, so that all clocks were stopped.
    pub stops: &'a [Interval],
}

/// Most players or boards of one transaction. Incoming mail waits during a transaction.
pub const BATCH: usize = 50;

/// A loss on time in an event or a season withdraws the player if it comes at least this long after the letter about the
/// first. Days on which the player's clocks are stopped do not count.
pub(crate) const SECOND_CHANCE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How long a player enters for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    UntilTheyLeave,
    /// Only the next season of a league.
    Once,
}

impl ContestForm {
    /// The code of this form. Leagues and their seasons share one.
    pub fn kind(self) -> &'static FormKind {
        match self {
            ContestForm::Event => &all_play_all::FORM,
            ContestForm::League | ContestForm::Season => &season::FORM,
            ContestForm::Ladder => &ladder::FORM,
        }
    }
}

/// The next step of a contest. It is chosen before the transaction that carries it out.
pub enum NextStep {
    /// Nothing is due before this time, unless a player acts.
    Wait(Option<Timestamp>),
    /// Note in the record which games have ended.
    CatchUp,
    Note(Notes),
    /// The contest begins with these groups.
    Start(Vec<Vec<Competitor>>),
    Found(Box<NewSeason>),
    /// Games begin.
    Open(Vec<Opening>),
    Withdraw(Vec<Withdrawal>),
    /// End these running boards of players who withdrew.
    EndBoards(Vec<BoardId>),
    /// Delete the contest: only its maker ever joined it.
    Forget,
}

/// A season to make. Its players are seated in many transactions, and then it begins.
pub struct NewSeason {
    pub terms: ContestTerms,
    pub groups: Vec<Vec<Competitor>>,
    /// A season of that name from a timer that was killed. This one replaces it: no player was told of it.
    pub unfinished: Option<ContestRow>,
}

/// Games that begin together, and the players to tell.
pub struct Opening {
    pub games: OpenedGames,
    pub told: Vec<ToldPlayer>,
}

pub enum OpenedGames {
    /// Games of a group.
    OfGroup(Opened),
    /// A single game of a ladder.
    Asked(ContestPair),
}

/// At most [`BATCH`] events for the record of a contest, and the players to tell, however many.
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
    /// The news for the player, and the reason in the record.
    pub news: ContestNewsKind,
}

impl Notes {
    pub fn of(kind: ContestEventKind, text: impl Into<String>) -> Notes {
        Notes { events: vec![Noted::of(kind, text)], told: Vec::new() }
    }

    pub fn ruled(ruling: &Ruling) -> Notes {
        Notes { events: vec![Noted::ruled(ruling)], told: Vec::new() }
    }

    /// Adds players to tell, with the kind of news.
    pub fn tell(mut self, players: impl IntoIterator<Item = PlayerId>, news: ContestNewsKind) -> Notes {
        self.told.extend(players.into_iter().map(|player| ToldPlayer { player, news }));
        self
    }

    /// Adds an event about one player.
    pub fn add(&mut self, kind: ContestEventKind, player: PlayerId, text: &str) {
        self.events.push(Noted { player: Some(player), ..Noted::of(kind, text) });
    }

    /// Appends later notes.
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
    /// The code of the contest's form.
    pub fn kind(&self) -> &'static FormKind {
        match (self.row.form, self.terms.pairing) {
            (ContestForm::Event, Pairing::Swiss) => &swiss::FORM,
            (ContestForm::Event, Pairing::KnockOut) => &knock_out::FORM,
            // An event of teams differs only in who meets whom.
            (form, _) => form.kind(),
        }
    }

    /// Stores the events, and queues the news for the players.
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
