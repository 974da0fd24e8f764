//! `preview`: shows the board after moves, without playing them.

use jiff::tz::TimeZone;
use turnpost_games::GameKind;

use crate::board::{Board, Terms, names};
use crate::commands::challenge;
use crate::commands::grammar::preview::{Preview, PreviewFrom};
use crate::failure::CommandError;
use crate::ids::BoardId;
use crate::language::BoardOptions;
use crate::notices::Event;
use crate::notices::view::{PlyView, view_of};
use crate::play::Context;
use crate::play::at_board::{self, BoardRefusal, check_ply, passed, sentence};
use crate::store::Days;

pub(crate) fn preview(ctx: &mut Context<'_>, command: Preview) -> Result<Event, CommandError> {
    let Preview { game, from, plies } = &command;
    let (mut board, names) = match from {
        PreviewFrom::Board(number) => {
            let board = at_board::board(ctx, game, *number)?;
            let names = names(ctx.store, &board.row.players)?;
            (board, names)
        }
        PreviewFrom::New(options) => (new_board(ctx, game, options)?, game.seats.map(str::to_owned)),
    };
    let mut last: Vec<PlyView> = Vec::new();
    let mut remarks = Vec::new();
    let mut rest = plies.trim();
    while !rest.is_empty() {
        if board.row.to_move.is_none() {
            return Err(BoardRefusal::EndsBefore { played: joined(&last) }.into());
        }
        let (event, played) = board
            .play(rest, None, ctx.now, &NO_ZONES)
            .map_err(|why| BoardRefusal::BadMove { played: joined(&last), why: sentence(&why) })?;
        rest = check_ply(played.rest, board.row.plies, &played.ply)?;
        last.extend(PlyView::of(&event));
        remarks.extend(played.remarks);
        // The server plays a forced pass at once, so its preview does too.
        while let Some(pass) = board.table.forced_ply() {
            let forced = board.play(&pass, None, ctx.now, &NO_ZONES);
            let (pass, _) =
                forced.map_err(|why| BoardRefusal::BadMove { played: joined(&last), why: sentence(&why) })?;
            remarks.extend(
                pass.seat.filter(|seat| event.seat != Some(*seat)).map(|seat| passed(board.kind, seat)),
            );
            last.extend(PlyView::of(&pass));
        }
    }
    board.row.deadline_at = None;
    let mut view = view_of(&board, names, last);
    view.past = true;
    view.remarks = remarks;
    Ok(Event::of_view("preview.txt", &view))
}

/// A new board to show, which we never store.
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
        rematch_of: None,
        tutorial: false,
        imported: None,
    };
    Ok(Board::start(BoardId(0), &terms.event(ctx.now, None, None, None)?)?)
}

/// A preview has no deadlines, so zones do not matter.
const NO_ZONES: [TimeZone; 2] = [TimeZone::UTC, TimeZone::UTC];

fn joined(plies: &[PlyView]) -> String {
    plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<_>>().join(", ")
}
