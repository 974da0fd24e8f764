//! A contest and its record. The whole contest is rebuilt from its events, like a board.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use turnpost_games::registry;

use crate::contest::events::{BY_ORGANISER, Entered, GroupSeat, Noted, Opened, Ruling, json};
use crate::contest::ladder_record::LadderState;
use crate::contest::pairing::Pairing;
use crate::contest::terms::{Competitor, ContestPair, ContestTerms, LeagueState};
use crate::failure::{BadRecord, Error};
use crate::ids::Seat;
use crate::store::{
    ContestEventKind, ContestEventRow, ContestForm, ContestId, ContestRow, ContestState, PlayerId, Store,
    StoreError,
};

/// A contest, as its record gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contest {
    pub row: ContestRow,
    pub terms: ContestTerms,
    pub maker: Option<PlayerId>,
    pub made_at: Timestamp,
    /// Players who joined and did not leave, in order.
    pub joined: Vec<PlayerId>,
    /// Players who have asked to join an event, or wait for a place in it, in order.
    pub waiting: Vec<PlayerId>,
    /// The players of each group, in the order of their seats.
    pub groups: Vec<Vec<Competitor>>,
    /// The games by their numbers. A ladder drops old games.
    pub pairs: BTreeMap<u32, ContestPair>,
    /// Rounds in which a player had no game, each from 1.
    pub byes: Vec<(u32, PlayerId)>,
    /// The teams of players, by their names.
    pub team_of: BTreeMap<PlayerId, String>,
    /// Players who entered a Swiss event while it ran, each with the number of rounds before.
    pub late: Vec<(PlayerId, u32)>,
    /// The number of the next game.
    pub next_pair: u32,
    pub started_at: Option<Timestamp>,
    /// When the last games began.
    pub opened_at: Option<Timestamp>,
    /// Players who lost a game on time, each with the time of the letter that warned them of a second loss.
    pub warned: BTreeMap<PlayerId, Timestamp>,
    pub withdrawn: Vec<PlayerId>,
    /// Players whom the organiser took out before the contest began.
    pub removed: Vec<PlayerId>,
    pub closed_at: Option<Timestamp>,
    /// Games whose results have changed since the contest closed.
    pub corrected: BTreeSet<u32>,
    /// Used by leagues.
    pub league: LeagueState,
    /// Used by ladders.
    pub ladder: LadderState,
    /// The number of the last event in the stored snapshot.
    pub(super) snapshot: u32,
}

impl Contest {
    /// Makes a new contest and stores it.
    pub fn make(
        store: &Store,
        terms: &ContestTerms,
        by: Option<PlayerId>,
        now: Timestamp,
    ) -> Result<Contest, Error> {
        let text = serde_json::to_string(terms).map_err(|why| bad(1, why))?;
        let made = Noted { player: by, text, ..Noted::of(ContestEventKind::Made, "") }.event(1, now);
        let contest = Contest::begin(store.next_contest()?, &made)?;
        store.keep_contest(&contest.row, &made)?;
        Ok(contest)
    }

    /// The name of the contest's game; empty if this server does not know the game.
    pub fn game_name(&self) -> &'static str {
        registry::find(&self.row.game).map_or("", |game| game.name)
    }

    /// The league of a season; `None` for other contests.
    pub fn league(&self, store: &Store) -> Result<Option<ContestRow>, StoreError> {
        match self.row.form {
            ContestForm::Season => store.contest_named(self.row.league_name()),
            _ => Ok(None),
        }
    }

    /// Makes the contest from its events.
    pub fn rebuild(id: ContestId, events: &[ContestEventRow]) -> Result<Contest, BadRecord> {
        let (made, rest) = events.split_first().ok_or_else(|| bad(1, "there is none"))?;
        let mut contest = Contest::begin(id, made)?;
        rest.iter().try_for_each(|event| contest.apply(event))?;
        Ok(contest)
    }

    pub(super) fn begin(id: ContestId, made: &ContestEventRow) -> Result<Contest, BadRecord> {
        if (made.number, made.kind) != (1, ContestEventKind::Made) {
            return Err(bad(made.number, "a record begins with its making"));
        }
        let terms: ContestTerms = serde_json::from_str(&made.text).map_err(|why| bad(1, why))?;
        let form: ContestForm = terms.form.parse().map_err(|why| bad(1, why))?;
        let row = ContestRow {
            id,
            form,
            game: terms.game.clone(),
            name: terms.name.clone(),
            state: ContestState::Open,
            entrants: 0,
            events: 1,
            changed_at: made.at,
        };
        Ok(Contest {
            row,
            terms,
            maker: made.player,
            made_at: made.at,
            joined: Vec::new(),
            waiting: Vec::new(),
            groups: Vec::new(),
            pairs: BTreeMap::new(),
            byes: Vec::new(),
            team_of: BTreeMap::new(),
            late: Vec::new(),
            next_pair: 0,
            started_at: None,
            opened_at: None,
            warned: BTreeMap::new(),
            withdrawn: Vec::new(),
            removed: Vec::new(),
            closed_at: None,
            corrected: BTreeSet::new(),
            league: LeagueState::default(),
            ladder: LadderState::default(),
            snapshot: 0,
        })
    }

    /// Applies a new event to the contest and stores it.
    pub fn note(
        &mut self,
        store: &Store,
        kind: ContestEventKind,
        player: Option<PlayerId>,
        text: impl Into<String>,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.keep(store, Noted { player, ..Noted::of(kind, text) }, now)
    }

    pub fn rule(
        &mut self,
        store: &Store,
        player: Option<PlayerId>,
        ruling: &Ruling,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.keep(store, Noted { player, ..Noted::ruled(ruling) }, now)
    }

    /// Enters a player, or changes for how long a league member plays.
    pub fn take_in(
        &mut self,
        store: &Store,
        player: PlayerId,
        entered: &Entered,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.note(store, ContestEventKind::Entered, Some(player), json(entered), now)
    }

    pub fn keep(&mut self, store: &Store, noted: Noted, now: Timestamp) -> Result<(), Error> {
        let event = self.happens(noted, now)?;
        Ok(store.keep_contest(&self.row, &event)?)
    }

    /// Applies a new event to the contest without storing it.
    pub(super) fn happens(&mut self, noted: Noted, now: Timestamp) -> Result<ContestEventRow, BadRecord> {
        let event = noted.event(self.row.events.saturating_add(1), now);
        self.apply(&event)?;
        Ok(event)
    }

    /// Withdraws a player. The timer then ends the player's running games. A player withdrawn from a season also leaves
    /// the league.
    pub fn withdraw(
        &mut self,
        store: &Store,
        player: PlayerId,
        why: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.note(store, ContestEventKind::Withdrawn, Some(player), why, now)?;
        store.set_contest_due(self.row.id, Some(now))?;
        if let Some(league) = self.league(store)? {
            let mut league = Contest::load(store, &league)?;
            if league.joined.contains(&player) {
                league.note(store, ContestEventKind::Left, Some(player), why, now)?;
            }
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, event: &ContestEventRow) -> Result<(), BadRecord> {
        let text_of = |why: &'static str| bad(event.number, why);
        let bad = |why: &str| Err(bad(event.number, why));
        if event.number != self.row.events.saturating_add(1) {
            return bad(&format!("follows event {}", self.row.events));
        }
        let ruling = (event.kind == ContestEventKind::Ruled).then(|| serde_json::from_str(&event.text));
        let ruling: Option<Ruling> = ruling.transpose().map_err(|why| self::bad(event.number, why))?;
        let needed = match event.kind {
            ContestEventKind::Made => return bad("a second making"),
            ContestEventKind::Withdrawn => Some(ContestState::Running),
            ContestEventKind::Opened if event.other.is_none() => Some(ContestState::Running),
            ContestEventKind::Entered if self.runs_as_swiss() => Some(ContestState::Running),
            // The list of those who wait lasts while the event runs.
            ContestEventKind::Left if event.player.is_some_and(|player| self.waiting.contains(&player)) => {
                None
            }
            ContestEventKind::Entered | ContestEventKind::Left => Some(ContestState::Open),
            ContestEventKind::Ruled if matches!(ruling, Some(Ruling::Corrected(_))) => {
                Some(ContestState::Closed)
            }
            _ => None,
        };
        if needed.map_or(self.row.state == ContestState::Closed, |needed| needed != self.row.state) {
            return bad(&format!("{} in a contest that is {}", event.kind, self.row.state));
        }
        match (event.kind, event.player) {
            (ContestEventKind::Entered, Some(player)) => {
                let entered =
                    serde_json::from_str(&event.text).map_err(|why| self::bad(event.number, why))?;
                match entered {
                    Entered { seat: Some(seat), .. } => {
                        let late = self.runs_as_swiss().then(|| (player, self.round()));
                        self.late.extend(late);
                        self.sit(player, &seat).map_err(text_of)?;
                    }
                    _ if self.runs_as_swiss() => return bad("enters without a seat"),
                    Entered { once, seat: None } => {
                        // Members enter again to change how long they play.
                        self.leaves(player);
                        self.joined.push(player);
                        self.league.once.extend(once.then_some(player));
                    }
                }
            }
            (ContestEventKind::Left, Some(player)) => {
                self.leaves(player);
                self.removed.extend((event.text == BY_ORGANISER).then_some(player));
            }
            (ContestEventKind::Opened, _) => {
                for pair in self.opens(event).map_err(text_of)? {
                    self.pairs.insert(self.next_pair, pair);
                    self.next_pair += 1;
                }
                self.opened_at = Some(event.at);
            }
            (ContestEventKind::Withdrawn, Some(player)) => self.withdrawn.push(player),
            (ContestEventKind::Ruled, Some(old)) if ruling == Some(Ruling::Replaced) => {
                event.other.into_iter().for_each(|new| self.replaces(old, new));
            }
            (ContestEventKind::Ruled, player) => {
                ruling.into_iter().for_each(|ruling| self.ruled(event.at, player, ruling));
            }
            (ContestEventKind::Closed, _) if event.pair.is_none() => {
                self.row.state = ContestState::Closed;
                self.closed_at = Some(event.at);
            }
            _ => {}
        }
        if self.row.form == ContestForm::Ladder {
            self.ladder.apply(event, &mut self.pairs).map_err(text_of)?;
        }
        let plays = self.groups.iter().map(Vec::len).sum();
        self.row.entrants = self.joined.len().max(plays).try_into().unwrap_or(u32::MAX);
        self.row.events = event.number;
        self.row.changed_at = event.at;
        Ok(())
    }

    /// True for a Swiss event that has begun: players can enter it late.
    pub fn runs_as_swiss(&self) -> bool {
        self.row.state == ContestState::Running && self.terms.pairing == Pairing::Swiss
    }

    fn leaves(&mut self, player: PlayerId) {
        self.joined.retain(|other| *other != player);
        self.waiting.retain(|other| *other != player);
        self.league.once.retain(|other| *other != player);
    }

    fn sit(&mut self, player: PlayerId, seat: &GroupSeat) -> Result<(), &'static str> {
        let GroupSeat { group, rating, deviation, sent } = *seat;
        if group == self.groups.len() {
            self.groups.push(Vec::new());
        }
        let group = self.groups.get_mut(group).ok_or("begins a group after a missing one")?;
        group.push(Competitor { player, rating, deviation, sent });
        Ok(())
    }

    /// The games that an event opens.
    fn opens(&mut self, event: &ContestEventRow) -> Result<Vec<ContestPair>, &'static str> {
        if let Some(players) = event.player.zip(event.other) {
            let asked_by = if event.text == "second" { Seat::Second } else { Seat::First };
            return Ok(vec![ContestPair::new(players.into(), 0).asked_by(asked_by)]);
        }
        let opened: Opened = serde_json::from_str(&event.text).map_err(|_| "its text names no games")?;
        let numbered = (self.next_pair..).zip(self.players_of(opened.group, &opened.pairs)?);
        let pair = |(number, players)| {
            let mut pair = ContestPair::new(players, opened.group);
            pair.has_board = !opened.without.contains(&number);
            pair.round = opened.round;
            pair
        };
        let pairs = numbered.map(pair).collect();
        let byes = self.at_places(opened.group, &opened.byes)?;
        self.byes.extend(byes.into_iter().map(|player| (opened.round, player)));
        Ok(pairs)
    }

    fn ruled(&mut self, at: Timestamp, player: Option<PlayerId>, ruling: Ruling) {
        match ruling {
            Ruling::Started => {
                self.row.state = ContestState::Running;
                self.started_at = Some(at);
                // The others wait for the place of one who makes no move.
                if self.terms.entry.by_request {
                    self.waiting.clear();
                }
            }
            Ruling::Warned => {
                self.warned.extend(player.map(|player| (player, at)));
                self.ladder.warned(player, at);
            }
            Ruling::Options(options) => self.terms.options = options,
            Ruling::Dates(dates) => self.terms.dates = dates,
            Ruling::Plan(plan) => {
                self.league.next = Some(plan);
                self.league.announced = false;
            }
            Ruling::Announced => self.league.announced = true,
            Ruling::Began => self.league.seasons += 1,
            Ruling::Auto(auto) => self.ladder.pairs_on_mondays(player, auto),
            Ruling::Paired => self.ladder.paired_at = Some(at),
            Ruling::Team(team) => self.team_of.extend(player.map(|player| (player, team))),
            Ruling::Replaced => {}
            Ruling::Corrected(pairs) => self.corrected.extend(pairs),
            Ruling::Decided => {}
            Ruling::Asked => self.waiting.extend(player),
        }
    }
}

pub(super) fn bad(number: u32, why: impl ToString) -> BadRecord {
    BadRecord { number, why: why.to_string() }
}
