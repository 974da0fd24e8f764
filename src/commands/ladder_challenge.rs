//! `ladder challenge`: starts a game with a player above.

use turnpost_games::GameKind;

use crate::commands::opening::{challenged, have_room, open_board};
use crate::commands::set_up::set_up;
use crate::contest::forms::OpenedGames;
use crate::contest::ladder::{GAMES_IN, GAMES_OUT, reach};
use crate::contest::ladder_games::Ladder;
use crate::contest::record::Contest;
use crate::failure::{CommandError, refuse};
use crate::ids::{Seat, Userid};
use crate::notices::Event;
use crate::play::Context;
use crate::store::Account;

/// Starts a game with a player above. The first mail of the board tells that player.
pub(crate) fn challenge(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    contest: Contest,
    account: Account,
    other: Option<Userid>,
) -> Result<Event, CommandError> {
    let mut ladder = Ladder::follow(ctx.store, contest, ctx.now)?;
    if !ladder.games_of(account.id).can_ask() {
        return refuse!("You have asked for {GAMES_OUT} games that are in play. One of them must end first.");
    }
    let other = match other {
        Some(userid) => {
            let other = challenged(ctx, &userid)?;
            may_meet(ctx, game, &ladder, &account, &other)?;
            other
        }
        None => nearest(ctx, game, &ladder, &account)?,
    };
    let pair = ladder.contest.game_of(account.id, other.id);
    let seat = pair.asking_seat();
    let terms = set_up(ctx, game, &ladder.contest.terms.options)?;
    let terms = terms.in_contest(ladder.contest.game(ladder.contest.next_pair));
    let told = format!(
        "{} challenges you on the {} ladder. Games of a ladder are not declined.",
        account.userid, game.name
    );
    let mut players = [account, other];
    if seat == Seat::Second {
        players.reverse();
    }
    // Both seats count as agreed: players of a ladder accept its games by joining.
    let event = open_board(ctx, game, players, &[seat.other(), seat], terms)?;
    if let Some(news) = ctx.news.last_mut() {
        news.notes[seat.other().index()].push(told);
    }
    ladder.contest.open(ctx.store, &OpenedGames::Asked(pair), ctx.now)?;
    Ok(event)
}

/// The nearest player above who can be challenged now.
fn nearest(
    ctx: &Context<'_>,
    game: &'static GameKind,
    ladder: &Ladder,
    account: &Account,
) -> Result<Account, CommandError> {
    let place = ladder.place_of(account.id).unwrap_or_default();
    for other in reach(place).rev().filter_map(|place| ladder.places.get(place)) {
        let userid = ctx.store.player_by_id(*other)?.userid;
        let free = challenged(ctx, &userid)
            .and_then(|other| may_meet(ctx, game, ladder, account, &other).map(|()| other));
        match free {
            Err(CommandError::Refused(_)) => {}
            found => return found,
        }
    }
    match place {
        0 => refuse!("You are at the top: others challenge you."),
        _ => refuse!("No player within your reach is free. On Mondays we pair all players without a game."),
    }
}

/// Refuses a pair that the ladder's rules or one of the players' limits exclude. A block excludes none: the top could
/// shut out its challengers.
fn may_meet(
    ctx: &Context<'_>,
    game: &'static GameKind,
    ladder: &Ladder,
    account: &Account,
    other: &Account,
) -> Result<(), CommandError> {
    let name = &other.userid;
    let Some((from, to)) = ladder.place_of(account.id).zip(ladder.place_of(other.id)) else {
        return refuse!("{name} is not on the {game} ladder.", game = game.name);
    };
    let within = reach(from);
    if !within.contains(&to) {
        let (place, from, to) = (to + 1, within.start + 1, within.end);
        return match from > to {
            true => refuse!("You are at the top: others challenge you."),
            false => refuse!("{name} is number {place}, and you may challenge numbers {from} to {to}."),
        };
    }
    if !ladder.games_of(other.id).can_be_asked() {
        return refuse!(
            "{name} has {GAMES_IN} games in play that others asked for. One of them must end first."
        );
    }
    if ladder.have_met(account.id, other.id) {
        return refuse!("{name} and you play, or did so within the last seven days.");
    }
    if ctx.store.is_away(other.id, ctx.now)? {
        return refuse!("{name} is on vacation.");
    }
    have_room(ctx, game, &[account.clone(), other.clone()], &Seat::BOTH)
}
