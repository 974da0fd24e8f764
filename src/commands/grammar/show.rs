//! Boards, drawn.
//!
//! ```text
//! game show board[#ply] ... | userid ... [all|active|inactive|next]
//! game showas userid password [board ... | all|active|inactive|next]
//! all show userid [next|active]
//! ```

use crate::commands::{Command, Entry};
use crate::ids::{BoardId, Ply, Userid, Which};
use crate::language::args::{Args, Argument, ArgumentError, BoardAndPly, Selection, which};
use crate::language::{InReply, Login, NO_USERID, OnBoard, Parameters, Seen, WriterPlace};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Show {
    /// None: whatever the board is, or every game.
    pub game: Option<&'static GameKind>,
    pub targets: Vec<Target>,
    /// Which of the players' boards.
    pub which: Which,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// As the board stands, or as it stood after a ply.
    Board(BoardId, Option<Ply>),
    /// The boards of a player.
    Player(Userid),
}

impl Parameters for Show {
    fn may_be_prose(&self) -> bool {
        self.targets.iter().filter(|target| matches!(target, Target::Player(_))).count() > 1
    }
}

/// One's boards with what nobody else may see.
#[derive(Debug, Clone)]
pub struct ShowAs {
    pub game: &'static GameKind,
    pub login: Login,
    /// None: by `which`.
    pub boards: Vec<BoardId>,
    pub which: Which,
}

impl Parameters for ShowAs {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

/// Every game's boards of a player.
#[derive(Debug, Clone)]
pub struct AllShow {
    pub userid: Userid,
    pub which: Which,
}

impl Parameters for AllShow {}

pub(crate) const SHOW: Entry = Entry {
    summary: "shows boards, by number or by player",
    details: "`#` and a number show the board as it stood after that ply; `#0` is the start. By player: the boards in \
                  play, or those that the word at the end asks for (`next`: where the player is to move). \
                  `show 12` works without the game's name.",
    example: "GAME show 1#0",
    without_game: &["show"],
    writer: WriterPlace::First(NO_USERID),
    in_reply: InReply::Alone(show_own),
    needs: Seen::Nothing,
    ..Entry::of_game("show", "board[#ply] ... | userid ... [all|active|inactive|next]", read_show)
};

pub(crate) const SHOW_AS: Entry = Entry {
    summary: "shows your boards with what only you may see",
    details: "Your queue and the move you have submitted stand under the board.",
    example: "GAME showas ann plover-42 next",
    ..Entry::of_game("showas", "userid password [board ... | all|active|inactive|next]", read_showas)
};

pub(crate) const ALL_SHOW: Entry = Entry {
    summary: "shows every game's boards of a player",
    details: "Those in play, or with `next` those where the player is to move.",
    example: "all show ann next",
    ..Entry::of_server("all", "show userid [next|active]", read_all_show)
};

/// The board of a reply, with what only its writer may see.
fn show_own(at: OnBoard) -> Command {
    let OnBoard { game, board, login } = at;
    Command::ShowAs(ShowAs { game, login, boards: vec![board], which: Which::Active })
}

fn read_show(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.named_game();
    let Selection { items: targets, which } = args.rest_and_which(target)?;
    if targets.is_empty() {
        return Err(ArgumentError::at_end("a board's number or a userid is missing at the end"));
    }
    Ok(Command::Show(Show { game, targets, which }))
}

fn target(word: &Argument) -> Result<Target, ArgumentError> {
    if word.text.starts_with(|c: char| c.is_ascii_digit()) {
        let BoardAndPly { board, ply } = word.text.parse().map_err(|why: String| word.error(why))?;
        return Ok(Target::Board(board, ply));
    }
    let userid = word.text.parse();
    userid.map(Target::Player).map_err(|_| word.error("a board's number or a userid is expected here"))
}

fn read_showas(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let login = args.login()?;
    let mut boards = Vec::new();
    let mut wanted = Which::Active;
    for word in args.rest() {
        match (which(&word.text), word.text.parse::<BoardId>()) {
            (Some(which), _) => wanted = which,
            (None, Ok(board)) => boards.push(board),
            (None, Err(_)) => {
                let why = "a board's number or one of all, active, inactive, next is expected here";
                return Err(word.error(why));
            }
        }
    }
    Ok(Command::ShowAs(ShowAs { game, login, boards, which: wanted }))
}

fn read_all_show(args: &mut Args) -> Result<Command, ArgumentError> {
    let show = args.word("show")?;
    if !show.text.eq_ignore_ascii_case("show") {
        return Err(show.error("`show` is expected here"));
    }
    let userid = args.userid("a userid")?;
    let mut wanted = Which::Active;
    if !args.is_empty() {
        let word = args.word("next or active")?;
        wanted = which(&word.text).ok_or_else(|| word.error("next or active is expected here"))?;
    }
    Ok(Command::AllShow(AllShow { userid, which: wanted }))
}
