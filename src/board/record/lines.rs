//! The lines of a record: folding, unfolding and parsing them.

use std::fmt::Write;

use jiff::Timestamp;
use turnpost_games::{GameKind, registry};

use crate::board::Imported;
use crate::board::record::{BadText, By, Record, RecordLine};
use crate::ids::{Seat, Userid};
use crate::language::token::words;
use crate::store::{Bank, EventKind, TimeControl};

/// Parses an event line: `1. D1-E1 INSTANT [by]` or `* kind seat by who at INSTANT [ply N] ["text"]`.
pub(crate) fn event(line: usize, text: &str) -> Result<RecordLine, BadText> {
    let bad = |why: &str| BadText::Line { line, why: why.to_owned() };
    let instant = |word: &str| word.parse::<Timestamp>().map_err(|_| bad("an instant is expected"));
    let by = |word: &str| match word {
        "first" => Ok(By::Player(Seat::First)),
        "second" => Ok(By::Player(Seat::Second)),
        "server" => Ok(By::Server),
        _ => Err(bad("`first`, `second` or `server` is expected")),
    };
    let Some(rest) = text.strip_prefix("* ") else {
        let words = words(text).map_err(|_| bad("a quote is not closed"))?;
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let (number, ply, at, who) = match words.as_slice() {
            [number, ply, at] => (number, ply, at, None),
            [number, ply, at, who] => (number, ply, at, Some(by(who)?)),
            _ => return Err(bad("a ply is written `1. D1-E1 2026-11-16T12:00:00Z`")),
        };
        let number = number.strip_suffix('.').and_then(|number| number.parse().ok());
        return Ok(RecordLine {
            line,
            kind: EventKind::Ply,
            seat: None,
            by: who,
            ply: Some(number.ok_or_else(|| bad("a ply begins with its number and a dot"))?),
            at: instant(at)?,
            text: (*ply).to_owned(),
        });
    };
    // The quoted text runs to the end of the line. The words before it contain no quote.
    let (plain, quoted) = match rest.find('"') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let words: Vec<&str> = plain.split_whitespace().collect();
    let (kind, seat, who, at, ply) = match words.as_slice() {
        [kind, seat, "by", who, "at", at] => (kind, seat, who, at, None),
        [kind, seat, "by", who, "at", at, "ply", ply] => (kind, seat, who, at, Some(ply)),
        _ => return Err(bad("an event is written `* kind seat by who at INSTANT \"text\"`")),
    };
    let text = match quoted {
        "" => String::new(),
        json => serde_json::from_str(json).map_err(|_| bad("the text of the event is not closed"))?,
    };
    Ok(RecordLine {
        line,
        kind: kind.parse().map_err(|_| bad("this kind of event is not known here"))?,
        seat: match by(seat)? {
            By::Player(seat) => Some(seat),
            By::Server => None,
        },
        by: Some(by(who)?),
        ply: ply.map(|ply| ply.parse()).transpose().map_err(|_| bad("the number of a ply is expected"))?,
        at: instant(at)?,
        text,
    })
}

/// The header fields: line number, key and value.
pub(crate) struct RecordHeader {
    pub(crate) fields: Vec<(usize, String, String)>,
}

impl RecordHeader {
    fn get(&self, key: &str) -> Option<(usize, &str)> {
        self.fields.iter().find(|(_, known, _)| known == key).map(|(line, _, value)| (*line, value.as_str()))
    }

    fn need(&self, key: &str) -> Result<(usize, &str), BadText> {
        self.get(key).ok_or_else(|| BadText::Whole(format!("the line `{key}: ...` is missing")))
    }

    pub(crate) fn record(&self, events: Vec<RecordLine>) -> Result<Record, BadText> {
        let bad = |line: usize, why: &str| BadText::Line { line, why: why.to_owned() };
        let (line, game) = self.need("game")?;
        let game = registry::find(game).ok_or_else(|| bad(line, "there is no such game here"))?;
        let (line, players) = self.need("players")?;
        let player = |text: Option<&str>| text?.split_whitespace().next()?.parse::<Userid>().ok();
        let mut sides = players.split(" v ");
        let (Some(first), Some(second), None) = (player(sides.next()), player(sides.next()), sides.next())
        else {
            return Err(bad(line, "two userids are expected, as in `ann (white) v bob (black)`"));
        };
        let (line, started) = self.need("started")?;
        let (at, by) = started.split_once(" by ").unwrap_or((started, "server"));
        let at = at.parse().map_err(|_| bad(line, "an instant is expected"))?;
        let seat = match by {
            "first" => Some(Seat::First),
            "second" => Some(Seat::Second),
            _ => None,
        };
        Ok(Record {
            players: [first, second],
            result: self.get("result").map(|(_, result)| result.to_owned()),
            terms: self.terms(game)?,
            start: (at, seat),
            events,
        })
    }

    fn terms(&self, game: &GameKind) -> Result<serde_json::Map<String, serde_json::Value>, BadText> {
        let bad = |line: usize, why: &str| BadText::Line { line, why: why.to_owned() };
        let mut terms = match self.get("more") {
            Some((line, more)) => serde_json::from_str(more).map_err(|_| bad(line, "JSON is expected"))?,
            None => serde_json::Map::new(),
        };
        let board = self.get("board").map_or("0", |(_, board)| board);
        let board: u32 = board.split(' ').next().and_then(|board| board.parse().ok()).unwrap_or(0);
        let rated = self.get("rated").is_some_and(|(_, rated)| rated == "yes");
        let hash = self.get("seed-hash").filter(|_| self.get("seed").is_none());
        let seed_hash = hash.map(|(line, hash)| {
            let is_hash = hash.len() == 64 && hash.bytes().all(|octet| octet.is_ascii_hexdigit());
            is_hash.then(|| hash.to_owned()).ok_or_else(|| bad(line, "64 hexadecimal digits are expected"))
        });
        let imported = Imported { board, rated, events: 0, seed_hash: seed_hash.transpose()? };
        terms.insert("imported".into(), serde_json::json!(imported));
        terms.insert("game".into(), game.key.into());
        let (line, seed) = self.get("seed").unwrap_or((0, "0"));
        let seed: u64 = seed.parse().map_err(|_| bad(line, "a number is expected"))?;
        terms.insert("seed".into(), seed.into());
        terms.insert(
            "from_position".into(),
            self.get("set-up").is_some_and(|(_, how)| how == "position").into(),
        );
        terms.insert("position".into(), self.need("position")?.1.into());
        terms.insert("options".into(), self.options()?);
        let (line, days) = self.get("days").unwrap_or((0, "nag 0, forfeit 0, total 0"));
        let days =
            TimeControl::read(days).ok_or_else(|| bad(line, "`nag N, forfeit N, total N` is expected"))?;
        let bank = self.get("clock").map(|(line, clock)| {
            Bank::read(clock).ok_or_else(|| bad(line, "a clock as `20d+36h` is expected"))
        });
        let days = TimeControl { bank: bank.transpose()?, ..days };
        terms.insert("days".into(), serde_json::json!(days));
        Ok(terms)
    }

    fn options(&self) -> Result<serde_json::Value, BadText> {
        let (line, text) = self.get("options").unwrap_or((0, ""));
        let bad = |why: &str| BadText::Line { line, why: why.to_owned() };
        let words = words(text).map_err(|_| bad("a quote is not closed"))?;
        let mut options: Vec<(String, Option<String>)> = Vec::new();
        for word in words {
            let option = word.text.strip_prefix('-').ok_or_else(|| bad("an option begins with `-`"))?;
            // Records are ASCII, and only quoted texts have escapes.
            if option.contains(|c: char| !c.is_ascii() || c.is_ascii_control()) {
                return Err(bad("an option has no other characters than those of printable ASCII"));
            }
            options.push(match option.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (option.to_owned(), None),
            });
        }
        Ok(serde_json::json!(options))
    }
}

/// Width in bytes above which a line is folded.
const WIDTH: usize = 76;

/// `text` in ASCII: other characters become `\uXXXX`, as in JSON.
pub fn ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() && !c.is_ascii_control() {
            ascii.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    ascii
}

/// Appends `line` to `text`, folded. Continuation lines begin with one space. A fold is never next to a space of
/// `line`.
pub fn fold(line: &str, text: &mut String) {
    let mut rest = line;
    let mut width = WIDTH;
    while rest.len() > width {
        let bytes = rest.as_bytes();
        let blank = |at: usize| bytes.get(at).is_none_or(|byte| *byte == b' ');
        let Some(cut) = (1..=width)
            .rev()
            .find(|cut| !blank(cut.saturating_sub(1)) && !blank(*cut) && rest.is_char_boundary(*cut))
        else {
            break;
        };
        let (head, tail) = rest.split_at(cut);
        text.push_str(head);
        text.push_str("\n ");
        rest = tail;
        width = WIDTH - 1;
    }
    text.push_str(rest);
    text.push('\n');
}

/// Unfolds the lines of a text. Each comes with the number of its first physical line. Drops spaces at line ends.
pub fn unfold(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end();
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(more), Some((_, last))) if !last.is_empty() => last.push_str(more.trim_start()),
            _ => lines.push((number, line.to_owned())),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn unfolding_undoes_folding(lines in prop::collection::vec("[!-~]([ -~]{0,200}[!-~])?", 1..5)) {
            let mut text = String::new();
            for line in &lines {
                fold(line, &mut text);
            }
            let unfolded: Vec<String> = unfold(&text).into_iter().map(|(_, line)| line).collect();
            prop_assert_eq!(unfolded, lines);
        }

        #[test]
        fn seven_bits_are_enough(text in "\\PC{0,40}") {
            let json = ascii(&serde_json::Value::String(text.clone()).to_string());
            prop_assert!(json.is_ascii());
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
