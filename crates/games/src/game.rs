//! A game as the registry lists it: its names and options, and how to set up a board.

use std::fmt;

use crate::scene::{Scene, Space, Tiling, ToldCaptures};
use crate::{Notation, Position, Seat, SetupError, Table};

/// A game of the registry.
pub struct GameKind {
    /// The word that players type, in lower case. Stored games are found by it, so it never changes.
    pub key: &'static str,
    /// Other words that mean `key`.
    pub aliases: &'static [&'static str],
    /// The name in prose.
    pub name: &'static str,
    /// The group of this game in lists: `connection`, `in a row`.
    pub family: &'static str,
    /// The names of the first and the second seat.
    pub seats: [&'static str; 2],
    /// The options that a challenge to this game can have.
    pub options: &'static [GameOption],
    /// Examples of plies, on one line.
    pub notation: &'static str,
    /// How to recognise a ply without the position.
    pub plies: Plies,
    /// Sets up the board that a challenge asks for.
    pub start: fn(&Setup<'_>) -> Result<Box<dyn Table>, SetupError>,
    /// Reads the text of a position.
    pub read: fn(&str) -> Result<Box<dyn Table>, SetupError>,
    /// Reads the ply at the start of a text for a player who writes the letters of a language, on the position of the
    /// first text. `None` leaves the text to [`Table::play_text`]; the error is the question to ask.
    pub letters: Option<Letters>,
    /// The name today of a space, given its name in earlier records and mails. `None` for any other text.
    pub renamed: Option<fn(&str) -> Option<String>>,
    /// Formats in which other servers and programs record this game.
    pub notations: &'static [Notation],
    /// How pages and mails tell about captured pieces.
    pub captures: ToldCaptures,
    /// True if dice fall in this game; see [`Position::chance`]. The second seat's first ply is `roll` then, and no option
    /// is `seed`.
    pub dice: bool,
    /// True if players of this game agree on draws.
    pub has_draws: bool,
    /// What a beginner must know for the first move, in one sentence.
    pub pitch: &'static str,
    /// Lessons for a player's first game, if this game has any.
    pub tutorial: Option<Tutorial>,
    /// Draws the board with the name of each space in it; `None` if the labels around the board are enough.
    pub map: Option<fn() -> String>,
}

/// Reads a text in the letters of a language, given the position; see [`GameKind::letters`].
pub type Letters = for<'t> fn(&str, &'t str, &str) -> Result<Option<Lettered<'t>>, String>;

/// A ply that was read in the letters of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lettered<'t> {
    /// The ply in its standard form.
    pub ply: String,
    /// The text after it.
    pub rest: &'t str,
    /// The language of its letters, if they show one.
    pub language: Option<&'static str>,
}

impl GameKind {
    /// True if `ask` can follow a ply, by which a player wants to be asked before the next roll.
    pub fn asks(&self) -> bool {
        self.plies.words.contains(&"ask")
    }

    /// A game with the seats white and black, without the optional parts.
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
            letters: None,
            renamed: None,
            notations: &[],
            captures: ToldCaptures::Untold,
            dice: false,
            has_draws: true,
            pitch: "",
            tutorial: None,
            map: None,
        }
    }

    /// This game's name for a seat.
    pub fn seat(&self, seat: Seat) -> &'static str {
        self.seats[seat.index()]
    }

    /// True if `seat` begins at the far side of the board, so that its player sees the board
    /// [turned](Scene::turned). On boards without such a side, all players see the same.
    pub fn is_turned_for(&self, seat: Seat) -> bool {
        let Ok(table) = (self.start)(&Setup { options: &[], seed: 0 }) else { return false };
        let scene = table.look();
        if scene.tiling == Tiling::Triangles {
            return seat == Seat::Second;
        }
        // The mean row of a side's pieces; no number if it has none yet.
        let row = |seat: Seat| {
            let own = |space: &&Space| space.thing.is_some_and(|thing| thing.side == Some(seat));
            let rows: Vec<i32> = scene.spaces.iter().filter(own).map(|space| space.r).collect();
            rows.iter().sum::<i32>() as f32 / rows.len() as f32
        };
        row(seat) < row(seat.other())
    }

    /// The board as the player of `seat` sees it, or a reader without a seat.
    pub fn facing(&self, seat: Option<Seat>, scene: Scene) -> Scene {
        if seat.is_some_and(|seat| self.is_turned_for(seat)) { scene.turned() } else { scene }
    }

    /// The options of a tutorial board; empty if the game has no tutorial.
    pub fn easy_options(&self) -> Vec<(String, Option<String>)> {
        let options = self.tutorial.iter().flat_map(|tutorial| tutorial.options);
        options.map(|option| ((*option).to_owned(), None)).collect()
    }

    /// The options that the server adds to `options` for a board between people.
    pub fn more_between_people(&self, options: &[(String, Option<String>)]) -> Vec<(String, Option<String>)> {
        let is_given = |option: &GameOption| options.iter().any(|(name, _)| name == option.name);
        let more = self.options.iter().filter(|option| option.between_people && !is_given(option));
        more.map(|option| (option.name.to_owned(), None)).collect()
    }

    /// True if the second player of a board with these options can change seats after ply 1.
    pub fn may_swap(&self, options: &[(String, Option<String>)]) -> bool {
        self.options.contains(&NOSWAP) && !options.iter().any(|(name, _)| name == NOSWAP.name)
    }

    /// True if `word` is the key or an alias of this game, in upper or lower case.
    pub fn answers_to(&self, word: &str) -> bool {
        self.key.eq_ignore_ascii_case(word) || self.aliases.iter().any(|a| a.eq_ignore_ascii_case(word))
    }
}

impl fmt::Debug for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

/// How to recognise a ply in a player's text without the position. A ply is a word, or spaces joined by signs.
#[derive(Debug, Clone, Copy)]
pub struct Plies {
    /// How spaces are named.
    pub spaces: Spaces,
    /// Plies that are words, and `ask` if it can follow a ply.
    pub words: &'static [&'static str],
    /// Signs that join the parts of a ply, in addition to `-`, `:` and `x`.
    pub joints: &'static [char],
    /// Returns the length in bytes if the text begins with a ply of another form, such as `O-O`.
    pub other: Option<fn(&str) -> Option<usize>>,
}

impl Plies {
    /// The plies of a board whose columns are `a` to `last_column`.
    pub const fn of_columns(last_column: char) -> Plies {
        Plies { spaces: Spaces::Lettered(last_column), words: &["pass"], joints: &[], other: None }
    }
}

/// How spaces are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spaces {
    /// A letter from `a` to this one, and a number.
    Lettered(char),
    /// A number from 1 to this one.
    Numbered(u8),
}

/// An option of a challenge in one game, such as `-random` or `-seed=N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOption {
    /// The name in lower case, without the dash. The value of an option `seed` becomes [`Setup::seed`].
    pub name: &'static str,
    /// The placeholder for the value in grammars; `None` if the option takes no value.
    pub value: Option<&'static str>,
    /// Valid values, to try the option with; empty if it takes none.
    pub trial: &'static [&'static str],
    /// True if boards with this option are not rated.
    pub unrated: bool,
    /// True if the server gives it to every board between people, and to none of the robot's.
    pub between_people: bool,
    /// One line for the help page.
    pub help: &'static str,
}

impl GameOption {
    /// An option without a value.
    pub const fn plain(name: &'static str, help: &'static str) -> GameOption {
        GameOption { name, value: None, trial: &[], unrated: false, between_people: false, help }
    }

    /// An option whose value is a number. `trial` has valid values.
    pub const fn number(
        name: &'static str,
        trial: &'static [&'static str],
        help: &'static str,
    ) -> GameOption {
        GameOption { value: Some("N"), trial, ..GameOption::plain(name, help) }
    }

    /// The option in a grammar: `-seed=N`.
    pub fn written(&self) -> String {
        match self.value {
            Some(placeholder) => format!("-{}={placeholder}", self.name),
            None => format!("-{}", self.name),
        }
    }
}

/// Turns off the swap in games that favour the first player. Without this option the second player can answer ply 1 by
/// changing seats. The server does the swap, not the game.
pub const NOSWAP: GameOption =
    GameOption::plain("noswap", "the second player may not answer the first stone with `swap`");

/// Splits an option, with its dash or without, into name and value.
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

/// The options and the seed of a new board.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// The given options, in lower case, with their values.
    pub options: &'a [(String, Option<String>)],
    /// Seeds all random choices. The same options and seed give the same board in every version.
    pub seed: u64,
}

impl Setup<'_> {
    /// True if the option is given.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }

    /// The value of an option, empty if it has none; `None` if the option is not given.
    pub fn value(&self, name: &str) -> Option<&str> {
        let (_, value) = self.options.iter().find(|(given, _)| given == name)?;
        Some(value.as_deref().unwrap_or_default())
    }

    /// The value of an option as a number; `None` if the option is not given.
    ///
    /// # Errors
    /// [`SetupError::Option`] if the value is not a number.
    pub fn number(&self, name: &str) -> Result<Option<u64>, SetupError> {
        let number = self.value(name).map(str::parse).transpose();
        number.map_err(|_| SetupError::Option(format!("-{name} needs a number, as in -{name}=9")))
    }
}

/// A first game against the robot, with a lesson for each of the first turns.
#[derive(Debug, Clone, Copy)]
pub struct Tutorial {
    /// Options of the board that take no values, such as `random`.
    pub options: &'static [&'static str],
    /// The lessons, separated by lines of `---`. Each must be true of any position. `{move}` is the example.
    pub lessons: &'static str,
    /// Returns a good ply for a beginner in the position with this text.
    pub example: fn(position: &str) -> Option<String>,
}

impl Tutorial {
    /// Lesson `number` (from 1) for the position on `table`. Each paragraph is one line. `None` after the last lesson.
    pub fn lesson(&self, number: usize, table: &dyn Table) -> Option<String> {
        let lesson = self.lessons.split("\n---\n").nth(number.checked_sub(1)?)?;
        let paragraphs = lesson.trim().split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        let lesson = paragraphs.collect::<Vec<_>>().join("\n\n");
        Some(lesson.replace("{move}", &(self.example)(&table.position())?))
    }
}
