//! A ladder with its boards: who stands where, who has how many games, and who may play whom.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use crate::contest::ladder::{GAMES_IN, GAMES_OUT, LadderPlayer};
use crate::contest::ladder_record::board_of;
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{
    BoardState, ContestBoardRow, ContestEventKind, ContestEventRow, PlayerId, Store, StoreError,
};

/// Two do not meet again sooner after their game.
const REMATCH: SignedDuration = SignedDuration::from_hours(7 * 24);

/// So long a game is new, and nobody is idle for not having moved there: from one Monday to the next is longer.
const NEW: SignedDuration = SignedDuration::from_hours(6 * 24);

pub struct Ladder {
    pub contest: Contest,
    /// The top in front.
    pub places: Vec<PlayerId>,
    running: HashMap<PlayerId, LadderGames>,
    /// Pairs that play, or did so lately, both ways.
    met: HashSet<[PlayerId; 2]>,
    /// How much more often first than second each has begun.
    surplus: HashMap<PlayerId, i32>,
    /// Which boards have ended or go on, as far as the store does not know.
    unkept: Vec<ContestEventRow>,
}

/// The games of a player that are in play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LadderGames {
    /// Those that they asked for.
    pub asked: usize,
    /// Those that others asked of them.
    pub given: usize,
    /// Those that wait for their move, and did not begin within the last six days.
    pub waiting: usize,
}

impl LadderGames {
    pub fn can_ask(&self) -> bool {
        self.asked < GAMES_OUT
    }

    pub fn can_be_asked(&self) -> bool {
        self.given < GAMES_IN
    }
}

impl Ladder {
    /// The ladder as it stands, which notes which boards have ended or go on: places move in that order.
    pub fn follow(store: &Store, contest: Contest, now: Timestamp) -> Result<Ladder, Error> {
        let mut ladder = Ladder::look(store, contest, now)?;
        for event in ladder.unkept.drain(..) {
            store.keep_contest(&ladder.contest.row, &event)?;
        }
        Ok(ladder)
    }

    /// The same, which only reads.
    pub fn look(store: &Store, mut contest: Contest, now: Timestamp) -> Result<Ladder, Error> {
        let boards = store.contest_boards(contest.row.id)?;
        let mut unkept = Vec::new();
        for board in &boards {
            let Some(pair) = contest.ladder.pairs.get(board.pair as usize) else { continue };
            let kind = match (board.state == BoardState::Running, pair.ended_at) {
                (true, Some(_)) => ContestEventKind::Resumed,
                (false, None) => ContestEventKind::Ended,
                _ => continue,
            };
            unkept.push(contest.happens(kind, None, board.pair.to_string(), now)?);
        }
        let places = contest.ladder.places(&boards);
        let mut running: HashMap<PlayerId, LadderGames> = HashMap::new();
        let (mut met, mut surplus) = (HashSet::new(), HashMap::new());
        for (number, pair) in contest.ladder.pairs.iter().enumerate() {
            let [first, second] = pair.players();
            *surplus.entry(first).or_default() += 1;
            *surplus.entry(second).or_default() -= 1;
            if pair.ended_at.is_none_or(|at| now.duration_since(at) < REMATCH) {
                met.extend([[first, second], [second, first]]);
            }
            if pair.ended_at.is_none() {
                running.entry(pair.challenger).or_default().asked += 1;
                running.entry(pair.other).or_default().given += 1;
                let turn =
                    board_of(&boards, number).and_then(|board| Some(*board.to_move?.of(&board.players)));
                if let Some(player) = turn.filter(|_| now.duration_since(pair.asked_at) > NEW) {
                    running.entry(player).or_default().waiting += 1;
                }
            }
        }
        Ok(Ladder { contest, places, running, met, surplus, unkept })
    }

    pub fn place_of(&self, player: PlayerId) -> Option<usize> {
        self.places.iter().position(|other| *other == player)
    }

    pub fn games_of(&self, player: PlayerId) -> LadderGames {
        self.running.get(&player).copied().unwrap_or_default()
    }

    /// The boards on which a player plays now.
    pub fn boards_of(&self, store: &Store, player: PlayerId) -> Result<Vec<ContestBoardRow>, StoreError> {
        let mut boards = store.contest_boards_of(self.contest.row.id, player)?;
        boards.retain(|board| board.state == BoardState::Running);
        Ok(boards)
    }

    /// Whether two play, or did within the last seven days.
    pub fn have_met(&self, one: PlayerId, two: PlayerId) -> bool {
        self.met.contains(&[one, two])
    }

    /// Who of two moves first, as the challenger's seat: who began less often before. Where both did as often it is the
    /// other, so that asking gains nothing.
    pub fn seat_of_challenger(&self, challenger: PlayerId, other: PlayerId) -> Seat {
        let surplus = |player| self.surplus.get(&player).copied().unwrap_or_default();
        if surplus(challenger) < surplus(other) { Seat::First } else { Seat::Second }
    }

    /// The players as Mondays pair them.
    pub fn players(
        &self,
        is_paired: impl Fn(PlayerId) -> Result<bool, StoreError>,
    ) -> Result<Vec<LadderPlayer<PlayerId>>, StoreError> {
        let player = |player: &PlayerId| {
            let games = self.games_of(*player);
            let auto = self.contest.ladder.members.get(player).is_some_and(|member| member.auto);
            Ok(LadderPlayer {
                player: *player,
                games_out: games.asked,
                games_in: games.given,
                is_paired: auto && is_paired(*player)?,
            })
        };
        self.places.iter().map(player).collect()
    }
}
