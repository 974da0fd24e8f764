//! A contest and its record: all of it follows from its events, as a board does.

use std::cmp::Reverse;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use turnpost_games::registry;

use crate::board::ratings::unrated;
use crate::contest::ladder_record::LadderState;
use crate::contest::terms::{Competitor, ContestPair, ContestTerms, LeagueState};
use crate::failure::{BadRecord, Error};
use crate::store::{
    ContestBoardRow, ContestEventKind, ContestEventRow, ContestForm, ContestId, ContestRow, ContestState,
    PlayerId, Store,
};

/// A contest as its record has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contest {
    pub row: ContestRow,
    pub terms: ContestTerms,
    pub maker: Option<PlayerId>,
    pub made_at: Timestamp,
    /// Players who joined and did not leave, in order.
    pub joined: Vec<PlayerId>,
    /// The players of each group, in the order of their seats.
    pub groups: Vec<Vec<Competitor>>,
    /// Groups whose boards are made.
    pub opened: usize,
    pub started_at: Option<Timestamp>,
    /// When the last of them were made.
    pub opened_at: Option<Timestamp>,
    /// Pairs without a board because one player blocks the other: each has half a point.
    pub without_board: Vec<u32>,
    /// Players who were told that a second loss on time withdraws them.
    pub warned: Vec<PlayerId>,
    pub withdrawn: Vec<PlayerId>,
    /// Games asked for, which is the number of the next. Old leagues have some too.
    pub asked: u32,
    /// Used by leagues.
    pub league: LeagueState,
    /// Used by ladders.
    pub ladder: LadderState,
    /// The number of the last event that the stored snapshot has.
    pub(super) snapshot: u32,
}

/// The text of a competitor's event.
#[derive(Serialize, Deserialize)]
struct GroupSeat {
    group: usize,
    rating: i64,
    deviation: i64,
    #[serde(default)]
    sent: i32,
}

impl Contest {
    /// Makes a new contest and keeps it.
    pub fn make(
        store: &Store,
        terms: &ContestTerms,
        by: Option<PlayerId>,
        now: Timestamp,
    ) -> Result<Contest, Error> {
        let text = serde_json::to_string(terms).map_err(|why| bad(1, why))?;
        let made = ContestEventRow { number: 1, kind: ContestEventKind::Made, at: now, player: by, text };
        let contest = Contest::begin(store.next_contest()?, &made)?;
        store.keep_contest(&contest.row, &made)?;
        Ok(contest)
    }

    /// The name of its game; empty if this server has none of that kind.
    pub fn game_name(&self) -> &'static str {
        registry::find(&self.row.game).map_or("", |game| game.name)
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
            groups: Vec::new(),
            opened: 0,
            started_at: None,
            opened_at: None,
            without_board: Vec::new(),
            warned: Vec::new(),
            withdrawn: Vec::new(),
            asked: 0,
            league: LeagueState::default(),
            ladder: LadderState::default(),
            snapshot: 0,
        })
    }

    /// Notes what happens, in the contest and in the store.
    pub fn note(
        &mut self,
        store: &Store,
        kind: ContestEventKind,
        player: Option<PlayerId>,
        text: impl Into<String>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let event = self.happens(kind, player, text, now)?;
        Ok(store.keep_contest(&self.row, &event)?)
    }

    /// The next event, in the contest alone.
    pub(super) fn happens(
        &mut self,
        kind: ContestEventKind,
        player: Option<PlayerId>,
        text: impl Into<String>,
        now: Timestamp,
    ) -> Result<ContestEventRow, BadRecord> {
        let number = self.row.events.saturating_add(1);
        let event = ContestEventRow { number, kind, at: now, player, text: text.into() };
        self.apply(&event)?;
        Ok(event)
    }

    /// Takes a player out, whose running games the timer then ends. From a season it also leads out of the league.
    pub fn withdraw(
        &mut self,
        store: &Store,
        player: PlayerId,
        why: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.note(store, ContestEventKind::Withdrawn, Some(player), why, now)?;
        store.set_contest_due(self.row.id, Some(now))?;
        if self.row.form == ContestForm::Season
            && let Some(league) = store.contest_named(&ContestForm::League.name_of(&self.row.game))?
        {
            let mut league = Contest::load(store, &league)?;
            if league.joined.contains(&player) {
                league.note(store, ContestEventKind::Left, Some(player), why, now)?;
            }
        }
        Ok(())
    }

    /// Notes in which group a player plays, and how strong they are.
    fn seat(
        &mut self,
        store: &Store,
        group: usize,
        competitor: &Competitor,
        now: Timestamp,
    ) -> Result<(), Error> {
        let Competitor { player, rating, deviation, sent } = *competitor;
        let text = serde_json::to_string(&GroupSeat { group, rating, deviation, sent });
        let text = text.map_err(|why| bad(self.row.events, why))?;
        self.note(store, ContestEventKind::Seated, Some(player), text, now)
    }

    /// Players who joined and can still play, the strongest first.
    pub fn who_can_play(&self, store: &Store) -> Result<Vec<Competitor>, Error> {
        let (mut group, second) = (Vec::new(), self.second_entries(store)?);
        for &player in &self.joined {
            let account = store.player_by_id(player)?;
            if account.is_active() && account.suspended.is_none() && !second.contains(&player) {
                let row = store.rating(&self.row.game, player)?;
                let row = row.unwrap_or_else(|| unrated(&self.row.game, player));
                group.push(Competitor { player, rating: row.rating, deviation: row.deviation, sent: 0 });
            }
        }
        group.sort_by_key(|competitor| Reverse(competitor.rating));
        Ok(group)
    }

    /// Begins with these groups, each in the order of its seats.
    pub fn start(&mut self, store: &Store, groups: &[Vec<Competitor>], now: Timestamp) -> Result<(), Error> {
        self.drop_second_entries(store, now)?;
        for (number, group) in groups.iter().enumerate() {
            group.iter().try_for_each(|competitor| self.seat(store, number, competitor, now))?;
        }
        self.note(store, ContestEventKind::Started, None, "", now)?;
        Ok(store.set_contest_due(self.row.id, Some(now))?)
    }

    pub(super) fn apply(&mut self, event: &ContestEventRow) -> Result<(), BadRecord> {
        let bad = |why: &str| Err(bad(event.number, why));
        if event.number != self.row.events.saturating_add(1) {
            return bad(&format!("follows event {}", self.row.events));
        }
        let needed = match event.kind {
            ContestEventKind::Made => return bad("a second making"),
            // A ladder is open for ever.
            ContestEventKind::Warned if self.row.form == ContestForm::Ladder => None,
            ContestEventKind::Opened
            | ContestEventKind::Warned
            | ContestEventKind::Withdrawn
            | ContestEventKind::Decided => Some(ContestState::Running),
            ContestEventKind::Closed => None,
            _ => Some(ContestState::Open),
        };
        let is_closed = self.row.state == ContestState::Closed;
        if is_closed || needed.is_some_and(|needed| needed != self.row.state) {
            return bad(&format!("{} in a contest that is {}", event.kind, self.row.state));
        }
        if self.row.form == ContestForm::Ladder
            && let Err(why) = self.ladder.apply(event)
        {
            return bad(why);
        }
        match (event.kind, event.player) {
            (ContestEventKind::Joined, Some(player)) => {
                // Members join again to change how long they play.
                self.joined.retain(|other| *other != player);
                self.league.once.retain(|other| *other != player);
                self.joined.push(player);
                if event.text == "once" {
                    self.league.once.push(player);
                }
            }
            (ContestEventKind::Left, Some(player)) => {
                self.joined.retain(|other| *other != player);
                self.league.once.retain(|other| *other != player);
            }
            (ContestEventKind::Changed, _) => match serde_json::from_str(&event.text) {
                Ok(options) => self.terms.options = options,
                Err(_) => return bad("its text is no options of a board"),
            },
            (ContestEventKind::Planned, _) => match serde_json::from_str(&event.text) {
                Ok(plan) => {
                    self.league.next = Some(plan);
                    self.league.announced = false;
                }
                Err(_) => return bad("its text is no plan of a season"),
            },
            (ContestEventKind::Announced, _) => self.league.announced = true,
            (ContestEventKind::Began, _) => self.league.seasons += 1,
            (ContestEventKind::Meets, _) => self.asked += 1,
            (ContestEventKind::Seated, Some(player)) => {
                let Ok(GroupSeat { group, rating, deviation, sent }) = serde_json::from_str(&event.text)
                else {
                    return bad("its text is no seat of a group");
                };
                if group > self.groups.len() {
                    return bad("begins a group after a missing one");
                }
                if group == self.groups.len() {
                    self.groups.push(Vec::new());
                }
                if let Some(group) = self.groups.get_mut(group) {
                    group.push(Competitor { player, rating, deviation, sent });
                }
            }
            (ContestEventKind::Started, _) => {
                self.row.state = ContestState::Running;
                self.started_at = Some(event.at);
            }
            (ContestEventKind::Opened, _) if self.opened == self.groups.len() => {
                return bad("opens a group that is not there");
            }
            (ContestEventKind::Opened, _) => {
                self.opened += 1;
                self.opened_at = Some(event.at);
                self.without_board.extend(event.text.split(' ').filter_map(|pair| pair.parse::<u32>().ok()));
            }
            (ContestEventKind::Warned, Some(player)) => self.warned.push(player),
            (ContestEventKind::Withdrawn, Some(player)) => self.withdrawn.push(player),
            (ContestEventKind::Closed, _) => self.row.state = ContestState::Closed,
            _ => {}
        }
        let plays = self.groups.iter().map(Vec::len).sum();
        self.row.entrants = self.joined.len().max(plays).try_into().unwrap_or(u32::MAX);
        self.row.events = event.number;
        self.row.changed_at = event.at;
        Ok(())
    }

    /// What differs between the stored row and boards and what the record says, a sentence each.
    pub fn faults(&self, stored: &ContestRow, boards: &[ContestBoardRow]) -> Vec<String> {
        let mut wrong = Vec::new();
        if *stored != self.row {
            wrong.push(format!("its row is {stored:?}, and its record makes {:?}", self.row));
        }
        let has_board =
            |pair: &ContestPair| pair.group < self.opened && !self.without_board.contains(&pair.number);
        let of_groups = self.pairs().filter(has_board).map(|pair| pair.number);
        let made: Vec<u32> = of_groups.chain(0..self.asked).collect();
        let found: Vec<u32> = boards.iter().map(|board| board.pair).collect();
        if made != found {
            wrong.push(format!("its record makes {} boards, and {} are there", made.len(), found.len()));
        }
        wrong
    }
}

/// What is wrong with the contests of a database, a sentence each.
pub fn faults(store: &Store) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    for row in store.all_contests()? {
        let faults = match Contest::rebuild(row.id, &store.contest_events(row.id)?) {
            Ok(contest) => {
                let boards = store.contest_boards(row.id)?;
                let mut faults = contest.faults(&row, &boards);
                if row.form == ContestForm::Ladder
                    && Contest::load(store, &row)?.ladder.places(&boards) != contest.ladder.places(&boards)
                {
                    faults.push("its snapshot has other places than its record".to_owned());
                }
                faults
            }
            Err(why) => vec![why.to_string()],
        };
        wrong.extend(faults.into_iter().map(|why| format!("contest {}: {why}", row.name)));
    }
    Ok(wrong)
}

pub(super) fn bad(number: u32, why: impl ToString) -> BadRecord {
    BadRecord { number, why: why.to_string() }
}
