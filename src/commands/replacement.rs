//! The organiser gives the place of a player who has made no move to one who waits.

use minijinja::context;

use crate::board::Board;
use crate::commands::contest_entry::has_other_entry;
use crate::commands::opening::challenged;
use crate::commands::prelude::*;
use crate::commands::rulings::act_of;
use crate::contest::events::{Noted, Ruling};
use crate::contest::record::Contest;
use crate::ids::Userid;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::view::board_view;
use crate::play::reseat::reseat;
use crate::play::{at_board, decided};
use crate::store::{ActKind, BoardState, ContestNewsKind, ContestState, NewAct, PlayerId, REPLACED};

/// The new player takes over all boards of the one who leaves.
pub(super) fn replace(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    [leaves, enters]: [&Userid; 2],
    reason: &str,
    by: &Account,
) -> Result<(), CommandError> {
    let name = contest.row.name.clone();
    let [old, new] = players(ctx, contest, [leaves, enters])?;
    let noted = Noted { player: Some(old), other: Some(new), ..Noted::ruled(&Ruling::Replaced) };
    contest.keep(ctx.store, noted, ctx.now)?;
    for row in ctx.store.contest_boards_of(contest.row.id, old)? {
        let Some(mut board) = Board::load(ctx.store, row.board)? else { continue };
        let Some(seat) = board.seat_of(old) else { continue };
        let event = reseat(ctx.store, &mut board, (seat, new), ctx.now)?;
        at_board::record(ctx, &mut board, &[event])?;
        ctx.store.seat_players(&board.row)?;
        ctx.store.set_queue(row.board, old, None)?;
        ctx.store.set_draft(row.board, old, None)?;
        let update = BoardUpdate::new(BoardEvent::HostReseated, seat, board_view(ctx.store, &board)?);
        ctx.news.push(BoardNews::new(update, board.row.players, &[seat.other()]));
    }
    ctx.store.add_contest_news(new, contest.row.id, ContestNewsKind::Started, ctx.now)?;
    let detail = REPLACED.to_owned();
    let act = NewAct { player: Some(old), detail, ..act_of(contest, ActKind::Withdraw, by) };
    ctx.store.add_act(&act, "", reason, ctx.now)?;
    let what = context! { kind => "withdrawn", contest => &name, is_running => false };
    ctx.notify(decided::mail(old, what, Some(by.userid.as_str()), reason));
    ctx.remarks.push(format!("{enters} plays in {name} in place of {leaves}, and a mail brings the boards."));
    Ok(())
}

/// True for the captain of a team, who is on its first board, if both others are of that team.
pub(super) fn is_captain(
    ctx: &Context<'_>,
    contest: &Contest,
    by: &Account,
    others: [&Userid; 2],
) -> Result<bool, CommandError> {
    let Some(team) = contest.led_team(by.id) else {
        return Ok(false);
    };
    for userid in others {
        let player = ctx.store.player(userid)?;
        let other = player.and_then(|account| contest.own_team(account.id));
        if other.is_none_or(|other| other.name != team.name) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn players(ctx: &Context<'_>, contest: &Contest, names: [&Userid; 2]) -> Result<[PlayerId; 2], CommandError> {
    let (name, [leaves, enters]) = (&contest.row.name, names);
    if contest.row.state != ContestState::Running {
        return refuse!(
            "{name} is not running. Before it begins, the first who waits gets the place of one who leaves."
        );
    }
    let player = |userid| Ok::<_, CommandError>(ctx.store.player(userid)?.map(|account| account.id));
    let old =
        player(leaves)?.filter(|old| contest.place_of(*old).is_some() && !contest.withdrawn.contains(old));
    let Some(old) = old else {
        return refuse!("{leaves} does not play in {name}.");
    };
    let Some(new) = player(enters)?.filter(|new| contest.waiting.contains(new)) else {
        return refuse!("{enters} is none of those who wait for a place in {name}.");
    };
    let account = challenged(ctx, enters)?;
    if has_other_entry(ctx, &account, contest)? {
        return refuse!("{enters} cannot take over a place in {name}.");
    }
    if ctx.store.players_who_moved(contest.row.id)?.contains(&old) {
        return refuse!("{leaves} has made a move in {name}, so nobody can take over.");
    }
    let boards = ctx.store.contest_boards_of(contest.row.id, old)?;
    if boards.iter().any(|board| board.state != BoardState::Running) {
        return refuse!("A game of {leaves} in {name} is over, so nobody can take over.");
    }
    Ok([old, new])
}
