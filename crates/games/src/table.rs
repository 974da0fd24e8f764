//! A position as the rest of the house sees it: object-safe, and speaking text.

use super::{Drawing, Illegal, Outcome, Position, Seat, Unreadable, perft::perft};

/// A [`Position`] of any game, played by text.
pub trait Table: Send {
    /// The seat whose ply comes next.
    fn turn(&self) -> Seat;

    /// How the game ended by its rules; `None` while it goes on.
    fn ended(&self) -> Option<Outcome>;

    /// Every legal ply as it is written.
    fn legal_plies(&self) -> Vec<String>;

    /// The pass the server has to play now.
    fn forced_ply(&self) -> Option<String>;

    /// Plays the first ply written in `text`; a refusal changes nothing.
    fn play_text<'t>(&mut self, text: &'t str) -> Result<Played<'t>, MoveError>;

    /// The position's text, which the game's `read` turns back into an equal table.
    fn position(&self) -> String;

    /// The board drawn.
    fn drawing(&self) -> Drawing;

    /// How many sequences of exactly `depth` legal plies there are from here.
    fn perft(&self, depth: u32) -> u64;

    /// A copy to try things on.
    fn copy(&self) -> Box<dyn Table>;
}

/// A ply that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played<'t> {
    /// The ply as it is written back.
    pub ply: String,
    /// What it did beside the move, as sentences.
    pub remarks: Vec<String>,
    /// What stood behind it, leading blanks removed.
    pub rest: &'t str,
}

/// Why a ply was not played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It could not be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The rules forbid it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

impl<P: Position> Table for P {
    fn turn(&self) -> Seat {
        self.to_move()
    }

    fn ended(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn legal_plies(&self) -> Vec<String> {
        self.legal_moves().into_iter().map(|ply| self.write_move(ply)).collect()
    }

    fn forced_ply(&self) -> Option<String> {
        self.forced().map(|ply| self.write_move(ply))
    }

    fn play_text<'t>(&mut self, text: &'t str) -> Result<Played<'t>, MoveError> {
        let (ply, rest) = self.read_move(text.trim_start())?;
        let before = self.clone();
        self.play(ply)?;
        Ok(Played { ply: before.write_move(ply), remarks: before.remarks(self), rest: rest.trim_start() })
    }

    fn position(&self) -> String {
        self.write()
    }

    fn drawing(&self) -> Drawing {
        self.draw()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
