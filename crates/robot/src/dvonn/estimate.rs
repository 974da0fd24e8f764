//! The estimate of a position of the stacking phase: its rings, and its higher stacks one by one.

use super::POINT;
use super::rings::Rings;
use super::stack::{Around, Stack};
use super::worth::Worth;
use turnpost_games::Seat;
use turnpost_games::dvonn::board::{ALL_PIECES, Board};
use turnpost_games::dvonn::space::{EDGE, SpaceSet, spaces, surrounded};

/// Stacks on a full board.
const FULL: i32 = ALL_PIECES as i32;

/// No estimate is further from even than the pieces allow.
const MOST: i32 = POINT * FULL;

/// The higher stacks mostly change what the rings say by less than this: by less than three points in 77 of 100 positions
/// of games by chance, and by less than four in 87, as long as 13 stacks are left.
const ROUGH: i32 = 350;

/// The estimate for the side to move; `None` when neither side can move. Where the rings alone say that it is far outside
/// the window the stacks are not looked at.
#[inline(always)]
pub fn estimate(board: &Board, to_move: Seat, rings: &Rings, (alpha, beta): (i32, i32)) -> Option<i32> {
    let rough = weigh(rings.worth(), to_move, rings);
    let far = rough - ROUGH >= beta || rough + ROUGH <= alpha;
    // A single piece hangs on a DVONN piece, so there is one beside it, and on the edge it is never shut in: it can move.
    if far && singles(board) & EDGE != 0 { Some(rough) } else { fine(board, to_move, rings) }
}

/// The estimate with the stacks.
#[inline(never)]
fn fine(board: &Board, to_move: Seat, rings: &Rings) -> Option<i32> {
    let open = !surrounded(board.occupied());
    let (mut worth, mut reached) = (rings.worth(), 0);
    each_stack(board, open, |stack, targets| {
        worth += rings.weights().stack(stack);
        reached |= targets;
    });
    (singles(board) & open != 0 || reached != 0).then(|| weigh(worth, to_move, rings))
}

#[inline]
fn singles(board: &Board) -> SpaceSet {
    let [white, black] = Seat::BOTH.map(|seat| board.controlled(seat));
    (white | black) & !board.tall()
}

#[inline]
fn weigh(worth: Worth, to_move: Seat, rings: &Rings) -> i32 {
    let ([full, empty], stacks) = (worth.pair(to_move), i32::from(rings.stacks()));
    ((full * stacks + empty * (FULL - stacks)) / FULL).clamp(-MOST, MOST)
}

/// Shows every stack of two pieces and more among the `open` spaces, and what it reaches.
#[inline]
fn each_stack(board: &Board, open: SpaceSet, mut visit: impl FnMut(Stack, SpaceSet)) {
    let (occupied, tall) = (board.occupied(), board.tall());
    let [white, black] = Seat::BOTH.map(|seat| board.controlled(seat));
    let around =
        [black, white].map(|enemies| Around { occupied, enemies, prizes: board.red() | enemies & tall });
    // One loop for both sides: where a loop ends the processor mostly guesses wrong.
    for space in spaces((white | black) & tall & open) {
        let is_black = black & space.set() != 0;
        let (stack, targets) =
            Stack::on(space, board.height(space), is_black, &around[usize::from(is_black)]);
        visit(stack, targets);
    }
}

/// The stacks that the estimate looks at.
pub fn stacks(board: &Board) -> Vec<Stack> {
    let mut stacks = Vec::new();
    each_stack(board, !surrounded(board.occupied()), |stack, _| stacks.push(stack));
    stacks
}

#[cfg(test)]
mod tests {
    use super::super::tests::game_by_chance;
    use super::*;
    use turnpost_games::Position;
    use turnpost_games::dvonn::Dvonn;

    const WIDE: (i32, i32) = (-10_000, 10_000);

    fn worth(position: &Dvonn, window: (i32, i32)) -> Option<i32> {
        let board = position.board();
        estimate(board, position.to_move(), &Rings::of(board), window)
    }

    /// Every position of some games by chance.
    fn positions() -> Vec<Dvonn> {
        let mut positions = Vec::new();
        for seed in 0..40 {
            let (mut position, game) = game_by_chance(seed);
            positions.push(position);
            for ply in game {
                position.make(ply);
                positions.push(position);
            }
        }
        positions
    }

    /// The same with the colours changed, the other side to move, and turned by half.
    fn mirror(position: &Dvonn) -> Dvonn {
        let text = position.write();
        let (rows, mover) = text.split_once(' ').unwrap();
        let turned = |row: &str| row.split(',').rev().collect::<Vec<_>>().join(",");
        let rows: Vec<String> = rows.split('/').rev().map(turned).collect();
        let swap = |letter: char| match letter {
            'w' => 'b',
            'b' => 'w',
            'W' => 'B',
            'B' => 'W',
            other => other,
        };
        let text = format!("{} {mover}", rows.join("/"));
        Dvonn::read(&text.chars().map(swap).collect::<String>()).unwrap()
    }

    #[test]
    fn sums_have_room_in_their_sixteen_bits() {
        for position in positions() {
            let (board, seat) = (position.board(), position.to_move());
            let rings = Rings::of(board);
            let weights = rings.weights();
            let worths = rings.all().map(|ring| weights.ring(ring));
            let worths = worths.chain(stacks(board).into_iter().map(|stack| weights.stack(stack)));
            let [mut full, mut empty] = weights.turn().pair(seat);
            let mut sum = weights.turn();
            for worth in worths {
                let [more_full, more_empty] = worth.pair(seat);
                (full, empty) = (full + more_full, empty + more_empty);
                sum += worth;
            }
            assert_eq!(sum.pair(seat), [full, empty], "{}", position.write());
            assert!(full.abs().max(empty.abs()) < 1 << 14, "{full} {empty} {}", position.write());
        }
    }

    #[test]
    fn there_is_an_estimate_while_anybody_can_move() {
        for position in positions() {
            let over = position.outcome().is_some();
            for window in [WIDE, (-100, 100), (400, 401), (-5000, -4000)] {
                assert_eq!(worth(&position, window).is_none(), over, "{}", position.write());
            }
        }
    }

    #[test]
    fn both_sides_are_weighed_alike_and_a_turned_board_is_worth_the_same() {
        for position in positions() {
            let mirror = mirror(&position);
            assert_eq!(worth(&mirror, WIDE), worth(&position, WIDE), "{}", position.write());
        }
    }

    #[test]
    fn an_estimate_is_rough_only_far_outside_the_window() {
        let (mut rough, mut fine) = (0, 0);
        for position in positions() {
            let Some(value) = worth(&position, WIDE) else { continue };
            for alpha in (-3000..3000).step_by(100) {
                let window = (alpha, alpha + 150);
                let Some(found) = worth(&position, window) else { panic!("{}", position.write()) };
                let far = found >= window.1 + ROUGH || found <= window.0 - ROUGH;
                assert!(found == value || far, "{found} {value} {window:?} {}", position.write());
                rough += u32::from(found != value);
                fine += u32::from(found == value);
            }
        }
        assert!(rough > 10_000 && fine > 10_000, "{rough} {fine}");
    }
}
