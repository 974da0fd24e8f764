//! The evaluation of the placement phase.
//!
//! Stacks live by their links to the DVONN pieces, and pieces on the edge can move from the first ply on. So it counts
//! who stands near the DVONN pieces and on the edge, who is shut in, and who is found in all parts of the board.

use turnpost_games::dvonn::Dvonn;
use turnpost_games::dvonn::board::{Board, count_neighbours};
use turnpost_games::dvonn::space::{BOARD, EDGE, NEIGHBOURS, Space, SpaceSet, beside, spaces};
use turnpost_games::{Position, Seat};

/// What is counted for each side.
pub const NAMES: [&str; COUNT] = [
    "pieces next to a DVONN piece",
    "pieces three links and more from the nearest DVONN piece",
    "pieces four links and more from it",
    "links between pieces and DVONN pieces, all with all",
    "pairs of own neighbours",
    "neighbours missing to two that are not own",
    "pieces missing to enough in a third of the board",
    "DVONN pieces with more own neighbours than others",
    "pieces on the edge",
    "pieces on the edge two links and less from a DVONN piece",
    "neighbours of the other side to pieces on the edge",
];

/// How many counts there are.
pub const COUNT: usize = 11;

/// By [`NAMES`], 400 in all, written by the example `tune_placement`.
const WEIGHTS: [i32; COUNT] = [
    108, // pieces next to a DVONN piece
    -43, // pieces three links and more from the nearest DVONN piece
    -24, // pieces four links and more from it
    -32, // links between pieces and DVONN pieces, all with all
    11,  // pairs of own neighbours
    -13, // neighbours missing to two that are not own
    -13, // pieces missing to enough in a third of the board
    33,  // DVONN pieces with more own neighbours than others
    47,  // pieces on the edge
    72,  // pieces on the edge two links and less from a DVONN piece
    4,   // neighbours of the other side to pieces on the edge
];

/// How many units of the weights make a hundredth of a point: `tune_placement` prints what one is worth.
const UNITS: i32 = 6;

/// Columns A to D, E to G and H to K.
const THIRDS: [SpaceSet; 3] = [columns(0, 3), columns(4, 6), columns(7, 10)];

/// Pieces of one side in a third of the board that are enough.
const ENOUGH: u32 = 6;

/// Neighbours that are not own which a piece should have, to have a choice when one of them is gone.
const OPEN: i32 = 2;

const fn columns(first: i32, last: i32) -> SpaceSet {
    let mut set = 0;
    let mut column = first;
    while column <= last {
        let mut row = 1;
        while row <= 5 {
            if let Some(space) = Space::at(column, row) {
                set |= space.set();
            }
            row += 1;
        }
        column += 1;
    }
    set
}

/// What is counted for the side to move less the same for the other.
pub fn features(board: &Board, to_move: Seat) -> [i32; COUNT] {
    let near = NearSpaces::of(board.red());
    let mut counts = count_side(board, to_move, &near);
    for (count, theirs) in counts.iter_mut().zip(count_side(board, to_move.other(), &near)) {
        *count -= theirs;
    }
    counts
}

/// The spaces up to one, two and three links from a DVONN piece, whatever lies between.
struct NearSpaces {
    one: SpaceSet,
    two: SpaceSet,
    three: SpaceSet,
}

impl NearSpaces {
    fn of(red: SpaceSet) -> NearSpaces {
        let wider = |set: SpaceSet| (set | beside(set)) & BOARD;
        let one = wider(red);
        NearSpaces { one, two: wider(one), three: wider(wider(one)) }
    }
}

fn count_side(board: &Board, seat: Seat, near: &NearSpaces) -> [i32; COUNT] {
    let (own, other, red) = (board.controlled(seat), board.controlled(seat.other()), board.red());
    let count = |set: SpaceSet| set.count_ones() as i32;
    let lack = |third: &SpaceSet| ENOUGH.saturating_sub((own & third).count_ones()) as i32;
    let (mut links, mut cramped) = (0, 0);
    for space in spaces(own) {
        links += spaces(red).map(|dvonn| links_between(space, dvonn)).sum::<i32>();
        let open = count(NEIGHBOURS[space.index()] & !own);
        cramped += (OPEN - open).max(0);
    }
    let held = |dvonn: &Space| {
        let around = NEIGHBOURS[dvonn.index()];
        count(around & own) > count(around & other)
    };
    [
        count(own & near.one),
        count(own & !near.two),
        count(own & !near.three),
        links,
        count_neighbours(own, own) as i32 / 2,
        cramped,
        THIRDS.iter().map(lack).sum(),
        spaces(red).filter(held).count() as i32,
        count(own & EDGE),
        count(own & EDGE & near.two),
        count_neighbours(own & EDGE, other) as i32,
    ]
}

/// Links between two spaces of a full board.
fn links_between(one: Space, other: Space) -> i32 {
    let (columns, rows) = (other.column() - one.column(), other.row() - one.row());
    columns.abs().max(rows.abs()).max((columns - rows).abs())
}

/// How far the spaces are from the nearest DVONN piece, in squares. Scaled down until no placement of the DVONN pieces
/// is better than another by more than a quarter of a point.
fn spread(red: SpaceSet) -> i32 {
    let nearest = |space: Space| spaces(red).map(|dvonn| links_between(space, dvonn)).min().unwrap_or(0);
    spaces(BOARD).map(|space| nearest(space).pow(2)).sum::<i32>() / 64
}

/// The estimate for the side to move.
///
/// DVONN pieces belong to nobody. The side that has just placed one wanted it far from the others: where they stand close
/// together, chance decides the game.
pub fn evaluate(position: &Dvonn) -> i32 {
    let board = position.board();
    if board.occupied() == board.red() {
        return spread(board.red());
    }
    let counts = features(board, position.to_move());
    counts.iter().zip(WEIGHTS).map(|(count, weight)| count * weight).sum::<i32>() / UNITS
}
