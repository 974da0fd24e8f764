//! Dice in play. A player's word binds them. They fall after a move. The server rolls for players who do not want to be
//! asked.

use crate::board::Board;
use crate::board::dice::{DiceNote, DiceRecord};
use crate::dice::{salt_of_letter, salt_of_word};
use crate::failure::{CommandError, Error, refuse};
use crate::ids::Seat;
use crate::play::{Context, plans};
use crate::settings::AUTO;
use crate::store::{EventRow, PlayerId, StoreError};

/// The events that begin the dice of a new board: the word of the first player, if `by` is that player, and then the hash.
/// So only a later word of the second player binds the dice.
pub(crate) fn begin(
    ctx: &Context<'_>,
    board: &mut Board,
    start: EventRow,
    (by, word): (Option<Seat>, Option<&str>),
) -> Result<Vec<EventRow>, CommandError> {
    let mut events = vec![start];
    if board.kind.dice {
        let of_letter = ctx.letter.message_id.as_deref().map(salt_of_letter);
        let salt = word.map(of_word).transpose()?.or(of_letter).filter(|_| by == Some(Seat::First));
        events.extend(salt.map(|salt| board.note_dice(DiceNote::Salt(&salt), by, ctx.now)));
        let told = board.begin_dice(ctx.store, &events, (ctx.operator, ctx.now))?;
        events.extend(told);
    }
    Ok(events.split_off(1))
}

/// The salt by which a letter of `seat` binds the dice: that of the player's word, or else that of the letter. `None` if the
/// dice are bound already.
pub(crate) fn salt_that_binds(
    ctx: &Context<'_>,
    board: &Board,
    seat: Seat,
    word: Option<&str>,
) -> Result<Option<String>, CommandError> {
    if !board.kind.dice || seat.of(&board.row.players).is_robot() {
        return Ok(None);
    }
    let record = DiceRecord::of(&ctx.store.events(board.row.id)?);
    if record.is_bound || record.hash.is_none() || record.secret.is_some() {
        return Ok(None);
    }
    match (word, &ctx.letter.message_id) {
        (Some(word), _) => Ok(Some(of_word(word)?)),
        (None, Some(id)) => Ok(Some(salt_of_letter(id))),
        (None, None) => refuse!(
            "The dice wait for a word of yours, which nobody can know before: `roll moonshine`, with any word in place \
             of `moonshine`."
        ),
    }
}

fn of_word(word: &str) -> Result<String, CommandError> {
    match salt_of_word(word) {
        Some(salt) => Ok(salt),
        None => refuse!("A word for the dice has letters, digits and signs of ASCII, at most 200."),
    }
}

/// Lets the dice fall after the events of `played`, which are not stored yet, and appends what follows from them.
pub(crate) fn fall(ctx: &Context<'_>, board: &mut Board, played: &mut Vec<EventRow>) -> Result<(), Error> {
    if !board.kind.dice {
        return Ok(());
    }
    let zones = ctx.zones(&board.row.players)?;
    let mut events = ctx.store.events(board.row.id)?;
    let stored = events.len();
    events.append(played);
    loop {
        board.roll(ctx.store, &mut events, ctx.now, &zones)?;
        let Some(usual) = usual(ctx, board, &events)? else { break };
        match board.play(&usual, None, ctx.now, &zones) {
            Ok((event, _)) => events.push(event),
            Err(_) => break,
        }
    }
    *played = events.split_off(stored);
    Ok(())
}

/// The ply that the server plays for the player to move, who does not want to be asked.
fn usual(ctx: &Context<'_>, board: &Board, events: &[EventRow]) -> Result<Option<String>, Error> {
    let Some((usual, seat)) = board.table.usual_ply().zip(board.row.to_move) else { return Ok(None) };
    let player = *seat.of(&board.row.players);
    let record = DiceRecord::of(events);
    let is_asked = player.is_robot()
        || !record.is_bound
        || record.asks[seat.index()]
        || !ctx.store.is_on(player, &AUTO)?
        || has_an_answer(ctx, board, player)?;
    Ok(Some(usual).filter(|_| !is_asked))
}

/// True if a turn of the player's queue can be played now.
fn has_an_answer(ctx: &Context<'_>, board: &Board, player: PlayerId) -> Result<bool, StoreError> {
    let plan = plans::plan(ctx, board, player)?.unwrap_or_default();
    Ok(plan.0.iter().any(|branch| board.table.copy().play_turn(&branch.play).is_ok()))
}
