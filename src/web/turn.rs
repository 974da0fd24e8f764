//! A turn that a player is choosing. It is played only on a copy of the board.

use turnpost_games::scene::{Ends, Scene};
use turnpost_games::{GameKind, Outcome, Seat, Table};

use super::variation::{STEP, Variation};
use crate::board::tie;
use crate::meaning::moves::{self, ReplyMoves};
use crate::play::plies::forced;

/// The plies of a turn that are chosen so far.
pub(super) struct TurnChoice {
    game: &'static GameKind,
    pub line: Variation,
    /// What the plies do in addition to moving, a sentence each.
    pub remarks: Vec<String>,
    /// Why the next ply cannot be played.
    pub refused: Option<String>,
    /// The ply that was refused.
    pub tried: Option<String>,
    side: Seat,
    /// The spaces that earlier plies emptied other than by moving a piece away.
    fell: Vec<String>,
}

impl TurnChoice {
    /// A turn without plies.
    pub fn new(game: &'static GameKind, table: &dyn Table, side: Seat) -> TurnChoice {
        let line = Variation::new(table.copy());
        TurnChoice { game, line, remarks: Vec::new(), refused: None, tried: None, side, fell: Vec::new() }
    }

    /// Plays plies until one cannot be played or the turn is over.
    pub fn play<'p>(&mut self, plies: impl IntoIterator<Item = &'p String>) {
        plies.into_iter().for_each(|ply| self.play_all(&ply.replace(STEP, " ")));
    }

    fn play_all(&mut self, mut rest: &str) {
        while !rest.is_empty() && self.refused.is_none() && !self.is_over() {
            rest = self.play_first(rest);
        }
    }

    /// Plays the first ply of a text and returns the rest of the text.
    fn play_first<'t>(&mut self, text: &'t str) -> &'t str {
        match self.line.play(text) {
            Ok(played) => {
                self.remarks.extend(played.remarks);
                if let Some(scene) = self.line.scene().filter(|_| played.ends != Ends::default()) {
                    self.fell
                        .extend(scene.spaces.into_iter().filter(|space| space.fell).map(|space| space.name));
                }
                played.rest
            }
            Err(why) => {
                self.refused = Some(why.to_string());
                self.tried = Some(text.to_owned());
                text
            }
        }
    }

    /// Plays a turn as the player typed it, in any form that a reply accepts.
    pub fn play_typed(&mut self, typed: &str) {
        match moves::read(self.game, Some(self.line.table.as_ref()), typed) {
            ReplyMoves::Plies(found) => self.play_all(&found.plies),
            ReplyMoves::None => {
                let why = self.line.table.copy().play_text(typed).err().map(|why| why.to_string());
                self.refused = Some(why.unwrap_or_else(|| "There is no move in this.".to_owned()));
            }
            ReplyMoves::TooMany { moves } => {
                self.refused = Some(format!("{moves} is more than one turn: write one move."));
            }
            ReplyMoves::TwoReadings { moves } => {
                self.refused = Some(format!("This can mean {moves}: write the one you mean."));
            }
        }
    }

    /// True if the player has nothing more to choose.
    pub fn is_over(&self) -> bool {
        self.line.table.ended().is_some()
            || self.line.table.chance().is_some()
            || self.line.table.turn() != self.side
            || self.line.table.forced_ply().is_some()
    }

    /// The board after the chosen plies, with the last move and all spaces that fell; `None` if no ply has moved
    /// anything.
    pub fn scene(&self) -> Option<Scene> {
        let mut scene =
            self.line.scene_of_mover().filter(|_| self.is_over()).or_else(|| self.line.scene())?;
        for space in &mut scene.spaces {
            space.fell |= space.thing.is_none() && self.fell.contains(&space.name);
        }
        Some(scene)
    }

    /// What the turn leads to, a sentence each: passes of the opponent, the end of the game.
    pub fn consequences(&self, opponent: &str) -> Vec<String> {
        let mut table = self.line.table.copy();
        let passes = table.play_passes().into_iter().filter_map(|pass| Some((pass.seat?, pass.ply)));
        let of_others = passes.filter(|(seat, _)| *seat != self.side);
        let mut told: Vec<String> = of_others.map(|(seat, ply)| forced(self.game, seat, &ply)).collect();
        match table.ended() {
            Some(outcome) => {
                told.push(format!("This ends the game. {}", ending(&outcome, self.side, opponent)))
            }
            None if !told.is_empty() && table.turn() == self.side => {
                told.push("It is your turn again.".to_owned())
            }
            None => {}
        }
        told
    }
}

/// A conditional move of a side, as an example of how they are written: `if K5-K4 then A3-B4`.
pub(super) fn example(table: &dyn Table, side: Seat) -> Option<String> {
    let mut table = table.copy();
    let mut next = |whose: Seat| {
        while table.turn() != whose {
            let ply = table.legal_plies().into_iter().next()?;
            table.play_text(&ply).ok()?;
        }
        table.legal_plies().into_iter().next()
    };
    let theirs = next(side.other())?;
    Some(format!("if {theirs} then {}", next(side)?))
}

/// How a game ended, told to the player at a seat.
pub(super) fn ending(outcome: &Outcome, you: Seat, opponent: &str) -> String {
    let score = |whose: Seat| {
        let points = outcome.score.map(|score| (*whose.of(&score), *whose.other().of(&score)));
        points.map(|(ours, theirs)| format!(" {ours} to {theirs}")).unwrap_or_default()
    };
    let how = outcome.how.map(|how| format!(", {how}")).unwrap_or_default();
    match outcome.winner {
        Some(winner) if winner == you => format!("You win{}{how}.", score(you)),
        Some(winner) => format!("{opponent} wins{}{how}.", score(winner)),
        None => format!("It is {}.", tie(&score(you), outcome.how)),
    }
}
