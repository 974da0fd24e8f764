//! A turn that a player is choosing. It is played only on a copy of the board.

use turnpost_games::scene::{Ends, Scene};
use turnpost_games::{GameKind, Outcome, Seat, Table};

use crate::meaning::moves::{self, ReplyMoves};
use crate::play::at_board::passed;

/// The plies of a turn that are chosen so far.
pub(super) struct TurnChoice {
    game: &'static GameKind,
    /// The board after these plies.
    pub table: Box<dyn Table>,
    /// The plies in notation.
    pub plies: Vec<String>,
    /// The plies as addresses write them.
    pub in_address: Vec<String>,
    /// What the plies do in addition to moving, a sentence each.
    pub remarks: Vec<String>,
    /// Why the next ply cannot be played.
    pub refused: Option<String>,
    side: Seat,
    /// The board before the last ply that named a space, and the spaces of that ply.
    last: Option<(Box<dyn Table>, Ends)>,
    /// The spaces that earlier plies emptied other than by moving a piece away.
    fell: Vec<String>,
}

impl TurnChoice {
    /// A turn without plies.
    pub fn new(game: &'static GameKind, table: &dyn Table, side: Seat) -> TurnChoice {
        TurnChoice {
            game,
            table: table.copy(),
            plies: Vec::new(),
            in_address: Vec::new(),
            remarks: Vec::new(),
            refused: None,
            side,
            last: None,
            fell: Vec::new(),
        }
    }

    /// Plays plies until one cannot be played or the turn is over.
    pub fn play<'p>(&mut self, plies: impl IntoIterator<Item = &'p String>) {
        for ply in plies {
            if self.refused.is_some() || self.is_over() {
                break;
            }
            self.play_first(ply);
        }
    }

    /// Plays the first ply of a text and returns the rest of the text.
    fn play_first<'t>(&mut self, text: &'t str) -> &'t str {
        let before = self.table.copy();
        match self.table.play_text(text) {
            Ok(played) => {
                self.in_address.push(in_address(before.as_ref(), &played.ply));
                self.plies.push(played.ply);
                self.remarks.extend(played.remarks);
                if played.ends != Ends::default() {
                    let scene = self.table.look().after(&before.look(), played.ends.clone());
                    self.fell
                        .extend(scene.spaces.into_iter().filter(|space| space.fell).map(|space| space.name));
                    self.last = Some((before, played.ends));
                }
                played.rest
            }
            Err(why) => {
                self.refused = Some(why.to_string());
                text
            }
        }
    }

    /// Plays a turn as the player typed it, in any form that a reply accepts.
    pub fn play_typed(&mut self, typed: &str) {
        match moves::read(self.game, Some(self.table.as_ref()), typed) {
            ReplyMoves::Plies(found) => {
                let mut rest = found.plies.as_str();
                while !rest.is_empty() && self.refused.is_none() && !self.is_over() {
                    rest = self.play_first(rest);
                }
            }
            ReplyMoves::None => {
                let why = self.table.copy().play_text(typed).err().map(|why| why.to_string());
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
        self.table.ended().is_some() || self.table.turn() != self.side || self.table.forced_ply().is_some()
    }

    /// The board after the chosen plies, with the last move and all spaces that fell; `None` if no ply has moved
    /// anything.
    pub fn scene(&self) -> Option<Scene> {
        let (before, ends) = self.last.as_ref()?;
        let mut scene = self.table.look().after(&before.look(), ends.clone());
        for space in &mut scene.spaces {
            space.fell |= space.thing.is_none() && self.fell.contains(&space.name);
        }
        Some(scene)
    }

    /// What the turn leads to, a sentence each: passes of the opponent, the end of the game.
    pub fn consequences(&self, opponent: &str) -> Vec<String> {
        let mut table = self.table.copy();
        let passes = table.play_passes().into_iter().filter(|pass| pass.seat != self.side);
        let mut told: Vec<String> = passes.map(|pass| passed(self.game, pass.seat)).collect();
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

/// A legal ply as addresses write it: lower-case letters, digits and dashes. If that text means another ply, as with
/// `Bxa6` and `bxa6` in chess, the ply's spaces are used instead.
pub(super) fn in_address(table: &dyn Table, ply: &str) -> String {
    let plain = |text: &str| {
        let kept = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-';
        text.to_ascii_lowercase().chars().filter(kept).collect::<String>()
    };
    let short = plain(ply);
    let is_one_case = ply == short || ply == short.to_ascii_uppercase();
    let means_it = |text: &String| {
        let mut after = table.copy();
        after.play_text(text).is_ok_and(|played| played.ply == ply && played.rest.is_empty())
    };
    if is_one_case || means_it(&short) {
        return short;
    }
    let ends = table.choices().into_iter().find(|(legal, _)| legal == ply);
    let spaces = ends.map(|(_, Ends { from, to, then })| [from, to, then].into_iter().flatten());
    let by_spaces = spaces.map(|spaces| plain(&spaces.collect::<Vec<_>>().join("-")));
    by_spaces.filter(means_it).unwrap_or(short)
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
        None => format!("A tie{}{how}.", score(you)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpost_games::{Setup, registry};

    #[test]
    fn the_address_of_a_ply_means_that_ply() {
        let is_right = |table: &dyn Table, ply: &str| {
            let address = in_address(table, ply);
            let is_plain = |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'-';
            let mut after = table.copy();
            let played = after.play_text(&address).unwrap_or_else(|why| panic!("{ply} as {address}: {why}"));
            assert!(played.ply == ply && address.bytes().all(is_plain), "{ply} as {address}");
        };
        for game in registry::games() {
            let mut table = (game.start)(&Setup { options: &[], seed: 7 }).unwrap();
            for number in 0..60_usize {
                let plies = table.legal_plies();
                let Some(next) = plies.get(number * 31 % plies.len().max(1)) else { break };
                plies.iter().step_by(plies.len() / 30 + 1).for_each(|ply| is_right(table.as_ref(), ply));
                table.play_text(next).unwrap();
            }
        }
        let chess = registry::find("chess").unwrap();
        for position in [
            "4k3/8/8/8/1B6/2p5/1P6/4K3 w - - 0 1",
            "1r2k3/P1P5/8/8/8/8/8/R3K2R w KQ - 0 1",
            "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        ] {
            let table = (chess.read)(position).unwrap();
            table.legal_plies().iter().for_each(|ply| is_right(table.as_ref(), ply));
        }
    }
}
