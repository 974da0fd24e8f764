//! The plies of a command: read, checked for whose turn it is, and played together or not at all.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use turnpost_games::{GameKind, Lettered, MoveError, Played};

use crate::board::Board;
use crate::board::dice::DiceNote;
use crate::failure::{CommandError, Refusal, refusal};
use crate::ids::{Ply, Seat};
use crate::mail::AnswerBy;
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::notices::ply_view::PlyView;
use crate::play::at_board::{AtBoard, record};
use crate::play::{Context, dice, marked};
use crate::settings::{ChosenValue, LETTERS};
use crate::store::{EventKind, EventRow, PlayerId};

/// Plays the plies of `text` for `seat`, with the forced passes between them and the casts after them. Stores all of them or
/// none.
pub(crate) fn play_plies(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    event: BoardEvent,
    text: &str,
) -> Result<(), CommandError> {
    play_plies_after(ctx, at, seat, event, text, None)
}

/// Like [`play_plies`], with the player's word for dice that wait for one.
pub(crate) fn play_plies_after(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    event: BoardEvent,
    text: &str,
    word: Option<&str>,
) -> Result<(), CommandError> {
    let mut events = bind_dice(ctx, at, seat, word)?;
    let (plies, remarks) = try_plies(ctx, at, seat, text)?;
    events.extend(plies);
    dice::fall(ctx, &mut at.board, &mut events)?;
    record(ctx, &mut at.board, &events)?;
    let played = events.iter().filter_map(PlyView::of).collect();
    at.steps.push(BoardStep { played, remarks, ..BoardStep::new(event, seat) });
    Ok(())
}

/// Binds the dice to the letter of the player at `seat`, if they wait for one, and tells the player.
pub(crate) fn bind_dice(
    ctx: &Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    word: Option<&str>,
) -> Result<Vec<EventRow>, CommandError> {
    let Some(salt) = dice::salt_that_binds(ctx, &at.board, seat, word)? else { return Ok(Vec::new()) };
    let what = if word.is_some() { "word" } else { "letter" };
    at.note(seat, format!("Your {what} binds the dice; the record has it as {salt}."));
    Ok(vec![at.board.note_dice(DiceNote::Salt(&salt), Some(seat), ctx.now)])
}

/// Plays the plies of `text` on the board in memory, without storing them.
pub(crate) fn try_plies(
    ctx: &Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    text: &str,
) -> Result<(Vec<EventRow>, Vec<String>), CommandError> {
    let zones = ctx.zones(&at.board.row.players)?;
    let mut events: Vec<EventRow> = Vec::new();
    let mut remarks = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() || events.is_empty() {
        at.must_be_to_move(seat, &events)?;
        let by = (Some(at.player_at(seat)), ctx.now, &zones);
        let played = play_ply(&mut at.board, rest, by, &mut events)?;
        rest = played.rest;
        remarks.extend(played.remarks);
        if let Some(behind) = marked::behind_ask(rest).filter(|_| at.board.kind.asks()) {
            events.push(ask(ctx, at, seat));
            rest = behind;
        }
    }
    if at.board.row.to_move == Some(seat)
        && let Some(closing) = at.board.table.closing_ply()
    {
        let by = (Some(at.player_at(seat)), ctx.now, &zones);
        remarks.extend(play_ply(&mut at.board, &closing, by, &mut events)?.remarks);
    }
    Ok((events, remarks))
}

impl AtBoard {
    fn must_be_to_move(&self, seat: Seat, events: &[EventRow]) -> Result<(), Refusal> {
        if self.board.row.to_move == Some(seat) {
            return Ok(());
        }
        let played = list(events);
        if self.board.row.to_move.is_none() {
            return Err(ends_before(played));
        }
        let opponent = seat.other().of(&self.names);
        let ply = self.board.row.plies.next();
        Err(if events.is_empty() {
            refusal!(
                "It is {opponent}'s turn on board {board} (move {ply}), not yours.",
                board = self.board.row.id
            )
            .showing_board()
        } else {
            refusal!(
                "After {played} it is {opponent}'s turn (move {ply}), and your command has more moves. Moves of one \
                command are played together or not at all."
            )
        })
    }
}

/// The event by which a player wants to be asked before the next roll; tells the player.
pub(crate) fn ask(ctx: &Context<'_>, at: &mut AtBoard, seat: Seat) -> EventRow {
    at.note(seat, "You are asked before your next roll, if you can double then.".to_owned());
    at.board.note_dice(DiceNote::Asks, Some(seat), ctx.now)
}

/// Plays the first ply of `text` and the passes after it, and appends their events to `played`.
pub(crate) fn play_ply<'t>(
    board: &mut Board,
    text: &'t str,
    (player, at, zones): (Option<PlayerId>, Timestamp, &[TimeZone; 2]),
    played: &mut Vec<EventRow>,
) -> Result<Played<'t>, Refusal> {
    let number = board.row.plies.next();
    let bad = |why: MoveError| bad_move(list(played), sentence(&why));
    let (event, mut ply) = board.play(text, player, at, zones).map_err(bad)?;
    ply.rest = check_mark(ply.rest, number, &ply.ply)?;
    played.push(event);
    played.extend(board.play_passes(at, zones));
    Ok(ply)
}

/// A move as the game reads it.
pub(crate) struct StandardText {
    pub text: String,
    /// What the letters of the text show about their writer.
    pub letters: Option<ChosenValue>,
}

/// Reads a move that a mail can write in the letters of another language.
pub(crate) fn in_standard_letters(
    ctx: &Context<'_>,
    at: &AtBoard,
    text: &str,
) -> Result<StandardText, CommandError> {
    let is_by_hand = ctx.letter.answer == AnswerBy::Mail && at.board.row.to_move == Some(at.seat);
    let read = match at.board.kind.letters.filter(|_| is_by_hand) {
        Some(letters) => {
            let own = ctx.store.setting(at.player(), &LETTERS)?;
            letters(&at.board.table.position(), text.trim(), &own)
                .map_err(|why| bad_move(String::new(), why))?
        }
        None => None,
    };
    Ok(match read {
        Some(Lettered { ply, rest, language }) => StandardText {
            text: format!("{ply}{rest}"),
            letters: language.and_then(|language| LETTERS.value(language)).map(|value| LETTERS.to(value)),
        },
        None => StandardText { text: text.to_owned(), letters: None },
    })
}

/// Sentences about what the other player was forced to among the plies of `mover`, for a preview.
pub(crate) fn passes(events: &[EventRow], mover: Seat, kind: &GameKind) -> Vec<String> {
    let of_others = events.iter().filter_map(|event| Some((event.seat?, event.text.as_str())));
    of_others.filter(|(seat, _)| *seat != mover).map(|(seat, ply)| forced(kind, seat, ply)).collect()
}

/// A ply that the server plays for a seat: `Black has no move and passes.`
pub(crate) fn forced(kind: &GameKind, seat: Seat, ply: &str) -> String {
    let mut side = kind.seat(seat).to_owned();
    if let Some(first) = side.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    match ply {
        "pass" => format!("{side} has no move and passes."),
        ply => format!("{side} can only play {ply}."),
    }
}

pub(crate) fn bad_move(played: String, why: String) -> Refusal {
    refusal!("{}{why}", after(&played))
}

pub(crate) fn ends_before(played: String) -> Refusal {
    refusal!("After {played} the game is over, and your command has more moves.")
}

fn after(played: &str) -> String {
    match played {
        "" => String::new(),
        played => format!("{played} can be played, but not what follows it. "),
    }
}

/// Checks that a mark `#n` after a move names `ply`, and returns the text after it.
fn check_mark<'t>(rest: &'t str, ply: Ply, notation: &str) -> Result<&'t str, Refusal> {
    let (mark, behind) = marked::cut(rest);
    let Some(number) = mark.strip_prefix('#') else { return Ok(rest) };
    let wanted: Ply = number
        .parse()
        .map_err(|_| refusal!("After `#` the number of a move is expected, as in `{notation}#50`."))?;
    if wanted != ply {
        return Err(
            refusal!("This is move {ply}, and your move is marked for move {wanted}.").showing_board()
        );
    }
    Ok(behind)
}

/// The reason as a sentence. It never quotes text that could not be read.
pub(crate) fn sentence(why: &MoveError) -> String {
    let mut sentence = why.to_string();
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}

/// Joins the plies: `F3, A3-B4`.
pub(crate) fn list(events: &[EventRow]) -> String {
    let plies = events.iter().filter(|event| event.kind == EventKind::Ply);
    plies.map(|event| event.text.as_str()).collect::<Vec<_>>().join(", ")
}
