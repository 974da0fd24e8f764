//! Players of events of teams enter a team.

use crate::contest::events::{Entered, Ruling};
use crate::contest::record::Contest;
use crate::failure::{CommandError, Error, refuse};
use crate::play::Context;
use crate::store::{ContestRow, PlayerId};

/// Notes that a player enters, with the name of the team.
pub(crate) fn enter(
    ctx: &Context<'_>,
    contest: &mut Contest,
    player: PlayerId,
    (entered, team): (Entered, Option<String>),
) -> Result<(), Error> {
    contest.take_in(ctx.store, player, &entered, ctx.now)?;
    team.map_or(Ok(()), |team| contest.rule(ctx.store, Some(player), &Ruling::Team(team), ctx.now))
}

/// Notes that a player is a substitute of a team that has all its players. The captain is on its first board.
pub(crate) fn substitute(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    player: PlayerId,
    team: String,
) -> Result<(), Error> {
    contest.rule(ctx.store, Some(player), &Ruling::Asked, ctx.now)?;
    contest.rule(ctx.store, Some(player), &Ruling::Team(team), ctx.now)?;
    let Some(team) = contest.own_team(player) else { return Ok(()) };
    let Some(captain) = team.players.first() else { return Ok(()) };
    let captain = ctx.store.player_by_id(*captain)?.userid;
    ctx.remarks.push(format!(
        "{} has its {} players, and you are a substitute. Its captain, {captain}, can give you the place of one who \
        makes no move.",
        team.name,
        team.players.len(),
    ));
    Ok(())
}

/// True if the team has all its players.
pub(crate) fn is_complete(contest: &Contest, name: &str) -> bool {
    contest.team(name).is_some_and(|team| team.players.len() >= contest.boards_a_team())
}

/// The name of the team that a player enters, as its first player wrote it; `None` in an event without teams.
pub(crate) fn team_to_join(contest: &Contest, name: Option<String>) -> Result<Option<String>, CommandError> {
    let ContestRow { name: event, game, .. } = &contest.row;
    let Some(boards) = contest.terms.boards else {
        return match name {
            Some(_) => refuse!("{event} has no teams: leave the name of a team out."),
            None => Ok(None),
        };
    };
    let Some(name) = name else {
        let teams = contest.teams();
        let names: Vec<&str> = teams.iter().map(|team| team.name.as_str()).collect();
        let known =
            if names.is_empty() { String::new() } else { format!(" So far there are {}.", names.join(", ")) };
        return refuse!(
            "{event} is for teams of {boards}. Name one behind it, a new one or one with room, as in \
            `{game} event join {event} otters`.{known}"
        );
    };
    match contest.team(&name) {
        Some(team) => Ok(Some(team.name)),
        None if teams_are_all(contest) => {
            refuse!("{event} has all its teams: join one of them that has room.")
        }
        None => Ok(Some(name)),
    }
}

fn teams_are_all(contest: &Contest) -> bool {
    contest.teams().len() * contest.boards_a_team() >= contest.terms.size as usize
}
