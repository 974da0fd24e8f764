//! `show`, `showas` and `all show`: boards as they stand or stood.

use turnpost_games::GameKind;
use turnpost_games::registry::{self, GAMES};

use crate::board::Board;
use crate::commands::grammar::show::{AllShow, Show, ShowAs, Target};
use crate::commands::{queue, show};
use crate::failure::{CommandError, refusal, refuse};
use crate::ids::{BoardId, Ply, Userid};
use crate::notices::Event;
use crate::notices::view::{BoardView, board_view};
use crate::play::Context;
use crate::play::at_board::{self, AtBoard, no_such_ply};
use crate::play::context::no_such_userid;
use crate::store::{BoardFilter, PlayerId};

pub(crate) fn show(ctx: &mut Context<'_>, command: Show) -> Result<Event, CommandError> {
    let Show { game, targets, which } = &command;
    let which = *which;
    let most = most_boards(ctx, targets.len())?;
    let mut views = Vec::new();
    for target in targets {
        match target {
            Target::Board(number, ply) => {
                let game = match *game {
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
                    before: None,
                };
                for row in ctx.store.boards(&filter)? {
                    views.push(shown(ctx, game_of(ctx, row.id)?, row.id, None)?);
                }
            }
        }
    }
    Ok(Event::Shown(views))
}

/// One board as it stands.
pub(crate) fn board(ctx: &Context<'_>, number: BoardId) -> Result<Event, CommandError> {
    Ok(Event::Shown(vec![shown(ctx, game_of(ctx, number)?, number, None)?]))
}

/// The game that a board is of.
fn game_of(ctx: &Context<'_>, number: BoardId) -> Result<&'static GameKind, CommandError> {
    let game = ctx.store.board(number)?.and_then(|row| registry::find(&row.game));
    let missing = || refusal!("There is no board {number}. `games` lists yours.");
    game.ok_or_else(|| missing().into())
}

/// The most boards a line shows. Refuses a line that names more.
fn most_boards(ctx: &Context<'_>, named: usize) -> Result<u32, CommandError> {
    let most = ctx.limits.boards_a_line;
    match named > most as usize && !ctx.writer.is_operator() {
        true => refuse!("A line of `show` may name {most} boards. Ask for the others in another."),
        false => Ok(most.max(named as u32)),
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

pub(crate) fn show_as(ctx: &mut Context<'_>, command: ShowAs) -> Result<Event, CommandError> {
    let ShowAs { game, login, boards, which } = &command;
    let which = *which;
    let account = ctx.prove(login)?;
    let most = most_boards(ctx, boards.len())?;
    let mut numbers = boards.to_vec();
    if numbers.is_empty() {
        let game = Some(game.key.to_owned());
        let filter = BoardFilter { game, player: Some(account.id), which, limit: most, before: None };
        numbers.extend(ctx.store.boards(&filter)?.into_iter().map(|row| row.id));
    }
    let mut views = Vec::new();
    for number in numbers {
        let board = at_board::board(ctx, game, number)?;
        at_board::seat_at(ctx, &board, &account)?;
        let mut view = show::shown(ctx, game, number, None)?;
        queue::show_queue(ctx, &board, account.id, &mut view)?;
        if let Some((events, plies)) = ctx.store.draft(number, account.id)?
            && events >= ctx.store.last_events(number)?[1]
        {
            if let Some(seat) = board.seat_of(account.id) {
                let names = view.players.clone();
                let mut at = AtBoard { board, seat, player: account.id, names };
                if let Ok((played, mut remarks)) = at_board::try_plies(ctx, &mut at, &plies) {
                    remarks.extend(at_board::passes(&played, seat, at.board.kind));
                    view.draft_remarks = remarks;
                }
            }
            view.draft = Some(plies);
        }
        views.push(view);
    }
    Ok(Event::Shown(views))
}

pub(crate) fn all_show(ctx: &mut Context<'_>, command: AllShow) -> Result<Event, CommandError> {
    let AllShow { userid, which } = &command;
    let which = *which;
    let mut views = Vec::new();
    for game in GAMES.iter().copied() {
        if let Event::Shown(shown) =
            show(ctx, Show { game: Some(game), targets: vec![Target::Player(userid.clone())], which })?
        {
            views.extend(shown);
        }
    }
    Ok(Event::Shown(views))
}
