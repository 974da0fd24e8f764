//! Go: playouts on a fast board.

mod board;
mod playout;
mod priors;
mod shapes;

pub use board::GoBoard;
use turnpost_games::go::Go;
use turnpost_games::rules::{Cells, Game, Ply};
use turnpost_games::{Position, Seat};

use super::playouts::{Chance, Playout};

/// Playouts that decide whether anything is left to play.
const TRIALS: usize = 64;

impl Playout for GoBoard {
    type Rules = Go;
    const OPEN_AT: f32 = 8.0;
    const CURIOSITY: f32 = 0.05;
    const RESIGNS: bool = true;

    fn of(game: &Game<Go>) -> GoBoard {
        GoBoard::of(game)
    }

    /// Passes if this wins at once, or if no empty point is open and more stones do not help.
    fn without_search(game: &Game<Go>, chance: &mut Chance) -> Option<Ply> {
        if let Some(closing) = game.closing() {
            return Some(closing);
        }
        let (own, mut after) = (game.to_move(), game.clone());
        after.make(Ply::PASS);
        let is_last = after.outcome().is_some();
        if !is_last {
            after.make(Ply::PASS);
        }
        let wins = after.outcome().is_some_and(|outcome| outcome.winner == Some(own));
        if wins && is_last {
            return Some(Ply::PASS);
        }
        let board = GoBoard::of(game);
        if 2 * board.empties.len() > usize::from(board.rows).pow(2) {
            return None;
        }
        let (mut owners, mut won) = ([[0; 3]; 361], 0);
        for _ in 0..TRIALS {
            let mut trial = board.clone();
            won += usize::from(trial.play_out(chance) == Some(own));
            for (at, owners) in board.empties.iter().zip(&mut owners) {
                owners[usize::from(trial.owner(*at))] += 1;
            }
        }
        let open = |owners: &[usize; 3]| owners.iter().all(|count| 20 * count < 19 * TRIALS);
        let is_open = owners.iter().take(board.empties.len()).any(open);
        (!is_open && (wins || 20 * won < TRIALS)).then_some(Ply::PASS)
    }

    fn mover(&self) -> Seat {
        if self.own == 1 { Seat::First } else { Seat::Second }
    }

    fn each_try(&self, visit: &mut impl FnMut(Ply, f32, f32)) {
        self.each_prior(|to, games, points| visit(Ply::put(to), games, points));
        visit(Ply::PASS, 10.0, 1.0);
    }

    fn place(&mut self, ply: Ply) {
        match ply.to {
            Some(to) => self.put(to),
            None => self.pass(),
        }
    }

    fn finish(&mut self, chance: &mut Chance) -> (Option<Seat>, [Cells; 2]) {
        self.firsts = [Cells::NONE; 2];
        (self.play_out(chance), self.firsts)
    }
}
