//! The record of a ladder, and the places that follow from it and from the results of its boards.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::contest::ladder::{LadderGames, LadderResult, enter, settle};
use crate::contest::table::GameResult;
use crate::contest::terms::ContestPair;
use crate::store::{ContestBoardRow, ContestEventKind, ContestEventRow, Ending, PlayerId};

/// The state of a ladder in addition to its list of players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderState {
    pub members: HashMap<PlayerId, LadderMember>,
    /// Games in play of each player.
    pub running: HashMap<PlayerId, LadderGames>,
    /// Games as first minus games as second, per player.
    pub surplus: HashMap<PlayerId, i32>,
    /// When the last Monday games were made.
    pub paired_at: Option<Timestamp>,
    /// Places before `steps` are applied, the top first.
    places: Vec<PlayerId>,
    /// Last places of players who left.
    left: HashMap<PlayerId, usize>,
    steps: Vec<LadderStep>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderMember {
    pub joined_at: Timestamp,
    /// When the player was warned to move or leave the ladder.
    pub warned_at: Option<Timestamp>,
    /// True if the player is paired on Mondays.
    pub auto: bool,
}

impl ContestPair {
    fn ladder_result(&self, board: &ContestBoardRow) -> Option<LadderResult> {
        let on_time = board.ending == Some(Ending::TimedOut);
        let own = self.asking_seat();
        Some(match self.result(board) {
            GameResult::Running | GameResult::Void => return None,
            GameResult::Draw => LadderResult::Draw,
            GameResult::Won(seat) if seat == own && on_time => LadderResult::WonOnTime,
            GameResult::Won(seat) if seat == own => LadderResult::Won,
            GameResult::Won(_) if on_time => LadderResult::LostOnTime,
            GameResult::Won(_) => LadderResult::Lost,
        })
    }
}

/// An event that can change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum LadderStep {
    Joined(PlayerId),
    /// The flag is true if the player had a running game.
    Left(PlayerId, bool),
    /// The board of this pair is over.
    Ended(u32, ContestPair),
}

impl LadderState {
    /// Applies an event. `pairs` already contains the games that the event opens.
    pub(super) fn apply(
        &mut self,
        event: &ContestEventRow,
        pairs: &mut BTreeMap<u32, ContestPair>,
    ) -> Result<(), &'static str> {
        match (event.kind, event.player) {
            (ContestEventKind::Entered, Some(player)) => {
                let member = LadderMember { joined_at: event.at, warned_at: None, auto: true };
                self.members.insert(player, member);
                self.steps.push(LadderStep::Joined(player));
            }
            (ContestEventKind::Left, Some(player)) => {
                self.members.remove(&player);
                let games = self.running.get(&player).copied().unwrap_or_default();
                self.steps.push(LadderStep::Left(player, games != LadderGames::default()));
            }
            (ContestEventKind::Opened, _) => {
                let (_, pair) = pairs.last_key_value().ok_or("opens no game")?;
                let [first, second] = pair.players;
                *self.surplus.entry(first).or_default() += 1;
                *self.surplus.entry(second).or_default() -= 1;
                self.plays(pair, true);
            }
            (ContestEventKind::Closed | ContestEventKind::Reopened, _) if event.pair.is_some() => {
                let number = event.pair.unwrap_or_default();
                let pair = pairs.get_mut(&number).ok_or("names a pair that is not there")?;
                let ended = (event.kind == ContestEventKind::Closed).then_some(event.at);
                let before = std::mem::replace(&mut pair.ended_at, ended);
                let pair = *pair;
                // Search only if the game ended before: that is rare, and the search is slow.
                if before.is_some() {
                    self.steps
                        .retain(|step| !matches!(step, LadderStep::Ended(other, _) if *other == number));
                }
                if before.is_some() != ended.is_some() {
                    self.plays(&pair, ended.is_none());
                }
                self.steps.extend(ended.map(|_| LadderStep::Ended(number, pair)));
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn warned(&mut self, player: Option<PlayerId>, at: Timestamp) {
        if let Some(member) = player.and_then(|player| self.members.get_mut(&player)) {
            member.warned_at = Some(at);
        }
    }

    pub(super) fn pairs_on_mondays(&mut self, player: Option<PlayerId>, auto: bool) {
        if let Some(member) = player.and_then(|player| self.members.get_mut(&player)) {
            member.auto = auto;
        }
    }

    /// Counts a game as in play, or no longer.
    fn plays(&mut self, pair: &ContestPair, begins: bool) {
        let count = |games: &mut usize| {
            *games = if begins { *games + 1 } else { games.saturating_sub(1) };
        };
        count(&mut self.running.entry(pair.challenger()).or_default().asked);
        count(&mut self.running.entry(pair.challenged()).or_default().given);
        for player in pair.players {
            if self.running.get(&player) == Some(&LadderGames::default()) {
                self.running.remove(&player);
            }
        }
    }

    /// The numbers of the games whose results count in these places.
    pub(super) fn counted(&self) -> Vec<u32> {
        let number = |step: &LadderStep| match step {
            LadderStep::Ended(number, _) => Some(*number),
            _ => None,
        };
        self.steps.iter().filter_map(number).collect()
    }

    /// The players, the top first. Results count in the order in which the boards ended. Each result is read from its
    /// board, so a later change of a result changes the places too.
    ///
    /// If one of the two players left before the end, the result moves no player. Only a loss on time still moves the
    /// loser down.
    pub fn places(&self, boards: &[ContestBoardRow]) -> Vec<PlayerId> {
        let mut ladder = self.clone();
        ladder.settle(boards);
        ladder.places
    }

    /// Applies the steps to the places, and clears the steps.
    pub(super) fn settle(&mut self, boards: &[ContestBoardRow]) -> &[PlayerId] {
        let (places, left) = (&mut self.places, &mut self.left);
        for step in std::mem::take(&mut self.steps) {
            match step {
                // The host can merge two accounts of one person.
                LadderStep::Joined(player) if places.contains(&player) => {}
                LadderStep::Joined(player) => match left.get(&player) {
                    // A player who returns gets no better place than before leaving.
                    Some(&place) if place > places.len() / 2 => {
                        places.insert(places.len().min(place), player);
                    }
                    _ => enter(places, player),
                },
                LadderStep::Left(player, plays) => {
                    if let Some(place) = places.iter().position(|other| *other == player) {
                        places.remove(place);
                        // A player who leaves during a game returns at the bottom, so leaving does not avoid a loss of
                        // places.
                        left.insert(player, if plays { usize::MAX } else { place });
                    }
                }
                LadderStep::Ended(number, pair) => {
                    if let Some(result) = board_of(boards, number).and_then(|board| pair.ladder_result(board))
                    {
                        settle(places, &pair.challenger(), &pair.challenged(), result);
                    }
                }
            }
        }
        places
    }
}

/// The board of a pair; `boards` are in the order of their pairs.
fn board_of(boards: &[ContestBoardRow], pair: u32) -> Option<&ContestBoardRow> {
    let found = boards.binary_search_by_key(&pair, |board| board.pair).ok()?;
    boards.get(found)
}
