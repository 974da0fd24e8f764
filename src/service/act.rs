//! Carries out the commands of a letter, each in its own savepoint.

use crate::command::{COMMANDS_AT_MOST, Command, Line, Login, OnBoard, Password, Reading, UNKNOWN_AT_MOST};
use crate::ids::BoardId;
use crate::service::board::Board;
use crate::service::context::{Context, IdentityRefusal};
use crate::service::refusal::{Refuse, refuses};
use crate::service::transcript::{Answer, Answered, Event, Transcript};
use crate::service::view::{BoardView, Thread, board_view};
use crate::service::{
    CommandError, Error, account, analyse, challenge, confirm_address, decline, games, help, list, nudge,
    play, preview, proposal, queue, record, rematch, replay, resend, seek, settings, show, standings, submit,
    swap, talk, vacation, watch, who,
};
use crate::store::Proposal;

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

/// Carries out the commands of a letter. A refused command rolls back alone.
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

fn dispatch(ctx: &mut Context<'_>, command: Command) -> Result<Event, CommandError> {
    match command {
        Command::Help(command) => help::help(command),
        Command::Signup(command) => account::signup(ctx, command),
        Command::AddAddresses(command) => account::add(ctx, command),
        Command::ChangePassword(command) => account::change_password(ctx, command),
        Command::ChangeAddresses(command) => account::change_address(ctx, command),
        Command::Forgot(command) => account::forgot(ctx, command),
        Command::Reset(command) => account::reset(ctx, command),
        Command::SignOff(login) => account::sign_off(ctx, login),
        Command::Delete(login) => account::delete(ctx, login),
        Command::Resend(command) => resend::resend(ctx, command),
        Command::Who(command) => who::who(ctx, command),
        Command::Set(command) => settings::set(ctx, command),
        Command::Vacation(command) => vacation::vacation(ctx, command),
        Command::Challenge(command) => challenge::challenge(ctx, command),
        Command::Move(command) => play::play(ctx, command),
        Command::Resign(at) => play::resign(ctx, at),
        Command::Propose(at) => proposal::propose(ctx, at, Proposal::Draw),
        Command::Undo(at) => proposal::propose(ctx, at, Proposal::Undo),
        Command::Accept(at) => proposal::accept(ctx, at),
        Command::Reject(at) => proposal::reject(ctx, at),
        Command::Swap(at) => swap::swap(ctx, at),
        Command::Decline(at) => decline::decline(ctx, at),
        Command::Queue(command) => queue::queue(ctx, command),
        Command::Submit(command) => submit::submit(ctx, command),
        Command::Confirm(at) => submit::confirm(ctx, at),
        Command::Rematch(at) => rematch::rematch(ctx, at),
        Command::Replay(command) => replay::replay(ctx, command),
        Command::Seek(command) => seek::seek(ctx, command),
        Command::SeekOff(command) => seek::seek_off(ctx, command),
        Command::AcceptSeek(command) => seek::accept_seek(ctx, command),
        Command::Seeks(command) => seek::seeks(ctx, command),
        Command::Nudge(at) => nudge::nudge(ctx, at),
        Command::Show(command) => show::show(ctx, command),
        Command::ShowAs(command) => show::show_as(ctx, command),
        Command::AllShow(command) => show::all_show(ctx, command),
        Command::Games(command) => games::games(ctx, command),
        Command::Preview(command) => preview::preview(ctx, command),
        Command::List(command) => list::list(ctx, command),
        Command::Standings(command) => standings::standings(ctx, command),
        Command::Ratings(command) => standings::ratings(ctx, command),
        Command::Record(command) => record::record(ctx, command),
        Command::Analyse(command) => analyse::analyse(ctx, command),
        Command::Talk(command) => talk::talk(ctx, command),
        Command::Subscribe(command) => watch::subscribe(ctx, command),
        Command::Unsubscribe(command) => watch::unsubscribe(ctx, command),
        Command::Notify(command) => watch::notify(ctx, command),
    }
}

/// Tries a command on `board`. A refusal rolls back what it did.
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
        return Ok(Event::Note(confirm_address::confirm_address(ctx, text)?, None));
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
    let command = Command::in_reply(OnBoard { game: board.kind, board: seat.board, login }, text);
    if command.answers_a_proposal() && !seat.up_to_date {
        return Err(LetterRefusal::StaleReply { board: seat.board }.into());
    }
    ctx.as_token_seat(|ctx| dispatch(ctx, command))
}

/// The board as it stands, for a player who has seen another position.
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
