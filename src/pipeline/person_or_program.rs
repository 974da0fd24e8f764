//! Decides whether a person wrote a mail whose address or Subject looks automatic.
//!
//! The module `mail` cannot decide this: it knows neither players nor commands. A letter counts as a person's if it
//! holds a command, comes from a player's address, or has a valid token and a move. All other letters get no answer. A
//! program can unsubscribe a person, but gets no answer. The server records each mail that it does not act on, with the
//! reason.

use jiff::Timestamp;

use super::host;
use crate::app::App;
use crate::board::Board;
use crate::commands::{LANGUAGE, Line, Reading, contest_reply};
use crate::credentials::{MailQuestion, Token};
use crate::failure::Error;
use crate::ids::same_address;
use crate::language::move_finder::MoveFinder;
use crate::language::phrasebook::{is_clear_yes, is_no};
use crate::mail::bounce::{Diagnosis, Voice};
use crate::mail::incoming::{Ignored, Incoming, Mark, Origin, Unread};
use crate::mail::{AnswerBy, Letter, reply_text};
use crate::meaning::lines::{ReplyLines, bare, first_word};
use crate::meaning::moves::{self, ReplyMoves};
use crate::store::{Entrance, NewLetter, Store};
use crate::timer::bounce::{BounceOutcome, count};

/// A mail after any doubt about its writer is settled.
pub enum Taken {
    Letter(Box<Letter>),
    Refused { letter: Box<Letter>, why: Unread },
    Aside(Box<Aside>),
}

/// The judgement of a doubtful mail.
pub enum Verdict {
    APersons,
    /// A program wrote it to unsubscribe a person.
    Unsubscription,
    AProgram,
}

/// Decides how to treat a mail; asks `judge` about a doubtful one.
pub fn settle(
    incoming: Incoming,
    judge: impl FnOnce(&Letter, &Ignored) -> Result<Verdict, Error>,
) -> Result<Taken, Error> {
    Ok(match incoming {
        Incoming::Letter(letter) => Taken::Letter(letter),
        Incoming::Refused { letter, why } => Taken::Refused { letter, why },
        Incoming::Ignored { why, origin } => Taken::Aside(Box::new(Aside { origin, why })),
        Incoming::Doubtful { mut letter, unread, why } => match (judge(&letter, &why)?, unread) {
            (Verdict::APersons, None) => Taken::Letter(letter),
            (Verdict::APersons, Some(why)) => Taken::Refused { letter, why },
            (Verdict::Unsubscription, _) => {
                (letter.answer, letter.text) = (AnswerBy::Nothing, String::new());
                Taken::Letter(letter)
            }
            (Verdict::AProgram, _) => Taken::Aside(Box::new(Aside { origin: Origin::of(&letter), why })),
        },
    })
}

/// Judges a doubtful letter, which is ignored for `why` unless a person wrote it.
pub fn judge(store: &Store, letter: &Letter, why: &Ignored, now: Timestamp) -> Result<Verdict, Error> {
    let token = letter.token.as_ref().map(|token| Token::read(store, &token.0, now)).transpose()?.flatten();
    if matches!((why, &token), (Ignored::Automatic(_), Some(Token::Question(MailQuestion::WeeklyMail(_))))) {
        return Ok(Verdict::Unsubscription);
    }
    let is_by_a_person = match why.leaves_doubt() {
        _ if letter.answer == AnswerBy::Nothing => false,
        None => false,
        Some(Mark::Robot) => is_a_players(store, letter, token.as_ref())? && !is_by_a_program(letter),
        Some(Mark::ResponseSuppressed) => {
            commands(&letter.subject, letter) || answers(store, letter, token.as_ref())?
        }
        Some(mark) if mark.yields_to_a_move() => answers(store, letter, token.as_ref())?,
        Some(_) => commands("", letter),
    };
    Ok(if is_by_a_person { Verdict::APersons } else { Verdict::AProgram })
}

/// True if the sender's address is a player's, or if the letter answers our question whether it is.
fn is_a_players(store: &Store, letter: &Letter, token: Option<&Token>) -> Result<bool, Error> {
    let Some(sender) = &letter.sender else { return Ok(false) };
    if !store.players_at(sender)?.is_empty() {
        return Ok(true);
    }
    Ok(
        matches!(token, Some(Token::Question(MailQuestion::Address(_, address))) if same_address(address, sender)),
    )
}

/// Phrases that programs write in their mails, in lower case.
const BY_A_PROGRAM: [&str; 6] = [
    "unsubscribe",
    "do not reply",
    "don't reply",
    "automatically generated",
    "generated automatically",
    "automated message",
];

/// True if the text of a letter from a robot's address looks like a program's: a bounce report or a newsletter.
fn is_by_a_program(letter: &Letter) -> bool {
    let text = letter.text.to_lowercase();
    let reports = || Diagnosis::of(&format!("{}\n{text}", letter.subject), Voice::Unknown).is_some();
    !commands("", letter) && (BY_A_PROGRAM.iter().any(|words| text.contains(words)) || reports())
}

/// True if the first line is a command with its writer's userid. A vacation reply can begin with "help" and quote whole
/// commands below, but it does not begin with a password. For a mail that looks like a program's, callers pass an empty
/// `subject`: "Message delivery has failed" would be a message from the player Delivery.
fn commands(subject: &str, letter: &Letter) -> bool {
    let signed = |line: &Line| match &line.reading {
        Reading::Command(request) => request.userid().is_some(),
        _ => false,
    };
    LANGUAGE.read(subject, &letter.text, 1).first().is_some_and(signed)
}

/// True if the token is valid and the new text holds a move on its board or begins with a reply word. Only a person has
/// both: a vacation reply begins otherwise, and a mailing list has no token.
fn answers(store: &Store, letter: &Letter, token: Option<&Token>) -> Result<bool, Error> {
    let new = reply_text::new_text(&letter.text).new;
    let lines = ReplyLines::new(MoveFinder::of_any_game(), &new);
    let (word, rest) = first_word(lines.first());
    let is_word = bare(rest).is_empty() && LANGUAGE.of_reply(&word).is_some()
        || is_clear_yes(lines.first())
        || is_no(lines.first());
    Ok(match token {
        Some(Token::Board(seat)) => {
            let Some(board) = Board::load(store, seat.board)? else { return Ok(false) };
            let Some(side) = board.seat_of(seat.player) else { return Ok(false) };
            is_word || moves::read(board.kind, board.to_move(side), &new) != ReplyMoves::None
        }
        Some(Token::Question(MailQuestion::Contest(..))) => contest_reply::is_meant(&new),
        Some(token @ Token::Question(_)) => token.asked().is_some() && is_word,
        Some(Token::Words(_)) => is_word,
        // A vacation reply can begin with `help`, but not with a command that needs a player.
        Some(Token::Reader(..)) => {
            let first = LANGUAGE.read("", &new, 1).into_iter().next().map(|line| line.reading);
            matches!(first, Some(Reading::Command(request)) if request.is_left_out())
        }
        Some(Token::Page(_) | Token::Session(_) | Token::SignOut(_)) | None => false,
    })
}

pub struct Aside {
    pub origin: Origin,
    pub why: Ignored,
}

impl Aside {
    /// Counts a bounce report and records the mail. The caller holds a transaction.
    pub(super) fn put(
        &self,
        store: &Store,
        app: &App,
        entrance: Entrance,
        now: Timestamp,
    ) -> Result<Option<BounceOutcome>, Error> {
        let Origin { identity, message_id, sender } = &self.origin;
        let (mut identity, mut counted, mut why) = (*identity, None, self.why.to_string());
        if let Ignored::Report { report, .. } = &self.why {
            let what = count(store, host(app), app, report, now)?;
            why = format!("{why} ({what})");
            (identity, counted) = (report.identity, Some(what));
        }
        if let Ignored::RoundTrip(code) = &self.why {
            store.note_round_trip(code, now)?;
        }
        let (sender, message_id) = (sender.clone(), message_id.clone());
        store.set_letter_aside(&NewLetter { identity, entrance, sender, message_id }, &why, now)?;
        Ok(counted)
    }
}
