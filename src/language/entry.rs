//! What the parser, the help pages, replies and web pages know of a command. Each command's file in
//! `commands` defines it.

use super::args::{Args, ArgumentError};
use super::claim::{Claim, FullForm, Needs, Request};
use super::parameters::OnBoard;
use super::token::{self, Word};
use turnpost_games::GameKind;

/// The answer to an unproven letter that leaves out a userid.
pub(crate) const NO_USERID: &str =
    "Nothing in this letter proves who wrote it, so your name is missing. In full:";
/// The answer to an unproven letter that leaves out a userid and a password.
const NO_LOGIN: &str =
    "Nothing in this letter proves who wrote it, so your name and password are missing. In full:";

/// What comes before a command's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Nothing.
    Server,
    /// The name of a game.
    Game,
}

/// A command of the language. In its texts `GAME` is replaced by the game's word.
pub struct Entry<C: 'static> {
    pub scope: Scope,
    /// Lower case.
    pub word: &'static str,
    pub aliases: &'static [&'static str],
    pub arguments: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Paragraphs separated by `\n\n`.
    pub details: &'static str,
    /// A command that could be sent as it stands.
    pub example: &'static str,
    pub(crate) read: fn(&mut Args) -> Result<C, ArgumentError>,
    /// Words of a game's command that work without the game's name.
    pub(crate) without_game: &'static [&'static str],
    /// Words with a meaning among its arguments: an echo shows them, and no player can have one as a userid.
    pub(crate) keywords: &'static [&'static str],
    /// The most players and boards that it names. An extra word might be a password, which no echo shows.
    pub(crate) operands: usize,
    /// A sender without an account can start with this command.
    pub(crate) for_strangers: bool,
    /// How far its writer must be proven.
    pub(crate) by: Needs,
    /// True if it starts a game, which the holder of a token is allowed to do.
    pub(crate) starts: bool,
    /// Whether a letter that proves its writer can leave the writer's userid out, and where it belongs.
    pub(crate) writer: WriterPlace,
    /// What it means in the first line of a reply about a board.
    pub(crate) in_reply: InReply<C>,
    /// A second word that can follow there, and the command of both: `resign match`.
    pub(crate) second: Option<SecondWord<C>>,
    /// What its writer must have seen of the board, if a reply's token is their only proof.
    pub(crate) needs: Seen,
    /// When it is offered below a board.
    pub(crate) offered: Offered,
    /// What a page says after its button was pressed. If it is empty, the page shows the answer.
    pub(crate) done: Option<&'static str>,
}

/// The place of the writer's userid, if it can be left out.
pub(crate) enum WriterPlace {
    /// It cannot be left out: the words would be read as prose, or one of them is a password.
    Fixed,
    /// A userid without a password. The text is the answer to an unproven letter.
    Named(&'static str),
    /// Userid and password.
    WithPassword,
    /// Userid and password, after the board's number. The words after the number must pass the check: one
    /// could be a password.
    BehindBoard(fn(&[&str]) -> bool),
}

/// What a word means in the first line of a reply about a board.
pub(crate) enum InReply<C> {
    Nothing,
    /// A command, if the word is alone.
    Alone(fn(OnBoard) -> C),
    /// A command in place of a move, if the word is alone; the lines below go to the opponent.
    ForMove(fn(OnBoard) -> C),
    /// Like `ForMove`, but nothing takes the command back: if the player's own words follow, the server asks
    /// first.
    Decides(fn(OnBoard) -> C),
    /// A `yes` to the server's question, if the word is alone.
    AsYes,
    /// Begins a line with more words.
    Begins(ReadBehind<C>),
    /// Like `Begins`, but the word can also be alone.
    MayBegin(ReadBehind<C>),
    /// Begins a text for the opponent: the rest of its line and all lines below.
    BeginsWords(fn(OnBoard, String) -> C),
    /// Like `BeginsWords`, but the text stays with its writer.
    Keeps(fn(OnBoard, String) -> C),
}

/// A word and a command.
pub(crate) type SecondWord<C> = (&'static str, fn(OnBoard) -> C);

/// Reads the words after a reply's word.
pub(crate) type ReadBehind<C> = fn(OnBoard, &mut Args) -> Result<C, ArgumentError>;

/// What of a board the writer of a reply must have seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Nothing,
    /// The current position.
    Position,
    /// The current position, unless the line names its board.
    PositionOrNamed,
    /// The current position, in a mail about the board.
    Board,
    /// The current position, but for the writer's own last moves.
    OthersMoves,
    /// Also the opponent's proposals.
    Proposals,
}

/// When a word is offered below a board, in the order of the offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Offered {
    Never,
    /// The opponent has proposed something.
    Asked,
    MaySwap,
    /// The second player, a person, has not played.
    Challenged,
    /// The dice wait for a word. In a game without dice the word means nothing in a reply.
    WithDice,
    /// The player has played, and nothing is proposed.
    HasPlayed,
    /// The opponent is a person, and nothing is proposed.
    MayPropose,
    InPlay,
    /// The player is to move in an unrated game against the robot.
    MayHint,
    /// The opponent, a person, has had a day for a move.
    MayNudge,
    /// The game is in play, and its drawing has no room for the names of its spaces.
    Mapped,
    Over,
    /// The game is over, and the robot plays its kind.
    OverWithRobot,
    /// The opponent is a person.
    ToPerson,
}

impl<C> Entry<C> {
    /// The entry of a command that needs a game's name, with defaults for all other fields.
    pub(crate) const fn of_game(
        word: &'static str,
        arguments: &'static str,
        read: fn(&mut Args) -> Result<C, ArgumentError>,
    ) -> Entry<C> {
        Entry {
            scope: Scope::Game,
            word,
            aliases: &[],
            arguments,
            summary: "",
            details: "",
            example: "",
            read,
            without_game: &[],
            keywords: &[],
            operands: usize::MAX,
            for_strangers: false,
            by: Needs::Nobody,
            starts: false,
            writer: WriterPlace::WithPassword,
            in_reply: InReply::Nothing,
            second: None,
            needs: Seen::Position,
            offered: Offered::Never,
            done: None,
        }
    }

    /// The entry of a command that needs no game, with the defaults of [`Entry::of_game`].
    pub(crate) const fn of_server(
        word: &'static str,
        arguments: &'static str,
        read: fn(&mut Args) -> Result<C, ArgumentError>,
    ) -> Entry<C> {
        Entry { scope: Scope::Server, ..Entry::of_game(word, arguments, read) }
    }

    /// The word and the aliases of the command.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.word).chain(self.aliases.iter().copied())
    }

    /// The command of its word with this one behind it.
    pub(crate) fn with_second(&self, word: &str) -> Option<fn(OnBoard) -> C> {
        self.second.filter(|(second, _)| second.eq_ignore_ascii_case(word)).map(|(_, command)| command)
    }

    /// How the command is written, with `game` in front of a game's command.
    pub fn grammar(&self, game: &str) -> String {
        let mut grammar = match self.scope {
            Scope::Server => self.word.to_owned(),
            Scope::Game => format!("{game} {}", self.word),
        };
        if !self.arguments.is_empty() {
            grammar.push(' ');
            grammar.push_str(self.arguments);
        }
        grammar
    }

    /// True if a password, token or code can be among its arguments.
    pub(super) fn takes_a_secret(&self) -> bool {
        ["password", "token", "code"].iter().any(|secret| self.arguments.contains(secret))
    }
}

impl<C> InReply<C> {
    /// True for a word that has a meaning only if it is alone.
    pub(crate) fn stands_alone(&self) -> bool {
        matches!(self, InReply::Alone(_) | InReply::ForMove(_) | InReply::Decides(_) | InReply::AsYes)
    }

    /// True for a word that can be followed by others in its line.
    pub(crate) fn goes_on(&self) -> bool {
        use InReply::{Begins, BeginsWords, Keeps, MayBegin};
        matches!(self, Begins(_) | MayBegin(_) | BeginsWords(_) | Keeps(_))
    }
}

/// Reads the words after a reply's word, as if the command were written in full. The error says what was expected.
pub(crate) fn read_behind<C>(at: OnBoard, rest: &str, read: ReadBehind<C>) -> Result<C, String> {
    let words = token::words(&token::plain(rest)).map_err(|_| token::UNCLOSED.to_owned())?;
    let mut args = Args::new(at.game, true, words, 0);
    let command = read(at, &mut args).and_then(|command| args.finish().map(|()| command));
    command.map_err(|expected| expected.why)
}

/// The command that words begin with.
pub(super) struct CommandMatch<C: 'static> {
    pub entry: &'static Entry<C>,
    pub game: &'static GameKind,
    /// How many words name it.
    pub used: usize,
    /// The line names the game.
    pub named: bool,
}

impl<C> Clone for CommandMatch<C> {
    fn clone(&self) -> CommandMatch<C> {
        *self
    }
}

impl<C> Copy for CommandMatch<C> {}

impl<C> CommandMatch<C> {
    /// False for a command of a game in a line without the game's name.
    pub fn is_named_in_full(&self) -> bool {
        self.named || self.entry.scope == Scope::Server
    }

    /// The words of the line that are its arguments.
    pub fn args(&self, words: Vec<Word>) -> Args {
        Args::new(self.game, self.named, words, self.used)
    }

    /// Reads all arguments.
    pub fn read(&self, args: &mut Args) -> Result<C, ArgumentError> {
        (self.entry.read)(args).and_then(|command| args.finish().map(|()| command))
    }

    /// Reads the line with the writer that it names.
    pub fn request(&self, args: &mut Args) -> Result<Request<C>, ArgumentError> {
        let command = self.read(args)?;
        Ok(Request { by: args.claim(), command })
    }

    /// Reads a canonical line, which names no writer, even for a command whose writer cannot be left out.
    pub fn canonical(&self, words: &[Word]) -> Option<C> {
        let without = self.read(&mut self.args(words.to_vec()).without_writer());
        // A canonical line can name the player that it means.
        without.ok().or_else(|| {
            let request = self.request(&mut self.args(words.to_vec())).ok()?;
            matches!(request.by, Claim::Nobody).then_some(request.command)
        })
    }

    /// Reads the line as one that leaves its writer out; `None` if that is not possible.
    pub fn request_left_out(&self, words: &[Word]) -> Option<Request<C>> {
        let why = match self.entry.writer {
            WriterPlace::Fixed => return None,
            WriterPlace::Named(why) => why,
            WriterPlace::WithPassword => NO_LOGIN,
            WriterPlace::BehindBoard(looks_right) => {
                let behind: Vec<&str> =
                    words.get(self.used + 1..)?.iter().map(|word| word.text.as_str()).collect();
                looks_right(&behind).then_some(NO_LOGIN)?
            }
        };
        let mut args = self.args(words.to_vec()).without_writer();
        let command = self.read(&mut args).ok()?;
        let (place, texts) = (args.empty_place()?, words.iter().map(|word| word.text.clone()).collect());
        let Entry { by: needs, summary, .. } = *self.entry;
        let form = FullForm { words: texts, place, needs, why, summary };
        Some(Request { by: Claim::LeftOut(form), command })
    }
}
