//! A board on which links choose a turn: first a piece, then a space.

use minijinja::{Value, context};
use turnpost_games::scene::{Choice, Ends, Figure, Hint, Scene, Shape, Space, Theme, Thing, Tiling};
use turnpost_games::{GameKind, Setup, Table};

use super::dead_chain::DeadChain;

/// The legal plies of a board, the spaces chosen so far, and the address of each choice.
pub(super) struct Choosing<'a> {
    plies: Vec<ChoicePly>,
    /// All legal plies.
    legal: Vec<String>,
    /// The spaces chosen so far.
    chosen: Vec<String>,
    seats: [&'static str; 2],
    /// The board before the turn.
    look: Scene,
    /// The piece that a ply puts down. It is for games that leave most empty spaces open: there marks would say nothing.
    ghost: Option<Thing>,
    /// The pieces that a pawn can become, with their plies and the spaces on which the page offers them.
    offers: Vec<(String, Thing, String)>,
    /// The chains that are marked dead.
    dead: &'a [DeadChain],
    /// The space that was tried and refused; empty before. `None` if the page does not explain a refusal.
    tried: Option<String>,
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
    /// What the ply does, if it names no space.
    does: Option<String>,
}

/// The most plies that a page lists in words.
const LISTED: usize = 40;

/// The pieces that a pawn becomes, the usual ones first.
const OFFERED: [Shape; 4] = [
    Shape::Figure(Figure::Queen),
    Shape::Figure(Figure::Knight),
    Shape::Figure(Figure::Rook),
    Shape::Figure(Figure::Bishop),
];

/// The plies that begin with the steps in `begun`, up to the next step.
fn plies(table: &dyn Table, begun: &str) -> Vec<ChoicePly> {
    let choices = if table.ended().is_some() { Vec::new() } else { table.continued(begun) };
    let ply = |(ply, Ends { from, to, then }): (String, Ends)| ChoicePly {
        moves: from.is_some() && to.is_some(),
        marks: from.is_some() && to.is_none(),
        does: if from.is_none() && to.is_none() { table.explained(&ply) } else { None },
        spaces: [from, to, then].into_iter().flatten().collect(),
        ply,
    };
    choices.into_iter().map(ply).collect()
}

impl ChoicePly {
    fn is_placed(&self) -> bool {
        !self.moves && !self.marks && !self.spaces.is_empty()
    }
}

/// True if a game begins with most of its empty spaces open for a piece.
fn is_open(kind: &GameKind) -> bool {
    let Ok(table) = (kind.start)(&Setup { options: &[], seed: 0 }) else { return false };
    let empty = table.look().spaces.iter().filter(|space| space.thing.is_none()).count();
    2 * plies(table.as_ref(), "").iter().filter(|ply| ply.is_placed()).count() > empty
}

/// The piece that is on a space after a ply.
fn piece_after(table: &dyn Table, ply: &str, space: &str) -> Option<Thing> {
    let mut after = table.copy();
    after.play_text(ply).ok()?;
    after.look().space(space)?.thing
}

impl<'a> Choosing<'a> {
    /// `begun` has the first steps of a ply, or is empty. `chosen` names the spaces chosen so far, separated by dashes, in any case. It is ignored if no ply begins with
    /// these spaces.
    pub fn new(
        kind: &GameKind,
        (table, begun): (&dyn Table, &str),
        chosen: Option<&str>,
        choose: &'a dyn Fn(Option<&str>) -> String,
        make: &'a dyn Fn(&str) -> String,
    ) -> Choosing<'a> {
        let (plies, look) =
            (plies(table, begun), if begun.is_empty() { table.look() } else { table.look_begun(begun) });
        let legal = if table.ended().is_some() { Vec::new() } else { table.legal_plies() };
        let known = |name: &str| look.space(name).map(|space| space.name.clone());
        let chosen = chosen.into_iter().flat_map(|chosen| chosen.split('-'));
        let chosen = chosen.map(known).collect::<Option<Vec<String>>>().unwrap_or_default();
        let placed = plies.iter().find(|ply| ply.is_placed()).filter(|_| is_open(kind));
        let ghost = placed.and_then(|first| piece_after(table, &first.ply, first.spaces.first()?));
        let (seats, offers, dead, tried) = (kind.seats, Vec::new(), &[][..], None);
        let mut choosing =
            Choosing { plies, legal, chosen, seats, look, ghost, offers, dead, tried, choose, make };
        if choosing.next().next().is_none() {
            choosing.chosen.clear();
        }
        choosing.offers = choosing.offers(table).unwrap_or_default();
        choosing
    }

    /// Lets every empty space of an open game be tried: the page explains why `tried` was refused, and marks it.
    pub fn explaining(mut self, tried: Option<&str>) -> Choosing<'a> {
        self.tried = Some(tried.unwrap_or_default().to_owned());
        self
    }

    /// Lets a click on one of these chains take its mark off.
    pub fn unmarking(mut self, dead: &'a [DeadChain]) -> Choosing<'a> {
        self.dead = dead;
        self
    }

    /// True if at least one space is chosen.
    pub fn has_chosen(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// The board as a picture with links.
    pub fn svg(&self, scene: &Scene, label: &str) -> String {
        let mut shown = scene.clone();
        if let ([from, to], [], Some(ChoicePly { moves: true, .. })) =
            (self.chosen.as_slice(), self.offers.as_slice(), self.next().next())
        {
            // The piece is on its new space while the third one is chosen.
            let mut left = None;
            for space in shown.spaces.iter_mut().filter(|space| space.name == *from) {
                left = space.thing.take();
            }
            for space in shown.spaces.iter_mut().filter(|space| space.name == *to) {
                space.thing = left;
            }
            shown.last = Some(Ends { from: Some(from.clone()), to: None, then: None });
        }
        shown.svg(Theme::Page, label, |space| self.choice(space))
    }

    /// The plies that begin with the chosen spaces.
    fn next(&self) -> impl Iterator<Item = &ChoicePly> {
        self.plies.iter().filter(|ply| ply.spaces.starts_with(&self.chosen))
    }

    /// The plies whose spaces are all chosen already.
    fn complete(&self) -> impl Iterator<Item = &ChoicePly> {
        self.next().filter(|ply| ply.spaces.len() == self.chosen.len())
    }

    /// The pieces, if only the new piece is left to choose. Their spaces lead from the chosen one towards the middle.
    fn offers(&self, table: &dyn Table) -> Option<Vec<(String, Thing, String)>> {
        let [from, to] = self.chosen.as_slice() else { return None };
        let [from, at] = [self.look.space(from)?, self.look.space(to)?];
        let piece = |ply: &ChoicePly| Some((piece_after(table, &ply.ply, to)?, ply.ply.clone()));
        let mut pieces = self.complete().map(piece).collect::<Option<Vec<_>>>()?;
        pieces.sort_by_key(|(piece, _)| OFFERED.iter().position(|shape| *shape == piece.shape));
        let offer = |(step, (piece, ply)): (i32, (Thing, String))| {
            let place = (at.q, at.r + step * (from.r - at.r).signum());
            let space = self.look.spaces.iter().find(|space| (space.q, space.r) == place)?;
            Some((space.name.clone(), piece, ply))
        };
        let offers = (0..).zip(pieces).map(offer).collect::<Option<Vec<_>>>()?;
        let has_twin = |(number, (_, piece, _)): (usize, &(String, Thing, String))| {
            offers.iter().skip(number + 1).any(|(_, other, _)| other == piece)
        };
        let differ = !offers.iter().enumerate().any(has_twin);
        (offers.len() > 1 && differ).then_some(offers)
    }

    fn choice(&self, space: &Space) -> Choice {
        let (name, words) = (&space.name, |space: &Space| space.words(self.seats, self.look.mark));
        let link = |href: String, says: String| Some((href, says));
        if let Some((_, piece, ply)) = self.offers.iter().find(|(at, ..)| at == name) {
            let what = words(&Space { thing: Some(*piece), ..space.clone() });
            let says = format!("{what} on {}", self.chosen.last().unwrap_or(name));
            let link = link((self.make)(ply), says);
            return Choice { hint: Hint::Offer, link, piece: Some(*piece), ..Choice::default() };
        }
        if !self.offers.is_empty() {
            return Choice::default();
        }
        let mut next = self.next().filter(|ply| ply.spaces.get(self.chosen.len()) == Some(name)).peekable();
        if let Some(first) = next.peek().copied() {
            let is_start = self.chosen.is_empty() && first.moves;
            let says = match (is_start, first.moves) {
                _ if first.marks => format!("mark {name}: {}", words(space)),
                (true, _) => format!("move {name}: {}", words(space)),
                (false, true) => format!("move to {name}: {}", words(space)),
                (false, false) => format!("place on {name}"),
            };
            // A link plays the ply if no other ply matches and no space is left to choose. Otherwise it chooses this
            // space.
            let dead = self.dead.iter().find(|chain| first.marks && chain.stones.contains(name));
            let href = match (dead, next.nth(1)) {
                (Some(chain), _) => chain.href.clone(),
                (None, None) if first.spaces.len() == self.chosen.len() + 1 => (self.make)(&first.ply),
                _ => (self.choose)(Some(
                    &[self.chosen.as_slice(), std::slice::from_ref(name)].concat().join("-"),
                )),
            };
            let ghost = self.ghost.filter(|_| !first.moves && !first.marks);
            let (hint, reaches) = match (is_start, ghost) {
                _ if first.marks => (Hint::None, Vec::new()),
                (true, _) => (Hint::Start, self.reached(name)),
                (_, Some(_)) => (Hint::Ghost, Vec::new()),
                _ => (Hint::Target, Vec::new()),
            };
            return Choice { hint, link: link(href, says), reaches, piece: ghost };
        }
        if let Some(at) = self.chosen.iter().position(|chosen| chosen == name) {
            let before = self.chosen.get(..at).unwrap_or_default().join("-");
            let before = Some(before.as_str()).filter(|before| !before.is_empty());
            let link = link((self.choose)(before), format!("{name} is chosen; choose another"));
            let hint = if at + 1 == self.chosen.len() { Hint::Chosen } else { Hint::None };
            return Choice { hint, link, ..Choice::default() };
        }
        // While targets are shown, other movable pieces have no mark. A click still chooses them.
        if self.plies.iter().any(|ply| ply.moves && ply.spaces.first() == Some(name)) {
            let link = link((self.choose)(Some(name)), format!("move {name}: {}", words(space)));
            return Choice { link, ..Choice::default() };
        }
        match &self.tried {
            Some(tried) if self.ghost.is_some() && space.thing.is_none() => {
                let hint = if tried.eq_ignore_ascii_case(name) { Hint::Barred } else { Hint::None };
                Choice {
                    hint,
                    link: link((self.make)(name), format!("place on {name}")),
                    ..Choice::default()
                }
            }
            _ => Choice::default(),
        }
    }

    /// The spaces that the piece on a space can reach.
    fn reached(&self, name: &String) -> Vec<String> {
        let mine = self.plies.iter().filter(|ply| ply.spaces.first() == Some(name));
        let mut reached: Vec<String> = mine.filter_map(|ply| ply.spaces.get(1).cloned()).collect();
        reached.dedup();
        reached
    }

    /// Links for the plies whose spaces are all chosen already, unless the board offers them.
    pub fn buttons(&self) -> Vec<Value> {
        self.complete()
            .filter(|_| self.offers.is_empty())
            .map(|ChoicePly { ply, does, .. }| context! { href => (self.make)(ply), text => ply, does })
            .collect()
    }

    /// All legal plies.
    pub fn plies(&self) -> Vec<String> {
        self.legal.clone()
    }

    /// Links for all legal plies of a board whose spaces are narrow, if they are few and none is begun.
    pub fn listed(&self) -> Vec<Value> {
        let is_narrow =
            self.look.tiling == Tiling::Triangles && !self.plies.iter().all(|ply| ply.spaces.is_empty());
        let few = self.legal.iter().filter(|_| is_narrow && self.legal.len() <= LISTED);
        few.map(|ply| context! { href => (self.make)(ply), text => ply }).collect()
    }

    /// True if a click marks a piece.
    pub fn is_marking(&self) -> bool {
        self.plies.iter().any(|ply| ply.marks)
    }

    /// What to do now, in a few words; empty if there is nothing to choose on the board.
    pub fn advice(&self) -> &str {
        if self.is_marking() {
            return "Click a chain that is dead, or a marked one that lives.";
        }
        let is_on_board = self.has_chosen() || self.plies.iter().any(|ply| !ply.spaces.is_empty());
        self.look.asks.get(self.chosen.len()).filter(|_| is_on_board).map_or("", String::as_str)
    }
}
