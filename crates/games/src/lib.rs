//! The rules of the games: pure, knowing nothing of mail, files, SQL, time or players.
//!
//! A game is a folder here and a line in [`registry`]. It implements [`Position`] with moves of its own type,
//! fast enough for a robot to search; the rest of the house speaks to it in text, through [`Table`], which every
//! `Position` gets from one blanket implementation.
//!
//! Three kinds of "no" are kept apart, here and everywhere: [`Unreadable`] (it cannot be read as a move),
//! [`Illegal`] (it can, and the rules forbid it), and a position that could not occur ([`SetupError::Unlawful`]).

#![warn(missing_docs)]

mod canvas;
pub mod dvonn;
pub mod hexmeister;
mod notation;
mod perft;
pub mod record;
pub mod registry;
mod seat;
mod table;

use std::fmt::Debug;

pub use perft::perft;
pub use seat::Seat;
pub use table::{MoveError, Played, Table};

/// A position of a game: who is to play, what they may play, and what comes of it.
///
/// Cheap to copy.
pub trait Position: Clone + Debug + Send + 'static {
    /// One ply of one seat. A turn of several actions is several plies of the same seat.
    type Move: Copy + Eq + Debug;

    /// The seat whose ply comes next. Says nothing once [`outcome`](Position::outcome) is there.
    fn to_move(&self) -> Seat;

    /// How the game ended by its rules; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Shows every legal ply to `visit`, each once, in an order that depends on the position alone. None when the
    /// game is over; the pass alone when the side must pass.
    fn each_move(&self, visit: &mut impl FnMut(Self::Move));

    /// Every legal ply, as [`each_move`](Position::each_move) shows them.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.each_move(&mut |ply| moves.push(ply));
        moves
    }

    /// How many legal plies there are; games override it where counting is cheaper than listing.
    fn legal_count(&self) -> u64 {
        let mut count = 0;
        self.each_move(&mut |_| count += 1);
        count
    }

    /// The ply about which the rules leave no choice and which the server plays by itself: a forced pass.
    fn forced(&self) -> Option<Self::Move>;

    /// Whether the rules allow `ply` here.
    ///
    /// # Errors
    /// The rule that forbids it, and what would be right, for the player to read.
    fn check(&self, ply: Self::Move) -> Result<(), Illegal>;

    /// Plays a ply that is known to be legal: one that [`each_move`](Position::each_move) showed or
    /// [`check`](Position::check) let pass. With any other the position afterwards means nothing.
    fn make(&mut self, ply: Self::Move);

    /// Plays `ply` if the rules allow it; a refusal changes nothing.
    ///
    /// # Errors
    /// See [`check`](Position::check).
    fn play(&mut self, ply: Self::Move) -> Result<(), Illegal> {
        self.check(ply)?;
        self.make(ply);
        Ok(())
    }

    /// Reads the first ply written in `text` (which has no leading blanks) and gives back what is left behind it.
    ///
    /// Reading is about writing only: a ply that reads may still be illegal. What is left may begin with `#` and
    /// a ply number, which the caller reads; it is otherwise the next ply.
    fn read_move<'t>(&self, text: &'t str) -> Result<(Self::Move, &'t str), Unreadable>;

    /// The one way a ply is written back; [`read_move`](Position::read_move) reads it in the same position.
    fn write_move(&self, ply: Self::Move) -> String;

    /// Reads the position's text, and refuses what could not be played on.
    fn read(text: &str) -> Result<Self, SetupError>;

    /// The position's text; [`read`](Position::read) gives back an equal position.
    fn write(&self) -> String;

    /// The board drawn in 7-bit text.
    fn draw(&self) -> Drawing;

    /// What the ply that led from here to `after` did beside the move itself (pieces removed or captured), as
    /// sentences for people. Usually empty.
    fn remarks(&self, after: &Self) -> Vec<String>;
}

/// The end of a game by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` is a tie.
    pub winner: Option<Seat>,
    /// Points of the first and the second seat, in games that count them.
    pub score: Option<[u16; 2]>,
    /// What decided it, in games that can end in several ways: `five gates in a line`.
    pub how: Option<&'static str>,
}

/// A board as text, and what is to be said under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Lines of 7-bit text, at most 78 columns, no trailing blanks, each ended by `\n`.
    pub board: String,
    /// One line that explains the signs.
    pub key: String,
    /// What the drawing has no room for: `F3 is w12`.
    pub notes: Vec<String>,
    /// The count of what each side holds, in one line.
    pub standing: String,
}

/// A text that is no ply, with where it goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unreadable {
    /// The word that could not be read. Never printed without being masked first: it may be a misplaced password.
    pub word: String,
    /// A sentence for the player that says what would be right. It does not repeat `word`.
    pub why: String,
}

/// A ply that reads well and that the rules forbid here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Illegal {
    /// A sentence for the player: which rule forbids it, and what would be right.
    pub why: String,
}

/// A position text that cannot be read, or that no game could be played from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// It is not written as a position of this game.
    #[error("the position cannot be read: {0}")]
    Unreadable(String),
    /// It is well written and could not be played on.
    #[error("the position is not lawful: {0}")]
    Unlawful(String),
    /// The options of a challenge contradict each other or have a value that means nothing.
    #[error("{0}")]
    Option(String),
}

impl SetupError {
    fn unreadable<T>(why: impl Into<String>) -> Result<T, SetupError> {
        Err(SetupError::Unreadable(why.into()))
    }

    fn unlawful<T>(why: impl Into<String>) -> Result<T, SetupError> {
        Err(SetupError::Unlawful(why.into()))
    }
}

/// A game the server knows: its names, its options, and how a board of it begins.
pub struct GameKind {
    /// What players type, in lower case; also the name in the store. Never changes.
    pub key: &'static str,
    /// Other words for `key`.
    pub aliases: &'static [&'static str],
    /// As it is printed in prose.
    pub name: &'static str,
    /// What the two seats are called, first and second.
    pub seats: [&'static str; 2],
    /// The options of a challenge that are the game's own; they are written with one dash.
    pub options: &'static [GameOption],
    /// How a ply is written, in one line of examples.
    pub notation: &'static str,
    /// Sets up the board a challenge asked for.
    pub start: fn(&Setup<'_>) -> Result<Box<dyn Table>, SetupError>,
    /// Reads a position's text.
    pub read: fn(&str) -> Result<Box<dyn Table>, SetupError>,
    /// Other servers' ways to write a game down, where there are any.
    pub notations: &'static [Notation],
}

/// Another server's way to write a game down.
#[derive(Clone, Copy)]
pub struct Notation {
    /// What it is called in commands, in lower case.
    pub name: &'static str,
    /// Writes the plies of a game from the position it began with, or says why that cannot be.
    pub write: fn(start: &str, plies: &[String]) -> Result<String, String>,
    /// Reads the plies of a game from the start that no options change, or says where that fails.
    pub read: fn(&str) -> Result<Transcribed, String>,
}

impl Debug for Notation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A game that was read from another server's notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcribed {
    /// Its plies, as this house writes them, forced ones among them.
    pub plies: Vec<String>,
    /// Who gave it up.
    pub resigned: Option<Seat>,
}

/// An option of a game's challenge: `-random`, `-seed=N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOption {
    /// Without the dash, in lower case.
    pub name: &'static str,
    /// The placeholder of its value in grammars; `None` when it takes none.
    pub value: Option<&'static str>,
    /// A board started with it does not count for ratings.
    pub unrated: bool,
    /// One line for the help page.
    pub help: &'static str,
}

impl GameOption {
    /// As it is written: `-seed=N`.
    pub fn written(&self) -> String {
        match self.value {
            Some(placeholder) => format!("-{}={placeholder}", self.name),
            None => format!("-{}", self.name),
        }
    }
}

/// What a board is set up from.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// The options given, names in lower case, with their values.
    pub options: &'a [(String, Option<String>)],
    /// Decides everything that is left to chance; the same options and seed give the same board, for ever.
    pub seed: u64,
}

impl Setup<'_> {
    /// Whether the option was given.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }
}

impl std::fmt::Debug for GameKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)
    }
}

impl GameKind {
    /// What this game calls a seat.
    pub fn seat(&self, seat: Seat) -> &'static str {
        self.seats[seat.index()]
    }

    /// Whether `word`, in any case, is this game's key or an alias of it.
    pub fn answers_to(&self, word: &str) -> bool {
        self.key.eq_ignore_ascii_case(word) || self.aliases.iter().any(|a| a.eq_ignore_ascii_case(word))
    }
}
