//! The stages before the transaction: reads a letter's commands and checks its passwords.

use std::cell::OnceCell;

use jiff::Timestamp;
use rand_chacha::ChaCha12Rng;

use crate::app::App;
use crate::commands::{Command, LANGUAGE, Line, Reading, Request, answer, contest_reply};
use crate::credentials::limits::COMMANDS_A_LETTER;
use crate::credentials::token::ReaderMail;
use crate::credentials::{MailQuestion, Proofs, Token, Writer};
use crate::failure::Error;
use crate::ids::Identity;
use crate::language::greeting::only_greets;
use crate::language::{Parameters, words_beside};
use crate::letter::passed_on::mask_words;
use crate::letter::{left_out_game, lost_address, writer};
use crate::mail::{AnswerBy, Letter, Proof, ReplyToken, reply_text, token};
use crate::meaning::lines::quoted;
use crate::play::robot::{PrecomputedMoves, Question};
use crate::store::{ContestId, MailToPlayer, PlayerId, ProvenBy, Store};

/// The proof of a letter whose sender our mail server vouches for.
const BY_SENDER: &str = "sender";

/// A letter's commands, with its passwords checked.
pub struct Prepared {
    /// The letter's identity, which includes its proof.
    pub(super) identity: Identity,
    pub(super) lines: Vec<Line>,
    /// The player's words besides the commands, with passwords and tokens masked for other readers.
    pub(super) words: String,
    pub(super) proofs: Proofs,
    pub(super) writer: Writer,
    /// True if the host has banned its From address or its envelope sender.
    pub(super) is_banned: bool,
    /// What the letter's token lets its holder do.
    pub(super) token: Option<Token>,
    /// The robot's moves for positions that this letter leads to; only those asked for so far.
    pub(super) precomputed: PrecomputedMoves,
    /// The random generator as it was before the try that asked the robot. The next try repeats its draws.
    pub(super) chance: OnceCell<ChaCha12Rng>,
}

impl Prepared {
    /// Prepares a letter; `command` is that of the button, if a page sent it. `None` if the server has already handled
    /// the letter.
    pub fn new(
        store: &Store,
        app: &App,
        (letter, command): (&Letter, Option<Command>),
        now: Timestamp,
    ) -> Result<Option<Prepared>, Error> {
        let letter = &*left_out_game::complete(store, letter)?;
        let token = token_of(store, letter, now)?;
        let talks = matches!(token, Some(Token::Board(_) | Token::Words(_)));
        let is_spent = token.is_none() && letter.token.is_some() && !LANGUAGE.begins_subject(&letter.subject);
        let is_reply = talks || is_spent || matches!(token, Some(Token::Question(_) | Token::Reader(..)));
        // Text from a page has no quotes and no signature.
        let new = is_reply.then(|| match letter.answer {
            AnswerBy::Page => letter.text.clone(),
            AnswerBy::Mail | AnswerBy::Terminal | AnswerBy::Nothing => reply_text::new_text(&letter.text).new,
        });
        let most = match letter.answer {
            AnswerBy::Terminal => usize::MAX,
            AnswerBy::Mail | AnswerBy::Page | AnswerBy::Nothing => COMMANDS_A_LETTER,
        };
        // In reply to a mail that holds no board or question, each line is a command.
        let commands = if matches!(token, Some(Token::Reader(..))) { most } else { 1 };
        let named =
            |new: String| left_out_game::complete_reply(store, letter, token.as_ref(), &new, commands);
        let new = new.map(named).transpose()?;
        let by_button = command.is_some();
        let mut lines = match (&token, command) {
            // The button's token is no longer valid; the answer says so.
            (None, Some(_)) if letter.token.is_some() => vec![Line::silence()],
            (token, Some(command)) => {
                let holder = token.as_ref().and_then(Token::player).filter(|_| command.is_by_a_player());
                vec![Line::of_page(command, holder)]
            }
            (Some(Token::Question(MailQuestion::WeeklyMail(_))), None) => vec![Line::unsubscription()],
            (Some(Token::Question(MailQuestion::Contest(player, contest))), None) => {
                let new = new.as_deref().unwrap_or_default();
                turns_or_command(store, (*player, *contest), new, most)?
            }
            (_, None) => read_commands(letter, new.as_deref(), token.as_ref(), most),
        };
        writer::settle(store, &mut lines)?;
        answer::settle(store, token.as_ref(), &mut lines)?;
        let mut words = beside(letter, &lines, new.as_deref().filter(|_| talks));
        let claimed = identity_by(letter, token.as_ref());
        let by_password = claimed.with("password");
        // Avoids checking the passwords of a redelivered letter. The transaction repeats the look-up, and its result
        // counts. A letter with wrong passwords can be a forged copy; it uses up only its own identity.
        let own = if holds_password(&lines) { by_password } else { claimed };
        // If our mail server did not prove the sender of this copy, it may have proven that of an earlier copy.
        let proven = (claimed == letter.identity).then(|| claimed.with(BY_SENDER));
        let standing = store.standing([own, proven.unwrap_or(own)], senders(letter))?;
        if standing.is_known {
            return Ok(None);
        }
        let proofs = Proofs::gather(store, &app.limits, letter, &lines, now)?;
        let writer = Writer::of(store, letter, &proofs, token.as_ref())?;
        let identity = if writer.by == ProvenBy::Password { by_password } else { claimed };
        let player = token.as_ref().and_then(Token::player);
        // A button sends a command, which no other player reads.
        if !by_button {
            mask_words(store, letter, &proofs, &writer, (player, now), &mut lines, &mut words)?;
        }
        let precomputed = PrecomputedMoves::default();
        Ok(Some(Prepared {
            identity,
            lines,
            words,
            proofs,
            writer,
            is_banned: standing.is_banned,
            token,
            precomputed,
            chance: OnceCell::new(),
        }))
    }

    /// Lets the robot answer the questions of the last try. The next try finds the answers.
    pub fn think(&mut self, app: &App, questions: Vec<Question>) {
        self.precomputed.think(questions, app.robot.bytes());
    }

    /// Stops asking the robot, which then answers later in a mail of its own.
    pub fn ask_no_more(&mut self) {
        self.precomputed.close();
    }
}

/// The addresses that a letter claims to come from: its From and its envelope sender.
pub(super) fn senders(letter: &Letter) -> impl Iterator<Item = &str> {
    letter.sender.iter().chain(&letter.return_path).map(String::as_str)
}

/// The letter's token, decoded. The tokens in links to a player's page and to a new password never count; those of
/// sign-in, session and sign-out count only from a page.
fn token_of(store: &Store, letter: &Letter, now: Timestamp) -> Result<Option<Token>, Error> {
    let Some(ReplyToken(token)) = &letter.token else { return answered(store, letter, now) };
    let is_by_page = letter.answer == AnswerBy::Page;
    Ok(Token::read(store, token, now)?.filter(|token| match token {
        Token::Page(_) | Token::Question(MailQuestion::Password(..)) => false,
        // By mail, an invitation counts only if it was sent to an address: a link proves no mailbox.
        Token::Question(MailQuestion::Invitation(invitation)) => is_by_page || invitation.address.is_some(),
        Token::Question(MailQuestion::SignIn(..) | MailQuestion::Line { .. })
        | Token::Session(_)
        | Token::SignOut(_) => is_by_page,
        _ => true,
    }))
}

/// Finds the board mail that a letter answers by its In-Reply-To, and returns the token of that mail: some mail
/// programs send back nothing else. A Message-ID proves nothing, so the sender must be proven, and be the player who
/// received the mail.
fn answered(store: &Store, letter: &Letter, now: Timestamp) -> Result<Option<Token>, Error> {
    if letter.proof != Proof::Sender || LANGUAGE.begins_subject(&letter.subject) {
        return Ok(None);
    }
    let players = store.players_at(letter.sender.as_deref().unwrap_or_default())?;
    let is_theirs = |mail: &MailToPlayer| players.iter().any(|player| player.id == mail.player);
    let Some(mail) = lost_address::answered(store, letter, is_theirs)? else { return Ok(None) };
    let written = store.mail_bytes(mail.number)?.and_then(|bytes| token::of_mail(&bytes));
    let token = written.map(|ReplyToken(token)| Token::read(store, &token, now)).transpose()?.flatten();
    Ok(token.filter(|token| token.seat().is_some_and(|seat| seat.player == mail.player)))
}

/// The proof of a letter is part of its identity: a forged copy must not take the place of the genuine one.
pub(super) fn identity_by(letter: &Letter, token: Option<&Token>) -> Identity {
    match &letter.token {
        Some(written) if token.is_some() => letter.identity.with(&written.0),
        _ if letter.proof == Proof::Sender => letter.identity.with(BY_SENDER),
        _ => letter.identity,
    }
}

/// The identity of a letter. A message counts once for all its recipients, and once more for each valid token.
pub fn identity(store: &Store, letter: &Letter, now: Timestamp) -> Result<Identity, Error> {
    Ok(identity_by(letter, token_of(store, letter, now)?.as_ref()))
}

/// True if a command holds a password or a token that can prove the writer.
fn holds_password(lines: &[Line]) -> bool {
    lines
        .iter()
        .any(|line| matches!(&line.reading, Reading::Command(request) if !request.passwords().is_empty()))
}

/// True if the line is a command on a board that leaves out its writer, whom the token names.
fn acts_by_token(line: &Line) -> bool {
    match &line.reading {
        Reading::Command(request) => request.is_left_out() && request.command.board().is_some(),
        _ => false,
    }
}

/// Reads the commands. In a reply with our token, only the first line of the `new` text counts, even if the Subject
/// holds a command.
fn read_commands(letter: &Letter, new: Option<&str>, token: Option<&Token>, most: usize) -> Vec<Line> {
    let Some(new) = new else { return LANGUAGE.read(&letter.subject, &letter.text, most) };
    // A reply to any other mail is a letter like the first, except that its quotes are no commands of its writer.
    if let Some(Token::Reader(_, mail)) = token {
        // A program's reply can repeat the whole mail, so only the first line confirms.
        let first = || new.lines().find(|line| !only_greets(line)).unwrap_or_default();
        let text = if *mail == ReaderMail::Asks { first() } else { new };
        return LANGUAGE.read(&letter.subject, text, most);
    }
    let asks = token.and_then(Token::asked).is_some();
    match LANGUAGE.read_reply(new) {
        // A token that is no longer valid acts on no board.
        Some(line) if token.is_none() && acts_by_token(&line) => vec![line.without_command()],
        // The only answer to a question sent to an address is `yes`, so any other line is plain words.
        Some(line) if asks && !matches!(line.reading, Reading::Command(_)) => vec![line.without_command()],
        Some(line) => vec![line],
        // An empty reply confirms nothing. A written `yes` shows that the reader has seen the question.
        None => vec![Line::silence()],
    }
}

/// Reads a reply to a mail about contests: the turns in it, or a command.
fn turns_or_command(
    store: &Store,
    (player, contest): (PlayerId, ContestId),
    new: &str,
    most: usize,
) -> Result<Vec<Line>, Error> {
    let has_a_turn = new.lines().any(|line| contest_reply::numbered(line).is_some());
    let first = new.lines().find(|line| !only_greets(line));
    let begins_with_turn = first.is_some_and(|line| contest_reply::numbered(line).is_some());
    match LANGUAGE.read_reply(new) {
        None if !has_a_turn => return Ok(vec![Line::silence()]),
        Some(line) if !begins_with_turn && !matches!(line.reading, Reading::Reply(_)) => {
            return Ok(vec![line]);
        }
        _ => {}
    }
    let parts = contest_reply::parts(store, player, contest, new)?;
    let line =
        |part: &String| Line::part_of_reply(quoted(part.lines().next().unwrap_or_default()), part.clone());
    let rest = parts.get(most).map(|part| Line { reading: Reading::Rest, ..line(part) });
    Ok(parts.iter().take(most).map(line).chain(rest).collect())
}

/// The words besides a Subject command, or below the first line of a reply's `new` text. `message` and `chat` take such
/// words themselves.
fn beside(letter: &Letter, lines: &[Line], new: Option<&str>) -> String {
    let talks = lines
        .iter()
        .any(|line| matches!(&line.reading, Reading::Command(Request { command: Command::Talk(_), .. })));
    // For a reply about a board, the code that reads the move also reads the words besides it.
    let is_read_by_a_board = lines.iter().any(|line| matches!(line.reading, Reading::Reply(_)));
    match (talks || is_read_by_a_board, new) {
        (false, Some(new)) => LANGUAGE.below_first_line(new),
        (false, None) if LANGUAGE.is_in_subject(&letter.subject) => {
            // A greeting alone below a command, such as `hi`, is for the server.
            Some(words_beside(&letter.subject, &letter.text))
                .filter(|words| !only_greets(words))
                .unwrap_or_default()
        }
        _ => String::new(),
    }
}
