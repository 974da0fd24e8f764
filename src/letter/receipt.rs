//! Receipts: one line in place of the board answers a move by mail.

use minijinja::context;

use crate::failure::Error;
use crate::mail::AnswerBy;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::{Answer, Event, Transcript};
use crate::play::Context;
use crate::settings::RECEIPTS;

const TEMPLATE: &str = "receipt.md";

/// Shortens each answer to a move by mail. Its thread stays, so a reply to it is one to the board.
pub(super) fn shorten(ctx: &Context<'_>, transcript: &mut Transcript) {
    if ctx.letter.answer != AnswerBy::Mail {
        return;
    }
    for answered in &mut transcript.answers {
        if let Answer::Done(event @ Event::Board(..)) = &mut answered.answer
            && let Some(receipt) = receipt(event)
        {
            *event = receipt;
        }
    }
}

/// True if the letter only moved, and its player wants no receipts.
pub(super) fn is_unwanted(ctx: &Context<'_>, transcript: &Transcript) -> Result<bool, Error> {
    let is_receipt = |answer: &Answer| match answer {
        Answer::Done(event) => receipt(event).is_some(),
        _ => false,
    };
    let Some(player) = transcript.player.filter(|_| ctx.letter.answer == AnswerBy::Mail) else {
        return Ok(false);
    };
    let mut answers = transcript.answers.iter();
    let moves_only = !transcript.answers.is_empty() && answers.all(|answered| is_receipt(&answered.answer));
    Ok(moves_only && !ctx.store.is_on(player, &RECEIPTS)?)
}

/// The receipt of a move after which the opponent is to move; `None` for any other event.
fn receipt(event: &Event) -> Option<Event> {
    let Event::Board(update, Some(reader)) = event else { return None };
    let BoardUpdate { last, earlier, notes, view, .. } = &**update;
    let opponent = view.turn.filter(|turn| turn != reader)?;
    if last.event != BoardEvent::Played || last.by != *reader || !earlier.is_empty() {
        return None;
    }
    let mut notes = notes.clone();
    if !view.queue.is_empty() {
        notes.push(format!("Your queue:\n\n    {}", view.queue.join("\n    ")));
        notes.extend(view.queue_remarks.iter().cloned());
    }
    let data = context! {
        played => last.own_plies()?, remarks => last.remarks.clone(), opponent => view.players.get(opponent)?,
        deadline => view.deadline, game => view.game, board => view.board, notes
    };
    Some(Event::page(TEMPLATE, data, view.thread(Some(view.events))))
}
