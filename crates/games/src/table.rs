//! A position of any game, behind one object-safe trait that speaks text.

use crate::position::{Drawing, Illegal, Outcome, Position, Unreadable, perft};
use crate::scene::{Ends, Scene};
use crate::seat::Seat;

/// A position of any game, played by text. Every [`Position`] implements it.
pub trait Table: Send {
    /// The seat that plays the next ply.
    fn turn(&self) -> Seat;

    /// How the game ended; `None` while it goes on.
    fn ended(&self) -> Option<Outcome>;

    /// The legal plies in their standard form.
    fn legal_plies(&self) -> Vec<String>;

    /// A ply that can be played now, and what it does, and one of another kind if there is one: `e1 drops a stone on e1,
    /// c1-d4 moves the stone on c1 to d4`. `None` when the game is over.
    ///
    /// ```
    /// let dvonn = turnpost_games::registry::find("dvonn").ok_or("no such game")?;
    /// let table = (dvonn.start)(&turnpost_games::Setup { options: &[], seed: 0 })?;
    /// let example = table.example().ok_or("it has just begun")?;
    /// assert_eq!(example, "A1 places a red DVONN piece, the first of three, on A1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn example(&self) -> Option<String>;

    /// The forced pass, if there is one. The server plays it.
    fn forced_ply(&self) -> Option<String>;

    /// Plays the forced pass, if there is one.
    fn play_pass(&mut self) -> Option<Pass>;

    /// Plays forced passes until a seat has something to choose or the game is over.
    fn play_passes(&mut self) -> Vec<Pass> {
        std::iter::from_fn(|| self.play_pass()).collect()
    }

    /// Plays the first ply of `text`. A refused ply changes nothing.
    ///
    /// # Errors
    /// The text begins with no ply, or the rules forbid the ply.
    fn play_text<'t>(&mut self, text: &'t str) -> Result<Played<'t>, MoveError>;

    /// Plays the plies of `text` that belong to the turn of the seat to move, and the forced passes between and behind
    /// them. A refused turn changes nothing.
    ///
    /// ```
    /// use turnpost_games::registry;
    ///
    /// let dvonn = registry::find("dvonn").ok_or("no such game")?;
    /// let mut table = (dvonn.start)(&turnpost_games::Setup { options: &[], seed: 0 })?;
    /// let turn = table.play_turn("f3 e3")?;
    /// assert_eq!((turn.plies, turn.rest), (vec!["F3".to_owned()], "e3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The text, or what follows a ply that does not end the turn, is no ply, or the rules forbid it.
    fn play_turn<'t>(&mut self, text: &'t str) -> Result<Turn<'t>, MoveError>;

    /// The text behind the first ply of `text`, whether the rules allow that ply or not.
    ///
    /// # Errors
    /// The text begins with no ply.
    fn behind_ply<'t>(&self, text: &'t str) -> Result<&'t str, Unreadable>;

    /// Plays a recorded ply again, without what a player is told of it. Gives false when `ply` is not written in its
    /// standard form.
    ///
    /// # Errors
    /// The text begins with no ply, or the rules forbid the ply.
    fn replay(&mut self, ply: &str) -> Result<bool, MoveError>;

    /// The position's text. [`GameKind::read`](crate::GameKind::read) turns it back into an equal table.
    fn position(&self) -> String;

    /// The board as it is seen.
    fn look(&self) -> Scene;

    /// Draws the board in 7-bit text.
    fn drawing(&self) -> Drawing {
        self.look().drawing()
    }

    /// The legal plies with the spaces that each names, to choose one by its spaces.
    fn choices(&self) -> Vec<(String, Ends)>;

    /// The number of legal sequences of exactly `depth` plies from here.
    fn perft(&self, depth: u32) -> u64;

    /// A copy to try plies on.
    fn copy(&self) -> Box<dyn Table>;
}

/// A ply that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played<'t> {
    /// The ply in its standard form.
    pub ply: String,
    /// The spaces that it names.
    pub ends: Ends,
    /// Sentences about what the ply did beside moving.
    pub remarks: Vec<String>,
    /// The text behind the ply, without leading blanks.
    pub rest: &'t str,
}

/// A forced pass that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The seat that passed.
    pub seat: Seat,
    /// The ply in its standard form.
    pub ply: String,
}

/// A turn of one seat that was played, or its beginning where the text ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn<'t> {
    /// The plies of the text in their standard form.
    pub plies: Vec<String>,
    /// The forced passes between and behind them, of both seats.
    pub passes: Vec<Pass>,
    /// Sentences about what the plies did beside moving.
    pub remarks: Vec<String>,
    /// The text behind the turn, without leading blanks.
    pub rest: &'t str,
}

/// Why a ply was not played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is no ply.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The rules forbid the ply.
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

    fn example(&self) -> Option<String> {
        let plies = self.legal_moves();
        let from = |ply: P::Move| self.ends(ply).from.is_some();
        let first = *plies.first()?;
        let other = plies.into_iter().find(|ply| from(*ply) != from(first));
        let told = [Some(first), other].into_iter().flatten();
        let told = told.map(|ply| format!("{} {}", self.write_move(ply), self.explain(ply)));
        Some(told.collect::<Vec<_>>().join(", "))
    }

    fn forced_ply(&self) -> Option<String> {
        self.forced().map(|ply| self.write_move(ply))
    }

    fn play_pass(&mut self) -> Option<Pass> {
        let (seat, forced) = (self.to_move(), self.forced()?);
        let ply = self.write_move(forced);
        self.make(forced);
        Some(Pass { seat, ply })
    }

    fn play_text<'t>(&mut self, text: &'t str) -> Result<Played<'t>, MoveError> {
        let (ply, rest) = self.read_move(text.trim_start())?;
        let before = self.clone();
        self.play(ply)?;
        Ok(Played {
            ply: before.write_move(ply),
            ends: before.ends(ply).named(),
            remarks: before.remarks(self),
            rest: rest.trim_start(),
        })
    }

    fn play_turn<'t>(&mut self, text: &'t str) -> Result<Turn<'t>, MoveError> {
        let mut after = self.clone();
        let mut turn = Turn { plies: Vec::new(), passes: Vec::new(), remarks: Vec::new(), rest: text };
        loop {
            let played = after.play_text(turn.rest)?;
            turn.plies.push(played.ply);
            turn.remarks.extend(played.remarks);
            turn.rest = played.rest;
            turn.passes.extend(after.play_passes());
            let is_over = after.to_move() != self.to_move() || after.outcome().is_some();
            if is_over || turn.rest.is_empty() {
                *self = after;
                return Ok(turn);
            }
        }
    }

    fn behind_ply<'t>(&self, text: &'t str) -> Result<&'t str, Unreadable> {
        let (_, rest) = self.read_move(text.trim_start())?;
        Ok(rest.trim_start())
    }

    fn replay(&mut self, ply: &str) -> Result<bool, MoveError> {
        let (action, _) = self.read_move(ply.trim_start())?;
        let standard = self.write_move(action);
        self.play(action)?;
        Ok(standard == ply)
    }

    fn position(&self) -> String {
        self.write()
    }

    fn look(&self) -> Scene {
        self.scene()
    }

    fn choices(&self) -> Vec<(String, Ends)> {
        self.legal_moves().into_iter().map(|ply| (self.write_move(ply), self.ends(ply).named())).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

/// Plays `plies` onto `table`. A record contains its forced passes like any other ply.
///
/// # Errors
/// The index, from 0, of the first ply that cannot be played, and why.
pub fn replay<'p>(
    table: &mut dyn Table,
    plies: impl IntoIterator<Item = &'p str>,
) -> Result<(), (usize, MoveError)> {
    for (index, ply) in plies.into_iter().enumerate() {
        table.play_text(ply).map_err(|why| (index, why))?;
    }
    Ok(())
}
