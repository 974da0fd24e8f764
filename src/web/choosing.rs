//! A board on which a turn is chosen by links: first a stack, then a space.

use minijinja::{Value, context};
use turnpost_games::Table;
use turnpost_games::scene::{Choice, Ends, Hint, Scene, Space, Theme};

/// What may be chosen on a board, and where each choice leads.
pub(super) struct Choosing<'a> {
    plies: Vec<(String, Ends)>,
    from: Option<&'a str>,
    seats: [&'a str; 2],
    /// The name of a piece that is nobody's.
    mark: &'static str,
    /// The page with this space chosen, or with none.
    choose: &'a dyn Fn(Option<&str>) -> String,
    /// The page with this ply made.
    make: &'a dyn Fn(&str) -> String,
}

impl<'a> Choosing<'a> {
    /// `from` is the space chosen, in any case; one from where nothing goes counts as none.
    pub fn new(
        table: &dyn Table,
        seats: [&'a str; 2],
        from: Option<&'a str>,
        choose: &'a dyn Fn(Option<&str>) -> String,
        make: &'a dyn Fn(&str) -> String,
    ) -> Choosing<'a> {
        let plies = if table.ended().is_some() { Vec::new() } else { table.choices() };
        let from = from.filter(|from| plies.iter().any(|(_, ends)| is(ends.from.as_ref(), from)));
        Choosing { plies, from, seats, mark: table.look().mark, choose, make }
    }

    /// True when the first of two choices is made.
    pub fn has_chosen(&self) -> bool {
        self.from.is_some()
    }

    /// The board with its links.
    pub fn svg(&self, scene: &Scene, label: &str) -> String {
        scene.svg(Theme::Page, label, |space| self.choice(space))
    }

    fn choice(&self, space: &Space) -> Choice {
        let name = &space.name;
        let starts = self.plies.iter().any(|(_, ends)| is(ends.from.as_ref(), name));
        let reaches = |from: Option<&str>| {
            self.plies.iter().find(|(_, ends)| {
                is(ends.to.as_ref(), name)
                    && match from {
                        Some(from) => is(ends.from.as_ref(), from),
                        None => ends.from.is_none(),
                    }
            })
        };
        let link = |href: String, says: String| Some((href, says));
        let words = || space.words(self.seats, self.mark);
        if self.from.is_some_and(|from| from.eq_ignore_ascii_case(name)) {
            let says = format!("{name} is chosen; choose another");
            let link = link((self.choose)(None), says);
            return Choice { hint: Hint::Chosen, link, ..Choice::default() };
        }
        if let Some((ply, _)) = reaches(self.from) {
            let says = match self.from {
                Some(_) => format!("move to {name}: {}", words()),
                None => format!("place on {name}"),
            };
            let link = link((self.make)(ply), says);
            return Choice { hint: Hint::Target, link, ..Choice::default() };
        }
        if starts {
            let says = format!("move {name}: {}", words());
            let link = link((self.choose)(Some(name)), says);
            // While targets are shown, the other stacks stay still; a click still chooses one.
            let (hint, reaches) = match self.from {
                Some(_) => (Hint::None, Vec::new()),
                None => (Hint::Start, self.reached(name)),
            };
            return Choice { hint, link, reaches };
        }
        Choice::default()
    }

    /// Where the stack on a space could go.
    fn reached(&self, name: &str) -> Vec<String> {
        let mine = self.plies.iter().filter(|(_, ends)| is(ends.from.as_ref(), name));
        mine.filter_map(|(_, ends)| ends.to.clone()).collect()
    }

    /// Plies that name no space, as links with a text.
    pub fn buttons(&self) -> Vec<Value> {
        self.plies
            .iter()
            .filter(|(_, ends)| ends.from.is_none() && ends.to.is_none())
            .map(|(ply, _)| context! { href => (self.make)(ply), text => ply })
            .collect()
    }

    /// Every ply that may be made.
    pub fn plies(&self) -> Vec<String> {
        self.plies.iter().map(|(ply, _)| ply.clone()).collect()
    }

    /// What to do now, in a few words.
    pub fn advice(&self) -> &'static str {
        let starts = self.plies.iter().any(|(_, ends)| ends.from.is_some());
        let places = self.plies.iter().any(|(_, ends)| ends.from.is_none() && ends.to.is_some());
        match (self.from, starts, places) {
            (Some(_), ..) => "Choose where it goes: a space with a green dot.",
            (None, true, true) => {
                "Choose a piece with a green rim to move, or a space with a green dot to drop one."
            }
            (None, true, false) => "Choose a piece with a green rim to move.",
            (None, false, true) => "Choose a space with a green dot to place a piece.",
            (None, false, false) => "",
        }
    }
}

fn is(end: Option<&String>, name: &str) -> bool {
    end.is_some_and(|end| end.eq_ignore_ascii_case(name))
}
