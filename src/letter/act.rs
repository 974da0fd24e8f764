//! Carries out the commands of a letter, each in its own savepoint.

use crate::board::Board;
use crate::commands::wishes::PlainWish;
use crate::commands::{Command, LANGUAGE, Line, Reading, Request, confirm_address, session};
use crate::credentials::limits::COMMANDS_A_LETTER;
use crate::credentials::{MailQuestion, Token};
use crate::failure::{CommandError, Error, refusal};
use crate::ids::BoardId;
use crate::language::body::own_words;
use crate::language::phrasebook::is_courtesy;
use crate::language::wish::{Wish, WishPlace, wish_meant};
use crate::language::{Claim, Parameters, UNKNOWN_AT_MOST};
use crate::letter::known_words::KnownWords;
use crate::letter::reply::{perform, reply};
use crate::letter::{contest_turn, lost_address};
use crate::mail::{AnswerBy, Letter, subject};
use crate::notices::board_update::BoardNews;
use crate::notices::view::{BoardView, board_view};
use crate::notices::{Answer, Answered, Event, Seated, Thread, Transcript, lesson};
use crate::play::Context;
use crate::store::PlayerId;

/// Carries out the commands of a letter. A refused command rolls back alone.
pub fn act(ctx: &mut Context<'_>, lines: &[Line]) -> Result<Transcript, Error> {
    let mut transcript = Transcript::default();
    let suspended = ctx.suspended_writer()?;
    let lines = if suspended.is_some() { &[] } else { lines };
    if let Some(refusal) = suspended {
        transcript.answers.push(Answered::refused(refusal));
    }
    if let Some(Token::Reader(player, _)) = ctx.token
        && ctx.writer.proves(player)
    {
        ctx.answer_to(player);
    }
    let mut known = KnownWords::default();
    for line in lines {
        let (answer, thread) = match &line.reading {
            Reading::Skip | Reading::End => continue,
            Reading::Reply(text) => {
                let board = match &ctx.token {
                    Some(token) => token.seat().map(|seat| seat.board),
                    None => lost_address::spent_on(ctx)?,
                };
                // A reply can act on another board: it can start a rematch, or answer a message with a move.
                let token = ctx.token.clone();
                let (answer, thread) = attempt(ctx, board, |ctx| match ctx.token {
                    Some(Token::Question(MailQuestion::Contest(player, contest))) => {
                        contest_turn::reply(ctx, player, contest, text)
                    }
                    _ => reply(ctx, text),
                })?;
                // A turn in reply to a mail about contests acts with the token of its board.
                let board = board.or(ctx.token.as_ref().and_then(Token::seat).map(|seat| seat.board));
                ctx.token = token;
                if let (Answer::Refused(_), Some(board)) = (&answer, board)
                    && let Some(board) = Board::load(ctx.store, board)?
                    && let Some(step) = lesson::next_step(ctx.store, &board)?
                {
                    transcript.add_remark(&step);
                }
                let thread = if thread.is_some() { thread } else { ctx.thread(board)? };
                (answer, thread)
            }
            Reading::Rest => {
                let refusal = refusal!(
                    "The rest of this mail was not read: a mail ends after {COMMANDS_A_LETTER} commands, or after {UNKNOWN_AT_MOST} \
                    lines in a row that are none."
                );
                (Answer::Refused(refusal), None)
            }
            Reading::Unknown { suggestion } => (Answer::Unknown { suggestion: suggestion.clone() }, None),
            Reading::Malformed(error) => (Answer::Malformed(error.clone()), None),
            Reading::Command(request) => {
                let entry = line.entry;
                attempt(ctx, request.command.board(), |ctx| perform(ctx, request.clone(), entry))?
            }
        };
        // The answer to a reply is in the thread of the answered board, unless it is about another one.
        let answered = ctx.token.as_ref().and_then(Token::seat).map(|seat| seat.board);
        let thread = if thread.is_some() { thread } else { ctx.thread(answered)? };
        let hidden = matches!(&answer, Answer::Refused(refusal) if refusal.hides_line);
        let echo = if hidden { line.strict_echo.clone() } else { ctx.proofs.mask(&line.echo) };
        let (echo, kept) = match (played_by_reply(ctx, line, &answer), &line.reading) {
            (Some(played), _) => (played.clone(), played),
            (None, Reading::Reply(_)) => (echo, line.strict_echo.clone()),
            (None, _) => {
                let (kept, suspects) = LANGUAGE.kept(&echo, |word| known.knows(ctx.store, word))?;
                for word in suspects {
                    transcript.suspects.add(word);
                    word.rsplit(['=', '"']).for_each(|part| transcript.suspects.add(part));
                }
                (echo, kept)
            }
        };
        let now = board_now(ctx, &answer, thread.as_ref())?;
        let begins = line.is_for_strangers();
        transcript.answers.push(Answered { echo, kept, answer, begins, thread, now });
    }
    let answers = |line: &Line| match &line.reading {
        Reading::Reply(_) => true,
        Reading::Command(request) => matches!(request.command, Command::Answer(_)),
        _ => false,
    };
    if matches!(ctx.token, Some(Token::Question(MailQuestion::Address(..)))) && !lines.iter().any(answers) {
        transcript.add_remark(confirm_address::NOT_CONFIRMED);
    }
    if transcript.holds_no_command()
        && let Some(answered) = lost_address::answer(ctx)?
    {
        transcript.answers = vec![answered];
    }
    let is_answer_to_a_board = ctx.letter.token.is_some() && !matches!(ctx.token, Some(Token::Reader(..)));
    if let Some(wish) = wish_of(ctx.letter).filter(|wish| {
        !is_answer_to_a_board
            && (transcript.is_prose() || *wish == Wish::Stop && transcript.tally().done == 0)
    }) && let Some((claim, begins)) = wisher(ctx, wish)?
    {
        let text = format!("{}\n{}", ctx.letter.subject, ctx.letter.text);
        let command = Command::PlainWish(PlainWish { wish, at: None, text });
        let (answer, _) = attempt(ctx, None, |ctx| perform(ctx, Request { by: claim, command }, None))?;
        let (echo, kept) = (String::new(), String::new());
        transcript.answers = vec![Answered { echo, kept, answer, begins, thread: None, now: None }];
    }
    transcript.is_spent = ctx.token.is_none()
        && ctx.letter.token.is_some()
        && lines.iter().any(|line| matches!(line.reading, Reading::Reply(_)));
    for remark in std::mem::take(&mut ctx.remarks) {
        transcript.add_remark(&remark);
    }
    // A page has shown the question, and the mail with it goes to the player of the browser.
    if let Some(player) = session_player(ctx).filter(|_| transcript.asks_again()) {
        ctx.answer_to(player);
        transcript.confirmed_at = session::that_confirms(ctx, player, &ctx.letter.text)?;
    }
    transcript.player = ctx.player()?;
    let in_vain = transcript.answers.iter().any(|answered| matches!(answered.answer, Answer::Refused(_)));
    let replies = ctx.token.as_ref().and_then(Token::seat).is_some()
        || lines.iter().any(|line| matches!(line.reading, Reading::Reply(_)));
    transcript.seated = seated(ctx, &transcript)?;
    if let Some(seated) = &mut transcript.seated {
        seated.waits &= (replies || in_vain) && ctx.letter.answer != AnswerBy::Page;
    }
    if let Some(player) = transcript.player.filter(|_| ctx.letter.answer == AnswerBy::Mail)
        && transcript.holds_no_command()
    {
        transcript.small_talk = Some(ctx.store.player_by_id(player)?.userid.to_string());
    }
    let is_read =
        ctx.news.iter().flat_map(BoardNews::readers).any(|reader| Some(reader) != transcript.player);
    if ctx.words.is_some() && !is_read {
        let unread = ctx.take_words("");
        if unread.lines().any(|line| !is_courtesy(line, &[])) {
            transcript.add_remark("Nobody got the rest of your text.");
        }
    }
    transcript.last_words = ctx.take_last_words();
    transcript.asked = ctx.token.as_ref().and_then(Token::asked).map(str::to_owned);
    let goes_on = match &ctx.token {
        // A reply about a contest does not end the question: another reply can follow.
        Some(Token::Question(MailQuestion::Contest(..))) => true,
        Some(Token::Question(_)) => in_vain && transcript.asked.is_some(),
        Some(Token::Words(_)) => in_vain,
        _ => false,
    };
    let token = ctx.letter.token.as_ref().filter(|_| goes_on);
    transcript.answered_in_vain = token.map(|token| token.0.clone());
    Ok(transcript)
}

fn session_player(ctx: &Context<'_>) -> Option<PlayerId> {
    match &ctx.token {
        Some(Token::Session(session)) => Some(session.player),
        _ => None,
    }
}

/// The wish in the Subject or in the text of a mail that is no reply.
fn wish_of(letter: &Letter) -> Option<Wish> {
    [subject::bare(&letter.subject), &own_words(&letter.text)]
        .iter()
        .find_map(|text| wish_meant(text, &[], WishPlace::ToServer))
}

/// Who asks, and whether a stranger does. Strangers get pages of rules; all else is answered by how to begin.
fn wisher(ctx: &Context<'_>, wish: Wish) -> Result<Option<(Claim, bool)>, Error> {
    let Some(player) = ctx.player()? else {
        let is_help = matches!(wish, Wish::Rules | Wish::Clock);
        return Ok(is_help.then_some((Claim::Nobody, true)));
    };
    let userid = ctx.store.player_by_id(player)?.userid;
    let claim = match ctx.token {
        Some(Token::Reader(reader, _)) if reader == player => Claim::Holder(player),
        _ if ctx.writer.proves(player) => Claim::Named(userid),
        _ => Claim::Nobody,
    };
    Ok(Some((claim, false)))
}

/// The plies that a reply played, with the board if the answered mail was about several. They are public in the record;
/// the rest of a reply might be private.
fn played_by_reply(ctx: &Context<'_>, line: &Line, answer: &Answer) -> Option<String> {
    let is_of_several = matches!(ctx.token, Some(Token::Question(MailQuestion::Contest(..))));
    match (&line.reading, answer) {
        (Reading::Reply(_), Answer::Done(Event::Board(update, _))) => {
            let plies = update.last.own_plies()?;
            Some(if is_of_several { format!("{} {plies}", update.view.board) } else { plies })
        }
        _ => None,
    }
}

/// The board that all answers are about, unless the last answer ends with the reply words.
fn seated(ctx: &Context<'_>, transcript: &Transcript) -> Result<Option<Seated>, Error> {
    let last = transcript.answers.last().map(|answered| &answered.answer);
    let tells = matches!(last, Some(Answer::Done(Event::Board(..))));
    let Some((thread, player)) = transcript.thread().filter(|_| !tells).zip(transcript.player) else {
        return Ok(None);
    };
    let Some(board) = Board::load(ctx.store, thread.board)? else { return Ok(None) };
    let Some(seat) = board.seat_of(player) else { return Ok(None) };
    let waits = board.row.to_move == Some(seat);
    Ok(Some(Seated { view: Box::new(board_view(ctx.store, &board)?), seat: seat.index(), waits }))
}

fn attempt<'a>(
    ctx: &mut Context<'a>,
    board: Option<BoardId>,
    command: impl FnOnce(&mut Context<'a>) -> Result<Event, CommandError>,
) -> Result<(Answer, Option<Thread>), Error> {
    match ctx.attempt(command) {
        Ok(event) => {
            let thread = event.thread();
            Ok((Answer::Done(event), thread))
        }
        Err(CommandError::Refused(refusal)) => Ok((Answer::Refused(refusal), ctx.thread(board)?)),
        Err(CommandError::Failed(failure)) => Err(failure),
    }
}

/// The current board, if the answer is a refusal that shows it.
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
