//! The evaluation of the placement phase.
//!
//! Stacks live by their links to the DVONN pieces, and pieces on the edge can move from the first ply on. So the
//! evaluation counts pieces near the DVONN pieces and on the edge, and pieces that are shut in. It also counts parts of
//! the board with too few pieces. The weights come from matches of robots whose weights differed (`docs/robot.md`).
//! Weights fitted to results play worse, because what correlates with winning need not cause it.

use turnpost_games::dvonn::Dvonn;
use turnpost_games::dvonn::board::{Board, count_neighbours};
use turnpost_games::dvonn::space::{BOARD, EDGE, NEIGHBOURS, Space, SpaceSet, beside, spaces};
use turnpost_games::{Position, Seat};

/// Number of features that are counted for each side, and their weights.
const COUNT: usize = 11;
const WEIGHTS: [i32; COUNT] = [
    108, // pieces next to a DVONN piece
    -43, // pieces three or more links from the nearest DVONN piece
    -24, // pieces four or more links from it
    -32, // links from each piece to each DVONN piece, summed
    11,  // pairs of own neighbours
    -13, // open neighbours that pieces lack, up to OPEN each
    -13, // pieces that each third of the board lacks, up to ENOUGH
    33,  // DVONN pieces with more own neighbours than enemy ones
    47,  // pieces on the edge
    72,  // pieces on the edge at most two links from a DVONN piece
    4,   // enemy neighbours of pieces on the edge
];

/// Units of the weights in a hundredth of a point.
const UNITS: i32 = 6;

/// Columns A to D, E to G and H to K.
const THIRDS: [SpaceSet; 3] = [columns(0, 3), columns(4, 6), columns(7, 10)];

/// Fewest pieces that a side should have in each third of the board.
const ENOUGH: u32 = 6;

/// A piece should have this many neighbours that are not its own side's, in case one disappears.
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

/// The counts of the side to move minus those of the other side.
fn features(board: &Board, to_move: Seat) -> [i32; COUNT] {
    let near = NearSpaces::of(board.red());
    let mut counts = count_side(board, to_move, &near);
    for (count, theirs) in counts.iter_mut().zip(count_side(board, to_move.other(), &near)) {
        *count -= theirs;
    }
    counts
}

/// The spaces at most one, two and three links from a DVONN piece.
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

/// The sum of squared distances of all spaces to the nearest DVONN piece. It is scaled so that the best and the worst
/// placement of the DVONN pieces differ by at most a quarter of a point.
fn spread(red: SpaceSet) -> i32 {
    let nearest = |space: Space| spaces(red).map(|dvonn| links_between(space, dvonn)).min().unwrap_or(0);
    spaces(BOARD).map(|space| nearest(space).pow(2)).sum::<i32>() / 64
}

/// The estimate for the side to move.
///
/// DVONN pieces belong to neither side. The side that has just placed one wants it far from the others, because chance
/// decides the game if they are close together.
pub(super) fn evaluate(position: &Dvonn) -> i32 {
    let board = position.board();
    if board.occupied() == board.red() {
        return spread(board.red());
    }
    let counts = features(board, position.to_move());
    counts.iter().zip(WEIGHTS).map(|(count, weight)| count * weight).sum::<i32>() / UNITS
}
