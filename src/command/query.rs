//! Looking at boards.
//!
//! ```text
//! game show board[#ply] ... | userid ... [all|active|inactive|next]
//! game games [userid ...] [all|active|inactive|next]
//! game history [userid ...]
//! game preview board move ...
//! game preview new [options] move ...
//! game help
//! ```

use super::args::{Args, Expected, which};
use super::challenge::{board_options, no_level};
use super::offer::board_and_ply;
use super::table::{Entry, Scope};
use super::{Command, PreviewFrom, Target};
use crate::ids::{BoardId, Userid, Which};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "show",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board[#ply] ... | userid ... [all|active|inactive|next]",
        summary: "shows boards, by number or by player",
        details: "`#` and a number show the board as it stood after that ply; `#0` is the start. By player: the boards in \
                  play, or those that the word at the end asks for (`next`: where the player is to move).",
        example: "GAME show 1#0",
        read: read_show,
    },
    Entry {
        word: "games",
        aliases: &[],
        scope: Scope::Game,
        arguments: "[userid ...] [all|active|inactive|next] [--before=board]",
        summary: "lists boards, a row each",
        details: "Number, plies, players, and whose turn it is or the result. Without a userid everybody's boards in play. The newest 50; `--before` and the last number goes on.",
        example: "GAME games ann",
        read: read_games,
    },
    Entry {
        word: "history",
        aliases: &[],
        scope: Scope::Game,
        arguments: "[userid ...] [--before=board]",
        summary: "lists finished games",
        details: "Without a userid everybody's.",
        example: "GAME history ann",
        read: read_history,
    },
    Entry {
        word: "preview",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board move ... | new [options] move ...",
        summary: "shows a board after some moves and plays nothing",
        details: "From a board as it stands, or from a new one with the options of a challenge.",
        example: "GAME preview 1 F3",
        read: read_preview,
    },
    Entry {
        word: "help",
        aliases: &[],
        scope: Scope::Game,
        arguments: "",
        summary: "the game's rules, notation and options",
        details: "The same page as `help` with the name of the game.",
        example: "GAME help",
        read: read_game_help,
    },
];

fn read_show(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let (targets, filter) = targets(args, true)?;
    if targets.is_empty() {
        return Err(Expected::at(None, "a board's number or a userid is missing at the end"));
    }
    Ok(Command::Show { game, targets, which: filter.unwrap_or(Which::Active) })
}

fn read_games(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let before = before(args)?;
    let (targets, filter) = targets(args, false)?;
    Ok(Command::Games { game, userids: userids(targets), which: filter.unwrap_or(Which::Active), before })
}

fn read_history(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let before = before(args)?;
    let mut names = Vec::new();
    while !args.is_empty() {
        names.push(args.userid("a userid")?);
    }
    Ok(Command::Games { game, userids: names, which: Which::Inactive, before })
}

/// `--before=42`, wherever it stands: a list goes on below that board.
fn before(args: &mut Args) -> Result<Option<BoardId>, Expected> {
    let found = args.extract(|word| {
        let (name, number) = word.split_once('=')?;
        name.eq_ignore_ascii_case("--before").then(|| {
            number.parse::<BoardId>().map_err(|_| "a board's number is expected behind the `=`".to_owned())
        })
    })?;
    Ok(found.last().copied())
}

fn read_preview(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let (at, word) = args.word("a board's number or `new`")?;
    let from = if word.eq_ignore_ascii_case("new") {
        PreviewFrom::New(no_level(board_options(args)?)?)
    } else {
        match word.parse() {
            Ok(board) => PreviewFrom::Board(board),
            Err(_) => return Err(Expected::at(Some(at), "a board's number or `new` is expected here")),
        }
    };
    Ok(Command::Preview { game, from, plies: args.rest_as_text() })
}

fn read_game_help(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Help { subjects: vec![args.game.key.to_owned()] })
}

/// Boards (where they are allowed) and userids, with at most one word that says which boards.
fn targets(args: &mut Args, boards: bool) -> Result<(Vec<Target>, Option<Which>), Expected> {
    let mut targets = Vec::new();
    let mut filter = None;
    for (at, word) in args.rest() {
        if let Some(which) = which(&word) {
            if filter.replace(which).is_some() {
                return Err(Expected::at(Some(at), "one of all, active, inactive and next is enough"));
            }
        } else {
            targets.push(target(&word, boards).map_err(|why| Expected::at(Some(at), why))?);
        }
    }
    Ok((targets, filter))
}

fn target(word: &str, boards: bool) -> Result<Target, String> {
    if boards && word.starts_with(|c: char| c.is_ascii_digit()) {
        let (board, ply) = board_and_ply(word)?;
        return Ok(Target::Board(board, ply));
    }
    let expected = if boards { "a board's number or a userid" } else { "a userid" };
    word.parse::<Userid>().map(Target::Player).map_err(|_| format!("{expected} is expected here"))
}

fn userids(targets: Vec<Target>) -> Vec<Userid> {
    targets
        .into_iter()
        .filter_map(|target| match target {
            Target::Player(userid) => Some(userid),
            Target::Board(..) => None,
        })
        .collect()
}
