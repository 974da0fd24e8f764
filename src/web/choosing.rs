//! A board on which links choose a turn: first a piece, then a space.

use minijinja::{Value, context};
use turnpost_games::Table;
use turnpost_games::scene::{Choice, Ends, Hint, Scene, Space, Theme};

/// The legal plies of a board, the spaces chosen so far, and the address of each choice.
pub(super) struct Choosing<'a> {
    plies: Vec<ChoicePly>,
    /// The spaces chosen so far.
    chosen: Vec<String>,
    seats: [&'a str; 2],
    /// The name of a piece that belongs to neither player.
    mark: &'static str,
    /// Returns the address of the page with these spaces chosen, separated by dashes, or with none.
    choose: &'a dyn Fn(Option<&str>) -> String,
    /// Returns the address of the page after this ply.
    make: &'a dyn Fn(&str) -> String,
}

/// A ply, with its spaces in the order in which they are chosen.
struct ChoicePly {
    ply: String,
    spaces: Vec<String>,
    /// True if the ply moves something away from its first space.
    moves: bool,
    /// True if the ply is about the piece on its only space.
    marks: bool,
}

impl<'a> Choosing<'a> {
    /// `chosen` names the spaces chosen so far, separated by dashes, in any case. It is ignored if no ply begins with
    /// these spaces.
    pub fn new(
        table: &dyn Table,
        seats: [&'a str; 2],
        chosen: Option<&str>,
        choose: &'a dyn Fn(Option<&str>) -> String,
        make: &'a dyn Fn(&str) -> String,
    ) -> Choosing<'a> {
        let choices = if table.ended().is_some() { Vec::new() } else { table.choices() };
        let plies = choices.into_iter().map(|(ply, Ends { from, to, then })| ChoicePly {
            ply,
            moves: from.is_some() && to.is_some(),
            marks: from.is_some() && to.is_none(),
            spaces: [from, to, then].into_iter().flatten().collect(),
        });
        let look = table.look();
        let known = |name: &str| look.space(name).map(|space| space.name.clone());
        let chosen = chosen.into_iter().flat_map(|chosen| chosen.split('-'));
        let chosen = chosen.map(known).collect::<Option<Vec<String>>>().unwrap_or_default();
        let mut choosing = Choosing { plies: plies.collect(), chosen, seats, mark: look.mark, choose, make };
        if choosing.next().next().is_none() {
            choosing.chosen.clear();
        }
        choosing
    }

    /// True if at least one space is chosen.
    pub fn has_chosen(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// The board as a picture with links.
    pub fn svg(&self, scene: &Scene, label: &str) -> String {
        scene.svg(Theme::Page, label, |space| self.choice(space))
    }

    /// The plies that begin with the chosen spaces.
    fn next(&self) -> impl Iterator<Item = &ChoicePly> {
        self.plies.iter().filter(|ply| ply.spaces.starts_with(&self.chosen))
    }

    fn choice(&self, space: &Space) -> Choice {
        let (name, words) = (&space.name, || space.words(self.seats, self.mark));
        let link = |href: String, says: String| Some((href, says));
        let mut next = self.next().filter(|ply| ply.spaces.get(self.chosen.len()) == Some(name)).peekable();
        if let Some(first) = next.peek().copied() {
            let is_start = self.chosen.is_empty() && first.moves;
            let says = match (is_start, first.moves) {
                _ if first.marks => format!("mark {name}: {}", words()),
                (true, _) => format!("move {name}: {}", words()),
                (false, true) => format!("move to {name}: {}", words()),
                (false, false) => format!("place on {name}"),
            };
            // A link plays the ply if no other ply matches and no space is left to choose. Otherwise it chooses this
            // space.
            let href = match next.nth(1) {
                None if first.spaces.len() == self.chosen.len() + 1 => (self.make)(&first.ply),
                _ => (self.choose)(Some(
                    &[self.chosen.as_slice(), std::slice::from_ref(name)].concat().join("-"),
                )),
            };
            let (hint, reaches) = match is_start {
                _ if first.marks => (Hint::None, Vec::new()),
                true => (Hint::Start, self.reached(name)),
                false => (Hint::Target, Vec::new()),
            };
            return Choice { hint, link: link(href, says), reaches };
        }
        if self.chosen.contains(name) {
            let link = link((self.choose)(None), format!("{name} is chosen; choose another"));
            return Choice { hint: Hint::Chosen, link, ..Choice::default() };
        }
        // While targets are shown, other movable pieces have no mark. A click still chooses them.
        if self.plies.iter().any(|ply| ply.moves && ply.spaces.first() == Some(name)) {
            let link = link((self.choose)(Some(name)), format!("move {name}: {}", words()));
            return Choice { link, ..Choice::default() };
        }
        Choice::default()
    }

    /// The spaces that the piece on a space can reach.
    fn reached(&self, name: &String) -> Vec<String> {
        let mine = self.plies.iter().filter(|ply| ply.spaces.first() == Some(name));
        let mut reached: Vec<String> = mine.filter_map(|ply| ply.spaces.get(1).cloned()).collect();
        reached.dedup();
        reached
    }

    /// Links for the plies whose spaces are all chosen already.
    pub fn buttons(&self) -> Vec<Value> {
        self.next()
            .filter(|ply| ply.spaces.len() == self.chosen.len())
            .map(|ChoicePly { ply, .. }| context! { href => (self.make)(ply), text => ply })
            .collect()
    }

    /// All legal plies.
    pub fn plies(&self) -> Vec<String> {
        self.plies.iter().map(|ply| ply.ply.clone()).collect()
    }

    /// What to do now, in a few words.
    pub fn advice(&self) -> &'static str {
        let starts = self.plies.iter().any(|ply| ply.moves);
        let places = self.plies.iter().any(|ply| !ply.moves && !ply.marks && !ply.spaces.is_empty());
        match (self.chosen.len(), starts, places) {
            _ if self.plies.iter().any(|ply| ply.marks) => {
                "Click a chain that is dead, or a marked one that lives after all. Then count."
            }
            (1, true, _) => "Choose where it goes: a space with a green dot.",
            (1.., ..) => "Choose how it continues: a space with a green dot, or a move below.",
            (0, true, true) => {
                "Choose a piece with a green rim to move, or a space with a green dot to drop one."
            }
            (0, true, false) => "Choose a piece with a green rim to move.",
            (0, false, true) => "Choose a space with a green dot to place a piece.",
            (0, false, false) => "",
        }
    }
}
