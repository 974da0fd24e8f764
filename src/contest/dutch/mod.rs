//! The pairings of a round of a Swiss by the Dutch system (FIDE Handbook C.04.3, as of 2026): who meets whom, who has no
//! game, and who moves first.

mod bracket;
mod order;

use crate::ids::Seat;

use bracket::{Bracket, Paired};

/// A player of a Swiss before a round.
#[derive(Debug, Clone, Default)]
pub struct SwissPlayer {
    /// Counted in half points.
    pub points: u32,
    /// The opponents, by their places in the list.
    pub met: Vec<usize>,
    /// The seats of the games so far.
    pub seats: Vec<Seat>,
    pub had_bye: bool,
    /// Whether the player met one with fewer or more points: in the last round, and in the one before it.
    pub floats: [Option<Float>; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float {
    /// To an opponent with fewer points, or to a round without a game.
    Down,
    Up,
}

/// The games of a round. Players are places in the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SwissRound {
    /// The first of a pair moves first.
    pub pairs: Vec<[usize; 2]>,
    pub bye: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Mild,
    Strong,
    Absolute,
}

impl SwissPlayer {
    /// Games as the first player minus games as the second.
    fn surplus(&self) -> i32 {
        self.seats.iter().map(|seat| if *seat == Seat::First { 1 } else { -1 }).sum()
    }

    /// How many games more the player had the other seat than this one.
    fn lacks(&self, seat: Seat) -> i32 {
        if seat == Seat::Second { self.surplus() } else { -self.surplus() }
    }

    /// True if the player would have a seat other than this one for the third time in a row.
    fn had_other_twice(&self, seat: Seat) -> bool {
        self.seats.len() > 1 && self.seats.iter().rev().take(2).all(|had| *had != seat)
    }

    /// The seat that the player should have next, and how strongly.
    fn wish(&self) -> Option<(Seat, Strength)> {
        let (surplus, last) = (self.surplus(), *self.seats.last()?);
        let other = if surplus > 0 { Seat::Second } else { Seat::First };
        Some(match surplus.abs() {
            2.. => (other, Strength::Absolute),
            _ if self.had_other_twice(last.other()) => (last.other(), Strength::Absolute),
            1 => (other, Strength::Strong),
            _ => (last.other(), Strength::Mild),
        })
    }
}

/// The players of a round. They are listed by strength at the start, the strongest first.
struct SwissField<'a> {
    players: &'a [SwissPlayer],
    /// In the last round, players with more points than this may have a seat three times in a row.
    top: Option<u32>,
}

impl SwissField<'_> {
    fn player(&self, at: usize) -> Option<&SwissPlayer> {
        self.players.get(at)
    }

    fn is_top(&self, player: &SwissPlayer) -> bool {
        self.top.is_some_and(|top| player.points > top)
    }

    /// The seat that both want; `None` if each can have their own wish.
    fn clash(&self, one: &SwissPlayer, other: &SwissPlayer) -> Option<(Seat, Strength)> {
        let ((seat, one), (wanted, other)) = one.wish().zip(other.wish())?;
        (seat == wanted).then_some((seat, one.min(other)))
    }

    fn may_meet(&self, one: usize, other: usize) -> bool {
        let Some((first, second)) = self.player(one).zip(self.player(other)) else { return false };
        let clash = self.clash(first, second).is_some_and(|(_, strength)| strength == Strength::Absolute);
        !first.met.contains(&other) && (!clash || self.is_top(first) || self.is_top(second))
    }

    /// Puts the one who moves first in front. `higher` has more points, or was stronger at the start.
    fn seated(&self, [higher, lower]: [usize; 2]) -> [usize; 2] {
        let Some((one, other)) = self.player(higher).zip(self.player(lower)) else { return [higher, lower] };
        let seat = match (one.wish(), other.wish()) {
            (None, None) if higher % 2 == 0 => Seat::First,
            (None, None) => Seat::Second,
            (Some((seat, _)), None) => seat,
            (None, Some((seat, _))) => seat.other(),
            (Some((seat, _)), Some((wanted, _))) if seat != wanted => seat,
            (Some((seat, strength)), Some((_, by))) => {
                let key = |player: &SwissPlayer, strength: Strength| {
                    (strength, if strength == Strength::Absolute { player.lacks(seat) } else { 0 })
                };
                match key(one, strength).cmp(&key(other, by)) {
                    std::cmp::Ordering::Greater => seat,
                    std::cmp::Ordering::Less => seat.other(),
                    // They change the seats of the last round in which these differed.
                    std::cmp::Ordering::Equal => {
                        let last = one.seats.iter().rev().zip(other.seats.iter().rev());
                        last.filter(|(one, other)| one != other)
                            .map(|(one, _)| one.other())
                            .next()
                            .unwrap_or(seat)
                    }
                }
            }
        };
        if seat == Seat::First { [higher, lower] } else { [lower, higher] }
    }
}

/// Pairs a round; `None` if not all of these players can have new opponents. In the last round, more players may have the
/// seat that they have had twice. Players are listed by strength at the start.
pub fn paired(players: &[SwissPlayer], is_last: bool) -> Option<SwissRound> {
    let rounds =
        players.iter().map(|player| player.met.len() + usize::from(player.had_bye)).max().unwrap_or(0);
    // More than half of the points, of which each round gives two halves.
    let top = is_last.then(|| u32::try_from(rounds).unwrap_or(u32::MAX));
    let field = SwissField { players, top };
    let mut left: Vec<usize> = (0..players.len()).collect();
    left.sort_by_key(|at| std::cmp::Reverse(field.player(*at).map(|player| player.points)));
    let (mut round, mut moved) = (SwissRound::default(), Vec::new());
    while !moved.is_empty() || !left.is_empty() {
        let points = |at: &usize| field.player(*at).map(|player| player.points);
        let first = left.first().and_then(points);
        let rest = left.split_off(left.iter().take_while(|at| points(at) == first).count());
        let Paired { pairs, down } = Bracket::new(&field, moved, left, &rest).paired()?;
        round.pairs.extend(pairs.into_iter().map(|pair| field.seated(pair)));
        (moved, left) = (down, rest);
        if left.is_empty() {
            round.bye = moved.pop();
            break;
        }
    }
    Some(round)
}
