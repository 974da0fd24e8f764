//! Watching games of others.
//!
//! ```text
//! game subscribe board address [code]
//! game unsubscribe board address
//! game notify userid password on|off
//! ```

use super::args::{Args, Expected};
use super::table::{Entry, Scope};
use super::{Command, Login, Password, account};
use crate::ids::BoardId;
use turnpost_games::GameKind;

/// Watching, and no longer.
#[derive(Debug, Clone)]
pub enum Watch {
    /// `subscribe`: asks for a code, or with it begins to watch.
    Subscribe {
        /// The game.
        game: &'static GameKind,
        /// The board.
        board: BoardId,
        /// Where its mails go.
        address: String,
        /// The code from the confirmation mail; as secret as a password.
        code: Option<Password>,
    },
    /// `unsubscribe`.
    Unsubscribe {
        /// The game.
        game: &'static GameKind,
        /// The board.
        board: BoardId,
        /// Where its mails went.
        address: String,
    },
    /// `notify`: whether to tell when games end.
    Notify(&'static GameKind, Login, bool),
}

impl Watch {
    /// The userid and password it acts with.
    pub fn login(&self) -> Option<&Login> {
        match self {
            Watch::Notify(_, login, _) => Some(login),
            Watch::Subscribe { .. } | Watch::Unsubscribe { .. } => None,
        }
    }

    /// The board it names.
    pub fn board(&self) -> Option<BoardId> {
        match self {
            Watch::Subscribe { board, .. } | Watch::Unsubscribe { board, .. } => Some(*board),
            Watch::Notify(..) => None,
        }
    }

    /// A code it holds.
    pub fn token(&self) -> Option<&Password> {
        match self {
            Watch::Subscribe { code, .. } => code.as_ref(),
            _ => None,
        }
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "subscribe",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board address [code]",
        summary: "sends every move of a board to an address",
        details: "A mail with a code goes to the address first, at most one a day; the command with the code, which \
                  stands in that mail, begins it. Anybody may watch; no account is needed. It ends with the game.",
        example: "GAME subscribe 1 carol@example.com",
        read: read_subscribe,
    },
    Entry {
        word: "unsubscribe",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board address",
        summary: "ends `subscribe`",
        details: "Write from the address that gets the mails.",
        example: "GAME unsubscribe 1 carol@example.com",
        read: read_unsubscribe,
    },
    Entry {
        word: "notify",
        aliases: &[],
        scope: Scope::Game,
        arguments: "userid password on|off",
        summary: "tells you whenever a game ends",
        details: "It is off until you turn it on. Of your own games you hear in any case.",
        example: "GAME notify ann plover-42 on",
        read: read_notify,
    },
];

fn read_subscribe(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let (board, address) = board_and_address(args)?;
    let code = if args.is_empty() { None } else { Some(args.secret("the code")?) };
    Ok(Command::Watch(Watch::Subscribe { game, board, address, code }))
}

fn read_unsubscribe(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let (board, address) = board_and_address(args)?;
    Ok(Command::Watch(Watch::Unsubscribe { game, board, address }))
}

fn board_and_address(args: &mut Args) -> Result<(BoardId, String), Expected> {
    let board = args.board()?;
    let (at, word) = args.word("the address")?;
    Ok((board, account::address(at, &word)?))
}

fn read_notify(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let login = args.login()?;
    Ok(Command::Watch(Watch::Notify(game, login, super::settings::on_or_off(args)?)))
}
