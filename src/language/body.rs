//! What a player writes in addition to a command, for other people to read.

use std::iter::Peekable;
use std::str::Lines;

use super::claim::Request;
use super::line::{ParseError, Reading};
use super::parameters::Parameters;
use super::table::Language;
use crate::ids::Userid;
use crate::mail::clean;
use crate::mail::reply_text::new_text;

/// The most characters that are passed on.
pub const TEXT_AT_MOST: usize = 4_000;

/// Replaces the rest of a text that is too long.
const CUT: &str = "[...]";

/// The words of `text` that are the writer's own. Quotes, the signature, and blank lines at both ends are left out.
pub fn own_words(text: &str) -> String {
    tidy(&new_text(&clean::lines(text)).new)
}

/// Tidies `new`, all of which its writer wrote.
pub(super) fn whole(new: &str) -> String {
    tidy(&clean::lines(new))
}

/// Removes blanks at the ends of lines, and blank lines at both ends.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    lines.get(first..last).unwrap_or_default().join("\n")
}

/// Cuts `text` to the length that is passed on. Passwords are masked before: half a password at the cut would
/// not be recognised.
pub fn shorten(text: &str) -> String {
    let Some((end, next)) = text.char_indices().nth(TEXT_AT_MOST) else { return text.to_owned() };
    let mut kept = text.get(..end).unwrap_or_default();
    // Half of a link leads nowhere.
    let word = kept.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
    let last = kept.get(word..).unwrap_or_default();
    if !next.is_whitespace() && (last.contains("://") || last.contains("www.")) {
        kept = kept.get(..word).unwrap_or_default();
    }
    format!("{}\n{CUT}", kept.trim_end())
}

/// The most attempts to find a command within the lines of a text.
const TRIES: usize = 1_000;

/// The most words of a command, up to its password.
const WORDS: usize = 8;

impl<C: Parameters> Reading<C> {
    /// The words that a command carries to another player.
    pub(super) fn text(&mut self) -> Option<&mut String> {
        match self {
            Reading::Command(request) => request.command.text(),
            _ => None,
        }
    }

    /// Takes the words that a command carries from `lines`, up to and including a line `end`.
    ///
    /// Without a line `end`, takes nothing: a move below would be sent to a player as part of a message.
    pub(super) fn take_text(&mut self, lines: &mut Peekable<Lines<'_>>) {
        let Some(carried) = self.text() else { return };
        let mut rest = lines.clone();
        let mut text = String::new();
        while let Some(line) = rest.next() {
            if line.trim().eq_ignore_ascii_case("end") {
                *carried = own_words(&text);
                *lines = rest;
                return;
            }
            text.push_str(line);
            text.push('\n');
        }
        *self = Reading::Malformed(ParseError {
            why: "the message is expected on the lines below, and a line `end` after it".to_owned(),
            grammar: "COMMAND\n    MESSAGE ...\n    end".to_owned(),
            pointer: String::new(),
            meant: None,
        });
    }
}

impl<C: Parameters> Language<C> {
    /// The words below the first line of a reply, which is a move or a command. `new` is what its writer
    /// wrote.
    pub fn below_first_line(&self, new: &str) -> String {
        let mut lines = new.split_inclusive('\n');
        let is_first = |line: &str| !matches!(self.read_without_suggestion(line).reading, Reading::Skip);
        if !lines.by_ref().any(is_first) {
            return String::new();
        }
        tidy(&clean::lines(&lines.collect::<String>()))
    }

    /// The passwords in the commands that are lines of `text`, each with its userid: a player might have left
    /// older commands below.
    pub fn passwords_in(&self, text: &str) -> Vec<(Userid, String)> {
        let mut found = Vec::new();
        let mut lines = text.lines().peekable();
        let mut tries = TRIES;
        while let Some(line) = lines.next() {
            let commands = match self.command_in(line) {
                Some(command) => vec![command],
                None => self.commands_within(line, lines.peek().copied(), &mut tries),
            };
            for command in commands {
                if let Some(userid) = command.userid() {
                    let passwords = command.passwords().into_iter();
                    found.extend(passwords.map(|password| (userid.clone(), password.to_owned())));
                }
            }
        }
        found
    }

    /// The commands in a line after a mark, a label or other words, and before others. Mail programs break a long line,
    /// so a command can continue in the `next`.
    fn commands_within(&self, line: &str, next: Option<&str>, tries: &mut usize) -> Vec<Request<C>> {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let own = words.len();
        words.extend(next.unwrap_or_default().split_whitespace().take(WORDS));
        let begins = |word: &&str| self.begins_a_command(word.trim_matches(|c: char| !c.is_alphanumeric()));
        let mut found = Vec::new();
        for start in (0..own).filter(|start| words.get(*start).is_some_and(begins)) {
            for length in (3..=WORDS).rev() {
                let Some([first, rest @ ..]) = words.get(start..start + length) else { continue };
                let Some(left) = tries.checked_sub(1) else { return found };
                *tries = left;
                let first = first.trim_start_matches(|c: char| !c.is_alphanumeric());
                let command = self.command_in(&format!("{first} {}", rest.join(" ")));
                // Skips prose such as `I read your message ann wrote`.
                let is_a_word = |password: &str| password.chars().all(char::is_lowercase);
                found.extend(command.filter(|command| !command.passwords().into_iter().any(is_a_word)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_and_say_so() {
        let cut = shorten(&"\u{e9}".repeat(TEXT_AT_MOST + 1));
        assert_eq!(cut.chars().count(), TEXT_AT_MOST + 1 + CUT.len());
        assert!(cut.ends_with(CUT));
        assert_eq!(shorten(&"x".repeat(TEXT_AT_MOST)).len(), TEXT_AT_MOST);
        let link = format!("{} https://example.org/a-long-link", "x".repeat(TEXT_AT_MOST - 20));
        assert!(shorten(&link).ends_with(&format!("x\n{CUT}")), "half of a link leads nowhere");
    }

    #[test]
    fn control_and_invisible_characters_go() {
        assert_eq!(own_words("a\u{7}\u{202E}b\u{200B}\r\nc\tc"), "ab\nc c");
    }
}
