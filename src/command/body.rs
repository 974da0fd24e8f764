//! What a player writes beside a command, for other people to read.

use super::{Command, ParseError, Reading, read_line};
use crate::mail::clean;

/// No more characters are passed on.
pub const TEXT_AT_MOST: usize = 4_000;

/// Stands where the rest was too long.
const CUT: &str = "[...]";

/// The words of `text` that are the writer's own: without quoted lines and what introduces them, without the
/// signature and all below it, without blank lines at both ends.
pub fn own_words(text: &str) -> String {
    let text = clean::lines(text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut own: Vec<&str> = Vec::new();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let rest = lines.get(index..).unwrap_or_default();
        if *line == "--" || begins_a_copy(rest) {
            break;
        }
        index += 1;
        if line.starts_with('>') {
            drop_attribution(&mut own);
            continue;
        }
        if line.starts_with("Sent from my ") {
            continue;
        }
        own.push(line);
    }
    let first = own.iter().position(|line| !line.is_empty()).unwrap_or(own.len());
    let last = own.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    own.get(first..last).unwrap_or_default().join("\n")
}

/// The writer's own words below the first line of a reply, which is a move or a command.
pub fn below_first_line(text: &str) -> String {
    let mut lines = text.lines();
    let is_first = |line: &str| !matches!(read_line(line).reading, Reading::Skip);
    if !lines.by_ref().any(is_first) {
        return String::new();
    }
    own_words(&lines.collect::<Vec<_>>().join("\n"))
}

/// The line, or the folded two, that introduce a quotation in whatever language: it ends with a colon, and names an
/// address, a year or a time, which prose in front of a quotation rarely does all at its end.
fn drop_attribution(own: &mut Vec<&str>) {
    let Some(end) = own.iter().rposition(|line| !line.is_empty()) else { return };
    let ends_so = |line: &str| line.ends_with([':', '\u{FF1A}']);
    let looks_so = |line: &str| {
        line.contains('@') || line.contains("wrote") || line.chars().filter(char::is_ascii_digit).count() >= 3
    };
    let Some(line) = own.get(end).copied() else { return };
    if !ends_so(line) {
        return;
    }
    if looks_so(line) && !line.starts_with("wrote") {
        own.truncate(end);
    } else if end > 0 && own.get(end - 1).is_some_and(|above| above.contains('@')) {
        own.truncate(end - 1);
    }
}

/// Whether the lines begin with what Outlook and others put above a copy of the mail that is answered: a rule, or its
/// header, with the Subject in the writer's language.
fn begins_a_copy(lines: &[&str]) -> bool {
    const SUBJECTS: &[&str] = &[
        "subject",
        "betreff",
        "objet",
        "oggetto",
        "onderwerp",
        "asunto",
        "assunto",
        "emne",
        "\u{e4}mne",
        "temat",
    ];
    let Some(line) = lines.first() else { return false };
    let field = |line: &str| {
        let (name, _) = line.trim_start_matches('*').split_once(':')?;
        Some(name.trim().trim_end_matches('*').to_lowercase())
    };
    let ruled = line.len() >= 20 && line.chars().all(|c| c == '_');
    let named =
        line.starts_with("-----") && line.ends_with("-----") && !line.trim_matches('-').trim().is_empty();
    let is_subject = |line: &&str| field(line).is_some_and(|name| SUBJECTS.contains(&name.as_str()));
    let head: Vec<&&str> = lines.iter().take(6).take_while(|line| field(line).is_some()).collect();
    ruled || named || (head.len() >= 3 && head.into_iter().skip(2).any(is_subject))
}

/// `text` as far as it is passed on. Passwords are masked before: half of one at the cut would not be known.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(TEXT_AT_MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\n{CUT}", text.get(..end).unwrap_or_default().trim_end()),
    }
}

/// Gives a command that carries words those in `lines`, up to and with a line `end`.
///
/// Without that line nothing is taken: a move below would else be sent to somebody as part of a message.
pub(super) fn take_text<'t>(reading: &mut Reading, lines: &mut std::iter::Peekable<std::str::Lines<'t>>) {
    let Reading::Command(Command::Talk(talk)) = reading else { return };
    let mut rest = lines.clone();
    let mut text = String::new();
    while let Some(line) = rest.next() {
        if line.trim().eq_ignore_ascii_case("end") {
            talk.text = own_words(&text);
            *lines = rest;
            return;
        }
        text.push_str(line);
        text.push('\n');
    }
    *reading = Reading::Malformed(ParseError {
        why: "the message is expected on the lines below, and a line `end` behind it".to_owned(),
        grammar: "COMMAND\n    MESSAGE ...\n    end".to_owned(),
        pointer: String::new(),
    });
}

/// Passwords in lines of `text` that are commands themselves: a player may have left older ones below. Of each, the
/// userid it goes with.
pub fn passwords_in(text: &str) -> Vec<(crate::ids::Userid, String)> {
    let mut found = Vec::new();
    for line in text.lines() {
        if let Reading::Command(command) = read_line(line).reading {
            let userid = command.login().map(|login| &login.userid);
            let userid = userid.or_else(|| command.new_password().map(|(userid, _)| userid));
            if let Some(userid) = userid {
                found.extend(command.passwords().map(|password| (userid.clone(), password.to_owned())));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_and_signatures_are_left_out() {
        for (text, own) in [
            ("Well played!\n", "Well played!"),
            ("\n\nOne\n\n\nTwo\n\n", "One\n\n\nTwo"),
            ("Hello\n-- \nAnn\nPhone 12345\n", "Hello"),
            ("Hello\n\nOn Mon, Nov 16, 2026 at 5:02 PM Turnpost <p@x.org> wrote:\n> Your move\n", "Hello"),
            (
                "Hello\n\nOn Mon, Nov 16, 2026 at 5:02 PM Turnpost <play@turnpost.example>\nwrote:\n\n> Your\n",
                "Hello",
            ),
            ("Salut\nLe lun. 16 nov. 2026 \u{e0} 17:02, Turnpost a \u{e9}crit :\n> x\n", "Salut"),
            ("Moin\n-----Urspr\u{fc}ngliche Nachricht-----\nVon: Turnpost\n", "Moin"),
            ("Hi\n________________________________\nFrom: Turnpost\nSent: Monday\n", "Hi"),
            (
                "Hi\n\nFrom: Turnpost <play@x.org>\nSent: Monday\nTo: Ann\nSubject: dvonn 1\n\nYour move\n",
                "Hi",
            ),
            ("You said:\n> F3\nI doubt it.\n", "You said:\nI doubt it."),
            ("Sent from my iPhone\n", ""),
            ("> all quoted\n", ""),
            ("", ""),
        ] {
            assert_eq!(own_words(text), own, "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_cut_and_say_so() {
        let cut = shorten(&"\u{e9}".repeat(TEXT_AT_MOST + 1));
        assert_eq!(cut.chars().count(), TEXT_AT_MOST + 1 + CUT.len());
        assert!(cut.ends_with(CUT));
        assert_eq!(shorten(&"x".repeat(TEXT_AT_MOST)).len(), TEXT_AT_MOST);
    }

    #[test]
    fn control_and_invisible_characters_go() {
        assert_eq!(own_words("a\u{7}\u{202E}b\u{200B}\r\nc\tc"), "ab\nc c");
    }
}
