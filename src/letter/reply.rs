//! Carries out a reply. The token of the answered mail tells what the reply can mean.

use crate::board::{Board, names, seats};
use crate::commands::submit::{self, Submit};
use crate::commands::talk::{Audience, Talk};
use crate::commands::{Command, Entry, LANGUAGE, Request, answer, carry_out, questions};
use crate::credentials::Token;
use crate::credentials::claim::{Shown, nothing_proves};
use crate::credentials::token::TokenSeat;
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::ids::{BoardId, Seat, Which};
use crate::language::move_finder::MoveFinder;
use crate::language::{Claim, OnBoard, Parameters, Seen};
use crate::letter::lost_address;
use crate::mail;
use crate::meaning::for_the_server::parted;
use crate::meaning::lines::{bare, quoted};
use crate::meaning::message::{self, SharedBoard};
use crate::meaning::{Meaning, ReplyBoard, meaning};
use crate::notices::Event;
use crate::play::Context;
use crate::store::{BoardFilter, BoardRow, BoardState, MESSAGE_SECONDS, MessageRow, PlayerId};

/// At most this many running boards of a player are searched.
const BOARDS: u32 = 50;

fn stale_reply(board: BoardId) -> Refusal {
    refusal!("The mail you answered is out of date: board {board} has changed since. This is the board now.")
        .showing_board()
}

/// Carries out a reply, except to a mail about contests: a move, a reply word such as `yes`, or words for the opponent.
pub(super) fn reply(ctx: &mut Context<'_>, text: &str) -> Result<Event, CommandError> {
    match ctx.token.clone() {
        Some(Token::Question(question)) => {
            let answer = answer::read(ctx.store, &question, text)?;
            ctx.words = answer.is_some().then(|| LANGUAGE.below_first_line(text));
            questions::answered(ctx, question, answer)
        }
        Some(_) if text.is_empty() => Err(holds_nothing(&ctx.letter.subject).into()),
        Some(Token::Words(message)) => {
            let command = to_a_message(ctx, message, text)?;
            perform_for(ctx, message.reader, command)
        }
        Some(Token::Board(seat)) => about_a_board(ctx, seat, text),
        None if ctx.letter.token.is_some() => Err(lost_address::spent(ctx)?.into()),
        Some(Token::Reader(..) | Token::Page(_) | Token::Session(_) | Token::SignOut(_)) | None => {
            Err(nothing_proves().into())
        }
    }
}

/// Refuses a reply that only quotes. If the Subject holds a move or a reply word, the refusal says where to write it.
fn holds_nothing(subject: &str) -> Refusal {
    let subject = mail::subject::bare(subject);
    match MoveFinder::of_any_game().is_moves_only(subject) || LANGUAGE.of_reply(&bare(subject)).is_some() {
        true => refusal!(
            "The Subject of a reply is not read, and `{line}` stands there, so nothing was done. Write it in the first \
            line of the text, above the quoted mail:\n\n    {line}",
            line = quoted(subject)
        ),
        false => refusal!(
            "Your reply holds nothing but what it quotes. Write your move, a word or your text in the first line, \
            above the quoted mail."
        ),
    }
}

/// Carries out a reply to a mail about a board.
pub(super) fn about_a_board(
    ctx: &mut Context<'_>,
    token: TokenSeat,
    text: &str,
) -> Result<Event, CommandError> {
    let account = ctx.store.player_by_id(token.player)?;
    ctx.answer_to(account.id);
    let Some(board) = Board::load(ctx.store, token.board)? else { return Err(nothing_proves().into()) };
    let Some(seat) = board.seat_of(account.id) else {
        let Some(lost) = seats::lost(ctx.store, token.board, account.id)? else {
            return Err(nothing_proves().into());
        };
        let (to, since) = (ctx.store.player_by_id(lost.to)?.userid, ctx.time(lost.at)?);
        return refuse!(
            "{to} has had your seat at board {} since {since}, so nothing was done.",
            token.board
        );
    };
    let at = OnBoard { game: board.kind, board: token.board };
    let command = match meaning(text, &reply_board(ctx, board, seat, token)?)? {
        Meaning::Drop { plies, words } => {
            ctx.words = Some(for_opponent(ctx, &words));
            return submit::drop_draft(ctx, &account, at, &plies);
        }
        Meaning::Outdated => return Err(stale_reply(token.board).into()),
        Meaning::NothingAsked(word) => return Err(nothing_asked(ctx, word, account.id)?.into()),
        Meaning::Play { turn, words } => {
            ctx.words = Some(for_opponent(ctx, &words));
            Command::Move(turn)
        }
        Meaning::Ask(submit) => {
            let words = for_opponent(ctx, &submit.words);
            Command::Submit(Submit { words, ..submit })
        }
        Meaning::Do { command, words } => {
            ctx.words = Some(for_opponent(ctx, &words));
            command
        }
        Meaning::Tell { remark, refused } => {
            ctx.remarks.extend(remark);
            if let Some(refusal) = refused {
                return Err(refusal.into());
            }
            // A reply that continues with prose does not confirm the move.
            ctx.store.end_draft(token.board, account.id)?;
            Command::Talk(Talk { to: Audience::Opponent(at), text: text.to_owned() })
        }
    };
    perform_for(ctx, account.id, command)
}

/// The words for the opponent, without the move or the reply word. Tells the writer which line is left out.
fn for_opponent(ctx: &mut Context<'_>, words: &str) -> String {
    let (theirs, remark) = parted(words);
    ctx.remarks.extend(remark);
    theirs
}

/// A board as the player at `seat` sees it.
pub(super) fn reply_board(
    ctx: &Context<'_>,
    board: Board,
    seat: Seat,
    token: TokenSeat,
) -> Result<ReplyBoard, CommandError> {
    let Board { row, kind, table } = board;
    let running = row.state == BoardState::Running;
    let draft = ctx.store.draft(row.id, token.player)?;
    let [_, happening] = ctx.store.last_events(row.id)?;
    let names = names(ctx.store, &row.players)?;
    Ok(ReplyBoard {
        game: kind,
        table,
        running,
        moves: row.to_move == Some(seat),
        is_asked: is_asked(&row, seat),
        draft: draft.filter(|draft| draft.events >= happening).map(|draft| draft.plies),
        token,
        expired: !(token.fresh && running) && is_old(ctx, token)?,
        writer: seat.of(&names).clone(),
        opponent: seat.other().of(&names).clone(),
        with_robot: seat.other().of(&row.players).is_robot(),
    })
}

/// True if the opponent has proposed something.
fn is_asked(row: &BoardRow, seat: Seat) -> bool {
    row.proposal.is_some_and(|(_, by)| by != seat)
}

/// Refuses a word that answers nothing on this board, and names a board that waits for an answer.
fn nothing_asked(ctx: &Context<'_>, word: &str, player: PlayerId) -> Result<Refusal, CommandError> {
    for (board, events, plies) in ctx.store.drafts_of(player)? {
        if events >= ctx.store.last_events(board)?[1] {
            return Ok(refusal!(
                "Nothing on this board waits for a `{word}`. On board {board} {plies} waits for one: reply to the mail \
                that shows it."
            ));
        }
    }
    for row in running_boards(ctx, player)? {
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

fn running_boards(ctx: &Context<'_>, player: PlayerId) -> Result<Vec<BoardRow>, CommandError> {
    let (player, which) = (Some(player), Which::Active);
    Ok(ctx.store.boards(&BoardFilter { player, which, limit: BOARDS, ..BoardFilter::default() })?)
}

/// Turns a reply to a message into a command.
fn to_a_message(ctx: &mut Context<'_>, message: MessageRow, text: &str) -> Result<Command, CommandError> {
    if ctx.now.as_second() - message.sent_at.as_second() > MESSAGE_SECONDS {
        return Err(nothing_proves().into());
    }
    ctx.answer_to(message.reader);
    let reader = ctx.store.player_by_id(message.reader)?;
    let writer = ctx.store.player_by_id(message.writer)?;
    let mut shared = Vec::new();
    for row in running_boards(ctx, reader.id)?.iter().filter(|row| row.players.contains(&writer.id)) {
        let Some(board) = Board::load(ctx.store, row.id)? else { continue };
        let moves = board.row.to_move.is_some() && board.row.to_move == board.seat_of(reader.id);
        let at = OnBoard { game: board.kind, board: row.id };
        shared.push(SharedBoard { at, to_move: moves.then_some(board.table) });
    }
    Ok(message::meaning(text, &reader.userid, &writer.userid, &shared)?)
}

/// Identifies the player of a request, and carries out its command.
pub(super) fn perform(
    ctx: &mut Context<'_>,
    request: Request,
    entry: Option<&Entry>,
) -> Result<Event, CommandError> {
    let (needs, starts) = entry.map_or((Seen::Nothing, false), |entry| (entry.needs, entry.starts));
    let shown = Shown { board: request.command.board(), needs, starts };
    let by = ctx.identify(&request.by, shown)?;
    carry_out(ctx, &by, request.command)
}

/// Carries out a command of a token's holder.
pub(super) fn perform_for(
    ctx: &mut Context<'_>,
    player: PlayerId,
    command: Command,
) -> Result<Event, CommandError> {
    perform(ctx, Request { by: Claim::Holder(player), command }, None)
}

/// Seconds for which a reply to a mail with an outdated position still reaches the opponent.
const SPENT_SECONDS: i64 = 30 * 24 * 60 * 60;

/// True if the last event that the mail showed is gone or older than `SPENT_SECONDS`.
fn is_old(ctx: &Context<'_>, seat: TokenSeat) -> Result<bool, CommandError> {
    let events = ctx.store.events(seat.board)?;
    let shown = events.iter().find(|event| event.number == seat.event);
    Ok(shown.is_none_or(|event| ctx.now.as_second() - event.at.as_second() > SPENT_SECONDS))
}
