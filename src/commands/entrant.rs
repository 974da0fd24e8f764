//! A player's acts in a contest: join, leave, start, withdraw, challenge.

use crate::commands::admission::{admit, wait};
use crate::commands::bot::must_be_no_bot;
use crate::commands::contest::{EntrantAct, OnContest};
use crate::commands::contest_entry::{NamedContest, must_have_one_entry, open_contest, table_of};
use crate::commands::contest_look::{find, show};
use crate::commands::event_days::EventDays;
use crate::commands::event_teams::{enter, is_complete, substitute, team_to_join};
use crate::commands::ladder_challenge::challenge;
use crate::commands::opening::challenged;
use crate::commands::organiser::{decide, must_organise};
use crate::commands::rulings::act_of;
use crate::contest::events::{Entered, Ruling};
use crate::contest::forms::all_play_all::must_be_open;
use crate::contest::forms::{Notes, Stay};
use crate::contest::league::season;
use crate::contest::record::Contest;
use crate::failure::{CommandError, refuse};
use crate::notices::Event;
use crate::notices::contest_view::view_of_player;
use crate::play::Context;
use crate::store::{
    Account, ActKind, ContestEventKind, ContestForm, ContestNewsKind, ContestRow, ContestState, PlayerId,
};

pub(crate) fn contest(
    ctx: &mut Context<'_>,
    by: &Account,
    command: OnContest,
) -> Result<Event, CommandError> {
    let OnContest { of, act } = command;
    let found = find(ctx, &of)?;
    let NamedContest { game, form, ref name } = of;
    if let EntrantAct::Withdraw { surely } = act {
        return withdraw(ctx, &of, found, surely, by);
    }
    let mut contest = match (found, &act) {
        (Some(contest), _) => contest,
        (None, EntrantAct::Join { .. }) => open_contest(ctx, &of)?,
        (None, _) => return Err((form.kind().outside)(game, name)),
    };
    let needs_entry = matches!(act, EntrantAct::Leave | EntrantAct::Challenge { .. } | EntrantAct::Auto(_));
    if needs_entry && !contest.joined.contains(&by.id) && !contest.waiting.contains(&by.id) {
        return Err((form.kind().outside)(game, &contest.row.name));
    }
    match act {
        EntrantAct::Join { stay, team } => join(ctx, &mut contest, (stay, team), by)?,
        EntrantAct::Leave => leave(ctx, &mut contest, by)?,
        EntrantAct::Start => start(ctx, &mut contest, by)?,
        EntrantAct::Change(days) => change(ctx, &mut contest, days, by)?,
        EntrantAct::Admit { player, accepts } => admit(ctx, &mut contest, (&player, accepts), by)?,
        EntrantAct::Organise(act) => decide(ctx, &mut contest, act, by)?,
        EntrantAct::Challenge { other } => return challenge(ctx, game, contest, by.clone(), other),
        EntrantAct::Auto(on) => {
            contest.rule(ctx.store, Some(by.id), &Ruling::Auto(on), ctx.now)?;
        }
        EntrantAct::Withdraw { .. } => {}
    }
    show(ctx, &of, Some(contest), Some(by.id))
}

fn join(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    (stay, team): (Stay, Option<String>),
    by: &Account,
) -> Result<(), CommandError> {
    must_be_no_bot(by)?;
    challenged(ctx, &by.userid)?;
    (contest.kind().enter)(ctx.store, contest, by.id, stay)?;
    if let Some(until) = contest.terms.dates.until().filter(|until| *until <= ctx.now) {
        return refuse!("Joining {} ended on {}.", contest.row.name, ctx.time(until)?);
    }
    must_have_one_entry(ctx, by, contest)?;
    let is_event = contest.row.form == ContestForm::Event;
    if contest.runs_as_swiss() {
        ctx.remarks.push(format!(
            "You are in {} from round {} on. Each round before counts as half a point.",
            contest.row.name,
            contest.round() + 1
        ));
        contest.enter_late(ctx.store, by.id, ctx.now)?;
        return Ok(ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?);
    }
    if is_event
        && contest.terms.boards.is_none()
        && (contest.is_full() || contest.terms.entry.by_request && contest.maker != Some(by.id))
    {
        return wait(ctx, contest, by);
    }
    let team = team_to_join(contest, team)?;
    if let Some(team) = team.clone().filter(|team| is_complete(contest, team)) {
        return Ok(substitute(ctx, contest, by.id, team)?);
    }
    let entered = Entered { once: stay == Stay::Once, seat: None };
    enter(ctx, contest, by.id, (entered, team))?;
    tell_of_blocks(ctx, contest, by)?;
    // The timer starts a full event, plans a first season, and pairs ladders on Mondays.
    Ok(ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?)
}

/// Fewest other members among whom one who blocks the player stays unknown.
const FEW: usize = 3;

/// Says that the player can meet players in spite of a block. Names only those whom the player blocks: the others keep their
/// blocks to themselves.
fn tell_of_blocks(ctx: &mut Context<'_>, contest: &Contest, by: &Account) -> Result<(), CommandError> {
    let own = ctx.store.blocked(by.id)?;
    let mut others = ctx.store.blocked_by(by.id)?;
    others.retain(|player| contest.joined.contains(player) && !own.contains(player));
    let mut met = Vec::new();
    for player in own.iter().filter(|player| contest.joined.contains(player)) {
        met.push(ctx.store.player_by_id(*player)?.userid.to_string());
    }
    match others.len() {
        // In a small contest the number alone would name a player who blocks.
        _ if contest.joined.len() - 1 < FEW + met.len() => {}
        0 => {}
        1 => met.push(if met.is_empty() { "a member" } else { "another member" }.to_owned()),
        number => met.push(format!("{number} {}members", if met.is_empty() { "" } else { "other " })),
    }
    if !met.is_empty() {
        let (met, name) = (met.join(" and "), contest.row.title());
        ctx.remarks.push(format!(
            "There is a block between you and {met} of {name}. In {name} you can meet on a board, where words stay \
             stopped. If you do not want that, `leave` before the games begin, or resign that game."
        ));
    }
    Ok(())
}

fn leave(ctx: &mut Context<'_>, contest: &mut Contest, by: &Account) -> Result<(), CommandError> {
    let ContestRow { name, game, state, form, .. } = &contest.row;
    let waits = contest.waiting.contains(&by.id);
    if *state == ContestState::Running && !waits {
        return refuse!(
            "{name} runs, and your games continue: nothing was done. To give them up, which loses those that \
             still run: reply `{game} {form} withdraw {name}`."
        );
    }
    if !waits {
        must_be_open(&contest.row)?;
    }
    let is_event = *form == ContestForm::Event;
    contest.note(ctx.store, ContestEventKind::Left, Some(by.id), "", ctx.now)?;
    if is_event {
        contest.fill(ctx.store, ctx.now)?;
    }
    if is_event && contest.joined.is_empty() && contest.row.state == ContestState::Open {
        let closed = Notes::of(ContestEventKind::Closed, "everybody left");
        let closed = closed.tell(contest.waiting.clone(), ContestNewsKind::Off);
        contest.note_all(ctx.store, closed, ctx.now)?;
        ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?;
    }
    Ok(())
}

/// Refuses a decision about an event that has begun, and one by a player who is not its organiser.
fn must_decide(ctx: &Context<'_>, contest: &Contest, by: &Account) -> Result<(), CommandError> {
    must_organise(ctx, contest, by)?;
    must_be_open(&contest.row)
}

fn change(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    days: EventDays,
    by: &Account,
) -> Result<(), CommandError> {
    must_decide(ctx, contest, by)?;
    let dates = days.dates(ctx, by.id, contest.terms.dates)?;
    if dates == contest.terms.dates {
        return refuse!("That changes nothing. Give another day by `-start=` or `-until=`, or `-when-full`.");
    }
    let others: Vec<PlayerId> = contest.joined.iter().copied().filter(|player| *player != by.id).collect();
    let notes = Notes::ruled(&Ruling::Dates(dates)).tell(others, ContestNewsKind::Moved);
    contest.note_all(ctx.store, notes, ctx.now)?;
    Ok(ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?)
}

fn start(ctx: &mut Context<'_>, contest: &mut Contest, by: &Account) -> Result<(), CommandError> {
    must_decide(ctx, contest, by)?;
    let name = &contest.row.name;
    let least = contest.least();
    let players = contest.lineup(ctx.store)?;
    if players.len() < least {
        return refuse!("An event needs {least} players, and {name} has {}.", players.len());
    }
    ctx.store.add_act(&act_of(contest, ActKind::StartContest, by), "", "", ctx.now)?;
    Ok(contest.start(ctx.store, &[players], ctx.now)?)
}

/// Withdraws a player from an event or the latest season of a league, once they have confirmed it.
fn withdraw(
    ctx: &mut Context<'_>,
    of: &NamedContest,
    found: Option<Contest>,
    surely: bool,
    by: &Account,
) -> Result<Event, CommandError> {
    let found = match of.form {
        ContestForm::League => season(ctx.store, found.as_ref(), None)?,
        _ => found,
    };
    let Some(mut contest) = found else {
        return refuse!("No season of the {} has begun yet.", of.title());
    };
    let ContestRow { name, state, .. } = &contest.row;
    if *state != ContestState::Running || contest.place_of(by.id).is_none() {
        return refuse!("{name} is not running with you in it, so there is nothing to withdraw from.");
    }
    if contest.withdrawn.contains(&by.id) {
        return refuse!("You have withdrawn from {name} already.");
    }
    if !surely {
        return refuse!(
            "This would lose your running games of {name}, so nothing was done. If you mean it, reply\n\n    {} -surely",
            of.line("withdraw", "")
        );
    }
    contest.withdraw(ctx.store, by.id, "asked", ctx.now)?;
    Ok(table_of(&view_of_player(ctx.store, &contest, by.id)?))
}
