//! The values of a template, kept away from its Markdown.
//!
//! Each `{{ value }}` is stored here. In its place the template prints one character of plane 15, which is for private
//! use. The Markdown parser reads that character like a letter. So a person's words are never markup.

use std::sync::{Mutex, PoisonError};

use minijinja::value::Object;
use minijinja::{AutoEscape, Error, ErrorKind, Output, State, Value};

use super::document::DrawnBoard;
use crate::mail::outgoing::percent_encoded;

const FIRST: u32 = 0xF_0000;
/// The last character of plane 16 but two.
const LAST: u32 = 0x10_FFFD;
/// The name under which minijinja keeps the values of one rendering.
const KEY: &str = "holes";
/// The most characters of a value in a sentence. Longer words belong in a `words` fence.
const LONGEST: usize = 60;
/// The most characters of a value that must stay whole: an address, a link, or a command to copy.
const LONGEST_WHOLE: usize = 254;

#[derive(Debug, Clone)]
pub enum Hole {
    /// A person's words, a number or a name.
    Value(String),
    /// Sentences of the server. They can fold, and text between backticks is code.
    Sentences(String),
    Board(DrawnBoard),
}

#[derive(Debug, Default)]
struct HoleStore(Mutex<Vec<Hole>>);

impl Object for HoleStore {}

/// The values of one rendering.
#[derive(Debug, Default)]
pub struct Holes(Vec<Hole>);

/// How the files of mails are escaped.
pub fn markdown() -> AutoEscape {
    AutoEscape::Custom("markdown".into())
}

/// The name decides: a host's file can end the escaping by `{% autoescape false %}`.
pub fn is_markdown(state: &State<'_, '_>) -> bool {
    !state.name().ends_with(".html")
}

/// Prints a value: minijinja calls this for each `{{ value }}`.
pub fn format(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    if !is_markdown(state) {
        return minijinja::escape_formatter(out, state, value);
    }
    if value.is_safe() {
        // A block of the template, made by `{% set %}` or `super()`.
        return Ok(out.write_str(value.as_str().unwrap_or_default())?);
    }
    // Only an `if` without `else` is undefined here: minijinja refuses the others.
    if value.is_undefined() {
        return Ok(());
    }
    if value.is_none() {
        return Err(Error::new(ErrorKind::InvalidOperation, "a value is missing"));
    }
    let hole = add(state, Hole::Value(clean(&value.to_string())))?;
    Ok(out.write_str(hole.encode_utf8(&mut [0; 4]))?)
}

/// The filter `ours`, for sentences that the server wrote.
pub fn ours(state: &mut State<'_, '_>, sentences: String) -> Result<Value, Error> {
    marked(state, Hole::Sentences(clean(&sentences)))
}

/// A value that prints a hole.
pub fn marked(state: &mut State<'_, '_>, hole: Hole) -> Result<Value, Error> {
    Ok(Value::from_safe_string(add(state, hole)?.to_string()))
}

fn add(state: &mut State<'_, '_>, hole: Hole) -> Result<char, Error> {
    let wrong = |why: &'static str| Error::new(ErrorKind::InvalidOperation, why);
    if state.get_temp(KEY).is_none() {
        state.set_temp(KEY, Value::from_object(HoleStore::default()));
    }
    let store = state.get_temp(KEY).and_then(|store| store.downcast_object::<HoleStore>());
    let store = store.ok_or_else(|| wrong("no place for values"))?;
    let mut holes = store.0.lock().unwrap_or_else(PoisonError::into_inner);
    let number = u32::try_from(holes.len()).ok().map(|n| FIRST.saturating_add(n)).filter(|n| *n <= LAST);
    let number = number.and_then(char::from_u32).ok_or_else(|| wrong("too many values"))?;
    holes.push(hole);
    Ok(number)
}

/// The number of the hole that a character marks.
fn number(c: char) -> Option<usize> {
    usize::try_from(u32::from(c).checked_sub(FIRST)?).ok()
}

/// Removes control characters, characters that change the direction of text, and marks of holes.
pub fn clean(value: &str) -> String {
    let mut clean = String::with_capacity(value.len());
    for c in value.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => clean.push('\n'),
            '\t' => clean.push(' '),
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => {}
            '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            c if c.is_control() || number(c).is_some() => {}
            c => clean.push(c),
        }
    }
    // The server reads `[reply ` as the beginning of a token, anywhere in a letter.
    let lower = clean.to_ascii_lowercase();
    lower.match_indices("[reply").for_each(|(at, _)| clean.replace_range(at..=at, "("));
    clean
}

/// A text of a template, in pieces.
pub enum Piece<'a> {
    Template(&'a str),
    Hole(&'a Hole),
}

impl Holes {
    pub fn of(state: &State<'_, '_>) -> Holes {
        let store = state.get_temp(KEY).and_then(|store| store.downcast_object::<HoleStore>());
        let take = |store: std::sync::Arc<HoleStore>| {
            std::mem::take(&mut *store.0.lock().unwrap_or_else(PoisonError::into_inner))
        };
        Holes(store.map(take).unwrap_or_default())
    }

    pub fn pieces<'a>(&'a self, text: &'a str) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut from = 0;
        for (at, c) in text.char_indices() {
            let Some(n) = number(c) else { continue };
            if from < at {
                pieces.extend(text.get(from..at).map(Piece::Template));
            }
            pieces.extend(self.0.get(n).map(Piece::Hole));
            from = at + c.len_utf8();
        }
        pieces.extend(text.get(from..).filter(|rest| !rest.is_empty()).map(Piece::Template));
        pieces
    }

    /// The text with its values as they are.
    pub fn lines(&self, text: &str) -> String {
        let whole = |piece| match piece {
            Piece::Template(text) => text.to_owned(),
            Piece::Hole(hole) => hole.text().to_owned(),
        };
        self.pieces(text).into_iter().map(whole).collect()
    }

    /// The lines of a drawing in the template: a value makes no line of its own, and keeps its blanks.
    pub fn drawn(&self, text: &str) -> String {
        let piece = |piece| match piece {
            Piece::Template(text) => text.to_owned(),
            Piece::Hole(hole) => hole.text().replace('\n', " "),
        };
        self.pieces(text).into_iter().map(piece).collect()
    }

    /// The text on one line, as in a sentence.
    pub fn line(&self, text: &str) -> String {
        self.on_one_line(text, Hole::in_a_sentence)
    }

    /// The text on one line, as in code: a command that is cut would be another command.
    pub fn code(&self, text: &str) -> String {
        self.on_one_line(text, |hole| clipped(hole.text(), LONGEST_WHOLE))
    }

    fn on_one_line(&self, text: &str, shown: fn(&Hole) -> String) -> String {
        let piece = |piece| match piece {
            Piece::Template(text) => text.to_owned(),
            Piece::Hole(hole) => shown(hole),
        };
        one_line(&self.pieces(text).into_iter().map(piece).collect::<String>())
    }

    /// The target of a link, if it is a page or a mail. A value at its beginning is an address; later values are encoded.
    pub fn address(&self, to: &str) -> Option<String> {
        let pieces = self.pieces(to).into_iter().enumerate();
        let address: String = pieces
            .map(|(n, piece)| match piece {
                Piece::Template(text) => text.to_owned(),
                Piece::Hole(hole) if n == 0 => percent_encoded(hole.text(), b":/?#[]@!$&'()*+,;=%"),
                Piece::Hole(hole) => percent_encoded(hole.text(), b"@+"),
            })
            .collect();
        ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme)).then_some(address)
    }
}

impl Hole {
    pub fn text(&self) -> &str {
        match self {
            Hole::Value(text) | Hole::Sentences(text) => text,
            Hole::Board(drawing) => &drawing.lines,
        }
    }

    /// The value on one line, and cut if it is longer than any name. An address or a link is one word and is longer.
    pub fn in_a_sentence(&self) -> String {
        match self {
            Hole::Sentences(sentences) => one_line(sentences),
            _ if self.text().contains(char::is_whitespace) => clipped(self.text(), LONGEST),
            _ => clipped(self.text(), LONGEST_WHOLE),
        }
    }
}

fn clipped(text: &str, longest: usize) -> String {
    let line = one_line(text);
    match line.chars().count() <= longest {
        true => line,
        false => line.chars().take(longest - 3).chain("...".chars()).collect(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
