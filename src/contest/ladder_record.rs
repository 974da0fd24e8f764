//! What the record of a ladder says, and the places that follow from it and from how its boards stand now.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::contest::ladder::{LadderResult, enter, settle};
use crate::contest::result::result;
use crate::contest::table::GameResult;
use crate::ids::Seat;
use crate::store::{ContestBoardRow, ContestEventKind, ContestEventRow, Ending, PlayerId};

/// What a ladder has beside those who joined it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LadderState {
    pub members: HashMap<PlayerId, LadderMember>,
    /// The games asked for, in order: their places here are the numbers of their pairs.
    pub pairs: Vec<LadderPair>,
    /// The last Monday's games were made.
    pub paired_at: Option<Timestamp>,
    /// Who asks, and on which seat, until the next event says whom.
    asks: Option<(PlayerId, Seat)>,
    steps: Vec<LadderStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderMember {
    pub joined_at: Timestamp,
    /// They were told that they leave it unless they move.
    pub warned_at: Option<Timestamp>,
    /// Mondays pair them.
    pub auto: bool,
}

/// A game that somebody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LadderPair {
    pub challenger: PlayerId,
    pub other: PlayerId,
    /// On which seat the challenger began.
    pub seat: Seat,
    pub asked_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

impl LadderPair {
    /// The first moves first.
    pub fn players(&self) -> [PlayerId; 2] {
        match self.seat {
            Seat::First => [self.challenger, self.other],
            Seat::Second => [self.other, self.challenger],
        }
    }

    fn result(&self, board: &ContestBoardRow) -> Option<LadderResult> {
        let on_time = board.ending == Some(Ending::TimedOut);
        Some(match result(self.players(), board) {
            GameResult::Running | GameResult::Void => return None,
            GameResult::Draw => LadderResult::Draw,
            GameResult::Won(seat) if seat == self.seat && on_time => LadderResult::WonOnTime,
            GameResult::Won(seat) if seat == self.seat => LadderResult::Won,
            GameResult::Won(_) if on_time => LadderResult::LostOnTime,
            GameResult::Won(_) => LadderResult::Lost,
        })
    }
}

/// What may change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LadderStep {
    Joined(PlayerId),
    Left(PlayerId),
    /// The board of this pair is over.
    Ended(usize),
}

impl LadderState {
    pub(super) fn apply(&mut self, event: &ContestEventRow) -> Result<(), &'static str> {
        match (event.kind, event.player) {
            (ContestEventKind::Joined, Some(player)) => {
                let member = LadderMember { joined_at: event.at, warned_at: None, auto: true };
                self.members.insert(player, member);
                self.steps.push(LadderStep::Joined(player));
            }
            (ContestEventKind::Left, Some(player)) => {
                self.members.remove(&player);
                self.steps.push(LadderStep::Left(player));
            }
            (ContestEventKind::Warned, Some(player)) => {
                if let Some(member) = self.members.get_mut(&player) {
                    member.warned_at = Some(event.at);
                }
            }
            (ContestEventKind::Auto, Some(player)) => {
                if let Some(member) = self.members.get_mut(&player) {
                    member.auto = event.text == "on";
                }
            }
            (ContestEventKind::Challenged, Some(player)) => {
                let seat = if event.text == "first" { Seat::First } else { Seat::Second };
                self.asks = Some((player, seat));
            }
            (ContestEventKind::Meets, Some(other)) => {
                let (challenger, seat) = self.asks.take().ok_or("meets nobody's challenge")?;
                self.pairs.push(LadderPair { challenger, other, seat, asked_at: event.at, ended_at: None });
            }
            (ContestEventKind::Ended | ContestEventKind::Resumed, _) => {
                let number = event.text.parse().map_err(|_| "its text is no number of a pair")?;
                let pair = self.pairs.get_mut(number).ok_or("names a pair that is not there")?;
                let step = LadderStep::Ended(number);
                let ended = (event.kind == ContestEventKind::Ended).then_some(event.at);
                // Few games end twice, and the search is long.
                if std::mem::replace(&mut pair.ended_at, ended).is_some() {
                    self.steps.retain(|other| *other != step);
                }
                self.steps.extend(ended.map(|_| step));
            }
            (ContestEventKind::Paired, _) => self.paired_at = Some(event.at),
            _ => {}
        }
        Ok(())
    }

    /// The players, the top in front. Results count in the order in which the boards ended, each as its board has it now, so
    /// that what a player takes back or the host decides later moves all places by itself.
    ///
    /// A result between two moves nobody where one of them had left before: there is no place to gain or to keep. But who
    /// loses on time goes down as always, whether or not the other is still there.
    pub fn places(&self, boards: &[ContestBoardRow]) -> Vec<PlayerId> {
        let mut places = Vec::new();
        let mut left = HashMap::new();
        for step in &self.steps {
            match *step {
                // Two of one person may have been made one.
                LadderStep::Joined(player) if places.contains(&player) => {}
                LadderStep::Joined(player) => match left.get(&player) {
                    // Leaving and coming back gains nobody a place.
                    Some(&place) if place > places.len() / 2 => {
                        places.insert(places.len().min(place), player);
                    }
                    _ => enter(&mut places, player),
                },
                LadderStep::Left(player) => {
                    if let Some(place) = places.iter().position(|other| *other == player) {
                        places.remove(place);
                        left.insert(player, place);
                    }
                }
                LadderStep::Ended(number) => {
                    if let Some((pair, board)) = self.pairs.get(number).zip(board_of(boards, number))
                        && let Some(result) = pair.result(board)
                    {
                        settle(&mut places, &pair.challenger, &pair.other, result);
                    }
                }
            }
        }
        places
    }
}

/// The board of a pair; `boards` are in the order of their pairs.
pub(super) fn board_of(boards: &[ContestBoardRow], pair: usize) -> Option<&ContestBoardRow> {
    let found = boards.binary_search_by_key(&pair, |board| board.pair as usize).ok()?;
    boards.get(found)
}
