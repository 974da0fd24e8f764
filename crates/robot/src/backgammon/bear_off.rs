//! The end of a race in backgammon by a table: with few checkers on each side, all at home, the chances are known.

use std::collections::HashMap;
use std::sync::OnceLock;

use turnpost_games::backgammon::board::{Board, Side, pips};

/// Most checkers of a side. The table has 924 positions, made in a quarter of a second when the first race ends.
const MOST: u8 = 6;

/// The chance to need exactly this many rolls. Six checkers on the sixth point need 11 at most.
type Rolls = [f64; 12];

/// The chance of the side on roll to bear off first; `None` if a side is not in the table.
pub(crate) fn chance_to_win(board: &Board) -> Option<f64> {
    let rolls = |side: &Side| is_in_table(side).then(|| table().get(&without_off(*side)))?;
    let (own, other) = (rolls(&board.mine)?, rolls(&board.theirs)?);
    let not_before = |number: usize| other.iter().skip(number).sum::<f64>();
    Some((0..).zip(own).map(|(number, chance)| chance * not_before(number)).sum())
}

fn is_in_table(side: &Side) -> bool {
    side.iter().skip(1).sum::<u8>() <= MOST && side.iter().skip(7).all(|count| *count == 0)
}

fn table() -> &'static HashMap<Side, Rolls> {
    static TABLE: OnceLock<HashMap<Side, Rolls>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut sides = Vec::new();
        fill([0; 26], 6, MOST, &mut sides);
        // Each turn leads to fewer pips.
        sides.sort_by_key(pips);
        let mut table = HashMap::new();
        for side in sides {
            let rolls = rolls_of(&side, &table);
            table.insert(side, rolls);
        }
        table
    })
}

/// All ways to put checkers on the points up to `point`, with `left` to go. Those that are off are not counted.
fn fill(side: Side, point: usize, left: u8, sides: &mut Vec<Side>) {
    let Some(next) = point.checked_sub(1) else { return sides.push(side) };
    for count in 0..=left {
        let mut more = side;
        more[point] = count;
        fill(more, next, left - count, sides);
    }
}

/// The rolls of a side that plays each of them so that it needs the fewest on average.
fn rolls_of(side: &Side, table: &HashMap<Side, Rolls>) -> Rolls {
    let mut rolls = [0.0; 12];
    let board = Board { mine: *side, theirs: [0; 26] };
    if pips(side) == 0 {
        rolls[0] = 1.0;
        return rolls;
    }
    let average = |rolls: &&Rolls| (0..).zip(*rolls).map(|(number, chance)| f64::from(number) * chance).sum();
    for (high, low) in (1..=6).flat_map(|high| (1..=high).map(move |low| (high, low))) {
        let turns = board.turns([high, low]);
        let after = turns.keys().filter_map(|after| table.get(&without_off(after.mine)));
        let best = after.min_by(|one, other| f64::total_cmp(&average(one), &average(other)));
        let weight = if high == low { 1.0 } else { 2.0 } / 36.0;
        for (rolls, chance) in rolls.iter_mut().skip(1).zip(best.into_iter().flatten()) {
            *rolls += weight * chance;
        }
    }
    rolls
}

fn without_off(mut side: Side) -> Side {
    side[0] = 0;
    side
}
