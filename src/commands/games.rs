//! `games` and `history`: lists the boards of a player or of everybody.

use jiff::Timestamp;
use minijinja::{Value, context};
use turnpost_games::GameKind;
use turnpost_games::registry::GAMES;

use crate::commands::grammar::games::{Games, Unnamed};
use crate::commands::show::listed;
use crate::failure::CommandError;
use crate::ids::{Userid, Which};
use crate::mail::{Operator, Proof};
use crate::notices::Event;
use crate::notices::transcript::data;
use crate::notices::view::{GameRow, game_row};
use crate::play::Context;
use crate::store::BoardFilter;

const ROWS_AT_MOST: u32 = 50;

pub(crate) fn games(ctx: &mut Context<'_>, command: Games) -> Result<Event, CommandError> {
    let mut command = command;
    let is_writers = command.game.is_none() || command.unnamed == Unnamed::Writers;
    if command.userids.is_empty() && is_writers {
        command.userids.extend(reader(ctx, command.game)?);
    }
    if let Some(game) = command.game {
        return Ok(Event::page("games.txt", list(ctx, game, &command)?, None));
    }
    let lists = GAMES.iter().map(|game| list(ctx, game, &command)).collect::<Result<Vec<_>, _>>()?;
    Ok(Event::page("list.txt", context! { lists }, None))
}

/// The player who asks. `dvonn games` was everybody's before `list` was, so there the letter has to prove it.
fn reader(ctx: &Context<'_>, game: Option<&GameKind>) -> Result<Option<Userid>, CommandError> {
    if let Proof::Operator(Operator::As(speaker)) = &ctx.letter.proof {
        return Ok(Some(speaker.clone()));
    }
    let player = if game.is_none() { ctx.player()? } else { ctx.writer.player() };
    Ok(player.map(|player| ctx.store.player_by_id(player)).transpose()?.map(|account| account.userid))
}

/// The boards of one game, as `games.txt` shows them.
fn list(ctx: &Context<'_>, game: &'static GameKind, command: &Games) -> Result<Value, CommandError> {
    let Games { userids, which, before, .. } = command;
    let (which, before) = (*which, *before);
    let mut filter =
        BoardFilter { game: Some(game.key.to_owned()), player: None, which, limit: ROWS_AT_MOST + 1, before };
    let mut boards = Vec::new();
    if userids.is_empty() {
        boards = ctx.store.boards(&filter)?;
    }
    let mut of = Vec::new();
    for userid in userids {
        let player = listed(ctx, userid)?;
        filter.player = Some(player);
        boards.extend(ctx.store.boards(&filter)?);
        of.push(ctx.store.player_by_id(player)?.userid.to_string());
    }
    boards.sort_by_key(|row| std::cmp::Reverse(row.id));
    boards.dedup_by_key(|row| row.id);
    let more = boards.len() > ROWS_AT_MOST as usize;
    boards.truncate(ROWS_AT_MOST as usize);
    let last = boards.last().filter(|_| more).map(|row| row.id);
    if let [_] = userids.as_slice() {
        // The sort is stable: boards without a deadline stay below, the newest first.
        boards.sort_by_key(|row| row.deadline_at.map_or(i64::MAX, Timestamp::as_second));
    }
    let rows = boards.iter().map(|row| game_row(ctx.store, row, game.seats)).collect::<Result<_, _>>()?;
    let state = match which {
        Which::All => "",
        Which::Active => " in play",
        Which::Inactive => " that are over",
        Which::Next => " waiting for a move",
    };
    let more = last.map(|last| {
        let which = match which {
            Which::All => " all",
            Which::Active => "",
            Which::Inactive => " inactive",
            Which::Next => " next",
        };
        let of: String = of.iter().map(|userid| format!(" {userid}")).collect();
        format!("{} games{of}{which} --before={last}", game.key)
    });
    let of = if of.is_empty() { String::new() } else { format!(" of {}", of.join(" and ")) };
    let (title, rows): (_, Vec<GameRow>) = (format!("{} games{of}{state}", game.name), rows);
    Ok(context! { title, rows => data(&rows), more })
}
