//! A game as the registry lists it: its names, its options, and how a board of it is set up.

use std::fmt;

use crate::{Position, Seat, SetupError, Table};

/// A game that the server hosts.
pub struct GameKind {
    /// The word that players type, in lower case. The store keeps it too, so it never changes.
    pub key: &'static str,
    /// Other words that players may type for `key`.
    pub aliases: &'static [&'static str],
    /// The name in prose.
    pub name: &'static str,
    /// What it is about, in a word or two by which lists group games: `connection`, `in a row`.
    pub family: &'static str,
    /// The names of the first and the second seat.
    pub seats: [&'static str; 2],
    /// The game's own options of a challenge.
    pub options: &'static [GameOption],
    /// One line of examples that shows how to write a ply.
    pub notation: &'static str,
    /// What its plies look like to who does not know the position.
    pub plies: Plies,
    /// Sets up the board that a challenge asks for.
    pub start: fn(&Setup<'_>) -> Result<Box<dyn Table>, SetupError>,
    /// Reads a position's text.
    pub read: fn(&str) -> Result<Box<dyn Table>, SetupError>,
    /// The formats in which other servers record this game.
    pub notations: &'static [Notation],
    /// What a stranger must know for a first move, in a sentence.
    pub pitch: &'static str,
    /// The lessons of a first game; `None` when the game has no tutorial.
    pub tutorial: Option<Tutorial>,
    /// Draws the board with the name of every space; `None` when the drawing of a position names them well enough.
    pub map: Option<fn() -> String>,
}

impl GameKind {
    /// A game of white and black that has nothing but what every game has.
    pub(crate) const fn of<P: Position>(
        key: &'static str,
        name: &'static str,
        start: fn(&Setup<'_>) -> Result<Box<dyn Table>, SetupError>,
    ) -> GameKind {
        GameKind {
            key,
            aliases: &[],
            name,
            family: "",
            seats: ["white", "black"],
            options: &[],
            notation: "",
            plies: Plies::of_columns('z'),
            start,
            read: |text| Ok(Box::new(P::read(text)?)),
            notations: &[],
            pitch: "",
            tutorial: None,
            map: None,
        }
    }

    /// This game's name for a seat.
    pub fn seat(&self, seat: Seat) -> &'static str {
        self.seats[seat.index()]
    }

    /// The options of the board on which its tutorial is played; none where it has no tutorial.
    pub fn easy_options(&self) -> Vec<(String, Option<String>)> {
        let options = self.tutorial.iter().flat_map(|tutorial| tutorial.options);
        options.map(|option| ((*option).to_owned(), None)).collect()
    }

    /// True when the second player of a board with these options may change seats after ply 1.
    pub fn may_swap(&self, options: &[(String, Option<String>)]) -> bool {
        self.options.contains(&NOSWAP) && !options.iter().any(|(name, _)| name == NOSWAP.name)
    }

    /// True when `word`, in any case, is this game's key or one of its aliases.
    pub fn answers_to(&self, word: &str) -> bool {
        self.key.eq_ignore_ascii_case(word) || self.aliases.iter().any(|a| a.eq_ignore_ascii_case(word))
    }
}

impl fmt::Debug for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

/// What plies look like to who reads a person's lines without the position: spaces, joined by signs, and words.
#[derive(Debug, Clone, Copy)]
pub struct Plies {
    /// How spaces are named.
    pub spaces: Spaces,
    /// Plies that are words.
    pub words: &'static [&'static str],
    /// Signs that join the parts of a ply, beside `-`, `:` and `x`.
    pub joints: &'static [char],
    /// The bytes of a ply, or a part of one, that begins a text and is none of these: `O-O`.
    pub other: Option<fn(&str) -> Option<usize>>,
}

impl Plies {
    /// Those of a board from `a` to a last column.
    pub const fn of_columns(last_column: char) -> Plies {
        Plies { spaces: Spaces::Lettered(last_column), words: &[], joints: &[], other: None }
    }
}

/// How spaces are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spaces {
    /// By a letter, from `a` to this one, and a number.
    Lettered(char),
    /// By a number, from 1 to this one.
    Numbered(u8),
}

/// An option of a challenge that belongs to one game, such as `-random` or `-seed=N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOption {
    /// The name in lower case, without the dash. The value of a `seed` decides what is random of the board.
    pub name: &'static str,
    /// The placeholder for the value in grammars; `None` when the option takes no value.
    pub value: Option<&'static str>,
    /// Values that a board can be set up with, for those who try the option; empty when it takes none.
    pub trial: &'static [&'static str],
    /// True when a board with this option does not count for ratings.
    pub unrated: bool,
    /// One line for the help page.
    pub help: &'static str,
}

impl GameOption {
    /// An option without a value.
    pub const fn plain(name: &'static str, help: &'static str) -> GameOption {
        GameOption { name, value: None, trial: &[], unrated: false, help }
    }

    /// An option with a number, such as those of `trial`.
    pub const fn number(
        name: &'static str,
        trial: &'static [&'static str],
        help: &'static str,
    ) -> GameOption {
        GameOption { value: Some("N"), trial, ..GameOption::plain(name, help) }
    }

    /// The option as grammars write it: `-seed=N`.
    pub fn written(&self) -> String {
        match self.value {
            Some(placeholder) => format!("-{}={placeholder}", self.name),
            None => format!("-{}", self.name),
        }
    }
}

/// The option of games that give too much to the first player: the second may answer ply 1 by changing seats, unless it
/// is given. The seats are the server's, so a game knows nothing more of it.
pub const NOSWAP: GameOption = GameOption {
    name: "noswap",
    value: None,
    trial: &[],
    unrated: false,
    help: "the second player may not answer the first stone with `swap`",
};

/// The name and value of an option as players write it, with its dash or without.
///
/// ```
/// use turnpost_games::read_option;
///
/// assert_eq!(read_option("-size=5"), ("size".to_owned(), Some("5".to_owned())));
/// assert_eq!(read_option("noswap"), ("noswap".to_owned(), None));
/// ```
pub fn read_option(word: &str) -> (String, Option<String>) {
    let word = word.trim_start_matches('-');
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    (name.to_owned(), value.map(str::to_owned))
}

/// What a board is set up from.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// The options given, in lower case, with their values.
    pub options: &'a [(String, Option<String>)],
    /// Decides everything random. The same options and seed give the same board in every version.
    pub seed: u64,
}

impl Setup<'_> {
    /// True when the option was given.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }

    /// What was given with an option, which may be nothing; `None` where it was not given.
    pub fn value(&self, name: &str) -> Option<&str> {
        let (_, value) = self.options.iter().find(|(given, _)| given == name)?;
        Some(value.as_deref().unwrap_or_default())
    }

    /// The number given with an option; `None` where it was not given.
    ///
    /// # Errors
    /// When its value is no number.
    pub fn number(&self, name: &str) -> Result<Option<u64>, SetupError> {
        let number = self.value(name).map(str::parse).transpose();
        number.map_err(|_| SetupError::Option(format!("-{name} needs a number, as in -{name}=9")))
    }
}

/// A format in which another server records a game.
#[derive(Clone, Copy)]
pub struct Notation {
    /// The name in commands, in lower case.
    pub name: &'static str,
    /// Writes plies that were played from the position `start`, or says why this format cannot hold them.
    pub write: fn(start: &str, plies: &[String]) -> Result<String, String>,
    /// Reads a game played from the start without options, or says which ply it cannot read.
    pub read: fn(&str) -> Result<Transcribed, String>,
}

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A game read from another server's format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcribed {
    /// The plies in our notation, forced passes included.
    pub plies: Vec<String>,
    /// The seat that resigned, if one did.
    pub resigned: Option<Seat>,
}

/// A first game against the robot, with a lesson in the mail of each of the pupil's first turns.
#[derive(Debug, Clone, Copy)]
pub struct Tutorial {
    /// Options of the board, without values, such as `random`.
    pub options: &'static [&'static str],
    /// The lessons, parted by lines of `---`. `{move}` stands for the example.
    ///
    /// A lesson has to be true of any position: nothing is known of the moves before it.
    pub lessons: &'static str,
    /// A legal ply of a position, given as text, that a beginner may well play.
    pub example: fn(position: &str) -> Option<String>,
}

impl Tutorial {
    /// Lesson `number`, from 1, about the position on `table`, a line a paragraph; `None` behind the last.
    pub fn lesson(&self, number: usize, table: &dyn Table) -> Option<String> {
        let lesson = self.lessons.split("\n---\n").nth(number.checked_sub(1)?)?;
        let paragraphs = lesson.trim().split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        let lesson = paragraphs.collect::<Vec<_>>().join("\n\n");
        Some(lesson.replace("{move}", &(self.example)(&table.position())?))
    }
}
