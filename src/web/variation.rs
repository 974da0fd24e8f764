//! Plies that follow a position, played on a copy of it.

use turnpost_games::scene::{Ends, Scene, Space, Tiling};
use turnpost_games::{MoveError, Played, Seat, Table};

/// A position, and plies played after it.
pub(super) struct Variation {
    /// The position after all plies.
    pub table: Box<dyn Table>,
    pub plies: Vec<VariationPly>,
    /// The first steps of the next ply, in notation; empty if it is not begun.
    pub begun: String,
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
        Variation { table, plies: Vec::new(), begun: String::new(), last: None }
    }

    /// Plays the ply at the start of a text, or the cast if one is next. Or begins a ply, if the text is its first steps.
    ///
    /// # Errors
    /// There is no legal ply. The line has not changed.
    pub fn play<'t>(&mut self, text: &'t str) -> Result<Played<'t>, MoveError> {
        let before = self.table.copy();
        let played = if before.chance().is_some() {
            let (cast, rest) = text.split_once(' ').unwrap_or((text, ""));
            self.table.replay(cast)?;
            Played { ply: cast.to_owned(), ends: Ends::default(), remarks: Vec::new(), rest }
        } else if !before.continued(text).is_empty() {
            self.begun = begun(before.as_ref(), text);
            return Ok(Played {
                ply: self.begun.clone(),
                ends: Ends::default(),
                remarks: Vec::new(),
                rest: "",
            });
        } else {
            self.table.play_text(text)?
        };
        self.begun.clear();
        // The steps keep their order, so that a player can go back by one.
        let steps = in_steps(text.strip_suffix(played.rest).unwrap_or(text));
        let is_stepped = steps.contains(STEP) && means(before.as_ref(), &steps, &played.ply);
        self.plies.push(VariationPly {
            seat: before.turn(),
            in_address: if is_stepped { steps } else { in_address(before.as_ref(), &played.ply) },
            text: played.ply.clone(),
            is_forced: before.forced_ply().is_some(),
        });
        if played.ends != Ends::default() {
            self.last = Some((before, played.ends.clone()));
        }
        Ok(played)
    }

    /// Plays a ply, or begins it, as an address writes it. Returns it in notation.
    pub fn play_word(&mut self, word: &str) -> Option<String> {
        let text = word.replace(STEP, " ");
        self.play(&text).ok().filter(|played| played.rest.is_empty()).map(|played| played.ply)
    }

    /// The position with the last move; `None` if no ply has named a space.
    pub fn scene(&self) -> Option<Scene> {
        if !self.begun.is_empty() {
            return Some(self.table.look_begun(&self.begun));
        }
        let (before, ends) = self.last.as_ref()?;
        Some(self.table.look().after(&before.look(), ends.clone()))
    }

    /// The position after the last ply with the spaces as its player names them, if that ply has steps with addresses of
    /// their own.
    pub fn scene_of_mover(&self) -> Option<Scene> {
        let (before, last) = (&self.last.as_ref()?.0, self.plies.last()?);
        let has_each_step = last.in_address.split(STEP).all(|step| step.matches('-').count() == 1);
        (before.look().tiling == Tiling::Triangles && has_each_step)
            .then(|| before.look_begun(&last.in_address.replace(STEP, " ")))
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

    /// The plies, and the steps of the next one as a ply of their own.
    pub fn so_far(&self) -> Vec<VariationPly> {
        let begun = (!self.begun.is_empty()).then(|| VariationPly {
            seat: self.table.turn(),
            text: self.begun.clone(),
            in_address: in_steps(&self.begun),
            is_forced: false,
        });
        self.plies.iter().cloned().chain(begun).collect()
    }

    /// The plies and steps without the last step, or without the last ply if it has no steps; `None` if there is none.
    pub fn back(&self) -> Option<Vec<VariationPly>> {
        let mut before = self.so_far();
        let last = before.pop()?;
        let stood = if self.begun.is_empty() { &self.last.as_ref()?.0 } else { &self.table };
        let steps = last.in_address.rsplit_once(STEP).map(|(steps, _)| steps);
        if let Some(steps) = steps.filter(|steps| !stood.continued(&steps.replace(STEP, " ")).is_empty()) {
            before.push(VariationPly { in_address: steps.to_owned(), ..last });
        }
        Some(before)
    }

    /// The plies as addresses write them.
    pub fn in_address(&self) -> Vec<String> {
        self.plies.iter().map(|ply| ply.in_address.clone()).collect()
    }
}

/// Separates the steps of a ply in an address.
pub(super) const STEP: char = '_';

fn plain(text: &str) -> String {
    let kept = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-';
    text.to_ascii_lowercase().chars().filter(kept).collect()
}

/// A ply of several steps as addresses write it: `8-5_6-5` for `8/5 6/5`, `6-5_6-5` for `6/5(2)`.
fn in_steps(ply: &str) -> String {
    let step = |word: &str| {
        let (way, times) = word.split_once('(').unwrap_or((word, "1"));
        let times = times.trim_end_matches(')').parse().ok().filter(|times| *times <= 4).unwrap_or(1);
        vec![plain(&way.replace('/', "-")); times]
    };
    ply.split_whitespace().flat_map(step).collect::<Vec<_>>().join(&STEP.to_string())
}

/// The first steps of a ply in notation, from any text that means them.
fn begun(table: &dyn Table, text: &str) -> String {
    text.split_whitespace().fold(String::new(), |begun, word| {
        let typed = format!("{begun} {word}").trim_start().to_owned();
        let mut next = table.continued(&begun).into_iter().map(|(next, _)| next);
        next.find(|next| in_steps(next) == in_steps(&typed)).unwrap_or(typed)
    })
}

/// The ply that a text means, or its first steps, in notation.
fn meant(table: &dyn Table, text: &str) -> Option<String> {
    match table.copy().play_text(text) {
        Ok(played) if played.rest.is_empty() => Some(played.ply),
        _ => (!table.continued(text).is_empty()).then(|| begun(table, text)),
    }
}

/// True if a text of an address means this ply, or its first steps.
fn means(table: &dyn Table, text: &str, ply: &str) -> bool {
    let meant_by_text = meant(table, &text.replace(STEP, " "));
    meant_by_text.is_some_and(|by_text| by_text == ply || meant(table, ply) == Some(by_text))
}

/// A legal ply, or its first steps, as addresses write it: lower-case letters, digits, dashes and [`STEP`]. If that text
/// means another ply, as with `Bxa6` and `bxa6` in chess, the ply's spaces are used instead.
pub(super) fn in_address(table: &dyn Table, ply: &str) -> String {
    let short = plain(ply);
    let is_one_case = ply == short || ply == short.to_ascii_uppercase();
    let means_it = |text: &String| means(table, text, ply);
    if is_one_case || means_it(&short) {
        return short;
    }
    let steps = in_steps(ply);
    if means_it(&steps) {
        return steps;
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
            let is_plain =
                |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || b"-_".contains(&octet);
            let mut after = table.copy();
            let text = address.replace(STEP, " ");
            let played = after.play_text(&text).unwrap_or_else(|why| panic!("{ply} as {address}: {why}"));
            assert!(played.ply == ply && address.bytes().all(is_plain), "{ply} as {address}");
        };
        for game in registry::games() {
            let mut table = (game.start)(&Setup { options: &[], seed: 7 }).unwrap();
            for number in 0..60_usize {
                let mut thrown = number;
                table.play_until_choice(&mut |dice| {
                    thrown += 5;
                    dice.casts().nth(thrown % dice.casts().count())
                });
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
