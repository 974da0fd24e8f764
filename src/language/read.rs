//! Finds the commands of a letter: in the Subject, or line by line in the text.

use turnpost_games::registry;

use super::line::{Line, Reading};
use super::move_finder::MoveFinder;
use super::parameters::Parameters;
use super::phrasebook::word_said;
use super::table::{Language, MULTIPLE};
use super::wish::is_around;
use super::{body, token};
use crate::ids::BoardId;
use crate::mail::subject::bare;

/// The reading ends after this many lines in a row that are no commands.
pub const UNKNOWN_AT_MOST: usize = 5;

impl<C: Parameters> Language<C> {
    /// The commands of a letter: its Subject, if that begins with a command or a game; otherwise the lines of
    /// its text, at most `most` of them.
    pub fn read(&self, subject: &str, text: &str, most: usize) -> Vec<Line<C>> {
        let subject = token::plain(subject);
        let subject = bare(&subject);
        let first = subject.split_whitespace().next().unwrap_or_default();
        if self.begins_bare_subject(subject) {
            let mut line = self.read_line(subject);
            if let Some(carried) = line.reading.text() {
                *carried = words_beside(subject, text);
            }
            if let Reading::Malformed(error) = &mut line.reading {
                error.meant = error.meant.take().or_else(|| self.with_the_rest_below(subject, text));
            }
            return vec![line];
        }
        let lines = self.read_body(text, most);
        if lines.iter().all(|line| matches!(line.reading, Reading::Unknown { .. })) {
            // Without a game's name a Subject may be prose, so the body comes first.
            let line = self.read_line(subject);
            if matches!(line.reading, Reading::Command(_)) {
                return vec![line];
            }
        }
        if lines.is_empty() && !first.eq_ignore_ascii_case(MULTIPLE) {
            // The body has nothing either, so a Subject that nearly is a command gets a suggestion.
            let line = self.read_line(subject);
            if matches!(line.reading, Reading::Unknown { suggestion: Some(_) }) {
                return vec![line];
            }
        }
        lines
    }

    /// The Subject and the first lines of the text as one line, if the text has what a Subject such as
    /// `signup` lacks.
    fn with_the_rest_below(&self, subject: &str, text: &str) -> Option<String> {
        let below = body::own_words(text);
        (1..=2).find_map(|lines| {
            let whole =
                std::iter::once(subject).chain(below.lines().take(lines)).collect::<Vec<_>>().join(" ");
            self.whole_line(&token::words(&whole).ok()?, None)
        })
    }

    fn read_body(&self, text: &str, most: usize) -> Vec<Line<C>> {
        let mut lines = Vec::new();
        let mut unknown_in_a_row = 0;
        let mut texts = text.lines().peekable();
        while let Some(text) = texts.next() {
            // Gmail folds the line that introduces a quotation when it is long.
            if text.starts_with("On ") && texts.next_if(|next| is_end_of_attribution(next)).is_some() {
                continue;
            }
            let mut line = self.read_line(text);
            line.reading.take_text(&mut texts);
            match line.reading {
                Reading::Skip => continue,
                Reading::End => break,
                Reading::Unknown { .. } => unknown_in_a_row += 1,
                Reading::Command(_) | Reading::Malformed(_) | Reading::Reply(_) | Reading::Rest => {
                    unknown_in_a_row = 0;
                }
            }
            if lines.len() == most {
                lines.push(rest(line));
                break;
            }
            lines.push(line);
            if unknown_in_a_row == UNKNOWN_AT_MOST {
                // The rest is usually prose; a command in it still gets an answer.
                let command = texts.find(|text| self.command_in(text).is_some());
                lines.extend(command.map(|text| rest(self.read_line(text))));
                break;
            }
        }
        lines
    }

    /// Reads what the writer of a reply wrote now. If the first line is a whole command, gives that command.
    /// Otherwise the board reads all lines, and the first one is shown.
    pub fn read_reply(&self, new: &str) -> Option<Line<C>> {
        let mut lines = new.lines().map(token::plain).map(|plain| {
            // A line that is no command is a move or words, so no command is suggested.
            let line = self.read_without_suggestion(&plain);
            (plain, line)
        });
        let (plain, mut line) = lines.find(|(_, line)| !matches!(line.reading, Reading::Skip))?;
        if let Some(carried) = line.reading.text() {
            *carried = self.below_first_line(new);
        }
        match line.reading {
            // `show` alone is a word about the board.
            Reading::Command(ref request)
                if request.is_left_out() && self.of_reply(line.echo.trim()).is_some() =>
            {
                as_reply(new, line)
            }
            // `change sides` begins like `change password`.
            Reading::Malformed(_) if word_said(&plain, &[]).is_some() => as_reply(new, line),
            Reading::Command(_) | Reading::Malformed(_) => Some(line),
            // A reply that is only `quit` asks for something, and does not end the commands.
            Reading::End if new.trim().chars().all(char::is_alphabetic) => as_reply(new, line),
            Reading::End | Reading::Skip | Reading::Reply(_) | Reading::Rest => None,
            // No password belongs here, but the line is still not shown: it might be private.
            Reading::Unknown { .. } => as_reply(new, line),
        }
    }
}

/// The first of the lines that are not read any more.
fn rest<C>(line: Line<C>) -> Line<C> {
    Line { echo: line.strict_echo.clone(), reading: Reading::Rest, otherwise: None, ..line }
}

fn as_reply<C>(new: &str, line: Line<C>) -> Option<Line<C>> {
    Some(Line { reading: Reading::Reply(body::whole(new)), ..line })
}

/// True for the second half of a line that introduces a quotation.
fn is_end_of_attribution(line: &str) -> bool {
    line.trim_end().ends_with("wrote:")
}

/// The writer's own words below a Subject with a command. Leaves out lines that repeat the
/// command: three or more of its words in their order, or moves in the first line.
pub(crate) fn words_beside(subject: &str, text: &str) -> String {
    let plain = |text: &str| token::plain(text).to_lowercase();
    let command = plain(subject);
    let mut is_first = true;
    let is_new = |line: &&str| {
        let line = plain(line);
        let mut words = command.split_whitespace();
        let is_part = line.split_whitespace().all(|word| words.any(|said| said == word));
        let is_whole = line.split_whitespace().eq(bare(&command).split_whitespace());
        let is_short = line.split_whitespace().count() < 3;
        let is_move = is_first && MoveFinder::of_any_game().is_moves_only(&line);
        is_first &= line.trim().is_empty();
        line.trim().is_empty() || !(is_whole || is_part && (is_move || !is_short))
    };
    body::whole(&body::own_words(text).lines().filter(is_new).collect::<Vec<_>>().join("\n"))
}

impl<C: Parameters> Language<C> {
    /// A line that begins with a game's command and names the game at another place, as `challenge bob to a game of chess`
    /// does, with the game at its beginning. `None` if that is no command.
    pub(crate) fn with_its_game_first(&self, line: &str) -> Option<String> {
        if !self.needs_a_game(line) {
            return None;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().rposition(|word| registry::find(&word.to_lowercase()).is_some())?;
        let (before, behind) = words.split_at_checked(at)?;
        let (game, behind) = behind.split_first()?;
        let links = before.iter().rev().take_while(|word| is_around(word)).count();
        let before = before.get(..before.len() - links)?;
        let named = [&[*game], before, behind].concat().join(" ");
        matches!(self.read_line(&named).reading, Reading::Command(_)).then_some(named)
    }

    /// A line that begins with a keyword of the server's commands, as `digest on` does, with the command's word before it.
    /// `None` if that is no command.
    pub(crate) fn with_its_word_first(&self, line: &str) -> Option<String> {
        let first = line.split_whitespace().next()?;
        let entry = self.of_keyword(first).filter(|_| !self.begins_a_command(first))?;
        let named = format!("{} {line}", entry.word);
        let left_out = match self.read_line(&named) {
            Line { reading: Reading::Command(request), .. } if request.is_left_out() => request,
            Line { otherwise, .. } => otherwise?,
        };
        (!left_out.command.may_be_prose()).then_some(named)
    }

    /// True if the Subject is the letter's one command; its text is then the player's own words.
    pub(crate) fn is_in_subject(&self, subject: &str) -> bool {
        self.begins_bare_subject(bare(&token::plain(subject)))
    }

    /// True if the Subject begins with a command, without a mark of a reply.
    pub(crate) fn begins_subject(&self, subject: &str) -> bool {
        self.begins_bare_subject(token::plain(subject).trim())
    }

    pub(super) fn begins_bare_subject(&self, bare_subject: &str) -> bool {
        let first = bare_subject.split_whitespace().next().unwrap_or_default();
        let known = registry::find(first).is_some() || self.of_server(first).is_some();
        known && !is_thread_subject(bare_subject) && !self.is_prose(bare_subject)
    }
}

/// True for the Subject of the server's mails about a board, `GAME 42, ann v bob`: then the answer is in the
/// body.
fn is_thread_subject(subject: &str) -> bool {
    let mut words = subject.split_whitespace().skip(1);
    words
        .next()
        .and_then(|word| word.strip_suffix(','))
        .is_some_and(|number| number.parse::<BoardId>().is_ok())
}
