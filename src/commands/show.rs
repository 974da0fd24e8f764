//! Shows boards as drawings.
//!
//! ```text
//! game show board[#ply] ... | userid ... [all|active|inactive|next]
//! game showas userid password [board ... | all|active|inactive|next]
//! ```

use std::fmt;

use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::board::Board;
use crate::commands::prelude::*;
use crate::commands::{queue, show};
use crate::credentials::Actor;
use crate::credentials::claim::no_such_userid;
use crate::ids::{BoardId, Ply, Userid, Which};
use crate::language::args::{Argument, Selection};
use crate::language::values::{BoardAndPly, which, word_of, written_ply};
use crate::language::{InReply, NO_USERID, OnBoard, Seen, WriterPlace};
use crate::notices::view::{BoardView, board_view};
use crate::play::at_board::{self, AtBoard, no_such_ply};
use crate::play::plies;
use crate::store::{BoardFilter, PlayerId, Unconfirmed};

/// Maximum number of boards in a line.
const BOARDS_A_LINE: u32 = 20;

#[derive(Debug, Clone)]
pub struct Show {
    /// `None` means every game.
    pub game: Option<&'static GameKind>,
    /// Empty means the writer's boards.
    pub targets: Vec<Target>,
    /// Filters the boards of players.
    pub which: Which,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The current position, or the position after a ply.
    Board(BoardId, Option<Ply>),
    Player(Userid),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Board(board, ply) => f.write_str(&written_ply(*board, *ply)),
            Target::Player(userid) => userid.fmt(f),
        }
    }
}

impl Parameters for Show {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and(&self.targets).and(word_of(self.which)).end()
    }

    fn may_be_prose(&self) -> bool {
        self.targets.iter().filter(|target| matches!(target, Target::Player(_))).count() > 1
    }
}

/// Shows the writer's boards with their private parts.
#[derive(Debug, Clone)]
pub struct ShowAs {
    pub game: &'static GameKind,
    /// Empty means the boards that `which` selects.
    pub boards: Vec<BoardId>,
    pub which: Which,
}

impl Parameters for ShowAs {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and(&self.boards).and(word_of(self.which)).end()
    }
}

pub(crate) const SHOW: Entry = Entry {
    by: Needs::Named,
    summary: "shows boards, by number or by player",
    details: "`#` and a number show the board after that move; `#0` is the start. By player it shows the boards \
              in play, or those that the last word names; `next` are the boards with the player to move. Without \
              the game's name `show 12` finds the board, and `show ann` shows the boards of all games.",
    example: "GAME show 1#0",
    without_game: &["show", "all show"],
    writer: WriterPlace::Named(NO_USERID),
    in_reply: InReply::Alone(show_own),
    needs: Seen::Nothing,
    ..Entry::of_game("show", "board[#ply] ... | userid ... [all|active|inactive|next]", read_show)
};

pub(crate) const SHOW_AS: Entry = Entry {
    by: Needs::Proven,
    summary: "shows your boards with what only you can see",
    details: "Your queue and the move that you submitted are below the board.",
    example: "GAME showas ann plover-42 next",
    ..Entry::of_game("showas", "userid password [board ... | all|active|inactive|next]", read_showas)
};

/// Shows the board of a reply, with the parts that only its writer can see.
fn show_own(at: OnBoard) -> Command {
    let OnBoard { game, board } = at;
    Command::ShowAs(ShowAs { game, boards: vec![board], which: Which::Active })
}

fn read_show(args: &mut Args) -> Result<Command, ArgumentError> {
    let (game, place) = (args.named_game(), args.place());
    let Selection { items: targets, which } = args.rest_and_which(target)?;
    if targets.is_empty() {
        args.means_writer(place, "a board's number or a name is missing at the end")?;
    }
    Ok(Command::Show(Show { game, targets, which }))
}

fn target(word: &Argument) -> Result<Target, ArgumentError> {
    if word.text.starts_with(|c: char| c.is_ascii_digit()) {
        let BoardAndPly { board, ply } = word.text.parse().map_err(|why: String| word.error(why))?;
        return Ok(Target::Board(board, ply));
    }
    let userid = word.text.parse();
    userid.map(Target::Player).map_err(|_| word.error("a board's number or a name is expected here"))
}

fn read_showas(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    args.writer()?;
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
    Ok(Command::ShowAs(ShowAs { game, boards, which: wanted }))
}

pub(crate) fn show(ctx: &mut Context<'_>, by: &Actor, command: Show) -> Result<Event, CommandError> {
    let Show { game, mut targets, which } = command;
    if targets.is_empty() {
        targets.push(Target::Player(by.player()?.userid.clone()));
    }
    let most = most_boards(ctx, targets.len())?;
    let mut views = Vec::new();
    for target in &targets {
        match target {
            Target::Board(number, ply) => {
                let game = match game {
                    Some(game) => game,
                    None => game_of(ctx, *number)?,
                };
                views.push(shown(ctx, game, *number, *ply)?);
            }
            Target::Player(userid) => {
                let player = listed(ctx, userid)?;
                let filter = BoardFilter {
                    game: game.map(|game| game.key.to_owned()),
                    player: Some(player),
                    which,
                    limit: most.saturating_sub(views.len() as u32),
                    ..BoardFilter::default()
                };
                for row in ctx.store.boards(&filter)? {
                    views.push(shown(ctx, game_of(ctx, row.id)?, row.id, None)?);
                }
            }
        }
    }
    Ok(Event::Shown(views))
}

/// Shows the current position of one board.
pub(crate) fn board(ctx: &Context<'_>, number: BoardId) -> Result<Event, CommandError> {
    Ok(Event::Shown(vec![shown(ctx, game_of(ctx, number)?, number, None)?]))
}

fn game_of(ctx: &Context<'_>, number: BoardId) -> Result<&'static GameKind, CommandError> {
    let game = ctx.store.board(number)?.and_then(|row| registry::find(&row.game));
    let missing = || refusal!("There is no board {number}. `games` lists yours.");
    game.ok_or_else(|| missing().into())
}

/// Maximum number of boards that this line shows. Refuses a line that names more.
fn most_boards(ctx: &Context<'_>, named: usize) -> Result<u32, CommandError> {
    match named > BOARDS_A_LINE as usize && !ctx.writer.is_operator() {
        true => refuse!("A line of `show` may name {BOARDS_A_LINE} boards. Ask for the others in another."),
        false => Ok(BOARDS_A_LINE.max(named as u32)),
    }
}

pub(crate) fn shown(
    ctx: &Context<'_>,
    game: &'static GameKind,
    number: BoardId,
    ply: Option<Ply>,
) -> Result<BoardView, CommandError> {
    let board = at_board::board(ctx, game, number)?;
    let Some(ply) = ply.filter(|ply| *ply != board.row.plies) else {
        return Ok(board_view(ctx.store, &board)?);
    };
    if ply > board.row.plies {
        return Err(no_such_ply(number, board.row.plies).into());
    }
    let past = Board::past(number, &ctx.store.events(number)?, ply)?;
    let mut view = board_view(ctx.store, &past)?;
    view.past = true;
    Ok(view)
}

pub(crate) fn listed(ctx: &Context<'_>, userid: &Userid) -> Result<PlayerId, CommandError> {
    match ctx.store.player(userid)? {
        Some(account) => Ok(account.id),
        None => Err(no_such_userid(ctx.nearest(userid)?).into()),
    }
}

pub(crate) fn show_as(ctx: &mut Context<'_>, by: &Account, command: ShowAs) -> Result<Event, CommandError> {
    let ShowAs { game, boards, which } = &command;
    let which = *which;
    let most = most_boards(ctx, boards.len())?;
    let mut numbers = boards.to_vec();
    if numbers.is_empty() {
        let game = Some(game.key.to_owned());
        let filter = BoardFilter { game, player: Some(by.id), which, limit: most, ..BoardFilter::default() };
        numbers.extend(ctx.store.boards(&filter)?.into_iter().map(|row| row.id));
    }
    let mut views = Vec::new();
    for number in numbers {
        let board = at_board::board(ctx, game, number)?;
        at_board::seat_at(ctx, &board, by)?;
        let mut view = show::shown(ctx, game, number, None)?;
        queue::show_queue(ctx, &board, by.id, &mut view)?;
        if let Some(Unconfirmed { events, plies, .. }) = ctx.store.draft(number, by.id)?
            && events >= ctx.store.last_events(number)?[1]
        {
            if let Some(seat) = board.seat_of(by.id) {
                let names = view.players.clone();
                let mut at = AtBoard::new(board, seat, names);
                if let Ok((played, mut remarks)) = plies::try_plies(ctx, &mut at, seat, &plies) {
                    remarks.extend(plies::passes(&played, seat, at.board.kind));
                    view.draft_remarks = remarks;
                }
            }
            view.draft = Some(plies);
        }
        views.push(view);
    }
    Ok(Event::Shown(views))
}
