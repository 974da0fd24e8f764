//! A reply to a message from another player: words go back to its writer.
//!
//! The mail showed no board, so a move in the reply is not played. If it fits one board of the two, that board is
//! shown with the move, for a `yes`.

use crate::board::Board;
use crate::commands::submit::Submit;
use crate::commands::talk::{Audience, Talk};
use crate::commands::{Command, talk};
use crate::credentials::claim::nothing_proves;
use crate::failure::{CommandError, refuse};
use crate::ids::{BoardId, Seat, Which};
use crate::language::OnBoard;
use crate::language::move_finder::MoveFinder;
use crate::language::phrasebook::{Wish, wish_meant};
use crate::letter::reply_lines::{ReplyLines, begins_like_a_command, reads_as};
use crate::letter::wishes::how_to_stop;
use crate::play::Context;
use crate::store::{BoardFilter, MESSAGE_SECONDS, MessageRow, PlayerId};

/// Boards of a player that are searched for a move.
const BOARDS: u32 = 50;

/// The command that a reply means: a move to ask about, or words for the writer.
pub(crate) fn command(
    ctx: &mut Context<'_>,
    message: MessageRow,
    text: &str,
) -> Result<Command, CommandError> {
    if ctx.now.as_second() - message.sent_at.as_second() > MESSAGE_SECONDS {
        return Err(nothing_proves().into());
    }
    ctx.answer_to(message.reader);
    if let Some((board, _)) = message.about
        && let Some(board) = ctx.store.board(board)?
    {
        let [reader, writer] = [message.reader, message.writer].map(|player| ctx.store.player_by_id(player));
        talk::may_talk_about(ctx, &board, &reader?, &writer?)?;
    }
    let lines = ReplyLines::new(MoveFinder::of_any_game(), text);
    let writer = ctx.store.player_by_id(message.writer)?;
    let says = |text| Command::Talk(Talk { to: Audience::Players(vec![writer.userid.clone()]), text });
    if let Some(words) = lines.words() {
        return Ok(says(words));
    }
    let reader = ctx.store.player_by_id(message.reader)?;
    if wish_meant(text) == Some(Wish::Stop) {
        return Err(how_to_stop(&reader.userid).into());
    }
    let shared = shared_boards(ctx, message)?;
    let mut found = Vec::new();
    let mut ours = Some(lines).filter(|_| text.lines().any(begins_like_a_command));
    for (board, seat) in &shared {
        let lines = ReplyLines::about(board.kind, text);
        let mut moves = lines.finder.named(text);
        moves.extend(lines.moves(|line| line).into_iter().map(|(_, line)| line));
        moves.dedup();
        let legal = moves.iter().filter(|text| reads_as(board, *seat, text).is_some());
        found.extend(legal.map(|text| (board.row.id, board.kind, text.clone())));
        ours = Some(lines).filter(|_| !moves.is_empty()).or(ours);
    }
    match found.as_slice() {
        [] => {}
        [(board, game, plies)] => {
            let at = OnBoard { game, board: *board };
            return Ok(Command::Submit(Submit { at, plies: plies.clone(), because: String::new() }));
        }
        several => {
            let mut moves: Vec<&str> = several.iter().map(|(_, _, text)| text.as_str()).collect();
            moves.dedup();
            let mut boards: Vec<BoardId> = several.iter().map(|(board, ..)| *board).collect();
            boards.dedup();
            let boards: Vec<String> = boards.iter().map(|board| format!("board {board}")).collect();
            return refuse!(
                "Your reply names {moves}, which you can play on {boards}. Nothing was played or sent: reply to the \
                mail of the board you mean.",
                moves = moves.join(", "),
                boards = boards.join(" and ")
            );
        }
    }
    if let Some(lines) = ours {
        let why = lines.why_ours(lines.meant_for_us().unwrap_or(lines.first()));
        return refuse!(
            "Your reply went to nobody: {why}. To send it to {writer} as it is, begin it with the word `chat`.",
            writer = writer.userid
        );
    }
    Ok(says(text.to_owned()))
}

/// The running boards between the two, each with the reader's seat.
fn shared_boards(ctx: &Context<'_>, message: MessageRow) -> Result<Vec<(Board, Seat)>, CommandError> {
    let filter = BoardFilter {
        player: Some(message.reader),
        which: Which::Active,
        limit: BOARDS,
        ..BoardFilter::default()
    };
    let is_of = |player: PlayerId, players: &[PlayerId; 2]| players.contains(&player);
    let mut shared = Vec::new();
    for row in ctx.store.boards(&filter)?.iter().filter(|row| is_of(message.writer, &row.players)) {
        let Some(board) = Board::load(ctx.store, row.id)? else { continue };
        let Some(seat) = board.seat_of(message.reader) else { continue };
        shared.push((board, seat));
    }
    Ok(shared)
}
