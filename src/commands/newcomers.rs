//! Begins the games of a league between its seasons, in the letter of whoever joins it or wants more games.

use turnpost_games::GameKind;

use crate::commands::challenge::{EASIEST, EASY_GAMES, challenged, may_play, open_board};
use crate::commands::set_up::set_up;
use crate::contest::between::Between;
use crate::contest::record::Contest;
use crate::failure::{CommandError, Error};
use crate::ids::{Seat, Userid};
use crate::language::robot_userid;
use crate::notices::open_seeks::is_at_the_limit;
use crate::play::Context;
use crate::store::Account;

/// Begins the games that a player may have now, with others who wait first; a newcomer plays the robot where they are too few.
pub(crate) fn begin_games(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    league: &mut Contest,
    account: &Account,
) -> Result<(), CommandError> {
    let Some(mut between) = Between::load(ctx.store, league, ctx.now)? else { return Ok(()) };
    if ctx.store.is_away(account.id, ctx.now)? {
        return Ok(());
    }
    for other in between.opponents(account.id) {
        if between.room(account.id) == 0 || is_at_the_limit(ctx.store, game, account.id)? {
            break;
        }
        if !ctx.store.is_away(other, ctx.now)? {
            let userid = ctx.store.player_by_id(other)?.userid;
            begin(ctx, game, (league, &mut between), account, &userid)?;
        }
    }
    let is_new = ctx.store.boards_finished(account.id, game.key)? < EASY_GAMES;
    for _ in 0..between.for_robot(account.id) {
        if let Some(robot) = robot_userid(is_new.then_some(EASIEST)) {
            begin(ctx, game, (league, &mut between), account, &robot)?;
        }
    }
    Ok(())
}

/// Begins a game, unless one of the two may not have it now.
fn begin(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    (league, between): (&mut Contest, &mut Between),
    account: &Account,
    other: &Userid,
) -> Result<(), Error> {
    let begun = (|| {
        let other = challenged(ctx, other)?;
        let seat = between.seat(account.id, other.id);
        let mut players = [account.clone(), other.clone()];
        if seat == Seat::Second {
            players.reverse();
        }
        may_play(ctx, game, &players, &Seat::BOTH)?;
        let mut terms = set_up(ctx, game, &league.terms.options)?;
        terms.rated &= !other.id.is_robot();
        terms.contest = Some(league.next_game());
        let ids = [players[0].id, players[1].id];
        open_board(ctx, game, players, &[seat.other(), seat], terms)?;
        Ok((other.id, seat, ids))
    })();
    let (other, seat, players) = match begun {
        Ok(begun) => begun,
        Err(CommandError::Refused(_)) => return Ok(()),
        Err(CommandError::Failed(why)) => return Err(why),
    };
    league.note_game(ctx.store, account.id, other, seat, ctx.now)?;
    between.add(players, true, true);
    if let Some(news) = ctx.news.last_mut() {
        let told =
            format!("A game of the {} league between its seasons, which counts in no table.", game.name);
        news.notes.iter_mut().for_each(|notes| notes.push(told.clone()));
        // The answer names the game; its own mail shows it where the player begins.
        let turn = Seat::BOTH.into_iter().find(|seat| news.update.view.turn == Some(seat.index()));
        news.to.extend(turn.filter(|turn| !news.to.contains(turn)));
    }
    Ok(())
}
