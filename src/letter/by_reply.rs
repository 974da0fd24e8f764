//! What a reply to a mail about a board means: a word, a move in any dress, or words for the opponent.
//!
//! A move is never guessed. A line that is a move and nothing else plays; a move inside prose is shown and asked back; a
//! text that names a space or begins like a command goes to nobody.

use crate::board::Board;
use crate::commands::play::Move;
use crate::commands::submit::Submit;
use crate::commands::talk::{Audience, Talk};
use crate::commands::{Command, LANGUAGE};
use crate::credentials::token::{MailKind, TokenSeat};
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::ids::Seat;
use crate::language::dress::{named, plain_signs};
use crate::language::plan::Plan;
use crate::language::{InReply, OnBoard, Seen, read_behind};
use crate::letter::reply_lines::{ReplyLines, bare, first_word, quoted, reads_as, to_move, why_ours};
use crate::letter::reply_moves::{self, ReplyMoves, ReplyPlies, move_and_conditions};
use crate::play::Context;
use crate::store::BoardState;

fn nothing_asked(word: &'static str) -> Refusal {
    refusal!(
        "Nothing on this board waits for a `{word}`. After a preview, reply with the move itself to play it: a preview \
        plays nothing."
    )
}

/// The command of a word, and what its writer must have seen.
struct WordOfReply {
    command: Command,
    needs: Seen,
}

/// The command that a reply means; `None` where it would act on a position that is gone. Words beside a move go to the
/// opponent: they are left in `ctx.words`.
pub(crate) fn command(
    ctx: &mut Context<'_>,
    at: OnBoard,
    (board, seat): (&Board, Seat),
    token: TokenSeat,
    text: &str,
) -> Result<Option<Command>, CommandError> {
    let lines = ReplyLines::new(text);
    let running = board.row.state == BoardState::Running;
    let mail = token.mail;
    if let Some(WordOfReply { command, needs }) = word(ctx, &at, (board, seat), mail, &lines)? {
        // On a board that is over the command says so.
        let seen = match running {
            true => token.has_seen(needs),
            false => needs != Seen::Proposals || token.up_to_date,
        };
        return Ok(seen.then_some(command));
    }
    let found = reply_moves::read(to_move(board, seat), text);
    if found != ReplyMoves::None && !token.fresh && running && mail == MailKind::Board {
        return Ok(None);
    }
    match found {
        ReplyMoves::None => {}
        ReplyMoves::TooMany { moves } => {
            return refuse!(
                "Your reply holds {moves}, which is more than one turn. Nothing was played: reply with your move alone."
            );
        }
        ReplyMoves::TwoReadings { moves } => {
            return refuse!("Your line can mean {moves}. Nothing was played: reply with the one you mean.");
        }
        ReplyMoves::Plies(ReplyPlies { plies, conditions, .. }) if mail != MailKind::Board && running => {
            return asked_back(at, plies, &conditions).map(Some);
        }
        ReplyMoves::Plies(ReplyPlies { plies, conditions, words }) => {
            ctx.words = Some(words);
            return Ok(Some(Command::Move(Move { at, plies, conditions })));
        }
    }
    // What answers a chat plays nothing before a `yes`, so it may be about the board as it is now.
    let asks = token.fresh || mail == MailKind::Chat;
    let command = prose(ctx, at, (board, seat), asks && running, text)?;
    match command {
        Some(Command::Talk(_)) if mail == MailKind::Question && draft(ctx, board, seat)?.is_some() => {
            refuse!(
                "Your reply went to nobody: the mail asks whether to play a move. Reply `yes` to play it, `no` to drop \
                it, or with another move; `chat` and your words go to your opponent."
            )
        }
        Some(Command::Talk(talk)) => {
            // A player who talks on has not said yes to the move that was shown.
            ctx.store.end_draft(board.row.id, *seat.of(&board.row.players))?;
            Ok(Some(Command::Talk(talk)))
        }
        command => Ok(command),
    }
}

/// A move in answer to words is shown, and played by a `yes`: its writer has seen no board. In answer to a question it
/// takes the place of the move that was asked about.
fn asked_back(at: OnBoard, plies: String, conditions: &str) -> Result<Command, CommandError> {
    match conditions {
        "" => Ok(Command::Submit(Submit { at, plies })),
        _ => refuse!(
            "Conditions go with a move in reply to a mail that shows the board as it is. Nothing was played."
        ),
    }
}

/// A text without a line that is a move.
fn prose(
    ctx: &mut Context<'_>,
    at: OnBoard,
    (board, seat): (&Board, Seat),
    asks: bool,
    text: &str,
) -> Result<Option<Command>, CommandError> {
    let named = named(text);
    let opponent = *seat.other().of(&board.row.players);
    let userid = ctx.store.player_by_id(opponent)?.userid.to_string();
    if asks {
        // Shown, and played by a `yes`. Several may be one turn, such as the last placement and the first move.
        let turn = named.join(" ");
        if reads_as(board, seat, &turn).is_some() {
            return Ok(Some(Command::Submit(Submit { at, plies: turn })));
        }
        let legal: Vec<&String> = named.iter().filter(|text| reads_as(board, seat, text).is_some()).collect();
        match legal.as_slice() {
            [] => {}
            [one] => return Ok(Some(Command::Submit(Submit { at, plies: (*one).clone() }))),
            several => {
                let moves = several.iter().map(|text| text.as_str()).collect::<Vec<_>>().join(", ");
                return refuse!(
                    "Your reply names {moves}, which can all be played. Nothing was played: reply with your move alone."
                );
            }
        }
    }
    if opponent.is_robot() {
        let line = quoted(ReplyLines::new(text).first());
        return refuse!(
            "There is no move of yours in this reply, which begins `{line}`. Write your move alone in the first line \
            ({example}).",
            example = example(board)
        );
    }
    if let Some(line) = ReplyLines::new(text).meant_for_us() {
        return Err(is_nobodys((board, seat), &ReplyLines::new(text), line, userid).into());
    }
    let player = *seat.of(&board.row.players);
    let key = format!("{} {} {}", board.row.id, board.row.plies, player.0);
    if ctx.spend(ctx.limits.replies_passed_on(), &key)?.is_some() {
        let most = ctx.limits.replies_passed_on_a_day;
        return refuse!(
            "{userid} has had {most} replies of yours about this position today, so this one went to nobody. You can \
            talk on after the next move; `message` reaches {userid} at any time."
        );
    }
    Ok(Some(Command::Talk(Talk { to: Audience::Opponent(at), text: text.to_owned() })))
}

/// A move that can be played now, and what it does; how moves are written once the game is over.
fn example(board: &Board) -> String {
    board.table.example().unwrap_or_else(|| board.kind.notation.to_owned())
}

/// Why a text goes to nobody that has a `line` meant for us, and what would work in its place.
fn is_nobodys(
    (board, seat): (&Board, Seat),
    lines: &ReplyLines<'_>,
    line: &str,
    opponent: String,
) -> Refusal {
    let (word, rest) = first_word(lines.first());
    let is_running = board.row.state == BoardState::Running;
    let moves = to_move(board, seat).is_some();
    if word == "if" && is_running {
        let conditions = plain_signs(lines.first());
        if Plan::parse(&conditions).is_ok() {
            let (what, before) = match moves {
                true => ("Put your move before them", "MOVE;"),
                false => ("To keep them for your turn, reply with this line", "queue"),
            };
            return refusal!(
                "Your reply holds conditions and no move, so it did nothing. {what}:\n\n    {before} {conditions}"
            );
        }
    }
    let stands_alone = LANGUAGE.of_reply(&word).is_some_and(|entry| entry.in_reply.stands_alone());
    if stands_alone && !bare(rest).is_empty() {
        return refusal!(
            "Nothing was done, and your reply went to nobody: it begins with the word `{word}` and goes on. If you \
            mean the word, let it stand alone in the first line:\n\n    {word}\n\nTo write to {opponent}, begin with \
            the word `chat`."
        );
    }
    let why = why_ours(line);
    match is_running {
        true if moves => refusal!(
            "There is no move of yours in this reply, and it went to nobody: {why}. To move, write your move alone in \
            the first line ({example}); to write to {opponent}, begin with the word `chat`.",
            example = example(board)
        ),
        true => refusal!(
            "Your reply went to nobody: {why}, and it is {opponent}'s turn. To write to {opponent}, begin with the \
            word `chat`; to keep a move for your turn, with the word `queue`."
        ),
        false => refusal!(
            "Your reply went to nobody: {why}, and board {board} is over. To write to {opponent}, begin with the word \
            `chat`.",
            board = board.row.id
        ),
    }
}

/// The command of a word that stands in the first line of a reply, alone or with what belongs to it.
fn word(
    ctx: &mut Context<'_>,
    at: &OnBoard,
    (board, seat): (&Board, Seat),
    mail: MailKind,
    lines: &ReplyLines<'_>,
) -> Result<Option<WordOfReply>, CommandError> {
    let (first, rest) = first_word(lines.first());
    let is_alone = bare(rest).is_empty();
    let Some(entry) = LANGUAGE.of_reply(&first) else {
        return match first.as_str() {
            // It answers what the opponent said.
            _ if !is_alone || mail == MailKind::Chat => Ok(None),
            "yes" => yes(ctx, at, board, seat).map(Some),
            "no" => no(at, board, seat).map(Some),
            _ => Ok(None),
        };
    };
    let command = match entry.in_reply {
        InReply::BeginsWords(command) => command(at.clone(), lines.behind_first_word()),
        InReply::Begins(read) | InReply::MayBegin(read)
            if !rest.is_empty() || matches!(entry.in_reply, InReply::MayBegin(_)) =>
        {
            read_behind(at.clone(), rest, read).map_err(|why| {
                refusal!(
                    "`{line}` cannot be read: {why}. `help {first}` explains it.",
                    line = quoted(lines.first())
                )
            })?
        }
        _ if !is_alone => return Ok(None),
        InReply::AsYes => return yes(ctx, at, board, seat).map(Some),
        InReply::Alone(command) => command(at.clone()),
        InReply::ForMove(command) => {
            if let Some((_, plies)) = lines.moves(|line| move_and_conditions(line).0).first() {
                return refuse!(
                    "Your reply says `{first}` and {plies}. Nothing was done: reply with the one you mean."
                );
            }
            ctx.words = Some(lines.below());
            command(at.clone())
        }
        InReply::Nothing | InReply::Begins(_) | InReply::MayBegin(_) => return Ok(None),
    };
    Ok(Some(WordOfReply { command, needs: entry.needs }))
}

/// The move that a reply of `no` drops, because it waits to be confirmed.
pub(crate) fn dropped(
    ctx: &Context<'_>,
    (board, seat): (&Board, Seat),
    mail: MailKind,
    text: &str,
) -> Result<Option<String>, CommandError> {
    let (first, rest) = first_word(ReplyLines::new(text).first());
    // In answer to a chat it goes to the opponent.
    if first != "no" || !bare(rest).is_empty() || mail == MailKind::Chat {
        return Ok(None);
    }
    draft(ctx, board, seat)
}

/// The player's move that waits to be confirmed.
fn draft(ctx: &Context<'_>, board: &Board, seat: Seat) -> Result<Option<String>, CommandError> {
    let draft = ctx.store.draft(board.row.id, *seat.of(&board.row.players))?;
    let [_, happening] = ctx.store.last_events(board.row.id)?;
    Ok(draft.filter(|(events, _)| *events >= happening).map(|(_, plies)| plies))
}

/// `yes` plays the move that was shown, or accepts what the opponent proposed.
fn yes(ctx: &Context<'_>, at: &OnBoard, board: &Board, seat: Seat) -> Result<WordOfReply, CommandError> {
    if draft(ctx, board, seat)?.is_some() {
        return Ok(WordOfReply { command: Command::Confirm(at.clone()), needs: Seen::Position });
    }
    match is_asked(board, seat) {
        true => Ok(WordOfReply { command: Command::Accept(at.clone()), needs: Seen::Proposals }),
        false => Err(nothing_asked("yes").into()),
    }
}

/// `no` rejects what the opponent proposed.
fn no(at: &OnBoard, board: &Board, seat: Seat) -> Result<WordOfReply, CommandError> {
    match is_asked(board, seat) {
        true => Ok(WordOfReply { command: Command::Reject(at.clone()), needs: Seen::Proposals }),
        false => Err(nothing_asked("no").into()),
    }
}

/// True where the opponent has proposed something.
fn is_asked(board: &Board, seat: Seat) -> bool {
    board.row.proposal.is_some_and(|(_, by)| by != seat)
}
