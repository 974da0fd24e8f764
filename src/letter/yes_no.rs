//! What `yes` and `no` mean in a reply, in any words.

use crate::board::Board;
use crate::commands::Command;
use crate::commands::submit::Submit;
use crate::credentials::token::{MailKind, TokenSeat};
use crate::failure::{CommandError, Refusal, refusal};
use crate::ids::{Seat, Which};
use crate::language::phrasebook::{is_no, is_yes};
use crate::language::{OnBoard, Seen};
use crate::letter::doubt;
use crate::letter::reply_lines::{ReplyLines, bare, first_word, quoted};
use crate::letter::reply_moves::move_and_conditions;
use crate::play::Context;
use crate::store::{BoardFilter, PlayerId};

/// Boards of a player on which a proposal is looked for.
const BOARDS: u32 = 50;

/// The command of a word, and what its writer must have seen.
pub(super) struct WordOfReply {
    pub command: Command,
    pub needs: Seen,
}

/// The moves of a reply after a `yes` in their line: `yes, D1-E1`.
pub(super) fn behind_yes(lines: &ReplyLines<'_>) -> Option<String> {
    let (first, rest) = first_word(lines.first());
    let is_move = is_yes(&first) && lines.finder.is_moves_only(rest);
    is_move.then(|| format!("{rest}\n{}", lines.below()))
}

/// What a line means that says `yes` or `no` in some language and nothing else.
pub(super) fn yes_or_no(
    ctx: &Context<'_>,
    at: &OnBoard,
    board: &Board,
    seat: Seat,
    token: TokenSeat,
    lines: &ReplyLines<'_>,
) -> Result<Option<WordOfReply>, CommandError> {
    // It answers what the opponent said.
    if token.mail == MailKind::Chat {
        return Ok(None);
    }
    let line = lines.first();
    // In other words it may be talk, unless that is what the mail asks for.
    let asks = is_asked(board, seat) && token.up_to_date
        || token.mail == MailKind::Question && draft(ctx, board, seat)?.is_some();
    let counts = |plain: &str| asks || bare(line) == plain;
    let has_moves = || !lines.moves(|line| move_and_conditions(lines.finder, line).0).is_empty();
    match (is_yes(line), is_no(line)) {
        (true, _) if !has_moves() && counts("yes") => yes(ctx, at, board, seat, lines),
        (_, true) if counts("no") => match is_asked(board, seat) {
            true => Ok(Some(WordOfReply { command: Command::Reject(*at), needs: Seen::Proposals })),
            false => Err(nothing_asked(ctx, "no", *seat.of(&board.row.players))?.into()),
        },
        _ => Ok(None),
    }
}

/// The move that a reply of `no` drops, because it waits to be confirmed.
pub(crate) fn dropped(
    ctx: &Context<'_>,
    board: &Board,
    seat: Seat,
    mail: MailKind,
    text: &str,
) -> Result<Option<String>, CommandError> {
    let lines = ReplyLines::about(board.kind, text);
    let is_plain = bare(lines.first()) == "no";
    // The reply to a chat goes to the opponent.
    if !is_no(lines.first()) || mail == MailKind::Chat || !is_plain && mail != MailKind::Question {
        return Ok(None);
    }
    draft(ctx, board, seat)
}

/// The player's move that waits to be confirmed.
pub(super) fn draft(ctx: &Context<'_>, board: &Board, seat: Seat) -> Result<Option<String>, CommandError> {
    let draft = ctx.store.draft(board.row.id, *seat.of(&board.row.players))?;
    let [_, happening] = ctx.store.last_events(board.row.id)?;
    Ok(draft.filter(|(events, _)| *events >= happening).map(|(_, plies)| plies))
}

/// `yes` plays the move that was shown, or accepts what the opponent proposed.
pub(super) fn yes(
    ctx: &Context<'_>,
    at: &OnBoard,
    board: &Board,
    seat: Seat,
    lines: &ReplyLines<'_>,
) -> Result<Option<WordOfReply>, CommandError> {
    let shown = draft(ctx, board, seat)?;
    let (command, needs) = match &shown {
        Some(_) => (Command::Confirm(*at), Seen::Position),
        None if is_asked(board, seat) => (Command::Accept(*at), Seen::Proposals),
        None => return Err(nothing_asked(ctx, "yes", *seat.of(&board.row.players))?.into()),
    };
    let command = match doubt::of_word(lines, false, &[]) {
        Some(line) => {
            let because = format!("Your reply says `{}`, so nothing was done.", quoted(line));
            let plies = shown.unwrap_or_else(|| "accept".to_owned());
            Command::Submit(Submit { at: *at, plies, because })
        }
        None => command,
    };
    Ok(Some(WordOfReply { command, needs }))
}

/// Says that a board asks nothing, and which board does.
fn nothing_asked(ctx: &Context<'_>, word: &str, player: PlayerId) -> Result<Refusal, CommandError> {
    for (board, events, plies) in ctx.store.drafts_of(player)? {
        if events >= ctx.store.last_events(board)?[1] {
            return Ok(refusal!(
                "Nothing on this board waits for a `{word}`. On board {board} {plies} waits for one: reply to the mail \
                that shows it."
            ));
        }
    }
    let filter =
        BoardFilter { player: Some(player), which: Which::Active, limit: BOARDS, ..BoardFilter::default() };
    for row in ctx.store.boards(&filter)? {
        if let Some((proposal, by)) = row.proposal
            && *by.of(&row.players) != player
        {
            return Ok(refusal!(
                "Nothing on this board waits for a `{word}`. On board {board} {what} is proposed to you: reply to the \
                mail that says so.",
                board = row.id,
                what = proposal.what()
            ));
        }
    }
    Ok(refusal!("Nothing on this board waits for a `{word}`. To play a move, reply with the move itself."))
}

/// True where the opponent has proposed something.
fn is_asked(board: &Board, seat: Seat) -> bool {
    board.row.proposal.is_some_and(|(_, by)| by != seat)
}
