//! Lists of boards, a row each.
//!
//! ```text
//! game games [userid ...] [all|active|inactive|next] [--before=board]
//! game history [userid ...] [--before=board]
//! ```

use crate::commands::{Command, Entry};
use crate::ids::{BoardId, Userid, Which};
use crate::language::Parameters;
use crate::language::args::{Args, ArgumentError, Selection};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Games {
    /// None: every game.
    pub game: Option<&'static GameKind>,
    /// None: see `unnamed`.
    pub userids: Vec<Userid>,
    pub unnamed: Unnamed,
    pub which: Which,
    /// The list goes on below this board.
    pub before: Option<BoardId>,
}

/// Whose boards are listed when no userid is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unnamed {
    /// The writer's, where the letter proves who that is.
    Writers,
    Everybodys,
}

impl Parameters for Games {
    fn may_be_prose(&self) -> bool {
        self.userids.len() > 1
    }
}

pub(crate) const GAMES: Entry = Entry {
    summary: "lists boards, a row each",
    details: "Number, plies, players, and whose turn it is or the result. The newest 50; `--before` and the last number goes on. Without a userid: yours, when the mail proves who you are, else everybody's in play; `list GAME` always shows everybody's. `games` without a game's name lists yours of all games.",
    example: "GAME games ann",
    without_game: &["games"],
    ..Entry::of_game("games", "[userid ...] [all|active|inactive|next] [--before=board]", read_games)
};

pub(crate) const HISTORY: Entry = Entry {
    summary: "lists finished games",
    details: "Without a userid everybody's.",
    example: "GAME history ann",
    ..Entry::of_game("history", "[userid ...] [--before=board]", read_history)
};

fn read_games(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.named_game();
    let before = before(args)?;
    let Selection { items: userids, which } = args.rest_and_which(|word| {
        word.text.parse::<Userid>().map_err(|_| word.error("a userid is expected here"))
    })?;
    Ok(Command::Games(Games { game, userids, unnamed: Unnamed::Writers, which, before }))
}

fn read_history(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.named_game();
    let before = before(args)?;
    let mut userids = Vec::new();
    while !args.is_empty() {
        userids.push(args.userid("a userid")?);
    }
    let unnamed = Unnamed::Everybodys;
    Ok(Command::Games(Games { game, userids, unnamed, which: Which::Inactive, before }))
}

/// `--before=42`, wherever it stands.
fn before(args: &mut Args) -> Result<Option<BoardId>, ArgumentError> {
    let found = args.extract(|word| {
        let (name, number) = word.split_once('=')?;
        name.eq_ignore_ascii_case("--before").then(|| {
            number.parse::<BoardId>().map_err(|_| "a board's number is expected behind the `=`".to_owned())
        })
    })?;
    Ok(found.last().copied())
}
