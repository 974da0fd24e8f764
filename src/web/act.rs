//! Turns a form of the play page into the equivalent reply, and carries out that reply.

use axum::http::StatusCode;

use super::Site;
use super::address::{Format, OpenTurn};
use super::answer::Answer;
use super::form::{BUSY, field};
use super::play::shown;
use super::seat::{Player, lost};
use crate::commands::{Entry, LANGUAGE, Reading};
use crate::credentials::token::{self, TokenSeat};
use crate::failure::Error;
use crate::ids::BoardId;
use crate::language::InReply;
use crate::language::plan::Plan;
use crate::mail::{Letter, ReplyToken};
use crate::pipeline::{self, Handled};
use crate::store::Store;

/// The most bytes of a message, of conditional moves and of a turn.
const WORDS: usize = 4000;
const CONDITIONS: usize = 1000;
/// A turn of Go can mark many chains.
const TURN: usize = 1000;

/// The notice for a form whose link is from an earlier mail.
const SPENT: &str = "This link is from an earlier mail, and the board has moved on. Nothing was done: \
                                the newest mail about the board has the link that moves.";

/// The notice for a form with the spaces of an earlier page.
const RENAMED: &str = "The columns of this board have other letters since your page was made. Nothing was played: \
                       choose your move here.";

/// A form that was sent from the play page.
struct PlayForm {
    act: String,
    /// The same request as the text of a reply.
    reply: String,
    /// A code of this copy of the form: a copy that is sent twice takes effect once.
    once: String,
}

/// Carries out a form of the play page; `None` if the link is invalid.
pub(super) fn act(
    site: &Site,
    asked: &OpenTurn,
    body: &[u8],
    format: Format,
) -> Result<Option<Answer>, Error> {
    let link = &asked.token;
    let Some((seat, mail)) = site.read(|store| token::mail_of_page(store, link))? else { return Ok(None) };
    if let Some(lost) = site.read(|store| lost(site, store, &seat, format))? {
        return Ok(Some(lost));
    }
    let Some(player) = site.read(|store| Player::at(store, seat))? else { return Ok(None) };
    let told = |status: StatusCode, notice: &str| {
        let mut chosen = OpenTurn { token: link.clone(), flip: asked.flip, ..OpenTurn::default() };
        if !status.is_success() {
            [chosen.words, chosen.queue, chosen.then] =
                ["words", "queue", "then"].map(|name| field(body, name));
            let turn = field(body, "turn").filter(|turn| turn.len() <= TURN).unwrap_or_default();
            chosen.turn = vec![turn];
        }
        let page = site.read(|store| shown(site, store, &player, &chosen, Some(notice), format))?;
        Ok(Some(Answer { status, ..page }))
    };
    let form = match PlayForm::read(body, site.read(|store| player.plan(store))?) {
        Ok(form) => form,
        Err(why) => return told(StatusCode::BAD_REQUEST, why),
    };
    let turn = field(body, "turn").unwrap_or_default();
    if site.read(|store| player.names_as_before(store, turn.trim()))? {
        return told(StatusCode::CONFLICT, RENAMED);
    }
    let letter = Box::new(Letter::by_page(Some(ReplyToken(mail)), form.reply, &form.once));
    // A reply with a spent token can still send words, but a spent link only shows the board. A form that was handled
    // already passes, and is answered as a repetition.
    let is_old = !player.seat.fresh
        && !site
            .read(|store| Ok(store.knows_letter(&pipeline::identity(store, &letter, (site.now)())?)?))?;
    if is_old {
        return told(StatusCode::CONFLICT, SPENT);
    }
    match (site.hand)(letter, None) {
        Some(Handled::Acted { ends_well: true, answer, .. })
            if LANGUAGE.of_reply(&form.act).is_some_and(|entry| entry.done == Some("")) =>
        {
            told(StatusCode::OK, &answer)
        }
        Some(Handled::Acted { ends_well: true, .. }) => {
            let next = site.read(|store| next_link(store, &player.seat, &form.act))?;
            let to = asked.done_at(next.as_ref().unwrap_or(link), &form.act);
            Ok(Some(Answer::see(to).private()))
        }
        Some(Handled::Acted { answer, .. }) => told(StatusCode::CONFLICT, &answer),
        Some(Handled::Again | Handled::Counted(_) | Handled::SetAside) => {
            told(StatusCode::OK, "This was done already; once is enough.")
        }
        None => told(StatusCode::SERVICE_UNAVAILABLE, BUSY),
    }
}

/// The player's newest link to the board, or after `rematch` to the new board.
fn next_link(store: &Store, seat: &TokenSeat, act: &str) -> Result<Option<String>, Error> {
    let new: Option<BoardId> = match act {
        "rematch" => store.rematch_of(seat.player, seat.board)?,
        _ => None,
    };
    token::of_page(store, new.unwrap_or(seat.board), seat.player, None)
}

impl PlayForm {
    /// Reads a form of a player who has this plan. The error is a sentence for the sender.
    fn read(body: &[u8], kept: Plan) -> Result<PlayForm, &'static str> {
        const STRANGE: &str = "This form does not come from our pages; nothing was done.";
        let field = |name: &str| field(body, name).unwrap_or_default().trim().to_owned();
        let (mut act, once) = (field("act"), field("once"));
        if once.len() > 32 || !once.bytes().all(|octet| octet.is_ascii_alphanumeric()) {
            return Err(STRANGE);
        }
        let reply = match act.as_str() {
            // A tick adds `ask`.
            "move" => turn(format!("{} {}", field("turn"), field("ask")).trim_end(), &field("then"))?,
            "chat" => match field("words") {
                words if words.is_empty() => return Err("There are no words to send; nothing was done."),
                words if words.len() > WORDS => return Err("These words are too long; nothing was sent."),
                words => format!("chat {words}"),
            },
            "roll" => match field("words") {
                word if word.is_empty() => {
                    return Err("The dice wait for a word of yours; nothing was done.");
                }
                word if word.lines().count() > 1 || word.len() > WORDS => {
                    return Err("A word for the dice is one line; nothing was done.");
                }
                word => format!("roll {word}"),
            },
            "queue" => format!("queue {}", plan(&field("queue"))?),
            // Without the number of a line it withdraws all.
            "unqueue" => match field("line").parse().map(|line| kept.without(line)) {
                Ok(rest) if !rest.is_empty() => {
                    act = "queue".to_owned();
                    format!("queue {rest}")
                }
                _ => "queue off".to_owned(),
            },
            words => match LANGUAGE.of_reply(words.split(' ').next().unwrap_or_default()) {
                Some(Entry { word, in_reply: InReply::Keeps(_), .. }) => {
                    format!("{word} {}", note(&field("words"), &field("ply"))?)
                }
                Some(entry)
                    if entry.done.is_some()
                        && entry.in_reply.stands_alone()
                        && words.strip_prefix(entry.word).is_some_and(|second| {
                            second.is_empty() || entry.with_second(second.trim_start()).is_some()
                        }) =>
                {
                    std::mem::replace(&mut act, entry.word.to_owned())
                }
                _ => return Err(STRANGE),
            },
        };
        Ok(PlayForm { act, reply, once })
    }
}

/// A private note on a ply. Without words it deletes the note.
fn note(words: &str, ply: &str) -> Result<String, &'static str> {
    match ply.is_empty() || ply.bytes().all(|octet| octet.is_ascii_digit()) {
        _ if words.len() > WORDS => Err("This note is too long; nothing was kept."),
        true if ply.is_empty() => Ok(words.to_owned()),
        true => Ok(format!("@#{ply} {words}")),
        false => Err("This form names no move; nothing was kept."),
    }
}

/// A turn and its conditions as one line of a reply.
fn turn(turn: &str, then: &str) -> Result<String, &'static str> {
    // A `;` begins the conditions, so the turn cannot contain one.
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic() && c != ';';
    // A link plays only on its own board, so the turn must read as a reply, not as a full command.
    let is_move = LANGUAGE.read_reply(turn).is_some_and(|line| matches!(line.reading, Reading::Reply(_)));
    if turn.len() > TURN || !turn.chars().all(is_plain) || !is_move {
        return Err("There is no move in this form; nothing was done.");
    }
    if then.is_empty() {
        return Ok(turn.to_owned());
    }
    let then = conditions(then)?;
    let first = then.split_whitespace().next().unwrap_or_default();
    if !["if", "else"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
        return Err("Answers after a move begin with `if`, as in: if K5-K4 then B4-C4. Nothing was played.");
    }
    Ok(format!("{turn}; {then}"))
}

/// Joins conditions after a move, one a line in the form, to one line separated by `;`.
fn conditions(text: &str) -> Result<String, &'static str> {
    if text.is_empty() || text.len() > CONDITIONS {
        return Err("There are no conditional moves in this form, or too many; nothing was done.");
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Ok(lines.join("; "))
}

/// Conditional moves in the syntax of `queue`. Also accepts the syntax of conditions after a move, one a line.
fn plan(text: &str) -> Result<String, &'static str> {
    let text = conditions(text)?;
    // The server's answers print a queue with the word `queue` in front, so the form accepts it.
    let text = text.strip_prefix("queue ").unwrap_or(&text);
    Ok(match Plan::behind_a_move(text) {
        Ok(plan) if !plan.is_empty() => plan.to_string(),
        // Otherwise the command explains what is wrong.
        _ => text.to_owned(),
    })
}
