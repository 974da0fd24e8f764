//! What a reply to a mail about a board means: a word, a move in any dress, or words for the opponent.
//!
//! A move is never guessed. A line that is a move and nothing else plays; a move inside prose is shown and asked back; a
//! text that names a space or begins like a command goes to nobody.

use crate::board::Board;
use crate::credentials::token::MailKind;
use crate::failure::{CommandError, Refuse, refuses};
use crate::ids::{BoardId, Seat};
use crate::language::dress::{named, plain_signs};
use crate::language::play::Move;
use crate::language::submit::Submit;
use crate::language::talk::{Audience, Talk};
use crate::language::{self, Command, OnBoard, Reading};
use crate::letter::reply_lines::{ReplyLines, bare, first_word, quoted, reads_as, to_move, why_ours};
use crate::letter::reply_moves::{self, ReplyMoves, ReplyPlies, move_and_conditions};
use crate::play::Context;
use crate::store::State;

#[derive(Debug, thiserror::Error)]
enum ReplyRefusal {
    #[error(
        "Your reply holds {moves}, which is more than one turn. Nothing was played: reply with your move alone."
    )]
    SeveralMoves { moves: String },
    #[error("Your line can mean {moves}. Nothing was played: reply with the one you mean.")]
    TwoReadings { moves: String },
    #[error(
        "Your reply names {moves}, which can all be played. Nothing was played: reply with your move alone."
    )]
    NamesSeveral { moves: String },
    #[error(
        "There is no move of yours in this reply, and it went to nobody: {why}. To move, write your move alone in the first \
        line ({notation}); to write to {opponent}, begin with the word `chat`."
    )]
    NeitherMoveNorChat { why: String, notation: &'static str, opponent: String },
    #[error(
        "Your reply went to nobody: {why}, and it is {opponent}'s turn. To write to {opponent}, begin with the word `chat`; \
        to keep a move for your turn, with the word `queue`."
    )]
    OpponentsTurn { why: String, opponent: String },
    #[error(
        "Your reply went to nobody: {why}, and board {board} is over. To write to {opponent}, begin with the word `chat`."
    )]
    BoardIsOver { why: String, board: BoardId, opponent: String },
    #[error(
        "Nothing was done, and your reply went to nobody: it begins with the word `{word}` and goes on. If you mean the \
        word, let it stand alone in the first line:\n\n    {word}\n\nTo write to {opponent}, begin with the word `chat`."
    )]
    WordNotAlone { word: String, opponent: String },
    #[error(
        "Your reply holds conditions and no move, so it did nothing. {}:\n\n    {line}",
        if *waits { "To keep them for your turn, reply with this line" } else { "Put your move before them" }
    )]
    ConditionsAlone { waits: bool, line: String },
    #[error(
        "There is no move of yours in this reply, which begins `{line}`. Write your move alone in the first line \
        ({notation})."
    )]
    NoMove { line: String, notation: &'static str },
    #[error(
        "{opponent} has had {most} replies of yours about this position today, so this one went to nobody. You can talk on \
        after the next move; `message` reaches {opponent} at any time."
    )]
    TooMuchChat { opponent: String, most: u32 },
    #[error("Your reply says `{word}` and {plies}. Nothing was done: reply with the one you mean.")]
    WordAndMove { word: String, plies: String },
    #[error(
        "Nothing on this board waits for a `{word}`. After a preview, reply with the move itself to play it: a preview \
        plays nothing."
    )]
    NothingAsked { word: &'static str },
    #[error(
        "Your reply went to nobody: the mail asks whether to play a move. Reply `yes` to play it, `no` to drop it, or \
        with another move; `chat` and your words go to your opponent."
    )]
    AnswersNothing,
    #[error(
        "Conditions go with a move in reply to a mail that shows the board as it is. Nothing was played."
    )]
    ConditionsInChat,
    #[error("`{line}` cannot be read: {why}. `help {word}` explains it.")]
    Malformed { line: String, why: String, word: String },
}

impl Refuse for ReplyRefusal {}

refuses!(ReplyRefusal);

/// Whether the position that a reply answers still stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    Now,
    /// Somebody has played since: nothing of the reply plays.
    Before,
}

/// The command that a reply means; `None` where it would act on a position that is gone. Words beside a move go to the
/// opponent: they are left in `ctx.words`.
pub(crate) fn command(
    ctx: &mut Context<'_>,
    at: OnBoard,
    (board, seat): (&Board, Seat),
    (seen, mail): (Seen, MailKind),
    text: &str,
) -> Result<Option<Command>, CommandError> {
    let lines = ReplyLines::new(text);
    let running = board.row.state == State::Running;
    if let Some(command) = word(ctx, &at, (board, seat), mail, &lines)? {
        let acts = !matches!(
            command,
            Command::Talk(_)
                | Command::Rematch(_)
                | Command::Record(_)
                | Command::Analyse(_)
                | Command::ShowAs(_)
        );
        // On a board that is over the command says so.
        return Ok((seen == Seen::Now || !acts || !running).then_some(command));
    }
    let found = reply_moves::read(to_move(board, seat), text);
    if found != ReplyMoves::None && seen == Seen::Before && running && mail == MailKind::Board {
        return Ok(None);
    }
    match found {
        ReplyMoves::None => {}
        ReplyMoves::TooMany { moves } => return Err(ReplyRefusal::SeveralMoves { moves }.into()),
        ReplyMoves::TwoReadings { moves } => return Err(ReplyRefusal::TwoReadings { moves }.into()),
        ReplyMoves::Plies(ReplyPlies { plies, conditions, .. }) if mail != MailKind::Board && running => {
            return asked_back(at, plies, &conditions).map(Some);
        }
        ReplyMoves::Plies(ReplyPlies { plies, conditions, words }) => {
            ctx.words = Some(words);
            return Ok(Some(Command::Move(Move { at, plies, conditions })));
        }
    }
    // What answers a chat plays nothing before a `yes`, so it may be about the board as it is now.
    let asks = seen == Seen::Now || mail == MailKind::Chat;
    let command = prose(ctx, at, (board, seat), asks && running, text)?;
    match command {
        Some(Command::Talk(_)) if mail == MailKind::Question && draft(ctx, board, seat)?.is_some() => {
            Err(ReplyRefusal::AnswersNothing.into())
        }
        Some(Command::Talk(talk)) => {
            // A player who talks on has not said yes to the move that was shown.
            ctx.store.set_draft(board.row.id, *seat.of(&board.row.players), None)?;
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
        _ => Err(ReplyRefusal::ConditionsInChat.into()),
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
    let notation = board.kind.notation;
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
                return Err(ReplyRefusal::NamesSeveral { moves }.into());
            }
        }
    }
    if opponent.is_robot() {
        let line = quoted(ReplyLines::new(text).first());
        return Err(ReplyRefusal::NoMove { line, notation }.into());
    }
    if let Some(line) = ReplyLines::new(text).meant_for_us() {
        return Err(is_nobodys(&at, (board, seat), &ReplyLines::new(text), line, userid).into());
    }
    let player = *seat.of(&board.row.players);
    let key = format!("{} {} {}", board.row.id, board.row.plies, player.0);
    if ctx.spend(ctx.limits.replies_passed_on(), &key)?.is_some() {
        let most = ctx.limits.replies_passed_on_a_day;
        return Err(ReplyRefusal::TooMuchChat { opponent: userid, most }.into());
    }
    Ok(Some(Command::Talk(Talk { to: Audience::Opponent(at), text: text.to_owned() })))
}

/// Why a text goes to nobody that has a `line` meant for us, and what would work in its place.
fn is_nobodys(
    at: &OnBoard,
    (board, seat): (&Board, Seat),
    lines: &ReplyLines<'_>,
    line: &str,
    opponent: String,
) -> ReplyRefusal {
    let (word, rest) = first_word(lines.first());
    let is_running = board.row.state == State::Running;
    let moves = to_move(board, seat).is_some();
    if word == "if" && is_running {
        let conditions = plain_signs(lines.first());
        let queue = format!("{} queue {} {} - {conditions}", at.game.key, at.board, at.login.userid);
        if matches!(language::read_line(&queue).reading, Reading::Command(_)) {
            let line = if moves { format!("MOVE; {conditions}") } else { format!("queue {conditions}") };
            return ReplyRefusal::ConditionsAlone { waits: !moves, line };
        }
    }
    if WORDS.contains(&word.as_str()) && !bare(rest).is_empty() {
        return ReplyRefusal::WordNotAlone { word, opponent };
    }
    let why = why_ours(line);
    match is_running {
        true if moves => ReplyRefusal::NeitherMoveNorChat { why, notation: board.kind.notation, opponent },
        true => ReplyRefusal::OpponentsTurn { why, opponent },
        false => ReplyRefusal::BoardIsOver { why, board: board.row.id, opponent },
    }
}

/// The words that mean something when they stand alone.
const WORDS: &[&str] = &[
    "resign", "propose", "undo", "accept", "reject", "swap", "decline", "show", "nudge", "rematch", "record",
    "analyse", "analyze", "confirm",
];

/// The command of a word that stands in the first line of a reply, alone or with what belongs to it.
fn word(
    ctx: &mut Context<'_>,
    at: &OnBoard,
    (board, seat): (&Board, Seat),
    mail: MailKind,
    lines: &ReplyLines<'_>,
) -> Result<Option<Command>, CommandError> {
    let (first, rest) = first_word(lines.first());
    let (game, number, userid) = (at.game.key, at.board, &at.login.userid);
    let whole = match (first.as_str(), rest) {
        ("chat", rest) => {
            let text = format!("{rest}\n{}", lines.below()).trim().to_owned();
            return Ok(Some(Command::Talk(Talk { to: Audience::Opponent(at.clone()), text })));
        }
        ("queue", rest) => format!("{game} queue {number} {userid} - {rest}"),
        ("preview", rest) if !rest.is_empty() => format!("{game} preview {number} {rest}"),
        ("submit", rest) if !rest.is_empty() => format!("{game} submit {number} {userid} - {rest}"),
        (_, rest) if !rest.is_empty() && !bare(rest).is_empty() => return Ok(None),
        // It answers what the opponent said.
        ("yes" | "no", _) if mail == MailKind::Chat => return Ok(None),
        ("yes" | "confirm", _) => return Ok(Some(yes(ctx, at, board, seat)?)),
        ("no", _) => return Ok(Some(no(at, board, seat)?)),
        ("help", _) => "help".to_owned(),
        ("show", _) => format!("{game} showas {userid} - {number}"),
        ("record", _) => format!("{game} record {number}"),
        ("analyse" | "analyze", _) => format!("{game} analyse {number}"),
        (word @ ("rematch" | "nudge"), _) => format!("{game} {word} {number} {userid} -"),
        (word @ ("resign" | "propose" | "undo" | "accept" | "reject" | "swap" | "decline"), _) => {
            if let Some((_, plies)) = lines.moves(|line| move_and_conditions(line).0).first() {
                return Err(ReplyRefusal::WordAndMove { word: first, plies: plies.clone() }.into());
            }
            ctx.words = Some(lines.below());
            return Ok(Some(Command::in_reply(at.clone(), word)));
        }
        _ => return Ok(None),
    };
    match language::read_line(&whole).reading {
        Reading::Command(command) => Ok(Some(command)),
        Reading::Malformed(error) => {
            let line = quoted(lines.first());
            Err(ReplyRefusal::Malformed { line, why: error.why, word: first }.into())
        }
        _ => Ok(None),
    }
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
fn yes(ctx: &Context<'_>, at: &OnBoard, board: &Board, seat: Seat) -> Result<Command, CommandError> {
    if draft(ctx, board, seat)?.is_some() {
        return Ok(Command::Confirm(at.clone()));
    }
    match is_asked(board, seat) {
        true => Ok(Command::in_reply(at.clone(), "accept")),
        false => Err(ReplyRefusal::NothingAsked { word: "yes" }.into()),
    }
}

/// `no` rejects what the opponent proposed.
fn no(at: &OnBoard, board: &Board, seat: Seat) -> Result<Command, CommandError> {
    match is_asked(board, seat) {
        true => Ok(Command::in_reply(at.clone(), "reject")),
        false => Err(ReplyRefusal::NothingAsked { word: "no" }.into()),
    }
}

/// True where the opponent has proposed something.
fn is_asked(board: &Board, seat: Seat) -> bool {
    board.row.proposal.is_some_and(|(_, by)| by != seat)
}
