//! A ladder with its boards: places, games in play, and which players can meet.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};

use crate::contest::events::Noted;
use crate::contest::ladder::{LadderGames, LadderPlayer};
use crate::contest::record::Contest;
use crate::contest::terms::ContestPair;
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{
    BoardState, ContestBoardRow, ContestEventKind, ContestEventRow, ContestForm, ContestRow, PlayerId, Store,
    StoreError,
};

/// The time before two players can meet again after their game.
const REMATCH: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Number of events after which the ladder stores a new snapshot.
const SNAPSHOT: u32 = 1_000;

pub struct Ladder {
    pub contest: Contest,
    /// The players, the top first.
    pub places: Vec<PlayerId>,
    /// Pairs that play or finished a game within [`REMATCH`], in both orders.
    met: HashSet<[PlayerId; 2]>,
    /// Events for ended and reopened boards that are not stored yet.
    unkept: Vec<ContestEventRow>,
}

impl Contest {
    /// Loads a contest, ready to note a new event. For a ladder, first notes which games have ended, because their
    /// results move places.
    pub(crate) fn up_to_now(store: &Store, row: &ContestRow, now: Timestamp) -> Result<Contest, Error> {
        let contest = Contest::load(store, row)?;
        match row.form {
            ContestForm::Ladder => Ok(Ladder::follow(store, contest, now)?.contest),
            _ => Ok(contest),
        }
    }

    /// The next game of two players. The player with the smaller surplus of first moves begins. If both are equal, the
    /// challenged player begins, so that asking gives no advantage.
    pub fn game_of(&self, challenger: PlayerId, other: PlayerId) -> ContestPair {
        let surplus = |player| self.ladder.surplus.get(&player).copied().unwrap_or_default();
        match surplus(challenger) < surplus(other) {
            true => ContestPair::new([challenger, other], 0).asked_by(Seat::First),
            false => ContestPair::new([other, challenger], 0).asked_by(Seat::Second),
        }
    }
}

impl Ladder {
    /// The current ladder. Stores events for boards that have ended or are in play again; results count in the order of
    /// these events.
    pub fn follow(store: &Store, contest: Contest, now: Timestamp) -> Result<Ladder, Error> {
        let mut ladder = Ladder::look(store, contest, now)?;
        for event in ladder.unkept.drain(..) {
            store.keep_contest(&ladder.contest.row, &event)?;
        }
        if ladder.contest.row.events - ladder.contest.snapshot >= SNAPSHOT {
            ladder.contest.keep_snapshot(store, now - REMATCH)?;
        }
        Ok(ladder)
    }

    /// The current ladder, without writing to the store.
    pub fn look(store: &Store, mut contest: Contest, now: Timestamp) -> Result<Ladder, Error> {
        let id = contest.row.id;
        let in_play: HashSet<u32> = store.pairs_in_play(id)?.into_iter().collect();
        let mut unkept = Vec::new();
        let known: Vec<(u32, bool)> =
            contest.pairs.iter().map(|(number, pair)| (*number, pair.ended_at.is_none())).collect();
        for (number, was_in_play) in known {
            let kind = match (in_play.contains(&number), was_in_play) {
                (true, false) => ContestEventKind::Reopened,
                (false, true) => ContestEventKind::Closed,
                _ => continue,
            };
            unkept.push(contest.happens(Noted { pair: Some(number), ..Noted::of(kind, "") }, now)?);
        }
        let boards = store.contest_boards_at(id, &contest.ladder.counted())?;
        let places = contest.ladder.settle(&boards).to_vec();
        let lately = contest
            .pairs
            .values()
            .filter(|pair| pair.ended_at.is_none_or(|at| now.duration_since(at) < REMATCH));
        let both_ways = |pair: &ContestPair| [pair.players, [pair.players[1], pair.players[0]]];
        let met = lately.flat_map(both_ways).collect();
        Ok(Ladder { contest, places, met, unkept })
    }

    /// True if the record lacks the end or the reopening of a board.
    pub fn is_behind(&self) -> bool {
        !self.unkept.is_empty()
    }

    pub fn place_of(&self, player: PlayerId) -> Option<usize> {
        self.places.iter().position(|other| *other == player)
    }

    pub fn games_of(&self, player: PlayerId) -> LadderGames {
        self.contest.ladder.running.get(&player).copied().unwrap_or_default()
    }

    /// The boards on which a player plays now.
    pub fn boards_of(&self, store: &Store, player: PlayerId) -> Result<Vec<ContestBoardRow>, StoreError> {
        let mut boards = store.contest_boards_of(self.contest.row.id, player)?;
        boards.retain(|board| board.state == BoardState::Running);
        Ok(boards)
    }

    /// True if the two play, or finished a game within the last seven days.
    pub fn have_met(&self, one: PlayerId, two: PlayerId) -> bool {
        self.met.contains(&[one, two])
    }

    /// The players with the facts that the Monday pairing needs.
    pub fn players(
        &self,
        is_paired: impl Fn(PlayerId) -> Result<bool, StoreError>,
    ) -> Result<Vec<LadderPlayer<PlayerId>>, StoreError> {
        let player = |player: &PlayerId| {
            let auto = self.contest.ladder.members.get(player).is_some_and(|member| member.auto);
            let is_paired = auto && is_paired(*player)?;
            Ok(LadderPlayer { player: *player, games: self.games_of(*player), is_paired })
        };
        self.places.iter().map(player).collect()
    }
}
