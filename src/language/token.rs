//! Words of a line.

use std::ops::Range;

use turnpost_games::GameKind;

/// Shown in place of a hidden word.
pub(crate) const MASK: &str = "***";

/// A word and its place in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Without its quotes.
    pub text: String,
    /// Its byte range in the line, quotes included.
    pub span: Range<usize>,
}

/// A quoted word that has no end; the offset of its opening quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed(pub usize);

/// What is wrong with a line whose last quote has no end.
pub(super) const UNCLOSED: &str = "a quote is opened and not closed";

/// A line with plain `-` and `"` in place of the dashes and quotes that mail programs put in.
///
/// An em dash in front of a letter becomes `--`: autocorrection makes one of two hyphens.
pub(crate) fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    let mut at_word_start = true;
    while let Some(c) = characters.next() {
        match c {
            '\u{2014}' if at_word_start && characters.peek().is_some_and(|next| next.is_alphabetic()) => {
                plain.push_str("--");
            }
            other => plain.push(typed(other)),
        }
        at_word_start = c.is_whitespace();
    }
    plain
}

/// The character that was typed, if a mail program has put another in its place.
pub(super) fn typed(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{201C}'..='\u{201F}' | '\u{AB}' | '\u{BB}' | '\u{FF02}' => '"',
        '\u{2018}'..='\u{201B}' => '\'',
        other => other,
    }
}

/// The plain form of a full-width character or a blank of any width; `None` for a character without width.
pub(super) fn narrowed(c: char) -> Option<char> {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0),
        '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}' | '\u{AD}' => None,
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

/// Splits a line at white space. A quote at the beginning of a word, or after its `=`, holds white space together
/// up to the next quote; a doubled quote inside is one quote.
pub(crate) fn words(line: &str) -> Result<Vec<Word>, Unclosed> {
    let mut words = Vec::new();
    let mut characters = line.char_indices().peekable();
    while let Some(&(start, first)) = characters.peek() {
        if first.is_whitespace() {
            characters.next();
            continue;
        }
        let mut text = String::new();
        let mut end = start;
        let mut may_open = true;
        while let Some(&(at, c)) = characters.peek() {
            if c.is_whitespace() {
                break;
            }
            characters.next();
            end = at + c.len_utf8();
            if c == '"' && may_open {
                end = quoted(&mut characters, &mut text).ok_or(Unclosed(at))?;
            } else {
                text.push(c);
            }
            may_open = c == '=';
        }
        words.push(Word { text, span: start..end });
    }
    Ok(words)
}

/// Reads up to and with the closing quote; gives the offset after it.
fn quoted(
    characters: &mut std::iter::Peekable<std::str::CharIndices<'_>>,
    text: &mut String,
) -> Option<usize> {
    while let Some((at, c)) = characters.next() {
        if c != '"' {
            text.push(c);
        } else if characters.peek().is_some_and(|&(_, next)| next == '"') {
            characters.next();
            text.push('"');
        } else {
            return Some(at + 1);
        }
    }
    None
}

/// An option of a game as it is written, without the quotes it may need.
pub(crate) fn option(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("-{name}={value}"),
        None => format!("-{name}"),
    }
}

/// A word as it is written in a line so that [`words`] reads it back whole.
pub(crate) fn quote(word: &str) -> String {
    let plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '"');
    if plain { word.to_owned() } else { format!("\"{}\"", word.replace('"', "\"\"")) }
}

/// Writes the canonical line of a command, word by word.
pub(crate) struct Written(String);

impl Written {
    /// Begins a line with the command's own words.
    pub fn new(game: impl Into<Option<&'static GameKind>>, word: &str) -> Written {
        Written(game.into().map(|game| format!("{} ", game.key)).unwrap_or_default() + word)
    }

    /// Adds words, with quotes if they need them.
    pub fn and<W: ToString>(self, words: impl IntoIterator<Item = W>) -> Written {
        words
            .into_iter()
            .fold(self, |Written(line), word| Written(format!("{line} {}", quote(&word.to_string()))))
    }

    pub fn end(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(line: &str) -> Vec<String> {
        words(line).unwrap().into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_parted_by_white_space_and_held_by_quotes() {
        assert_eq!(texts("  dvonn\tmove 1 "), ["dvonn", "move", "1"]);
        assert_eq!(texts(r#"a "two words" b"#), ["a", "two words", "b"]);
        assert_eq!(texts(r#"-position="w,w b""#), ["-position=w,w b"]);
        assert_eq!(texts(r#""-position=w,w b""#), ["-position=w,w b"]);
        assert_eq!(texts(r#"it's 5"x "say ""hi""" """#), ["it's", "5\"x", "say \"hi\"", ""]);
    }

    #[test]
    fn a_quote_without_end_is_pointed_at() {
        assert_eq!(words(r#"a "b c"#), Err(Unclosed(2)));
    }

    #[test]
    fn typography_is_undone() {
        assert_eq!(
            plain("dvonn challenge \u{2014}unrated \u{201C}a\u{201D} A3\u{2013}B4 A3\u{2014}B4"),
            r#"dvonn challenge --unrated "a" A3-B4 A3-B4"#
        );
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(texts in prop::collection::vec("[ -~äé\t]{0,12}", 0..6)) {
            let line = texts.iter().map(|text| quote(text)).collect::<Vec<_>>().join(" ");
            let read: Vec<String> = words(&line).unwrap().into_iter().map(|word| word.text).collect();
            prop_assert_eq!(read, texts);
        }
    }
}
