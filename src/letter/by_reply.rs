//! What a reply to a mail about a board means: a word, a move in any dress, or words for the opponent.
//!
//! A move is never guessed. A line that is a move and nothing else plays; a move inside prose is shown and asked back; a
//! text that names a space or begins like a command is passed on to no player.

use crate::board::{Board, names};
use crate::commands::play::Move;
use crate::commands::preview::Preview;
use crate::commands::submit::Submit;
use crate::commands::talk::{Audience, Talk};
use crate::commands::{Command, LANGUAGE};
use crate::credentials::token::{MailKind, TokenSeat};
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::ids::Seat;
use crate::language::dress::plain_signs;
use crate::language::phrasebook::{act_meant, wish_meant};
use crate::language::plan::Plan;
use crate::language::{InReply, OnBoard, Seen, read_behind};
use crate::letter::doubt;
use crate::letter::reply_lines::{ReplyLines, bare, first_word, quoted, reads_as, to_move};
use crate::letter::reply_moves::{self, ReplyMoves, ReplyPlies, move_and_conditions};
use crate::letter::wishes::granted;
use crate::letter::yes_no::{WordOfReply, behind_yes, draft, yes, yes_or_no};
use crate::play::Context;
use crate::store::BoardState;

/// The command that a reply means; `None` if it would act on a position that is gone. Words in addition to a move go to the
/// opponent: they are left in `ctx.words`.
pub(crate) fn command(
    ctx: &mut Context<'_>,
    at: OnBoard,
    board: &Board,
    seat: Seat,
    token: TokenSeat,
    text: &str,
) -> Result<Option<Command>, CommandError> {
    let draft = draft(ctx, board, seat)?;
    let without_yes = draft.as_ref().and_then(|_| behind_yes(&ReplyLines::about(board.kind, text)));
    let text = without_yes.as_deref().unwrap_or(text);
    let lines = ReplyLines::about(board.kind, text);
    let running = board.row.state == BoardState::Running;
    let mail = token.mail;
    if let Some(WordOfReply { command, needs }) = word(ctx, &at, board, seat, token, &lines)? {
        // On a board that is over the command says so.
        let seen = match running {
            true => token.has_seen(needs),
            false => needs != Seen::Proposals || token.up_to_date,
        };
        return Ok(seen.then_some(command));
    }
    let found = reply_moves::read_lines(&lines, to_move(board, seat), Some(board.row.id));
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
        ReplyMoves::Plies(found) if running && (mail != MailKind::Board || found.doubt.is_some()) => {
            let shown = draft.filter(|_| mail == MailKind::Question && found.doubt.is_none());
            let shown = shown.and_then(|shown| reads_as(board, seat, &shown));
            return Ok(Some(match shown.is_some() && shown == reads_as(board, seat, &found.plies) {
                true => Command::Confirm(at),
                false => asked_back(at, found)?,
            }));
        }
        ReplyMoves::Plies(ReplyPlies { plies, conditions, words, .. }) => {
            ctx.words = Some(words);
            return Ok(Some(Command::Move(Move { at, plies, conditions })));
        }
    }
    // A reply to a chat mail never plays without a `yes`, so the current position is used.
    let asks = token.fresh || mail == MailKind::Chat;
    let command = prose(ctx, at, board, seat, asks && running, &lines, text)?;
    match command {
        Some(Command::Talk(_)) if mail == MailKind::Question && draft.is_some() => {
            refuse!(
                "Your reply went to nobody: the mail asks whether to play a move. Reply `yes` to play it, `no` to drop \
                it, or with another move; `chat` and your words go to your opponent."
            )
        }
        Some(Command::Talk(talk)) => {
            // A reply that continues with prose does not confirm the move.
            ctx.store.end_draft(board.row.id, *seat.of(&board.row.players))?;
            Ok(Some(Command::Talk(talk)))
        }
        command => Ok(command),
    }
}

/// A move in answer to words is shown, and played by a `yes`: its writer has seen no board. So is one that something in
/// the reply speaks against. In answer to a question it takes the place of the move that was asked about.
fn asked_back(at: OnBoard, found: ReplyPlies) -> Result<Command, CommandError> {
    let ReplyPlies { plies, conditions, doubt, .. } = found;
    let says = doubt.map(|line| format!("Your reply says `{}` as well", quoted(&line)));
    match (conditions.as_str(), says) {
        ("", says) => {
            let because = says.map(|says| format!("{says}, so nothing was played.")).unwrap_or_default();
            Ok(Command::Submit(Submit { at, plies, because }))
        }
        (_, Some(says)) => refuse!(
            "{says}, so nothing was played. If you mean the move, reply with it alone:\n\n    {plies}; {conditions}"
        ),
        (_, None) => refuse!(
            "Conditions go with a move in reply to a mail that shows the board as it is. Nothing was played."
        ),
    }
}

/// A text without a line that is a move.
fn prose(
    ctx: &mut Context<'_>,
    at: OnBoard,
    board: &Board,
    seat: Seat,
    asks: bool,
    lines: &ReplyLines<'_>,
    text: &str,
) -> Result<Option<Command>, CommandError> {
    let finder = lines.finder;
    let mut named = finder.named(text);
    if named.is_empty() {
        named = finder.named(&finder.with_spelt_spaces(text));
    }
    let opponent = *seat.other().of(&board.row.players);
    let userid = ctx.store.player_by_id(opponent)?.userid.to_string();
    if asks {
        // Shown, and played by a `yes`. Several may be one turn, such as the last placement and the first move.
        let turn = named.join(" ");
        if reads_as(board, seat, &turn).is_some() {
            return Ok(Some(Command::Submit(Submit { at, plies: turn, because: String::new() })));
        }
        let legal: Vec<&String> = named.iter().filter(|text| reads_as(board, seat, text).is_some()).collect();
        match legal.as_slice() {
            [] => {}
            [one] => {
                let plies = (*one).clone();
                return Ok(Some(Command::Submit(Submit { at, plies, because: String::new() })));
            }
            several => {
                let moves = several.iter().map(|text| text.as_str()).collect::<Vec<_>>().join(", ");
                return refuse!(
                    "Your reply names {moves}, which can all be played. Nothing was played: reply with your move alone."
                );
            }
        }
    }
    if let Some(wish) = wish_meant(text) {
        let own = ctx.store.player_by_id(*seat.of(&board.row.players))?.userid;
        return granted(at, board, seat, &own, wish).map(Some);
    }
    let act =
        act_meant(text).map(|word| format!("This did not {word}: to do that, reply with `{word}` alone."));
    if opponent.is_robot() {
        let line = quoted(lines.first());
        let act = act.map(|act| format!("{act} ")).unwrap_or_default();
        return refuse!(
            "{act}The robot reads no words, and there is no move of yours in this reply, which begins `{line}`. Write \
            your move alone in the first line ({example}).",
            example = example(board)
        );
    }
    if let Some(line) = lines.meant_for_us() {
        return Err(is_nobodys(board, seat, lines, line, userid).into());
    }
    ctx.remark = act;
    Ok(Some(Command::Talk(Talk { to: Audience::Opponent(at), text: text.to_owned() })))
}

/// A move that can be played now, and what it does; how moves are written once the game is over.
fn example(board: &Board) -> String {
    board.table.example().unwrap_or_else(|| board.kind.notation.to_owned())
}

/// Why a text with a `line` meant for the server is not passed on, and what would work in its place.
fn is_nobodys(board: &Board, seat: Seat, lines: &ReplyLines<'_>, line: &str, opponent: String) -> Refusal {
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
    let why = lines.why_ours(line);
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

/// The command of a word in the first line of a reply, alone or with its arguments.
fn word(
    ctx: &mut Context<'_>,
    at: &OnBoard,
    board: &Board,
    seat: Seat,
    token: TokenSeat,
    lines: &ReplyLines<'_>,
) -> Result<Option<WordOfReply>, CommandError> {
    let (first, rest) = first_word(lines.first());
    let is_alone = bare(rest).is_empty();
    let Some(entry) = LANGUAGE.of_reply(&first) else {
        return yes_or_no(ctx, at, board, seat, token, lines);
    };
    let command = match entry.in_reply {
        InReply::BeginsWords(command) => command(*at, lines.behind_first_word()),
        InReply::Begins(_) if lines.rest().is_empty() => return Ok(None),
        InReply::Begins(read) | InReply::MayBegin(read) => {
            let command = read_behind(*at, &lines.rest(), read).map_err(|why| {
                refusal!(
                    "`{line}` cannot be read: {why}. `help {first}` explains it.",
                    line = quoted(lines.first())
                )
            })?;
            or_asked(command, at, board, seat)
        }
        _ if !is_alone => return Ok(None),
        InReply::AsYes => return yes(ctx, at, board, seat, lines),
        InReply::Alone(command) => command(*at),
        InReply::ForMove(command) | InReply::Decides(command) => {
            if let Some((_, plies)) = lines.moves(|line| move_and_conditions(lines.finder, line).0).first() {
                return refuse!(
                    "Your reply says `{first}` and {plies}. Nothing was done: reply with the one you mean."
                );
            }
            let names = names(ctx.store, &board.row.players)?;
            let decides = matches!(entry.in_reply, InReply::Decides(_));
            // A `no` does not contradict `reject`.
            let agrees = |line: &&str| !matches!(command(*at), Command::Reject(_)) || *line == lines.first();
            match doubt::of_word(lines, decides, &names.each_ref().map(String::as_str)).filter(agrees) {
                Some(line) => ask_word(at, board, entry.word, line)?,
                None => {
                    ctx.words = Some(lines.below());
                    command(*at)
                }
            }
        }
        InReply::Nothing => return Ok(None),
    };
    Ok(Some(WordOfReply { command, needs: entry.needs }))
}

/// A preview of a whole turn that its reader may play now waits for their `yes`.
fn or_asked(command: Command, at: &OnBoard, board: &Board, seat: Seat) -> Command {
    match command {
        Command::Preview(Preview { plies, .. }) if reads_as(board, seat, &plies).is_some() => {
            let because = "A preview: nothing was played.".to_owned();
            Command::Submit(Submit { at: *at, plies, because })
        }
        command => command,
    }
}

/// Asks whether a word is meant that a line of its reply speaks against.
fn ask_word(at: &OnBoard, board: &Board, word: &str, line: &str) -> Result<Command, CommandError> {
    let because = format!("Your reply says `{}`, so nothing was done.", quoted(line));
    match board.row.state {
        BoardState::Running => Ok(Command::Submit(Submit { at: *at, plies: word.to_owned(), because })),
        _ => refuse!("{because} If you mean `{word}`, let it stand alone in the first line:\n\n    {word}"),
    }
}
