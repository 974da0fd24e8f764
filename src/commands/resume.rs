//! Resumes a game whose loser resigned by mistake, or one of Go whose dead stones are being marked.
//!
//! ```text
//! game resume board userid password
//! ```

use jiff::SignedDuration;

use crate::board::names;
use crate::commands::prelude::*;
use crate::language::{InReply, ON_BOARD, OnBoard, Seen};
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::play::at_board::{self, AtBoard, over};
use crate::play::{answers, reopened};
use crate::store::{BoardState, EventKind};

/// Maximum age of a resignation that can be undone.
const GIVEN_BACK: SignedDuration = SignedDuration::from_hours(24);

pub(crate) const RESUME: Entry = Entry {
    by: Needs::Proven,
    summary: "continues a game that your opponent resigned by mistake, within a day",
    details: "The game continues from the same position, and the player to move has a whole turn. Ratings are \
              taken back. The player who resigned cannot do it. In Go it also continues a game after two passes, \
              in place of naming the dead stones.",
    example: "GAME resume 1 bob dunlin-7",
    in_reply: InReply::ForMove(Command::Resume),
    needs: Seen::Position,
    ..Entry::of_game("resume", ON_BOARD, |args| Ok(Command::Resume(args.on_board()?)))
};

/// Notes on `resume` for the loser and the winner of a resigned board; `None` if the robot won.
pub(crate) fn how_to_resume(at: &AtBoard) -> Option<[String; 2]> {
    let opponent = at.seat.other();
    let (loser, winner) = (at.seat.of(&at.names), opponent.of(&at.names));
    (!opponent.of(&at.board.row.players).is_robot()).then(|| {
        [
            format!("By mistake? {winner} can give the game back within a day, by a reply of `resume` to this mail."),
            format!("If {loser} did so by mistake, a reply of `resume` within a day gives the game back."),
        ]
    })
}

pub(crate) fn resume(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let mut board = at_board::board(ctx, at.game, at.board)?;
    let seat = at_board::seat_at(ctx, &board, by)?;
    let names = names(ctx.store, &board.row.players)?;
    if board.row.state == BoardState::Running {
        let at = AtBoard::new(board, seat, names);
        if at.reads("resume") {
            return answers::play_word(ctx, at, "resume");
        }
        return refuse!("Board {} is in play: there is nothing to give back.", at.board.row.id);
    }
    let events = ctx.store.events(at.board)?;
    let last = events.iter().rfind(|event| event.kind != EventKind::Dice);
    let Some(resigned) = last.filter(|last| last.kind == EventKind::Resignation) else {
        return Err(over(&board, &names).into());
    };
    let opponent = ctx.store.player_by_id(*seat.other().of(&board.row.players))?;
    if resigned.seat == Some(seat) {
        return refuse!(
            "You resigned board {}, and only {} can give it back, by a reply of `resume` within a day.",
            at.board,
            opponent.userid
        );
    }
    if ctx.now.duration_since(resigned.at) > GIVEN_BACK {
        return refuse!(
            "{} resigned board {} more than a day ago, so the result stands. `rematch` starts another game.",
            opponent.userid,
            at.board
        );
    }
    if opponent.is_deleted() || opponent.suspended.is_some() {
        return refuse!("{} has left, so board {} cannot continue.", opponent.userid, at.board);
    }
    if let Some(rematch) = ctx.store.rematch_of(by.id, at.board)? {
        return refuse!(
            "Board {rematch} is the rematch of board {board}, so the result of that stands.",
            board = at.board
        );
    }
    let zones = ctx.zones(&board.row.players)?;
    let event = board.resumes(&events, Some(seat), ctx.now, &zones)?;
    ctx.rated.extend(reopened(ctx.store, &mut board, &event, ctx.now)?);
    let mut at = AtBoard::new(board, seat, names);
    at.steps.push(BoardStep::new(BoardEvent::Resumed, seat));
    Ok(at_board::tell(ctx, at)?)
}
