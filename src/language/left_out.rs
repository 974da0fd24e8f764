//! Commands that leave out who writes: `dvonn challenge robot`, `dvonn move 12 F3`.
//!
//! ```text
//! game challenge [options] userid      game accept seek number      game show [all|active|inactive|next]
//! [game] tutorial                      [game] who near
//! game seek [options] | off            game move|submit board move ...
//! game resign|rematch|propose|undo|accept|reject|decline board
//! game queue board [move ... | if move then move ... | off]
//! ```
//!
//! A letter that proves its writer need not name them. The line is kept with the writer's place open. The server fills
//! it in when it knows who wrote, and reads the whole. The full form wins where both can be read.

use super::dress::{holds_moves_only, undressed};
use super::line::Found;
use super::play::stands_for_a_move;
use super::token::{Word, quote};
use super::who::NEAR;
use super::{Command, line};
use crate::ids::{BoardId, Userid};

/// A userid that nobody has: a line is tried with it.
const SOMEBODY: &str = "you";

/// A command without its writer.
#[derive(Debug, Clone)]
pub struct LeftOut {
    before: String,
    after: String,
    /// The full form has a password behind the userid.
    pub takes_password: bool,
    pub board: Option<BoardId>,
    word: &'static str,
}

impl LeftOut {
    /// The command's word.
    pub(crate) fn word(&self) -> &'static str {
        self.word
    }

    /// The command as this player would write it in full.
    pub(crate) fn by(&self, writer: &Userid) -> Option<Command> {
        line::read_in_full(&self.with(&self.named(writer.as_str(), "-")))
    }

    /// The full form, ready to copy. All that stands in it is a number, an option, a userid or a move.
    pub(crate) fn written(&self, userid: &str) -> String {
        self.with(&self.named(userid, "PASSWORD"))
    }

    fn named(&self, userid: &str, password: &str) -> String {
        if self.takes_password { format!("{userid} {password}") } else { userid.to_owned() }
    }

    fn with(&self, writer: &str) -> String {
        let parts = [self.before.as_str(), writer, self.after.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// The command that `words` are without their writer; `None` where they are none.
pub(super) fn read(words: &[Word], found: &Found) -> Option<LeftOut> {
    let behind = words.get(found.used..)?;
    let texts: Vec<&str> = behind.iter().map(|word| word.text.as_str()).collect();
    let first = texts.first().copied().unwrap_or_default();
    let (place, takes_password) = match found.entry.word {
        "challenge" | "show" => (found.used, false),
        "who" if matches!(texts.as_slice(), [near] if near.eq_ignore_ascii_case(NEAR)) => {
            (words.len(), false)
        }
        "tutorial" => (words.len(), false),
        "seek" | "resign" | "rematch" | "propose" | "undo" | "accept" | "reject" | "decline" => {
            (words.len(), true)
        }
        "move" if is_a_turn(texts.get(1..)?) => (found.used + 1, true),
        "submit" if holds_moves_only(&undressed(&texts.get(1..)?.join(" "))) => (found.used + 1, true),
        "queue" if is_a_queue(texts.get(1..)?) => (found.used + 1, true),
        _ => return None,
    };
    let text = |words: &[Word]| words.iter().map(|word| quote(&word.text)).collect::<Vec<_>>().join(" ");
    let (before, after) = words.split_at_checked(place)?;
    let board = match found.entry.word {
        "challenge" | "show" | "seek" => None,
        _ => first.parse().ok(),
    };
    let left_out =
        LeftOut { before: text(before), after: text(after), takes_password, board, word: found.entry.word };
    left_out.by(&SOMEBODY.parse().ok()?).map(|_| left_out)
}

/// True for moves and nothing else, or the word that stands in place of one.
fn is_a_turn(words: &[&str]) -> bool {
    match words {
        [] => false,
        [word] if stands_for_a_move(word) => true,
        words => holds_moves_only(&undressed(&words.join(" "))),
    }
}

/// True for what a queue is made of and nothing else.
fn is_a_queue(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let bare = word.trim_matches(|c: char| matches!(c, '(' | ')' | ','));
        let is_word = ["if", "then", "off", ""].iter().any(|own| bare.eq_ignore_ascii_case(own));
        is_word || holds_moves_only(&undressed(bare))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::language::{Reading, read_line};

    /// The command in full as ann writes it; `!` before what can only be read in full, `-` for what cannot be read.
    fn full(text: &str) -> String {
        let line = read_line(text);
        match line.reading {
            Reading::LeftOut(left_out) => left_out.written("ann"),
            Reading::Command(_) => "!".to_owned(),
            _ => "-".to_owned(),
        }
    }

    #[test]
    fn the_writer_may_be_left_out_and_the_full_form_wins() {
        for (text, expected) in [
            ("dvonn challenge robot", "dvonn challenge ann robot"),
            ("dvonn challenge --level=1 robot", "dvonn challenge ann --level=1 robot"),
            ("dvonn challenge bob -symmetry --lots", "dvonn challenge ann bob -symmetry --lots"),
            ("dvonn challenge ann bob", "!"),
            ("dvonn challenge", "-"),
            ("dvonn seek", "dvonn seek ann PASSWORD"),
            ("dvonn seek off", "dvonn seek off ann PASSWORD"),
            ("dvonn seek --rating=1400-1800", "dvonn seek --rating=1400-1800 ann PASSWORD"),
            ("dvonn seek ann", "-"),
            ("dvonn accept seek 3", "dvonn accept seek 3 ann PASSWORD"),
            ("dvonn accept 3", "dvonn accept 3 ann PASSWORD"),
            ("dvonn accept seek", "-"),
            ("dvonn propose 3", "dvonn propose 3 ann PASSWORD"),
            ("dvonn undo 3", "dvonn undo 3 ann PASSWORD"),
            ("dvonn reject 3", "dvonn reject 3 ann PASSWORD"),
            ("dvonn decline 3", "dvonn decline 3 ann PASSWORD"),
            ("dvonn submit 3 A3-B4", "dvonn submit 3 ann PASSWORD A3-B4"),
            ("dvonn submit 3 hunter2", "-"),
            ("dvonn submit 3 ann plover-42 F3", "!"),
            ("dvonn queue 3 A3-B4", "dvonn queue 3 ann PASSWORD A3-B4"),
            (
                "dvonn queue 3 if K5-K4 then (A3-B4, B4-C4)",
                "dvonn queue 3 ann PASSWORD if K5-K4 then (A3-B4, B4-C4)",
            ),
            ("dvonn queue 3", "dvonn queue 3 ann PASSWORD"),
            ("dvonn queue 3 off", "dvonn queue 3 ann PASSWORD off"),
            ("dvonn queue 3 ann plover-42 A3-B4", "!"),
            ("dvonn queue 3 ann", "-"),
            ("dvonn queue 3 hunter2", "-"),
            ("dvonn propose 3 ann", "-"),
            ("dvonn move 1 F3", "dvonn move 1 ann PASSWORD F3"),
            ("dvonn move 1 F3#7", "dvonn move 1 ann PASSWORD F3#7"),
            ("dvonn move 1 A3-B4 C1-C2", "dvonn move 1 ann PASSWORD A3-B4 C1-C2"),
            ("dvonn move 1 resign", "dvonn move 1 ann PASSWORD resign"),
            ("hexmeister move 1 d8-c9+c9-f8", "hexmeister move 1 ann PASSWORD d8-c9+c9-f8"),
            ("dvonn move 1 ann F3", "-"),
            ("dvonn move 1 hunter2", "-"),
            ("dvonn move 1 ann plover-42 F3", "!"),
            ("tutorial", "tutorial ann"),
            ("Dvonn Tutorial", "Dvonn Tutorial ann"),
            ("tutorial ann", "!"),
            ("tutorial ann plover-42", "!"),
            ("tutorial on the web", "-"),
            ("dvonn resign 1", "dvonn resign 1 ann PASSWORD"),
            ("dvonn rematch 1", "dvonn rematch 1 ann PASSWORD"),
            ("who near", "who near ann"),
            ("hexmeister who near", "hexmeister who near ann"),
            ("who near bob", "!"),
            ("dvonn who", "-"),
            ("dvonn show", "dvonn show ann"),
            ("dvonn show next", "dvonn show ann next"),
            ("show", "show ann"),
            ("show 12", "!"),
            ("delete", "-"),
            ("signoff", "-"),
            ("set zone Europe/Paris", "!"),
            ("message bob", "-"),
            ("change password old new", "-"),
        ] {
            assert_eq!(full(text), expected, "{text}");
        }
    }

    #[test]
    fn a_turn_of_moves_that_could_be_a_login_is_kept_both_ways() {
        let line = read_line("dvonn move 1 A3-B4 C1-C2 D1-D2");
        assert!(matches!(line.reading, Reading::Command(_)));
        assert_eq!(line.otherwise.unwrap().written("ann"), "dvonn move 1 ann PASSWORD A3-B4 C1-C2 D1-D2");
        assert!(read_line("dvonn move 1 ann plover-42 F3").otherwise.is_none());
    }

    #[test]
    fn a_word_where_a_password_could_stand_is_not_echoed() {
        assert_eq!(read_line("dvonn move 1 F3").echo, "dvonn move 1 F3");
        assert_eq!(read_line("dvonn move 1 A3-B4 C1-C2").echo, "dvonn move 1 A3-B4 ***");
        assert!(!read_line("dvonn move 1 ann hunter2").echo.contains("hunter2"));
        assert!(!read_line("dvonn move 1 hunter2").echo.contains("hunter2"));
    }

    proptest! {
        #[test]
        fn no_line_that_asks_for_a_password_echoes_one(
            head in prop::sample::select(vec!["dvonn move", "dvonn submit", "dvonn resign", "dvonn seek", "dvonn rematch",
                "dvonn accept", "dvonn accept seek", "dvonn showas", "hexmeister move", "signup", "set", "delete"]),
            before in prop::collection::vec(words(), 0..4),
            after in prop::collection::vec(words(), 0..4),
        ) {
            let line = format!("{head} {} hunter-2 {}", before.join(" "), after.join(" "));
            let line = read_line(&line);
            // As a userid it is shown where the rest can be read.
            if !matches!(line.reading, Reading::Command(_)) {
                prop_assert!(!line.echo.contains("hunter-2"), "{}", line.echo);
                if let Reading::LeftOut(left_out) = line.reading {
                    prop_assert!(!left_out.written("ann").contains("hunter-2"));
                }
            }
        }
    }

    fn words() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "1", "12#3", "ann", "F3", "A3-B4", "-", "--lots", "-symetry", "resign", "seek", "off", "x@y",
        ])
    }
}
