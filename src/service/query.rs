//! `show`, `games`, `history`, `preview`.

use crate::service::challenge;
use crate::service::context::IdentityRefusal;
use crate::service::play;
use crate::service::play::PlayRefusal;
use crate::service::refusal::{Refuse, refuses};
use jiff::tz::TimeZone;

use super::CommandError;
use super::board::{Board, Terms};
use super::context::Context;
use super::play::{check_ply, sentence};
use super::transcript::Event;
use super::view::{BoardView, PlyView, board_view, game_row, names, view_of};
use crate::command::{BoardOptions, PreviewFrom, Target};
use crate::ids::{BoardId, Ply, Userid, Which};
use crate::store::{BoardFilter, Days, PlayerId};
use turnpost_games::GameKind;

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum QueryRefusal {
    #[error(
        "Board {board} stands after ply {plies}: `{board}#0` is the start, `{board}#{plies}` the latest."
    )]
    NoSuchPly { board: BoardId, plies: Ply },
}

impl Refuse for QueryRefusal {}

refuses!(QueryRefusal);

/// A list shows no more rows.
const ROWS_AT_MOST: u32 = 50;

/// A letter shows no more drawings: a mail has to stay one that people open.
const BOARDS_AT_MOST: u32 = 20;

pub(super) fn show(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    targets: &[Target],
    which: Which,
) -> Result<Event, CommandError> {
    let mut views = Vec::new();
    for target in targets {
        match target {
            Target::Board(number, ply) => views.push(shown(ctx, game, *number, *ply)?),
            Target::Player(userid) => {
                let player = listed(ctx, userid)?;
                let filter = BoardFilter {
                    game: Some(game.key.to_owned()),
                    player: Some(player),
                    which,
                    limit: BOARDS_AT_MOST,
                    before: None,
                };
                for row in ctx.store.boards(&filter)? {
                    views.push(shown(ctx, game, row.id, None)?);
                }
            }
        }
    }
    views.truncate(BOARDS_AT_MOST as usize);
    Ok(Event::Shown(views))
}

pub(super) fn shown(
    ctx: &Context<'_>,
    game: &'static GameKind,
    number: BoardId,
    ply: Option<Ply>,
) -> Result<BoardView, CommandError> {
    let board = play::board(ctx, game, number)?;
    let Some(ply) = ply.filter(|ply| *ply != board.row.plies) else {
        return Ok(board_view(ctx.store, &board)?);
    };
    if ply > board.row.plies {
        return Err(QueryRefusal::NoSuchPly { board: number, plies: board.row.plies }.into());
    }
    let past = Board::past(number, &ctx.store.events(number)?, ply)?;
    let mut view = board_view(ctx.store, &past)?;
    view.past = true;
    Ok(view)
}

pub(super) fn games(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    userids: &[Userid],
    which: Which,
    before: Option<BoardId>,
) -> Result<Event, CommandError> {
    let mut filter =
        BoardFilter { game: Some(game.key.to_owned()), player: None, which, limit: ROWS_AT_MOST + 1, before };
    let mut boards = Vec::new();
    if userids.is_empty() {
        boards = ctx.store.boards(&filter)?;
    }
    let mut of = Vec::new();
    for userid in userids {
        let player = listed(ctx, userid)?;
        filter.player = Some(player);
        boards.extend(ctx.store.boards(&filter)?);
        of.push(ctx.store.player_by_id(player)?.userid.to_string());
    }
    boards.sort_by_key(|row| std::cmp::Reverse(row.id));
    boards.dedup_by_key(|row| row.id);
    let more = boards.len() > ROWS_AT_MOST as usize;
    boards.truncate(ROWS_AT_MOST as usize);
    let rows = boards.iter().map(|row| game_row(ctx.store, row, game.seats)).collect::<Result<_, _>>()?;
    let state = match which {
        Which::All => "",
        Which::Active => " in play",
        Which::Inactive => " that are over",
        Which::Next => " waiting for a move",
    };
    let last = boards.last().filter(|_| more);
    let more = last.map(|last| {
        let which = match which {
            Which::All => " all",
            Which::Active => "",
            Which::Inactive => " inactive",
            Which::Next => " next",
        };
        let of: String = of.iter().map(|userid| format!(" {userid}")).collect();
        format!("{} games{of}{which} --before={}", game.key, last.id)
    });
    let of = if of.is_empty() { String::new() } else { format!(" of {}", of.join(" and ")) };
    Ok(Event::Listed { title: format!("{} games{of}{state}", game.name), rows, more })
}

pub(super) fn listed(ctx: &Context<'_>, userid: &Userid) -> Result<PlayerId, CommandError> {
    match ctx.store.player(userid)? {
        Some(account) => Ok(account.id),
        None => Err(IdentityRefusal::NoSuchUserid { near: ctx.nearest(userid)? }.into()),
    }
}

pub(super) fn preview(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    from: &PreviewFrom,
    plies: &str,
) -> Result<Event, CommandError> {
    let (mut board, names) = match from {
        PreviewFrom::Board(number) => {
            let board = play::board(ctx, game, *number)?;
            let names = names(ctx.store, &board.row.players)?;
            (board, names)
        }
        PreviewFrom::New(options) => (new_board(ctx, game, options)?, game.seats.map(str::to_owned)),
    };
    let mut last: Vec<PlyView> = Vec::new();
    let mut rest = plies.trim();
    while !rest.is_empty() {
        if board.row.to_move.is_none() {
            return Err(PlayRefusal::EndsBefore { played: joined(&last) }.into());
        }
        let (event, played) = board
            .play(rest, None, ctx.now, &NO_ZONES)
            .map_err(|why| PlayRefusal::BadMove { played: joined(&last), why: sentence(&why) })?;
        rest = check_ply(played.rest, board.row.plies, &played.ply)?;
        last.extend(PlyView::of(&event));
        // The server plays a forced pass at once: so does its preview.
        while let Some(pass) = board.table.forced_ply() {
            let forced = board.play(&pass, None, ctx.now, &NO_ZONES);
            let (event, _) =
                forced.map_err(|why| PlayRefusal::BadMove { played: joined(&last), why: sentence(&why) })?;
            last.extend(PlyView::of(&event));
        }
    }
    board.row.deadline_at = None;
    let mut view = view_of(&board, names, last);
    view.past = true;
    Ok(Event::Previewed(Box::new(view)))
}

/// A board that is not stored, for looking at.
fn new_board(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    options: &BoardOptions,
) -> Result<Board, CommandError> {
    let start = challenge::set_up(ctx, game, options)?;
    let terms = Terms {
        game: game.key.to_owned(),
        players: [0, 0],
        options: options.game.clone(),
        seed: start.seed,
        from_position: start.from_position,
        position: start.table.position(),
        rated: false,
        lots: false,
        may_swap: false,
        days: Days { nag: 0, forfeit: 0, total: 0 },
        imported: None,
    };
    Ok(Board::start(BoardId(0), &terms.event(ctx.now, None, None, None)?)?)
}

/// A preview sets no deadlines, so whose days are counted where does not matter.
const NO_ZONES: [TimeZone; 2] = [TimeZone::UTC, TimeZone::UTC];

fn joined(plies: &[PlyView]) -> String {
    plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<_>>().join(", ")
}
