//! Plies that follow a position, played on a copy of it.

use turnpost_games::scene::{Ends, Scene, Space, Tiling};
use turnpost_games::{MoveError, Played, Seat, Table};

/// A position, and plies played after it.
pub(super) struct Variation {
    /// The position after all plies.
    pub table: Box<dyn Table>,
    pub plies: Vec<VariationPly>,
    /// The position before the last ply that named a space, and the spaces of that ply.
    last: Option<(Box<dyn Table>, Ends)>,
}

/// A ply of a line.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct VariationPly {
    pub seat: Seat,
    /// The ply in notation.
    pub text: String,
    /// The ply as addresses write it.
    pub in_address: String,
    /// True for a pass without another legal ply, which the server plays by itself.
    pub is_forced: bool,
}

impl Variation {
    pub fn new(table: Box<dyn Table>) -> Variation {
        Variation { table, plies: Vec::new(), last: None }
    }

    /// Plays the ply at the start of a text.
    ///
    /// # Errors
    /// There is no legal ply. The line has not changed.
    pub fn play<'t>(&mut self, text: &'t str) -> Result<Played<'t>, MoveError> {
        let before = self.table.copy();
        let played = self.table.play_text(text)?;
        self.plies.push(VariationPly {
            seat: before.turn(),
            in_address: in_address(before.as_ref(), &played.ply),
            text: played.ply.clone(),
            is_forced: before.forced_ply().is_some(),
        });
        if played.ends != Ends::default() {
            self.last = Some((before, played.ends.clone()));
        }
        Ok(played)
    }

    /// The position with the last move; `None` if no ply has named a space.
    pub fn scene(&self) -> Option<Scene> {
        let (before, ends) = self.last.as_ref()?;
        Some(self.table.look().after(&before.look(), ends.clone()))
    }

    /// On a board of points, the plies that put the last stone on the next free point in the `shown` scene. They are for
    /// above, the left, below and the right, as addresses write them. Empty if the last ply put no stone down.
    pub fn beside(&self, shown: &Scene) -> Vec<(&'static str, Option<String>)> {
        let Some((before, Ends { from: None, to: Some(to), then: None })) = &self.last else {
            return Vec::new();
        };
        let Some(Space { q, r, .. }) = shown.space(to).filter(|_| shown.tiling == Tiling::Points) else {
            return Vec::new();
        };
        let choices = before.choices();
        let put_on = |space: &Space| {
            let put = choices.iter().find(|(_, ends)| ends.to.as_ref() == Some(&space.name))?;
            Some(in_address(before.as_ref(), &put.0))
        };
        let beside = |(way, dq, dr)| {
            let spaces = (1..).map_while(|step| {
                shown.spaces.iter().find(|space| (space.q, space.r) == (q + step * dq, r + step * dr))
            });
            (way, spaces.into_iter().find_map(put_on))
        };
        [("up", 0, -1), ("left", -1, 0), ("down", 0, 1), ("right", 1, 0)].map(beside).into()
    }

    /// The plies in notation.
    pub fn texts(&self) -> Vec<String> {
        self.plies.iter().map(|ply| ply.text.clone()).collect()
    }

    /// The plies as addresses write them.
    pub fn in_address(&self) -> Vec<String> {
        self.plies.iter().map(|ply| ply.in_address.clone()).collect()
    }
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
