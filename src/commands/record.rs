//! `record`: a board's events as text, in our notation or another server's.

use minijinja::context;

use crate::board::record::write;
use crate::board::{Terms, names};
use crate::commands::grammar::record::Record;
use crate::credentials::token::MailKind;
use crate::failure::{CommandError, refusal};
use crate::notices::view::subject;
use crate::notices::{Event, Thread};
use crate::play::{Context, at_board};

pub(crate) fn record(ctx: &mut Context<'_>, command: Record) -> Result<Event, CommandError> {
    let Record { game, board: number, notation } = command;
    let board = at_board::board(ctx, game, number)?;
    let names = names(ctx.store, &board.row.players)?;
    let thread = Thread {
        board: number,
        subject: subject(game.key, number.0, &names, board.row.swapped),
        shown: None,
        mail: MailKind::Board,
    };
    let text = match notation {
        None => write(ctx.store, &board)?,
        Some(notation) => {
            let events = ctx.store.events(number)?;
            let start = events.first().map(Terms::of).transpose()?.map(|terms| terms.position);
            let plies = ctx.store.plies(number, crate::ids::Ply(1), board.row.plies)?;
            let plies: Vec<String> = plies.into_iter().map(|ply| ply.text).collect();
            (notation.write)(&start.unwrap_or_default(), &plies)
                .map_err(|why| refusal!("The record cannot be written like that: {why}."))?
        }
    };
    Ok(Event::page("record.txt", context! { text }, Some(thread)))
}
