//! Acting on a letter's commands, each in a savepoint of its own.

use super::board::Board;
use super::context::Context;
use super::robot::analysis;
use super::transcript::{Answer, Answered, Event, Thread, Transcript};
use super::view::{BoardView, board_view};
use super::{CommandError, Error};
use super::{account, challenge, confirm, help, nudge, offer, play, query, record, standing, talk, watch};
use crate::command::{COMMANDS_AT_MOST, UNKNOWN_AT_MOST};
use crate::command::{ClockCommand, RecordCommand, StandingCommand};
use crate::command::{Command, Line, Login, Password, Reading, Seated};
use crate::ids::BoardId;
use crate::service::context::IdentityRefusal;
use crate::service::refusal::{Refuse, refuses};

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum LetterRefusal {
    #[error(
        "From here on the letter was not read: it ends after {COMMANDS_AT_MOST} commands, or after {UNKNOWN_AT_MOST} lines in a row that are none."
    )]
    RestNotRead,
    #[error(
        "The mail you answered is out of date: board {board} has changed since. Nothing was played; this is the board now."
    )]
    StaleReply { board: BoardId },
}

impl Refuse for LetterRefusal {
    fn shows_board(&self) -> bool {
        matches!(self, LetterRefusal::StaleReply { .. })
    }
}

refuses!(LetterRefusal);

/// Carries out the commands of a letter. A refused one undoes itself and none of its neighbours.
pub fn act(ctx: &mut Context<'_>, lines: &[Line]) -> Result<Transcript, Error> {
    let mut transcript = Transcript::default();
    for line in lines {
        let (answer, thread) = match &line.reading {
            Reading::Skip | Reading::End => continue,
            Reading::Reply(text) => {
                let board = ctx.token_seat.map(|seat| seat.board);
                let (answer, _) = attempt(ctx, board, |ctx| reply(ctx, text))?;
                (answer, ctx.thread(board)?)
            }
            Reading::Rest => (Answer::Refused(LetterRefusal::RestNotRead.into()), None),
            Reading::Unknown { suggestion } => (Answer::Unknown { suggestion: suggestion.clone() }, None),
            Reading::Malformed(error) => (Answer::Malformed(error.clone()), None),
            Reading::Command(command) => attempt(ctx, command.board(), |ctx| dispatch(ctx, command.clone()))?,
        };
        let hidden = matches!(&answer, Answer::Refused(refusal) if refusal.hides_line);
        let echo = if hidden { line.strict_echo.clone() } else { ctx.proofs.mask(&line.echo) };
        let now = board_now(ctx, &answer, thread.as_ref())?;
        transcript.answers.push(Answered { echo, answer, thread, now });
    }
    transcript.player = ctx.player()?;
    transcript.last_words = ctx.take_last_words();
    transcript.asked = ctx.confirming.take().map(|(_, address)| address);
    Ok(transcript)
}

/// Carries a command out.
fn dispatch(ctx: &mut Context<'_>, command: Command) -> Result<Event, CommandError> {
    match command {
        Command::Help { subjects } => help::help(subjects),
        Command::Account(asked) => account::account(ctx, asked),
        Command::Talk(talk) => talk::talk(ctx, &talk),
        Command::Watch(watch) => watch::watch(ctx, watch),
        Command::Challenge { game, options, first, second } => {
            challenge::challenge(ctx, game, &options, &first, &second)
        }
        Command::Move { at, plies } => play::play(ctx, &at, &plies),
        Command::Resign { at } => play::resign(ctx, &at),
        Command::Offer(offer) => offer::offer(ctx, offer),
        Command::Show { game, targets, which } => query::show(ctx, game, &targets, which),
        Command::Games { game, userids, which, before } => query::games(ctx, game, &userids, which, before),
        Command::Preview { game, from, plies } => query::preview(ctx, game, &from, &plies),
        Command::Clock(ClockCommand::Nudge { at }) => nudge::nudge(ctx, &at),
        Command::Standing(StandingCommand::List { games }) => standing::list(ctx, &games),
        Command::Standing(StandingCommand::Standings { game, ranks }) => {
            standing::ranking(ctx, game, "standings", &ranks)
        }
        Command::Standing(StandingCommand::Ratings { game, ranks }) => {
            standing::ranking(ctx, game, "ratings", &ranks)
        }
        Command::Record(RecordCommand::Record { game, board, notation }) => {
            record::record(ctx, game, board, notation)
        }
        Command::Record(RecordCommand::Analyse { game, board, ply }) => {
            analysis::analyse(ctx, game, board, ply)
        }
    }
}

/// Tries a command on `board`; what is refused leaves nothing behind.
fn attempt(
    ctx: &mut Context<'_>,
    board: Option<BoardId>,
    command: impl FnOnce(&mut Context<'_>) -> Result<Event, CommandError>,
) -> Result<(Answer, Option<Thread>), Error> {
    let before = ctx.notifications.len();
    let store = ctx.store;
    match store.savepoint(|| command(ctx)) {
        Ok(event) => {
            let thread = event.thread();
            Ok((Answer::Done(event), thread))
        }
        Err(CommandError::Refused(refusal)) => {
            ctx.notifications.truncate(before);
            Ok((Answer::Refused(refusal), ctx.thread(board)?))
        }
        Err(CommandError::Failed(failure)) => Err(failure),
    }
}

/// Carries out the first line of a reply: a move, or a word in place of one.
fn reply(ctx: &mut Context<'_>, text: &str) -> Result<Event, CommandError> {
    if ctx.confirming.is_some() {
        return Ok(Event::Note(confirm::confirm_address(ctx, text)?, None));
    }
    let Some(seat) = ctx.token_seat else { return Err(IdentityRefusal::NothingProves.into()) };
    let account = ctx.store.player_by_id(seat.player)?;
    ctx.acts_for(account.id);
    if !seat.fresh {
        return Err(LetterRefusal::StaleReply { board: seat.board }.into());
    }
    let Some(board) = Board::load(ctx.store, seat.board)? else {
        return Err(IdentityRefusal::NothingProves.into());
    };
    let login = Login { userid: account.userid, password: Password("-".to_owned()) };
    let command = Command::in_reply(Seated { game: board.kind, board: seat.board, login }, text);
    if command.answers_a_proposal() && !seat.up_to_date {
        return Err(LetterRefusal::StaleReply { board: seat.board }.into());
    }
    ctx.as_token_seat(|ctx| dispatch(ctx, command))
}

/// The board as it stands, for somebody whose command fits another position.
fn board_now(
    ctx: &Context<'_>,
    answer: &Answer,
    thread: Option<&Thread>,
) -> Result<Option<Box<BoardView>>, Error> {
    let outdated = matches!(answer, Answer::Refused(refusal) if refusal.shows_board);
    let Some(thread) = thread.filter(|_| outdated) else { return Ok(None) };
    let Some(board) = Board::load(ctx.store, thread.board)? else { return Ok(None) };
    Ok(Some(Box::new(board_view(ctx.store, &board)?)))
}
