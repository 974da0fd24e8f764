//! Plays a turn in reply to a mail about contests.
//!
//! The mail's token is valid for each board of its reader in these contests, and only for moves. It moves at once only from
//! the beginning of a board. After any move there the server asks for a `yes`, as in reply to a chat.

use crate::board::Board;
use crate::commands::contest_reply::{CONTESTS, numbered};
use crate::commands::wishes::PlainWish;
use crate::commands::{Command, LANGUAGE, contest_reply};
use crate::credentials::Token;
use crate::credentials::token::{self, MailKind, TokenSeat};
use crate::failure::{CommandError, refuse};
use crate::language::wish::{WishPlace, wish_meant};
use crate::letter::reply::{about_a_board, perform_for, reply_board};
use crate::meaning::lines::quoted;
use crate::meaning::{Meaning, ReplyBoard, meaning};
use crate::notices::Event;
use crate::play::Context;
use crate::store::{BoardState, ContestId, PlayerId};

/// A board of the reader, and what the reply says of it.
struct BoardTurn {
    board: ReplyBoard,
    text: String,
}

/// Carries out one turn of a reply to a mail about contests, or the word in it.
pub(super) fn reply(
    ctx: &mut Context<'_>,
    player: PlayerId,
    contest: ContestId,
    text: &str,
) -> Result<Event, CommandError> {
    ctx.answer_to(player);
    match read(ctx, player, contest, text)? {
        Some(turn) => play(ctx, turn),
        None => {
            let command =
                match wish_meant(text, &[], WishPlace::ToServer).filter(|_| !contest_reply::is_meant(text)) {
                    Some(wish) => Command::PlainWish(PlainWish { wish, at: None, text: text.to_owned() }),
                    None => contest_reply::command(ctx, player, contest, text)?,
                };
            perform_for(ctx, player, command)
        }
    }
}

/// The turn that a reply means; `None` if it is none.
fn read(
    ctx: &Context<'_>,
    player: PlayerId,
    contest: ContestId,
    text: &str,
) -> Result<Option<BoardTurn>, CommandError> {
    let mut boards = boards(ctx, player, contest)?;
    let (first, below) = text.split_once('\n').unwrap_or((text, ""));
    if let Some((number, turn)) = numbered(first) {
        let at = boards.iter().position(|board| board.token.board == number);
        // A move between numbered spaces can look like the number of a board.
        if at.is_none() && boards.iter().filter(|board| board.moves && can_take(board, text)).count() == 1 {
            boards.retain(|board| board.moves && can_take(board, text));
            return Ok(boards.pop().map(|board| BoardTurn { board, text: text.to_owned() }));
        }
        let Some(at) = at else {
            let yours = listed(" These are yours:", &boards);
            return refuse!("Board {number} is no game of yours that this mail is about.{yours}");
        };
        return Ok(Some(BoardTurn { board: boards.swap_remove(at), text: format!("{turn}\n{below}") }));
    }
    boards.retain(|board| board.moves);
    let takes: Vec<bool> = boards.iter().map(|board| can_take(board, text)).collect();
    let at = match (takes.iter().filter(|takes| **takes).count(), boards.len()) {
        (0, _) if !contest_reply::is_a_move(text) => return Ok(None),
        (0, 0) => return refuse!("Nothing was played: no game that this mail is about waits for your move."),
        (0, 1) => 0,
        (1, _) => takes.iter().position(|takes| *takes).unwrap_or_default(),
        _ => {
            let waiting = listed(" These wait for you:", &boards);
            return refuse!(
                "On which board? Nothing was played: write the number of the board in front of your move.{waiting}"
            );
        }
    };
    Ok(Some(BoardTurn { board: boards.swap_remove(at), text: text.to_owned() }))
}

/// Plays the turn as a reply to the mail of its board does.
fn play(ctx: &mut Context<'_>, BoardTurn { board, text }: BoardTurn) -> Result<Event, CommandError> {
    let seat = board.token;
    ctx.token = Some(Token::Board(seat));
    match meaning(&text, &board)? {
        Meaning::Play { .. } | Meaning::Outdated | Meaning::Do { command: Command::Roll(_), .. } => {}
        Meaning::Ask(asked) if LANGUAGE.for_move(&asked.plies).is_none() => {}
        _ => {
            return refuse!(
                "`{line}` is no move on board {board} ({example}), so nothing was done there. A reply to this mail only \
                 moves; for anything else, reply to a mail of the board.",
                line = quoted(text.lines().next().unwrap_or_default()),
                board = seat.board,
                example = board.game.notation
            );
        }
    }
    let event = about_a_board(ctx, seat, &text)?;
    if let Some(words) = ctx.words.take() {
        ctx.words_on.insert(seat.board, words);
    }
    Ok(event)
}

/// True if the text is, or names, one move that the writer can play on the board now.
fn can_take(board: &ReplyBoard, text: &str) -> bool {
    let plies = match meaning(text, board) {
        Ok(Meaning::Play { turn, .. }) => turn.plies,
        Ok(Meaning::Ask(asked)) => asked.plies,
        Ok(Meaning::Do { command: Command::Roll(_), .. }) => return board.moves,
        _ => return false,
    };
    board.reads(&plies).is_some()
}

/// The boards in play of a player for which a mail about the contest speaks.
fn boards(ctx: &Context<'_>, player: PlayerId, contest: ContestId) -> Result<Vec<ReplyBoard>, CommandError> {
    let contests = match contest {
        ContestId::SEVERAL => {
            ctx.store.contests_of(player, CONTESTS)?.into_iter().map(|row| row.id).collect()
        }
        contest => vec![contest],
    };
    let mut boards = Vec::new();
    for contest in contests {
        for row in ctx.store.contest_boards_of(contest, player)? {
            let Some(board) = Board::load(ctx.store, row.board)? else { continue };
            let Some(seat) = board.seat_of(player).filter(|_| row.state == BoardState::Running) else {
                continue;
            };
            // Any mail about contests speaks for the beginning of a board. It may not have shown what came later.
            let token = token::seat_at(ctx.store, row.board, player, 1, MailKind::Board)?;
            let mail = if token.fresh { MailKind::Board } else { MailKind::Chat };
            boards.push(reply_board(ctx, board, seat, TokenSeat { mail, ..token })?);
        }
    }
    Ok(boards)
}

/// The numbers of these boards, each with its opponent in a line of its own.
fn listed(intro: &str, boards: &[ReplyBoard]) -> String {
    let line = |board: &ReplyBoard| format!("\n    {} against {}", board.token.board, board.opponent);
    match boards {
        [] => String::new(),
        boards => format!("{intro}\n{}", boards.iter().map(line).collect::<String>()),
    }
}
