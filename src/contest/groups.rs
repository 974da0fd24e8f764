//! All-play-all groups: their sizes, the order of their seats, and which player of each pair moves first.

use std::cmp::Reverse;

const SMALLEST: usize = 4;
/// Ideal size of a group. Sizes are as near to it as possible, so no group has more than [`LARGEST`] players.
const AIM: usize = 8;
pub const LARGEST: usize = 10;

/// The sizes of the groups, as equal as can be, the larger first.
pub fn sizes(players: usize) -> Vec<usize> {
    if players < SMALLEST {
        return Vec::new();
    }
    // With `few` groups the average size is at least `AIM`; with one more it is smaller. `few` groups are nearer if
    // `players / few - AIM <= AIM - players / (few + 1)`.
    let few = (players / AIM).max(1);
    let are_nearer = players * (2 * few + 1) <= 2 * AIM * few * (few + 1);
    let groups = if are_nearer { few } else { few + 1 };
    (0..groups).map(|group| players / groups + usize::from(group < players % groups)).collect()
}

/// Every pair of seats in each round; the first of a pair moves first. Seats are places of a list, from 0. Of two seats
/// the lower moves first if their sum is odd (also when counted from 1). The second round reverses this.
///
/// In an odd group every player moves first as often as second. In an even group the first, third, fifth seat and so on move
/// first once more than second, and the others once less.
pub fn pairs(seats: usize, rounds: usize) -> Vec<[usize; 2]> {
    let pairs = (0..seats).flat_map(|high| (0..high).map(move |low| [low, high]));
    let in_round = |round: usize| {
        move |[low, high]: [usize; 2]| if (low + high + round) % 2 == 1 { [low, high] } else { [high, low] }
    };
    pairs.flat_map(|pair| (0..rounds).map(move |round| in_round(round)(pair))).collect()
}

/// Assigns seats to the players of a group and returns the players in order of their seats. `surplus` gives a player's
/// games as first minus games as second so far.
///
/// In an even group a player with a positive surplus gets a seat that moves first once less than second. A player with
/// a negative surplus gets a seat that moves first once more. If there are too few such seats, the greatest surplus
/// comes first. All others sit by strength, as do all players of an odd group.
pub fn seated<P>(strongest_first: Vec<P>, surplus: impl Fn(&P) -> i32) -> Vec<P> {
    if strongest_first.len() % 2 == 1 {
        return strongest_first;
    }
    let half = strongest_first.len() / 2;
    let mut ranked: Vec<(usize, P)> = strongest_first.into_iter().enumerate().collect();
    ranked.sort_by_key(|(strength, player)| (Reverse(surplus(player).abs()), *strength));
    // Players with a surplus choose first. The others alternate in order of strength.
    let (mut more, mut less) = (Vec::new(), Vec::new());
    for (strength, player) in ranked {
        let owed_less = match surplus(&player) {
            0 => less.len() < more.len(),
            owed => owed > 0,
        };
        let (wanted, other) = if owed_less { (&mut less, &mut more) } else { (&mut more, &mut less) };
        let seats = if wanted.len() < half { wanted } else { other };
        seats.push((strength, player));
    }
    more.sort_by_key(|(strength, _)| *strength);
    less.sort_by_key(|(strength, _)| *strength);
    more.into_iter().zip(less).flat_map(|(more, less)| [more.1, less.1]).collect()
}
