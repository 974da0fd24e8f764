//! The command language: from the text of a letter to commands.
//!
//! A file a family of commands; each opens with its grammar. [`table`] is the one list of them: the parser reads by
//! it and `help commands` prints it.

pub mod account;
mod args;
pub mod body;
mod challenge;
mod clock;
mod echo;
pub mod offer;
pub mod plan;
mod play;
mod query;
mod read;
mod record;
pub mod settings;
mod standing;
pub mod table;
pub mod talk;
pub mod token;
pub mod watch;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::{BoardId, Ply, Userid, Which};
use turnpost_games::GameKind;

pub use challenge::{DEFAULT_LEVEL, robot_userid};
pub use clock::ClockCommand;
pub use echo::mask_words;
pub use read::{COMMANDS_AT_MOST, UNKNOWN_AT_MOST, is_in_subject, read, read_line, read_reply};
pub use record::RecordCommand;
pub use standing::{Ranks, StandingCommand};

/// A line of a letter.
#[derive(Debug)]
pub struct Line {
    /// As it may be shown: passwords masked by the place they stand in. Of a line that is no readable command, only
    /// the words of the command language.
    pub echo: String,
    /// Only the words of the command language, whatever the line is: for a command whose password did not fit,
    /// which may stand in the wrong place.
    pub strict_echo: String,
    /// What it says.
    pub reading: Reading,
}

impl Line {
    /// A reply of one word, where none was written.
    pub fn yes() -> Line {
        let yes = || "yes".to_owned();
        Line { echo: yes(), strict_echo: yes(), reading: Reading::Reply(yes()) }
    }

    /// The same, taken for words and not for a command.
    pub fn into_reply(self) -> Line {
        let reading = match self.reading {
            Reading::Reply(text) => Reading::Reply(text),
            _ => Reading::Reply(self.strict_echo.clone()),
        };
        Line { reading, ..self }
    }
}

/// What a line says.
#[derive(Debug)]
pub enum Reading {
    /// Nothing: blank, quoted, a comment.
    Skip,
    /// A command.
    Command(Command),
    /// A command of ours, not written as it should be.
    Malformed(ParseError),
    /// The first line of a reply with a token: a move, or a word in place of one.
    Reply(String),
    /// None of ours.
    Unknown {
        /// The nearest command, when one is near.
        suggestion: Option<String>,
    },
    /// Nothing behind it is read.
    End,
    /// It is a command, and what is read of one letter ends before it.
    Rest,
}

/// A command that could not be read: where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// What was expected there. Never repeats what was found, which may be a misplaced password.
    pub why: String,
    /// How the command is written.
    pub grammar: String,
    /// A line under the echo that points at the word.
    pub pointer: String,
}

/// Something to do.
#[derive(Debug, Clone)]
pub enum Command {
    /// `help [subject ...]`
    Help {
        /// What about; none: the first page.
        subjects: Vec<String>,
    },
    /// What players do to their accounts.
    Account(account::Account),
    /// Words for other players.
    Talk(talk::Talk),
    /// Watching other people's games.
    Watch(watch::Watch),
    /// `game challenge [options] userid1 userid2`
    Challenge {
        /// What is played.
        game: &'static GameKind,
        /// How.
        options: BoardOptions,
        /// Who sits on the first seat.
        first: Userid,
        /// Who sits on the second.
        second: Userid,
    },
    /// `game move board userid password move[#ply] ...`
    Move {
        /// Which board.
        at: Seated,
        /// The plies, parted by blanks.
        plies: String,
    },
    /// `game resign board userid password`
    Resign {
        /// Which board.
        at: Seated,
    },
    /// What players offer each other, and what they decide beforehand.
    Offer(offer::Offer),
    /// `game show ...`
    Show {
        /// The game.
        game: &'static GameKind,
        /// Boards and players.
        targets: Vec<Target>,
        /// Which of the players' boards.
        which: Which,
    },
    /// `game games ...`, and `game history ...` with only those that are over.
    Games {
        /// The game.
        game: &'static GameKind,
        /// Whose; nobody: everybody's.
        userids: Vec<Userid>,
        /// Which.
        which: Which,
        /// Only boards with a smaller number.
        before: Option<BoardId>,
    },
    /// `game preview ...`
    Preview {
        /// The game.
        game: &'static GameKind,
        /// From where.
        from: PreviewFrom,
        /// The plies, parted by blanks.
        plies: String,
    },
    /// About clocks.
    Clock(ClockCommand),
    /// About all players and boards.
    Standing(StandingCommand),
    /// About records.
    Record(RecordCommand),
}

/// A board and who speaks for one of its seats.
#[derive(Debug, Clone)]
pub struct Seated {
    /// The game the command named.
    pub game: &'static GameKind,
    /// The board.
    pub board: BoardId,
    /// The player.
    pub login: Login,
}

/// A userid and the password that came with it.
#[derive(Debug, Clone)]
pub struct Login {
    /// Whom the command acts for.
    pub userid: Userid,
    /// The proof; `-` leaves it to the letter.
    pub password: Password,
}

/// A password as it was given. It prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl Password {
    /// Whether it is the `-` that leaves the proof to the letter.
    pub fn is_left_out(&self) -> bool {
        self.0 == "-"
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// What `show` is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A board, as it stands or as it stood after a ply.
    Board(BoardId, Option<Ply>),
    /// The boards of a player.
    Player(Userid),
}

/// What `preview` starts from.
#[derive(Debug, Clone)]
pub enum PreviewFrom {
    /// A board as it stands.
    Board(BoardId),
    /// A new one.
    New(BoardOptions),
}

/// The options of a new board.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardOptions {
    /// The game's own, names in lower case, in the order given.
    pub game: Vec<(String, Option<String>)>,
    /// `-position=`
    pub position: Option<String>,
    /// `--nagtime=`, days.
    pub nag: Option<u32>,
    /// `--forfeittime=`, days.
    pub forfeit: Option<u32>,
    /// `--totaltime=`, days.
    pub total: Option<u32>,
    /// `--unrated`
    pub unrated: bool,
    /// `--lots`
    pub lots: bool,
    /// `--swap`
    pub swap: bool,
    /// `--level=`, of a game against `robot`; read with the players, and nothing of the board.
    #[serde(skip)]
    pub level: Option<u8>,
}

impl Command {
    /// What the first line of a reply about a board asks for.
    pub fn in_reply(at: Seated, text: &str) -> Command {
        play::moves_or_word(at, text.to_owned())
    }

    /// Whether it says yes or no to something that was proposed.
    pub fn answers_a_proposal(&self) -> bool {
        matches!(self, Command::Offer(offer::Offer::Word(_, offer::Word::Accept | offer::Word::Reject)))
    }

    /// The userid and password it acts with, when it needs them.
    pub fn login(&self) -> Option<&Login> {
        match self {
            Command::Move { at, .. } | Command::Resign { at } => Some(&at.login),
            Command::Offer(offer) => offer.login(),
            Command::Clock(clock) => Some(&clock.seated().login),
            Command::Standing(_) | Command::Record(_) => None,
            Command::Account(account) => account.login(),
            Command::Talk(talk) => Some(talk.login()),
            Command::Watch(watch) => watch.login(),
            Command::Help { .. }
            | Command::Challenge { .. }
            | Command::Show { .. }
            | Command::Games { .. }
            | Command::Preview { .. } => None,
        }
    }

    /// The board it names, when it is one.
    pub fn board(&self) -> Option<BoardId> {
        match self {
            Command::Move { at, .. } | Command::Resign { at } => Some(at.board),
            Command::Clock(clock) => Some(clock.seated().board),
            Command::Record(record) => Some(record.board()),
            Command::Preview { from: PreviewFrom::Board(board), .. } => Some(*board),
            Command::Offer(offer) => offer.board(),
            Command::Talk(talk::Talk { to: talk::Audience::Opponent(at), .. }) => Some(at.board),
            Command::Watch(watch) => watch.board(),
            _ => None,
        }
    }

    /// A password it sets, with the account it sets it for.
    pub fn new_password(&self) -> Option<(&Userid, &Password)> {
        match self {
            Command::Account(account) => account.new_password(),
            _ => None,
        }
    }

    /// A token or code in it, which is no less secret.
    pub fn token(&self) -> Option<&Password> {
        match self {
            Command::Account(account) => account.token(),
            Command::Watch(watch) => watch.token(),
            _ => None,
        }
    }

    /// Every password and token in it, so that it can be kept out of everything that is written.
    pub fn passwords(&self) -> impl Iterator<Item = &str> {
        let login = self.login().map(|login| &login.password);
        let new = self.new_password().map(|(_, password)| password);
        login
            .into_iter()
            .chain(new)
            .chain(self.token())
            .filter(|password| !password.is_left_out())
            .map(|password| password.0.as_str())
    }
}
