//! Watching other people's games.
//!
//! ```text
//! game subscribe board address [code]
//! game unsubscribe board address
//! game notify userid password on|off
//! ```

use crate::commands::{Command, Entry};
use crate::ids::BoardId;
use crate::language::args::{Args, ArgumentError};
use crate::language::{Login, Parameters, Password};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Subscribe {
    pub game: &'static GameKind,
    pub board: BoardId,
    pub address: String,
    /// From the mail that asks the address; none: asks it.
    pub code: Option<Password>,
}

impl Parameters for Subscribe {
    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn token(&self) -> Option<&Password> {
        self.code.as_ref()
    }
}

#[derive(Debug, Clone)]
pub struct Unsubscribe {
    pub game: &'static GameKind,
    pub board: BoardId,
    pub address: String,
}

impl Parameters for Unsubscribe {
    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }
}

/// Turns mails about every game that ends on or off.
#[derive(Debug, Clone)]
pub struct Notify {
    pub game: &'static GameKind,
    pub login: Login,
    pub on: bool,
}

impl Parameters for Notify {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

pub(crate) const SUBSCRIBE: Entry = Entry {
    summary: "sends every move of a board to an address",
    details: "A mail with a code goes to the address first; the command with the code, which stands in that mail, \
                  begins it. Anybody may watch; no account is needed, but write from the address that wants to watch. \
                  It ends with the game.",
    example: "GAME subscribe 1 carol@example.com",
    ..Entry::of_game("subscribe", "board address [code]", read_subscribe)
};

pub(crate) const UNSUBSCRIBE: Entry = Entry {
    summary: "ends `subscribe`",
    details: "Write from the address that gets the mails.",
    example: "GAME unsubscribe 1 carol@example.com",
    ..Entry::of_game("unsubscribe", "board address", read_unsubscribe)
};

pub(crate) const NOTIFY: Entry = Entry {
    summary: "tells you whenever a game ends",
    details: "It is off until you turn it on. Of your own games you hear in any case.",
    example: "GAME notify ann plover-42 on",
    ..Entry::of_game("notify", "userid password on|off", read_notify)
};

fn read_subscribe(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let board = args.board()?;
    let address = args.word("the address")?.address()?;
    let code = if args.is_empty() { None } else { Some(args.secret("the code")?) };
    Ok(Command::Subscribe(Subscribe { game, board, address, code }))
}

fn read_unsubscribe(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let board = args.board()?;
    let address = args.word("the address")?.address()?;
    Ok(Command::Unsubscribe(Unsubscribe { game, board, address }))
}

fn read_notify(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let login = args.login()?;
    let on = args.on_or_off()?;
    Ok(Command::Notify(Notify { game, login, on }))
}
