//! Turns and talk as people write them, made of the parts of `tests/data/made-replies.txt`.

use super::positions::{Chance, Position};
use crate::support::data::DataFile;

/// How people write a turn.
pub struct Dresses {
    joints: Vec<String>,
    marks: Vec<String>,
    leads: Vec<String>,
    greetings: Vec<String>,
}

/// A turn as somebody wrote it, and how.
pub struct Dressed {
    pub greeting: Option<String>,
    moves: Vec<String>,
    /// True where two spaces are joined, or two plies parted, by blanks alone.
    pub blanks: bool,
}

impl Dressed {
    pub fn lines(&self) -> Vec<String> {
        self.greeting.iter().chain(&self.moves).cloned().collect()
    }
}

impl Dresses {
    pub fn read() -> Dresses {
        let file = DataFile::read("made-replies.txt");
        Dresses {
            joints: file.entries("between two spaces"),
            marks: file.entries("before and behind a move, which is MOVE"),
            leads: file.entries("leads to a move"),
            greetings: file.entries("greetings above a move"),
        }
    }

    /// A turn in a random dress.
    pub fn dressed(&self, chance: &mut Chance, position: &Position, plies: &[String]) -> Dressed {
        let joint: &str = chance.text(&self.joints);
        // A turn of Hexmeister may be one word, in which a + stands before each bonus and alone for `done`.
        let one_word = position.kind.key == "hexmeister" && plies[0] != "done" && chance.once_in(3);
        let joint = if one_word && joint.eq_ignore_ascii_case(" to ") { "-" } else { joint };
        let joint = if one_word { joint.trim() } else { joint };
        let moves: Vec<String> = plies
            .iter()
            .map(|ply| {
                match ply.starts_with(|c: char| c.is_ascii_digit()) && joint.is_empty()
                    || ply.starts_with('O')
                {
                    true => ply.clone(),
                    false => ply.replacen('-', joint, 1),
                }
            })
            .collect();
        let own_lines = !one_word && plies.len() > 1 && chance.once_in(2);
        let parts: Vec<String> = if one_word {
            vec![moves.iter().map(|ply| if ply == "done" { "" } else { ply }).collect::<Vec<_>>().join("+")]
        } else if own_lines {
            moves
        } else {
            vec![moves.join(chance.pick::<&str>(&[" ", ", ", "; ", "  "]))]
        };
        let legal = position.table.legal_plies();
        let without_marks = |ply: &str| ply.trim_end_matches(['+', '#']).to_lowercase();
        let alike =
            |ply: &String| legal.iter().filter(|other| without_marks(other) == without_marks(ply)).count();
        // `bxc3` and `Bxc3` are two plies, and in capitals only the second is read.
        let is_fixed = |ply: &String| alike(ply) > 1 || ply.starts_with("bx");
        let case = if plies.iter().any(is_fixed) { 2 } else { chance.below(4) };
        let mut moves: Vec<String> = Vec::new();
        for part in parts {
            let part = match case {
                0 => part.to_uppercase(),
                1 => part.to_lowercase(),
                2 => part,
                _ => wide(&part),
            };
            let (before, behind) = chance.text(&self.marks).split_once("MOVE").unwrap();
            // In all dresses at once nobody writes.
            let lead = if before.is_empty() || chance.once_in(2) { chance.text(&self.leads) } else { "" };
            let mark_first = chance.once_in(2) || before.ends_with(' ');
            let (first, second) = if mark_first { (before, lead) } else { (lead, before) };
            moves.push(format!("{first}{second}{part}{behind}"));
        }
        let greeting = Some(chance.text(&self.greetings).to_owned()).filter(|greeting| !greeting.is_empty());
        Dressed { greeting, moves, blanks: joint.trim().is_empty() }
    }
}

/// In letters and digits of full width.
fn wide(text: &str) -> String {
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(u32::from(c) + 0xFEE0).unwrap(),
        c => c,
    };
    text.chars().map(wide).collect()
}

/// What talk is made of.
pub struct Parts {
    greetings: Vec<String>,
    talk: Vec<String>,
    doubtful: Vec<String>,
    move_lines: Vec<String>,
    pieces: Vec<String>,
}

impl Parts {
    pub fn read() -> Parts {
        let file = DataFile::read("made-replies.txt");
        Parts {
            greetings: file.entries("greetings above talk"),
            talk: file.entries("talk that names no space and begins like no command"),
            doubtful: file.entries("talk that names what could be a space, or begins like a command"),
            move_lines: file.entries("lines that are a move by themselves, in some phase of some game"),
            pieces: file.entries("pieces of a random text"),
        }
    }

    /// A reply somebody could write, of one to five parts.
    pub fn reply(&self, chance: &mut Chance) -> String {
        let mut parts: Vec<&str> = Vec::new();
        if chance.once_in(3) {
            parts.push(chance.text(&self.greetings));
        }
        for _ in 0..=chance.below(4) {
            parts.push(match chance.below(30) {
                0 => chance.text(&self.move_lines),
                1..=10 => chance.text(&self.doubtful),
                _ => chance.text(&self.talk),
            });
        }
        parts.join(chance.pick::<&str>(&["\n", "\n\n"]))
    }

    /// A text of anything: letters, signs, blanks, Unicode, and pieces of moves.
    pub fn anything(&self, chance: &mut Chance) -> String {
        let mut text = String::new();
        for _ in 0..1 + chance.below(8) {
            text.push_str(match chance.below(12) {
                0 | 1 => "\n",
                2..=4 => " ",
                _ => "",
            });
            match chance.below(8) {
                0 => text.extend(char::from_u32(32 + chance.below(95) as u32)),
                1 => text.extend(char::from_u32(chance.below(0x2_0000) as u32)),
                _ => text.push_str(chance.text(&self.pieces)),
            }
        }
        text
    }
}
