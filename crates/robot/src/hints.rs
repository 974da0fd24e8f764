//! The hints of games: what a position of each is worth, and how its random games are played.

use super::evaluate::Captures;
use super::hint::Hint;
use super::playouts::Playout;
use turnpost_games::Seat;
use turnpost_games::breakthrough::Breakthrough;
use turnpost_games::hex::Hex;
use turnpost_games::reversi::Reversi;
use turnpost_games::rules::{Cell, Ply, Rules, State};

/// What each side's spaces are worth, of which this side's count.
fn balance(state: &State, worth: impl Fn(Seat, Cell) -> i32) -> i32 {
    let side = |seat: Seat| state.of(seat).iter().map(|cell| worth(seat, cell)).sum::<i32>();
    side(state.to_move) - side(state.to_move.other())
}

impl Hint for Breakthrough {
    /// A piece is worth more the further it has come.
    fn value(state: &State) -> i32 {
        const ADVANCE: [i32; 8] = [10, 0, 3, 8, 20, 45, 90, 0];
        balance(state, |seat, cell| {
            let row = *seat.of(&[cell.row(), 7 - cell.row()]);
            100 + ADVANCE.get(usize::from(row)).copied().unwrap_or_default()
        })
    }
}

impl Playout for Hex {
    const FILLS: bool = true;
}

/// How many plies a side would have.
fn plies<R: Rules>(state: &State, seat: Seat) -> i32 {
    let (mut state, mut count) = (state.clone(), 0);
    state.to_move = seat;
    R::each_move(&state, &mut |ply| count += i32::from(ply != Ply::PASS));
    count
}

impl Hint for Reversi {
    const CAPTURES: Captures = Captures::Ignored;
    const UNIT: &'static str = "discs";

    /// Corners stay, the spaces beside an empty corner give it away, and who has more plies chooses.
    fn value(state: &State) -> i32 {
        let side = |seat: Seat| 40 * plies::<Reversi>(state, seat);
        let near = |at: u8| at.min(7 - at);
        let discs = balance(state, |_, cell| match (near(cell.column()), near(cell.row())) {
            (0, 0) => 800,
            (0, 1) | (1, 0) => -60,
            (1, 1) => -150,
            (0, _) | (_, 0) => 60,
            _ => 0,
        });
        discs + side(state.to_move) - side(state.to_move.other())
    }

    fn order(_: &State, ply: Ply) -> i32 {
        let is_end = |at: u8| at == 0 || at == 7;
        ply.to.map_or(0, |to| 800 * i32::from(is_end(to.column()) && is_end(to.row())))
    }
}
