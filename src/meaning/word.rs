//! Reads the word that begins a reply, with its arguments, and `yes` and `no` in any wording.

use crate::commands::preview::Preview;
use crate::commands::{Command, LANGUAGE};
use crate::credentials::token::MailKind;
use crate::failure::{Refusal, refusal, refuse};
use crate::language::phrasebook::{is_no, is_yes, word_said};
use crate::language::wish::only_surrounds;
use crate::language::{InReply, Offered, Seen, read_behind};
use crate::meaning::lines::{ReplyLines, bare, first_word, is_kept, quoted};
use crate::meaning::{Meaning, ReplyBoard, doubt};

/// True if a reply says no to a move or word that waits for a `yes`. In reply to a chat, a `no` is for the opponent.
pub(super) fn drops(lines: &ReplyLines<'_>, mail: MailKind) -> bool {
    let is_plain = bare(lines.first()) == "no";
    let is_slip = || mail == MailKind::Question && !is_word(lines) && word_said(lines.first(), &[]).is_some();
    is_no(lines.first()) && mail != MailKind::Chat && (is_plain || mail == MailKind::Question) || is_slip()
}

/// True if the first line begins with a word of the language.
fn is_word(lines: &ReplyLines<'_>) -> bool {
    LANGUAGE.of_reply(&first_word(lines.first()).0).is_some()
}

/// The reply without its first `yes`, if moves follow in the same line: `yes, D1-E1`.
pub(super) fn behind_yes(lines: &ReplyLines<'_>) -> Option<String> {
    let (first, rest) = first_word(lines.first());
    let is_move = is_yes(&first) && lines.finder.is_moves_only(rest);
    is_move.then(|| format!("{rest}\n{}", lines.below()))
}

/// What the word in the first line means, alone or with its arguments, and what its writer must have seen.
pub(super) fn read(at: &ReplyBoard, lines: &ReplyLines<'_>) -> Result<Option<(Meaning, Seen)>, Refusal> {
    let (first, rest) = first_word(lines.first());
    let names = [at.writer.as_str(), &at.opponent];
    // In answer to the opponent's words, an `oops` is words.
    let said = word_said(lines.first(), &names).filter(|_| at.token.mail != MailKind::Chat);
    let known = LANGUAGE.of_reply(said.unwrap_or(&first));
    let Some(entry) = known.filter(|entry| at.game.dice || entry.offered != Offered::WithDice) else {
        return Ok(yes_or_no(at, lines));
    };
    let second = entry.with_second(&bare(rest));
    let is_bare = bare(rest).is_empty() || second.is_some();
    let is_alone = is_bare || only_surrounds(rest, &names) || said.is_some();
    // `resign gammon` is a ply.
    if !is_bare && at.game.plies.words.contains(&lines.first().to_lowercase().as_str()) {
        return Ok(None);
    }
    let mut words = String::new();
    let command = match entry.in_reply {
        InReply::Keeps(_) if !is_kept(lines.first()) => return Ok(None),
        InReply::BeginsWords(command) | InReply::Keeps(command) => {
            command(at.at(), lines.behind_first_word())
        }
        InReply::Begins(_) if lines.rest().is_empty() => return Ok(None),
        InReply::Begins(read) | InReply::MayBegin(read) => {
            // A word for the dice is in the line of `roll`; the lines below are for the opponent.
            let behind = if entry.offered == Offered::WithDice { rest.to_owned() } else { lines.rest() };
            let command = read_behind(at.at(), &behind, read).map_err(|why| {
                refusal!(
                    "`{line}` cannot be read: {why}. `help {first}` explains it.",
                    line = quoted(lines.first())
                )
            })?;
            // If the preview is of a whole turn that its writer can play now, a `yes` plays it.
            if let Command::Preview(Preview { plies, .. }) = &command
                && at.reads(plies).is_some()
            {
                return Ok(Some((at.asking(plies, "A preview.", String::new()), entry.needs)));
            }
            if let Command::Roll(_) = command {
                words = lines.below();
            }
            command
        }
        _ if !is_alone => return Ok(None),
        InReply::AsYes => return Ok(Some(yes(at, lines))),
        InReply::Alone(command) => command(at.at()),
        InReply::ForMove(command) | InReply::Decides(command) => {
            if let Some(line) = lines.moves().first() {
                return refuse!(
                    "Your reply says `{first}` and {plies}. Nothing was done: reply with the one you mean.",
                    plies = line.plies
                );
            }
            let command = second.unwrap_or(command)(at.at());
            let decides = matches!(entry.in_reply, InReply::Decides(_));
            // A `no` does not contradict `reject`.
            let agrees = |line: &&str| !matches!(command, Command::Reject(_)) || *line == lines.first();
            let doubtful = doubt::of_word(lines, decides, &names).filter(agrees);
            if let Some(line) = doubtful.or((decides && !is_bare).then_some(lines.first())) {
                let word = second.map_or(entry.word.to_owned(), |_| bare(lines.first()));
                let because = because(line);
                return match at.running {
                    true => Ok(Some((at.asking(word, because, doubt::beside_a_word(lines)), entry.needs))),
                    false => refuse!(
                        "{because} If you mean `{word}`, let it stand alone in the first line:\n\n    {word}"
                    ),
                };
            }
            words = lines.below();
            command
        }
        InReply::Nothing => return Ok(None),
    };
    Ok(Some((Meaning::Do { command, words }, entry.needs)))
}

/// Decides what the first line means if it says only `yes` or `no`, in some language.
fn yes_or_no(at: &ReplyBoard, lines: &ReplyLines<'_>) -> Option<(Meaning, Seen)> {
    let (line, mail) = (lines.first(), at.token.mail);
    // Other words for yes or no count only in answer to a question or proposal; otherwise they may be talk.
    let asks = at.is_offered() && at.token.up_to_date || mail == MailKind::Question && at.draft.is_some();
    let counts = |plain: &str| asks || bare(line) == plain;
    match (is_yes(line), is_no(line)) {
        // It answers the opponent's words.
        _ if mail == MailKind::Chat => None,
        (true, _) if lines.moves().is_empty() && counts("yes") => Some(yes(at, lines)),
        (_, true) if counts("no") => Some(match at.is_asked {
            true => (decided(Command::Reject(at.at()), lines), Seen::Proposals),
            false => (Meaning::NothingAsked("no"), Seen::Nothing),
        }),
        _ => None,
    }
}

/// `yes` plays the move that was shown, or accepts what the opponent proposed.
fn yes(at: &ReplyBoard, lines: &ReplyLines<'_>) -> (Meaning, Seen) {
    let (done, needs) = match &at.draft {
        Some(_) => (decided(Command::Confirm(at.at()), lines), Seen::Position),
        None if at.is_offered() => (decided(Command::Accept(at.at()), lines), Seen::Proposals),
        None => return (Meaning::NothingAsked("yes"), Seen::Nothing),
    };
    let doubtful = doubt::of_word(lines, false, &[]);
    let asked = doubtful.map(|line| {
        at.asking(at.draft.as_deref().unwrap_or("accept"), because(line), doubt::beside_a_word(lines))
    });
    (asked.unwrap_or(done), needs)
}

/// Answers a proposal; the words below are for the opponent.
fn decided(command: Command, lines: &ReplyLines<'_>) -> Meaning {
    Meaning::Do { command, words: lines.below() }
}

/// Tells the player why the server asks instead of acting: this line of the reply contradicts its first word.
fn because(line: &str) -> String {
    format!("Your reply says `{}`, so nothing was done.", quoted(line))
}
