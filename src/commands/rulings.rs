//! An organiser's decision about a running game, and the players' appeal against it.

use jiff::SignedDuration;
use minijinja::context;

use crate::board::{Board, names, outcome};
use crate::commands::prelude::*;
use crate::contest::events::{Noted, Ruling as Ruled};
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::{BoardId, Seat, Userid};
use crate::notices::Mail;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate, RulingView};
use crate::notices::mail::Recipient;
use crate::notices::view::board_view;
use crate::play::at_board;
use crate::store::{ActKind, BoardState, EventKind, NewAct, Ruling};

/// How long a player can appeal.
pub(crate) const APPEALS: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A board of the event.
fn board_of(ctx: &Context<'_>, contest: &Contest, id: BoardId) -> Result<Board, CommandError> {
    let board = Board::load(ctx.store, id)?;
    match board.filter(|board| board.row.contest.as_ref().is_some_and(|of| of.contest == contest.row.id)) {
        Some(board) => Ok(board),
        None => refuse!("Board {id} is no board of {}.", contest.row.name),
    }
}

/// Ends a running game.
pub(super) fn rule(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    (id, winner): (BoardId, Option<Userid>),
    reason: &str,
    by: &Account,
) -> Result<(), CommandError> {
    let board = board_of(ctx, contest, id)?;
    let names = names(ctx.store, &board.row.players)?;
    if board.seat_of(by.id).is_some() {
        return refuse!(
            "Board {id} is your own game, and you cannot rule on it. Ask the operator: {}.",
            ctx.operator
        );
    }
    if board.row.state != BoardState::Running {
        return Err(at_board::over(&board, &names).into());
    }
    let seat = match &winner {
        None => None,
        Some(winner) => {
            let player = ctx.store.player(winner)?.map(|account| account.id);
            match player.and_then(|player| board.seat_of(player)) {
                Some(seat) => Some(seat),
                None => {
                    return refuse!(
                        "{winner} does not play on board {id}: {} and {} do.",
                        names[0],
                        names[1]
                    );
                }
            }
        }
    };
    let ruling = if seat.is_some() { Ruling::OrganiserWon } else { Ruling::OrganiserDraw };
    end_board(ctx, contest, board, (ruling, seat), reason, by)?;
    let won = seat.map_or("a draw".to_owned(), |seat| format!("{} won", seat.of(&names)));
    ctx.remarks.push(format!("Board {id} is over: {won}. Both players are told, with your reason."));
    Ok(())
}

/// Ends a running board, and notes in its record, in the contest's and in the log who did it and why.
pub(super) fn end_board(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    mut board: Board,
    (ruling, winner): (Ruling, Option<Seat>),
    reason: &str,
    by: &Account,
) -> Result<(), Error> {
    let id = board.row.id;
    let event = board.rules(ruling, winner, Some(by.id), ctx.now)?;
    at_board::record(ctx, &mut board, &[event])?;
    let winner_id = winner.map(|seat| *seat.of(&board.row.players));
    let pair = board.row.contest.as_ref().map(|of| of.pair);
    let noted = Noted { player: Some(by.id), other: winner_id, pair, ..Noted::ruled(&Ruled::Decided) };
    contest.keep(ctx.store, noted, ctx.now)?;
    let detail = ruling.in_log(winner);
    let act = NewAct { board: Some(id), player: winner_id, detail, ..act_of(contest, ActKind::End, by) };
    ctx.store.add_act(&act, "", reason, ctx.now)?;
    let mut view = board_view(ctx.store, &board)?;
    view.show_ratings(&ctx.rated);
    let mut update = BoardUpdate::new(BoardEvent::HostEnded, winner.unwrap_or(Seat::First), view);
    update.ruling = Some(RulingView {
        by: by.userid.to_string(),
        contest: contest.row.name.clone(),
        reason: reason.to_owned(),
    });
    ctx.news.push(BoardNews::new(update, board.row.players, &Seat::BOTH));
    Ok(())
}

/// An act of the organiser for the log.
pub(super) fn act_of(contest: &Contest, kind: ActKind, by: &Account) -> NewAct {
    NewAct { contest: Some(contest.row.id), other: Some(by.id), ..NewAct::of(kind) }
}

/// Passes a player's appeal against a ruling to the operator, and keeps it for `admin reports`.
pub(super) fn appeal(
    ctx: &mut Context<'_>,
    contest: &Contest,
    id: BoardId,
    reason: &str,
    by: &Account,
) -> Result<(), CommandError> {
    let board = board_of(ctx, contest, id)?;
    let seat = at_board::seat_at(ctx, &board, by)?;
    let events = ctx.store.events(id)?;
    let last = events.iter().rev().find(|event| event.kind == EventKind::Ruling);
    let Some((ruled, organiser)) = last.and_then(|event| Some((event.at, event.player?))) else {
        return refuse!("No organiser has decided the game on board {id}.");
    };
    if board.row.state == BoardState::Running {
        return refuse!("Board {id} is in play again.");
    }
    if ctx.now.duration_since(ruled) > APPEALS {
        return refuse!("An appeal has to come within a week. Write to the operator: {}.", ctx.operator);
    }
    if ctx.store.has_appealed(id, by.id)? {
        return refuse!("You have appealed against that already, and the host has your words.");
    }
    let act = NewAct {
        board: Some(id),
        contest: Some(contest.row.id),
        player: Some(by.id),
        other: Some(organiser),
        detail: "appeal".to_owned(),
        ..NewAct::of(ActKind::Report)
    };
    ctx.store.add_act(&act, "", &format!("appeal: {reason}"), ctx.now)?;
    let names = names(ctx.store, &board.row.players)?;
    let data = context! {
        by => seat.of(&names), names => &names, board => id.0, game => board.kind.name,
        contest => &contest.row.name,
        organiser => ctx.store.player_by_id(organiser)?.userid.to_string(),
        outcome => outcome(&board.row, &names, board.kind.seats),
        ruled => ctx.store.reason_of_end(id)?, reason,
    };
    ctx.notify(Mail::page(Recipient::Address(ctx.operator.to_owned()), "appeal.md", data));
    ctx.remarks.push("Your appeal is on its way to the host, who will look at the board.".to_owned());
    Ok(())
}
