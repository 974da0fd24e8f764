//! Maps disguised letters to plain ones. A disguised letter is full width, mathematical, in a circle, with marks, or
//! from a script in which it looks the same.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::phrases::{LOOK_ALIKES, section};

/// Letters and digits in lower case, each with the Latin one that it looks like.
static TABLE: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let lines = section(LOOK_ALIKES, "look-alikes");
    let rows = lines.iter().filter_map(|line| {
        let mut words = line.split(' ');
        let (from, to) = (words.next()?.chars().next()?, words.next()?.chars().next()?);
        // A count makes the line a run of characters: `circled a` to `circled z`.
        let count: u8 = words.next().map_or(Some(1), |count| count.parse().ok())?;
        Some((0..u32::from(count)).filter_map(move |n| {
            Some((char::from_u32(u32::from(from) + n)?, char::from_u32(u32::from(to) + n)?))
        }))
    });
    rows.flatten().collect()
});

/// The plain letters that a character shows, in lower case; none for a combining mark.
pub(crate) fn plain(c: char) -> impl Iterator<Item = char> {
    // Nearly all texts are plain ASCII.
    let ascii = c.is_ascii().then(|| c.to_ascii_lowercase());
    let known = || TABLE.get(&c).copied();
    let one = ascii.or_else(known);
    let others = one.is_none().then_some(c).into_iter().nfkd().filter(|c| !is_combining_mark(*c));
    let others = others.flat_map(char::to_lowercase).map(|c| TABLE.get(&c).copied().unwrap_or(c));
    one.into_iter().chain(others)
}

/// True for a character that shows a letter or digit, and for a combining mark.
pub(crate) fn is_of_a_word(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        is_combining_mark(c) || plain(c).any(char::is_alphanumeric)
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn every_dress_of_a_letter_is_undone() {
        for text in [
            "ｂ４２．ｋｑｚ",
            "𝐛𝟒𝟐.𝕜𝖖𝔷",
            "ⓑ④②.ⓚⓠⓩ",
            "b\u{301}4\u{20e3}2.k\u{336}q\u{336}z",
            "🅑❹❷.🅺🆀🆉",
            "ь42.кԛᴢ",
            "ʙ42.κǫζ",
            "🇧42.🇰🇶🇿",
        ] {
            let shown: String = text.chars().flat_map(plain).collect();
            assert_eq!(shown, "b42.kqz", "{text}");
        }
    }
}
