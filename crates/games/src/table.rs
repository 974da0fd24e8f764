//! A position of any game, for callers that do not know the type of the game.

use std::iter;

use crate::chance::{Cast, Chance};
use crate::position::{Drawing, Illegal, Outcome, Position, Unreadable, perft};
use crate::scene::{Ends, Scene};
use crate::seat::Seat;

/// A position of any game, on which plies are played as text. Every [`Position`] implements it.
pub trait Table: Send {
    /// The seat that plays the next ply.
    fn turn(&self) -> Seat;

    /// How the game ended; `None` if it has not.
    fn ended(&self) -> Option<Outcome>;

    /// What falls next; see [`Position::chance`].
    fn chance(&self) -> Option<Chance>;

    /// The legal plies in their standard form.
    fn legal_plies(&self) -> Vec<String>;

    /// A legal ply and what it does, and a second ply of another kind if there is one. `None` after the end of the
    /// game. Example: `e1 drops a stone on e1, c1-d4 moves the stone on c1 to d4`.
    ///
    /// ```
    /// let dvonn = turnpost_games::registry::find("dvonn").ok_or("no such game")?;
    /// let table = (dvonn.start)(&turnpost_games::Setup { options: &[], seed: 0 })?;
    /// let example = table.example().ok_or("it has just begun")?;
    /// assert_eq!(example, "A1 places a red DVONN piece, the first of three, on A1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn example(&self) -> Option<String>;

    /// What a legal ply does; see [`Position::explain`].
    fn explained(&self, ply: &str) -> Option<String>;

    /// The only legal ply, if the server plays it; see [`Position::forced`].
    fn forced_ply(&self) -> Option<String>;

    /// Plays the forced ply, such as a pass, if there is one.
    fn play_pass(&mut self) -> Option<Pass>;

    /// The ply that most players choose here; see [`Position::usual`].
    fn usual_ply(&self) -> Option<String>;

    /// The ply by which the side to move gives up the running game of a match; see [`Position::give_up`].
    fn give_up_ply(&self) -> Option<String>;

    /// The points that win the match of this board; 1 if it is a single game.
    fn match_length(&self) -> u16;

    /// True if the side to move can have a usual ply in its next turn; see [`Position::may_ask`].
    fn may_ask(&self) -> bool;

    /// Plays a cast and returns it as the record has it. `None` if it cannot fall here; then nothing changes.
    fn play_chance(&mut self, cast: Cast) -> Option<String>;

    /// Plays forced passes until a seat has a choice, a cast is next or the game is over.
    fn play_passes(&mut self) -> Vec<Pass> {
        iter::from_fn(|| self.play_pass()).collect()
    }

    /// Plays casts and forced passes until a seat has a choice or the game is over. `dice` makes each cast; the dice wait
    /// if it makes none.
    fn play_until_choice(&mut self, dice: &mut dyn FnMut(Chance) -> Option<Cast>) -> Vec<Pass> {
        iter::from_fn(|| self.play_next(dice)).collect()
    }

    /// Plays the cast or the forced pass that is next, if one is; see [`play_until_choice`](Table::play_until_choice).
    fn play_next(&mut self, dice: &mut dyn FnMut(Chance) -> Option<Cast>) -> Option<Pass> {
        match self.chance() {
            Some(chance) => self.play_chance(dice(chance)?).map(|ply| Pass { seat: None, ply }),
            None => self.play_pass(),
        }
    }

    /// The ply that ends the turn if its player adds nothing; see [`Position::closing`].
    fn closing_ply(&self) -> Option<String>;

    /// Plays the ply at the start of `text`. A refused ply changes nothing.
    ///
    /// # Errors
    /// `text` does not begin with a ply, or the ply is illegal.
    fn play_text<'t>(&mut self, text: &'t str) -> Result<Played<'t>, MoveError>;

    /// Plays the plies at the start of `text` that belong to the turn of the seat to move, and the forced passes
    /// between and after them. The turn ends before a cast. A refused turn changes nothing.
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
    /// A ply that the turn needs is missing, or a ply is illegal.
    fn play_turn<'t>(&mut self, text: &'t str) -> Result<Turn<'t>, MoveError>;

    /// The text after the ply, legal or not, at the start of `text`.
    ///
    /// # Errors
    /// `text` does not begin with a ply.
    fn behind_ply<'t>(&self, text: &'t str) -> Result<&'t str, Unreadable>;

    /// Plays a recorded ply or cast without collecting remarks. Returns false if it is not in its standard form.
    ///
    /// # Errors
    /// `ply` does not begin with a ply, or the ply is illegal. Before a cast, it is no cast of these dice.
    fn replay(&mut self, ply: &str) -> Result<bool, MoveError>;

    /// The text of the position. [`GameKind::read`](crate::GameKind::read) turns it back into an equal table.
    fn position(&self) -> String;

    /// The text by which archives find the position; see [`Position::key_text`].
    fn key_text(&self) -> String;

    /// The board as a scene, from which text and pictures are drawn.
    fn look(&self) -> Scene;

    /// The board after the steps of `begun`, one of the texts of [`continued`](Table::continued).
    fn look_begun(&self, begun: &str) -> Scene;

    /// Draws the board in 7-bit text.
    fn drawing(&self) -> Drawing {
        self.look().drawing()
    }

    /// The legal plies, or their first steps, each with the spaces that it names. If other spaces mean a ply too, it is listed again with those.
    fn choices(&self) -> Vec<(String, Ends)> {
        self.continued("")
    }

    /// The turns that begin with `begun`, a step longer each; see [`Position::continued`].
    fn continued(&self, begun: &str) -> Vec<(String, Ends)>;

    /// The number of legal sequences of `depth` plies from here.
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
    /// Sentences about the other effects of the ply, such as captures.
    pub remarks: Vec<String>,
    /// The text after the ply, without leading blanks.
    pub rest: &'t str,
}

/// A forced ply that was played, such as a pass, or a cast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The seat whose ply it is; `None` for a cast.
    pub seat: Option<Seat>,
    /// The ply or the cast in its standard form.
    pub ply: String,
}

/// A turn that was played, or its beginning if the text ends early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn<'t> {
    /// The plies in their standard form.
    pub plies: Vec<String>,
    /// The forced passes of both seats between and after the plies.
    pub passes: Vec<Pass>,
    /// Sentences about the other effects of the plies, such as captures.
    pub remarks: Vec<String>,
    /// The text after the turn, without leading blanks.
    pub rest: &'t str,
}

/// Why a ply was not played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text does not begin with a ply.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The ply is illegal.
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

    fn chance(&self) -> Option<Chance> {
        Position::chance(self)
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

    fn explained(&self, ply: &str) -> Option<String> {
        Some(self.explain(self.read_move(ply).ok()?.0))
    }

    fn forced_ply(&self) -> Option<String> {
        self.forced().map(|ply| self.write_move(ply))
    }

    fn play_pass(&mut self) -> Option<Pass> {
        let (seat, forced) = (self.to_move(), self.forced()?);
        let ply = self.write_move(forced);
        self.make(forced);
        Some(Pass { seat: Some(seat), ply })
    }

    fn usual_ply(&self) -> Option<String> {
        self.usual().map(|ply| self.write_move(ply))
    }

    fn give_up_ply(&self) -> Option<String> {
        self.give_up().map(|ply| self.write_move(ply))
    }

    fn match_length(&self) -> u16 {
        Position::match_length(self)
    }

    fn may_ask(&self) -> bool {
        Position::may_ask(self)
    }

    fn play_chance(&mut self, cast: Cast) -> Option<String> {
        Position::chance(self).filter(|chance| chance.allows(cast))?;
        self.make_chance(cast);
        Some(cast.to_string())
    }

    fn closing_ply(&self) -> Option<String> {
        self.closing().map(|ply| self.write_move(ply))
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
            let is_over = |after: &P| {
                let has_moved = after.to_move() != self.to_move() || after.outcome().is_some();
                has_moved || Position::chance(after).is_some()
            };
            if turn.rest.is_empty()
                && !is_over(&after)
                && let Some(closing) = after.closing()
            {
                let before = after.clone();
                after.make(closing);
                turn.plies.push(before.write_move(closing));
                turn.remarks.extend(before.remarks(&after));
            }
            if is_over(&after) || turn.rest.is_empty() {
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
        if Position::chance(self).is_some() {
            let impossible = || Illegal { why: format!("These dice cannot show {ply}.") };
            return Ok(self.play_chance(ply.parse()?).ok_or_else(impossible)? == ply);
        }
        let (action, _) = self.read_move(ply.trim_start())?;
        let standard = self.write_move(action);
        self.play(action)?;
        Ok(standard == ply)
    }

    fn position(&self) -> String {
        self.write()
    }

    fn key_text(&self) -> String {
        Position::key_text(self)
    }

    fn look(&self) -> Scene {
        self.scene()
    }

    fn look_begun(&self, begun: &str) -> Scene {
        self.scene_begun(begun)
    }

    fn continued(&self, begun: &str) -> Vec<(String, Ends)> {
        Position::continued(self, begun)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

/// Plays a record on `table`. A record contains the forced passes and the casts.
///
/// # Errors
/// The index, from 0, of the first ply or cast that cannot be played, and the reason.
pub fn replay<'p>(
    table: &mut dyn Table,
    plies: impl IntoIterator<Item = &'p str>,
) -> Result<(), (usize, MoveError)> {
    for (index, ply) in plies.into_iter().enumerate() {
        table.replay(ply).map_err(|why| (index, why))?;
    }
    Ok(())
}
