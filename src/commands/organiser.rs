//! Acts of the organiser of an event, each with a reason, and appeals against them.
//!
//! ```text
//! game event rule name board userid1|draw "reason" userid password
//! game event appeal name board "reason" userid password
//! game event remove name userid1 "reason" userid password
//! game event replace name userid1 userid2 "reason" userid password
//! game event end name "reason" userid password
//! ```

use minijinja::context;

use crate::board::Board;
use crate::commands::prelude::*;
use crate::commands::replacement::{is_captain, replace};
use crate::commands::rulings::{act_of, appeal, end_board, rule};
use crate::contest::events::BY_ORGANISER;
use crate::contest::organised::ENDED_AT_ONCE;
use crate::contest::record::Contest;
use crate::ids::{BoardId, Userid};
use crate::language::token::quote;
use crate::play::decided;
use crate::store::{ActKind, ContestState, NewAct, Ruling};

#[derive(Debug, Clone)]
pub struct OrganiserAct {
    pub what: Decision,
    pub reason: String,
}

#[derive(Debug, Clone)]
pub enum Decision {
    /// Ends a running game. `None` is a draw.
    Rule { board: BoardId, winner: Option<Userid> },
    /// A player asks the operator to look at a ruling.
    Appeal(BoardId),
    /// Takes a player out of the event.
    Remove(Userid),
    /// Gives the place of the first player, who has made no move, to the second, who waits.
    Replace([Userid; 2]),
    /// Ends the event, or calls it off before it begins.
    End,
}

impl OrganiserAct {
    /// Reads what follows the subcommand `word` and the name of the event.
    pub(crate) fn read(word: &str, args: &mut Args) -> Result<OrganiserAct, ArgumentError> {
        let what = match word {
            "rule" => {
                let board = args.board()?;
                let winner = match args.take("draw") {
                    true => None,
                    false => Some(args.userid("`draw` or the name of the winner")?),
                };
                Decision::Rule { board, winner }
            }
            "appeal" => Decision::Appeal(args.board()?),
            "remove" => Decision::Remove(args.userid("the name of the player")?),
            "replace" => Decision::Replace([
                args.userid("the name of the player who leaves")?,
                args.userid("the name of the player who waits")?,
            ]),
            _ => Decision::End,
        };
        let reason = args.word("the reason, in quotes,")?;
        // A single word could be a userid, and the next one a password.
        if !reason.text.trim().contains(' ') {
            return Err(reason.error("the reason is expected here, a sentence in quotes: \"...\""));
        }
        Ok(OrganiserAct { what, reason: reason.text })
    }

    /// The subcommand, and the words after the name of the event, each after a space.
    pub(crate) fn written(&self) -> (&'static str, String) {
        let reason = quote(&self.reason);
        match &self.what {
            Decision::Rule { board, winner } => {
                let winner = winner.as_ref().map_or("draw", Userid::as_str);
                ("rule", format!(" {board} {winner} {reason}"))
            }
            Decision::Appeal(board) => ("appeal", format!(" {board} {reason}")),
            Decision::Remove(player) => ("remove", format!(" {player} {reason}")),
            Decision::Replace([old, new]) => ("replace", format!(" {old} {new} {reason}")),
            Decision::End => ("end", format!(" {reason}")),
        }
    }
}

/// Refuses a decision by a player who is not the organiser.
pub(crate) fn must_organise(ctx: &Context<'_>, contest: &Contest, by: &Account) -> Result<(), CommandError> {
    match contest.is_organised_by(ctx.store, by.id)? {
        true => Ok(()),
        false => refuse!("Who made {} organises it, and decides this.", contest.row.name),
    }
}

pub(crate) fn decide(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    act: OrganiserAct,
    by: &Account,
) -> Result<(), CommandError> {
    let reason = decided::reason(&act.reason)?;
    match &act.what {
        Decision::Appeal(_) => {}
        Decision::Replace([old, new]) if is_captain(ctx, contest, by, [old, new])? => must_last(contest)?,
        Decision::Replace(_)
            if contest.led_team(by.id).is_some() && !contest.is_organised_by(ctx.store, by.id)? =>
        {
            return refuse!(
                "As a captain you give the place of a player of your team to one of its substitutes."
            );
        }
        _ => {
            must_organise(ctx, contest, by)?;
            must_last(contest)?;
        }
    }
    if let Some(until) = ctx.spend(ctx.limits.messages(), &by.userid.key())? {
        return refuse!("That is a lot for a day. Nothing was done; try again after {}.", ctx.time(until)?);
    }
    match act.what {
        Decision::Rule { board, winner } => rule(ctx, contest, (board, winner), &reason, by),
        Decision::Appeal(board) => appeal(ctx, contest, board, &reason, by),
        Decision::Remove(player) => remove(ctx, contest, &player, &reason, by),
        Decision::Replace([old, new]) => replace(ctx, contest, [&old, &new], &reason, by),
        Decision::End => end(ctx, contest, &reason, by),
    }
}

/// Takes a player out before the event begins, or withdraws one who plays.
fn remove(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    userid: &Userid,
    reason: &str,
    by: &Account,
) -> Result<(), CommandError> {
    let name = contest.row.name.clone();
    let player = ctx.store.player(userid)?.map(|account| account.id);
    let Some(player) = player.filter(|player| *player != by.id) else {
        return refuse!("{userid} is no other player of {name}.");
    };
    if !contest.take_out(ctx.store, player, BY_ORGANISER, ctx.now)? {
        return refuse!("{userid} does not play in {name}.");
    }
    ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?;
    let act = NewAct { player: Some(player), ..act_of(contest, ActKind::Withdraw, by) };
    ctx.store.add_act(&act, "", reason, ctx.now)?;
    let is_running = contest.row.state == ContestState::Running;
    let what = context! { kind => "withdrawn", contest => &name, is_running };
    ctx.notify(decided::mail(player, what, Some(by.userid.as_str()), reason));
    ctx.remarks.push(format!("{userid} is taken out of {name}, and reads your reason."));
    Ok(())
}

/// Ends the event. Its running games have no result.
fn end(ctx: &mut Context<'_>, contest: &mut Contest, reason: &str, by: &Account) -> Result<(), CommandError> {
    let running = contest.running_boards(ctx.store)?;
    for board in running.iter().take(ENDED_AT_ONCE) {
        let Some(board) = Board::load(ctx.store, *board)? else { continue };
        end_board(ctx, contest, board, (Ruling::OrganiserVoid, None), reason, by)?;
    }
    if let Some(left) = running.len().checked_sub(ENDED_AT_ONCE).filter(|left| *left > 0) {
        ctx.remarks.push(format!("{ENDED_AT_ONCE} games are ended, and {left} run: send it again."));
        return Ok(());
    }
    ctx.store.add_act(&act_of(contest, ActKind::EndContest, by), "", reason, ctx.now)?;
    if contest.row.state == ContestState::Open {
        for player in contest.joined.iter().chain(&contest.waiting).filter(|player| **player != by.id) {
            let what = context! { kind => "off", contest => &contest.row.name };
            ctx.notify(decided::mail(*player, what, Some(by.userid.as_str()), reason));
        }
    }
    Ok(contest.end(ctx.store, BY_ORGANISER, ctx.now)?)
}

fn must_last(contest: &Contest) -> Result<(), CommandError> {
    match contest.row.state {
        ContestState::Closed => refuse!("{} is over.", contest.row.name),
        _ => Ok(()),
    }
}
