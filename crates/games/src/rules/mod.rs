//! Games on a board of squares, points or hexagons. A game implements only [`Rules`]; this module implements
//! [`Position`] for it.
//!
//! Each game is one file with a type that implements [`Rules`] and a registry entry made by [`kind`]. Reading order:
//! `cells` and [`Board`], [`State`] with its [`Piece`]s, [`Ply`], `words`, `look`. `words` reads and writes plies and
//! positions, and explains refusals. `look` makes the scene.

mod board;
mod cells;
mod look;
mod ply;
mod state;
mod words;

use std::fmt::Debug;
use std::marker::PhantomData;

pub use board::{AROUND, Board, DIAGONAL};
pub use cells::{Cell, Cells, Way};
pub use ply::Ply;
pub use state::{Kind, Piece, State};
pub(crate) use words::{capital, captured};

use crate::scene::{Ends, Ground, Scene};
use crate::{
    Cast, Chance, GameKind, GameOption, Outcome, Plies, Position, Seat, Setup, SetupError, Unreadable,
};

/// The rules of a game on a [`Board`].
pub trait Rules: Debug + Clone + Send + Sync + 'static {
    /// The sizes of the board, the usual one first.
    const SIZES: &'static [u8];

    /// The kinds of pieces, at most eight.
    const KINDS: &'static [Kind];

    /// The colours of the first and the second side: white and black in either order.
    const COLOURS: [&'static str; 2] = ["white", "black"];

    /// The plies that are words, the pass first. [`Ply::word`] makes them.
    const WORDS: &'static [&'static str] = &["pass"];

    /// What a player chooses for a turn; see [`Scene::asks`].
    const ASKS: [&'static str; 3] = ["Choose a piece to move.", "Choose where it goes.", ""];

    /// The board of this size, one of [`SIZES`](Rules::SIZES).
    fn board(size: u8) -> Board;

    /// Puts the first pieces on an empty board, as the options of the challenge demand.
    ///
    /// # Errors
    /// The value of an option is invalid.
    fn start(_: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        Ok(())
    }

    /// What falls next, in a game that is not over; see [`Position::chance`].
    #[inline]
    fn chance(_: &State) -> Option<Chance> {
        None
    }

    /// Plays a cast that [`chance`](Rules::chance) allows.
    fn make_chance(_: &mut State, _: Cast) {}

    /// True if the server plays `only`, the one legal ply, for the player: by default, if it is the pass.
    fn is_forced(_: &State, only: Ply) -> bool {
        only == Ply::PASS
    }

    /// Calls `visit` with each legal ply of a game that is not over and waits for no cast. By default, a piece can be put on any empty space.
    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        state.empties().iter().for_each(|cell| visit(Ply::put(cell)));
    }

    /// How the game ended, if it has. `last` is the space that the last ply reached, if it is known. Only there can a
    /// line or a connection be new.
    fn outcome(state: &State, last: Option<Cell>) -> Option<Outcome>;

    /// Plays a legal ply.
    #[inline]
    fn make(state: &mut State, ply: Ply) {
        state.go(ply);
    }

    /// The ply at the start of `text` and the rest, in a special notation of the game. `None` if spaces name the ply.
    ///
    /// # Errors
    /// A sentence about a text in this notation that names several plies.
    fn read_ply<'t>(_: &State, _: &'t str) -> Result<Option<(Ply, &'t str)>, Unreadable> {
        Ok(None)
    }

    /// The text of the pieces, the side to move and the counts.
    fn write_state(state: &State) -> String {
        words::write::<Self>(state)
    }

    /// Reads the text that [`write_state`](Rules::write_state) writes.
    ///
    /// # Errors
    /// The text does not follow the format.
    fn read_state(text: &str) -> Result<State, SetupError> {
        words::read::<Self>(text)
    }

    /// Clears the counts that only the history gives; see [`Position::key_text`].
    fn forget_history(_: &mut State) {}

    /// The ply that names these spaces, if there is one.
    fn named(_: &State, spaces: &[Cell]) -> Option<Ply> {
        Ply::named(spaces)
    }

    /// Writes a ply in the standard form: by default its word, or the names of its spaces separated by dashes.
    fn write(state: &State, ply: Ply) -> String {
        words::write_ply::<Self>(state, ply)
    }

    /// The rule that an illegal ply breaks; `None` if a list of legal plies explains enough.
    fn broken(_: &State, _: Ply) -> Option<String> {
        None
    }

    /// What a legal ply does, if it is no move, placement or pass.
    fn explain(_: &State, _: Ply) -> Option<String> {
        None
    }

    /// Sentences about what a ply did in addition to moving: by default the pieces that it captured or turned over.
    fn remarks(before: &State, after: &State) -> Vec<String> {
        words::captured::<Self>(before, after)
    }

    /// The ply that ends a turn if its player adds nothing; see [`Position::closing`].
    fn closing(_: &State) -> Option<Ply> {
        None
    }

    /// The look of an empty space.
    fn ground(_: &Board, _: Cell) -> Ground {
        Ground::Plain
    }

    /// The seat whose goal is the edge of the board that this step from this space crosses.
    fn edge(_: &Board, _: Cell, _: Way) -> Option<Seat> {
        None
    }

    /// Another space for the end of a ply, which means the same; none by default.
    fn other_end(_: &State, _: Ply) -> Option<Cell> {
        None
    }

    /// The space of a king in check.
    fn in_check(_: &State) -> Option<Cell> {
        None
    }

    /// The pieces that won the game, if the board alone shows them: a chain, or five in a row.
    fn winners(_: &State) -> Cells {
        Cells::NONE
    }

    /// The empty spaces that a side holds; see [`Space::held`](crate::scene::Space::held).
    fn held(_: &State, _: Seat) -> Cells {
        Cells::NONE
    }

    /// The pieces or the goal of a side in a few words: by default the numbers of its pieces. Empty if the board shows it.
    fn holds(state: &State, seat: Seat) -> String {
        words::pieces::<Self>(state, seat)
    }

    /// A fact about the position that the board does not show, in one sentence; empty by default.
    fn note(_: &State) -> String {
        String::new()
    }

    /// A sentence about both sides for mails, which do not print [`holds`](Rules::holds); empty by default.
    fn standing(_: &State) -> String {
        String::new()
    }

    /// Refuses a state that no game reaches.
    ///
    /// # Errors
    /// The reason, without a capital and a full stop.
    fn lawful(_: &State) -> Result<(), String> {
        Ok(())
    }
}

/// A position of the game with the rules `R`.
#[derive(Debug, Clone)]
pub struct Game<R> {
    state: State,
    ended: Option<Outcome>,
    rules: PhantomData<R>,
}

/// Makes a registry entry for the game with the rules `R`, without the optional parts.
pub const fn kind<R: Rules>(key: &'static str, name: &'static str) -> GameKind {
    GameKind {
        seats: R::COLOURS,
        plies: Plies { words: R::WORDS, ..Plies::of_columns(last_column(R::SIZES)) },
        ..GameKind::of::<Game<R>>(key, name, |setup| Ok(Box::new(Game::<R>::start(setup)?)))
    }
}

/// The option for the size of the board.
pub const fn size(help: &'static str, trial: &'static [&'static str]) -> GameOption {
    GameOption::number("size", trial, help)
}

/// Draws the usual board without pieces. Numbered spaces show their numbers.
pub fn map<R: Rules>() -> String {
    let size = R::SIZES.first().copied().unwrap_or_default();
    look::scene::<R>(&State::empty(R::board(size))).drawing().board
}

/// The letter of the last column of the largest board. A board of size N must have N columns.
const fn last_column(sizes: &[u8]) -> char {
    let mut widest = 1;
    let mut at = 0;
    while at < sizes.len() {
        if sizes[at] > widest {
            widest = sizes[at];
        }
        at += 1;
    }
    (b'a' + widest - 1) as char
}

/// Refuses a state that no game reaches, in games in which the sides put down one stone each in turn.
///
/// # Errors
/// The reason, without a capital and a full stop.
pub fn put_in_turn<R: Rules>(state: &State) -> Result<(), String> {
    let [first, second] = Seat::BOTH.map(|seat| state.of(seat).count());
    if first != second + u32::from(state.to_move == Seat::Second) {
        return Err("the sides put down a stone each in turn".to_owned());
    }
    let mut before = state.clone();
    before.to_move = state.to_move.other();
    match R::outcome(&before, None) {
        Some(outcome) if outcome.winner == Some(state.to_move) => {
            Err("the side to move has won before".to_owned())
        }
        _ => Ok(()),
    }
}

impl<R: Rules> Game<R> {
    /// The first position of a board with these options.
    ///
    /// # Errors
    /// The value of an option is invalid.
    pub fn start(setup: &Setup<'_>) -> Result<Game<R>, SetupError> {
        let usual = R::SIZES.first().copied().unwrap_or_default();
        let size = match setup.number("size")? {
            None => usual,
            Some(size) => {
                R::SIZES.iter().copied().find(|known| u64::from(*known) == size).ok_or_else(|| {
                    SetupError::Option(format!("-size is {}, as in -size={usual}", words::numbers(R::SIZES)))
                })?
            }
        };
        let mut state = State::empty(R::board(size));
        R::start(&mut state, setup)?;
        Ok(Game { state, ended: None, rules: PhantomData })
    }

    /// The pieces, the side to move and the counts.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl<R: Rules> Position for Game<R> {
    type Move = Ply;

    #[inline]
    fn to_move(&self) -> Seat {
        self.state.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.ended
    }

    #[inline]
    fn chance(&self) -> Option<Chance> {
        R::chance(&self.state).filter(|_| self.ended.is_none())
    }

    fn make_chance(&mut self, cast: Cast) {
        R::make_chance(&mut self.state, cast);
        self.ended = R::outcome(&self.state, None);
    }

    #[inline]
    fn each_move(&self, visit: &mut impl FnMut(Ply)) {
        if self.ended.is_some() || self.chance().is_some() {
            return;
        }
        R::each_move(&self.state, visit);
    }

    fn forced(&self) -> Option<Ply> {
        match self.legal_moves()[..] {
            [only] if R::is_forced(&self.state, only) => Some(only),
            _ => None,
        }
    }

    fn closing(&self) -> Option<Ply> {
        R::closing(&self.state).filter(|_| self.ended.is_none())
    }

    fn why_not(&self, ply: Ply) -> String {
        words::why_not(self, ply)
    }

    #[inline]
    fn make(&mut self, ply: Ply) {
        let state = &mut self.state;
        R::make(state, ply);
        self.ended = R::outcome(state, ply.to);
    }

    fn read_move<'t>(&self, text: &'t str) -> Result<(Ply, &'t str), Unreadable> {
        words::read_ply::<R>(&self.state, text)
    }

    fn write_move(&self, ply: Ply) -> String {
        match ply {
            Ply::PASS => ply.write(&self.state.board),
            _ => R::write(&self.state, ply),
        }
    }

    fn read(text: &str) -> Result<Self, SetupError> {
        let state = words::read_seen::<R>(text)?;
        R::lawful(&state).map_err(SetupError::Unlawful)?;
        let ended = R::outcome(&state, None);
        Ok(Game { state, ended, rules: PhantomData })
    }

    fn write(&self) -> String {
        words::write_seen::<R>(&self.state)
    }

    fn key_text(&self) -> String {
        let mut state = self.state.clone();
        R::forget_history(&mut state);
        R::write_state(&state)
    }

    fn scene(&self) -> Scene {
        look::scene::<R>(&self.state)
    }

    fn ends(&self, ply: Ply) -> Ends<impl ToString> {
        let name = |cell: Option<Cell>| cell.map(|cell| self.state.board.name(cell));
        Ends { from: name(ply.from), to: name(ply.to), then: name(ply.then) }
    }

    fn other_ends(&self, ply: Ply) -> Option<Ends> {
        let to = R::other_end(&self.state, ply)?;
        Some(self.ends(Ply { to: Some(to), ..ply }).named())
    }

    fn explain(&self, ply: Ply) -> String {
        R::explain(&self.state, ply).unwrap_or_else(|| words::explain::<R>(&self.state, ply))
    }

    fn remarks(&self, after: &Self) -> Vec<String> {
        R::remarks(&self.state, &after.state)
    }
}
