use crate::mail::clean;

/// A line, prepared for comparison.
pub(in crate::mail) struct TextLine<'a> {
    /// With its line end.
    pub text: &'a str,
    /// In lower case, with single spaces, without invisible characters, cut to [`LOOK_AT`].
    pub plain: String,
}

/// No mark is longer than this, in characters.
const LOOK_AT: usize = 400;

impl<'a> TextLine<'a> {
    pub fn new(text: &'a str) -> Self {
        let end = text.char_indices().nth(LOOK_AT).map_or(text.len(), |(end, _)| end);
        let mut plain = clean::line(text.get(..end).unwrap_or(text));
        match plain.is_ascii() {
            true => plain.make_ascii_lowercase(),
            false => plain = plain.to_lowercase().chars().filter_map(same).collect(),
        }
        TextLine { text, plain }
    }

    pub fn is_blank(&self) -> bool {
        self.plain.is_empty()
    }
}

/// Maps variants of a character to one; `None` for marks above and below Arabic letters.
fn same(c: char) -> Option<char> {
    let digit = |first: char| char::from_digit(u32::from(c).wrapping_sub(u32::from(first)), 10);
    match c {
        '\u{64B}'..='\u{652}' | '\u{640}' | '\u{307}' => None,
        '\u{2019}' | '\u{2018}' | '\u{2BC}' | '\u{60}' => Some('\''),
        '\u{5BE}' => Some('-'),
        '\u{660}'..='\u{669}' => digit('\u{660}'),
        '\u{6F0}'..='\u{6F9}' => digit('\u{6F0}'),
        '\u{966}'..='\u{96F}' => digit('\u{966}'),
        '\u{FF10}'..='\u{FF19}' => digit('\u{FF10}'),
        c => Some(c),
    }
}

/// True if the first line that is not blank begins with `>`. Other quote marks are too rare to count.
pub(super) fn quotes_follow(lines: &[TextLine<'_>]) -> bool {
    let mut looked_at = lines.iter();
    looked_at.find(|line| !line.is_blank()).is_some_and(|line| line.plain.starts_with('>'))
}
