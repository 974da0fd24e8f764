//! Games on a board, by their rules alone: everything else about them is here.
//!
//! A game is a type that implements [`Rules`] in a file of its own, and a [`kind`] made of it. Reading order: `cells`
//! and [`Board`], [`State`] with its [`Piece`]s, [`Ply`]; `words` reads and writes plies and positions and refuses what
//! is illegal; `look` makes the scene.

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

use crate::scene::{Ends, Ground, Scene};
use crate::{GameKind, GameOption, Outcome, Plies, Position, Seat, Setup, SetupError, Unreadable};

/// The rules of a game on a [`Board`].
pub trait Rules: Debug + Clone + Send + Sync + 'static {
    /// The sizes that the board can have, the usual one first.
    const SIZES: &'static [u8];

    /// The kinds of pieces.
    const KINDS: &'static [Kind];

    /// The colours of the first and the second side, white and black in some order.
    const COLOURS: [&'static str; 2] = ["white", "black"];

    /// The board of a size.
    fn board(size: u8) -> Board;

    /// Puts the pieces of the start on an empty board, and minds the options of the challenge.
    ///
    /// # Errors
    /// When an option has a value that it cannot take.
    fn start(_: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        Ok(())
    }

    /// Calls `visit` with each legal ply: a piece on any empty space, where the game does not say otherwise. Nobody asks
    /// once the game is over.
    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        state.empties().iter().for_each(|cell| visit(Ply::put(cell)));
    }

    /// How the game ended. `last` is the space that the last ply reached, where that is known: only there can a line or
    /// a connection have been made.
    fn outcome(state: &State, last: Option<Cell>) -> Option<Outcome>;

    /// What a ply changes.
    #[inline]
    fn make(state: &mut State, ply: Ply) {
        state.go(ply);
    }

    /// The ply that `text` begins with in a notation of the game's own, and the rest; other plies are named by spaces.
    fn read_ply<'t>(_: &State, _: &'t str) -> Option<(Ply, &'t str)> {
        None
    }

    /// The text of what is on the board, whose turn it is and what is counted.
    fn write_state(state: &State) -> String {
        words::write::<Self>(state)
    }

    /// Reads that text.
    ///
    /// # Errors
    /// The text does not follow the format.
    fn read_state(text: &str) -> Result<State, SetupError> {
        words::read::<Self>(text)
    }

    /// The ply that names these spaces; `None` when there is no such ply.
    fn named(_: &State, spaces: &[Cell]) -> Option<Ply> {
        match *spaces {
            [to] => Some(Ply::put(to)),
            [from, to] => Some(Ply::go(from, to)),
            [from, to, then] => Some(Ply { then: Some(then), ..Ply::go(from, to) }),
            _ => None,
        }
    }

    /// Writes a ply in the standard form of the game, which the names of its spaces, parted by dashes, are.
    fn write(state: &State, ply: Ply) -> String {
        ply.write(&state.board)
    }

    /// The rule that an illegal ply breaks, where there is more to say than what would be legal.
    fn broken(_: &State, _: Ply) -> Option<String> {
        None
    }

    /// How an empty space looks.
    fn ground(_: &Board, _: Cell) -> Ground {
        Ground::Plain
    }

    /// Whose goal the edge of the board is here, one step off the board.
    fn edge(_: &Board, _: Cell, _: Way) -> Option<Seat> {
        None
    }

    /// What the counts mean to a player, in a sentence or two that follow the pieces of each side.
    fn standing(_: &State) -> String {
        String::new()
    }

    /// What no game can reach.
    ///
    /// # Errors
    /// Why not, without a capital and a full stop.
    fn lawful(_: &State) -> Result<(), String> {
        Ok(())
    }
}

/// A position of the game with these rules.
#[derive(Debug, Clone)]
pub struct Game<R> {
    state: State,
    ended: Option<Outcome>,
    rules: PhantomData<R>,
}

/// The entry of the registry: its words, and the rest from the rules.
pub const fn kind<R: Rules>(key: &'static str, name: &'static str) -> GameKind {
    GameKind {
        seats: R::COLOURS,
        plies: Plies::of_columns(last_column(R::SIZES)),
        ..GameKind::of::<Game<R>>(key, name, |setup| Ok(Box::new(Game::<R>::start(setup)?)))
    }
}

/// The size of the board.
pub const fn size(help: &'static str, trial: &'static [&'static str]) -> GameOption {
    GameOption::number("size", trial, help)
}

/// The usual board without pieces, as it is drawn: with their numbers, where the spaces have numbers.
pub fn map<R: Rules>() -> String {
    let size = R::SIZES.first().copied().unwrap_or_default();
    look::scene::<R>(&State::empty(R::board(size))).drawing().board
}

/// The last letter of the columns of a board that is as wide as its size says.
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

/// What no game can reach where the sides put down a stone each in turn until one has won.
///
/// # Errors
/// Why not, without a capital and a full stop.
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
    /// The position that a challenge asks for.
    ///
    /// # Errors
    /// When an option has a value that it cannot take.
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

    /// What is on the board.
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
    fn each_move(&self, visit: &mut impl FnMut(Ply)) {
        if self.ended.is_some() {
            return;
        }
        R::each_move(&self.state, visit);
    }

    fn forced(&self) -> Option<Ply> {
        (self.legal_moves() == [Ply::PASS]).then_some(Ply::PASS)
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

    fn scene(&self) -> Scene {
        look::scene::<R>(&self.state)
    }

    fn ends(&self, ply: Ply) -> Ends<impl ToString> {
        let name = |cell: Option<Cell>| cell.map(|cell| self.state.board.name(cell));
        Ends { from: name(ply.from), to: name(ply.to), then: name(ply.then) }
    }

    fn explain(&self, ply: Ply) -> String {
        words::explain::<R>(&self.state, ply)
    }

    fn remarks(&self, after: &Self) -> Vec<String> {
        words::captured::<R>(&self.state, &after.state)
    }
}
