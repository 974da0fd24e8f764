//! Wrapping, indenting and clipping the text of mails.

use jiff::{RoundMode, SignedDuration, SignedDurationRound, Unit};

/// The widest line of a mail.
pub const WIDTH: usize = 78;

/// Folds each line at `width`, only after a comma or colon: `B2 3 high` stays whole.
pub fn fill_between_items(lines: &str, width: usize) -> String {
    const GLUE: char = '\u{a0}';
    let mut above = ' ';
    let glued = |c| match std::mem::replace(&mut above, c) {
        ',' | ':' => c,
        _ if c == ' ' => GLUE,
        _ => c,
    };
    let lines: String = lines.chars().map(glued).collect();
    let mut options = folding("");
    options.width = width;
    textwrap::fill(&lines, options).replace(GLUE, " ")
}

/// Words as a sentence lists them: `A, B and C`.
pub fn listed<W: AsRef<str>>(words: &[W], and: &str) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => {
            let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
            format!("{} {and} {}", before.join(", "), last.as_ref())
        }
        words => words.iter().map(AsRef::as_ref).collect(),
    }
}

/// Folds only between words: moves such as A3-B4 and userids with a hyphen stay whole.
fn folding(margin: &str) -> textwrap::Options<'_> {
    textwrap::Options::new(WIDTH)
        .initial_indent(margin)
        .subsequent_indent(margin)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
}

/// Folds a person's line. A link stays whole at any length: half a link does not work.
fn fold_words(line: &str, margin: &str) -> String {
    let is_link = |word: &str| ["://", "www.", "mailto:"].iter().any(|mark| word.contains(mark));
    let room = WIDTH - margin.len();
    let is_long = |word: &str| !is_link(word) && word.chars().count() > room;
    if !line.split(' ').any(is_long) {
        return textwrap::fill(line, folding(margin).break_words(false));
    }
    let pieces = line.split(' ').flat_map(|word| {
        let long: Vec<char> = word.chars().collect();
        let size = if is_long(word) { room } else { long.len().max(1) };
        let pieces: Vec<String> = long.chunks(size).map(|piece| piece.iter().collect()).collect();
        if pieces.is_empty() { vec![String::new()] } else { pieces }
    });
    textwrap::fill(&pieces.collect::<Vec<_>>().join(" "), folding(margin).break_words(false))
}

/// Puts a bar before every line of a player's words. No line of the server begins with one, so a player cannot imitate
/// the server.
pub fn said(words: &str) -> String {
    const BAR: &str = "| ";
    let lines = words.lines().map(|line| match line.trim_end() {
        "" => BAR.trim_end().to_owned(),
        line => fold_words(line, BAR),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Cuts another person's line so that it fits a mail with a mark before it.
pub fn clip(line: &str) -> String {
    const ROOM: usize = WIDTH - 4;
    match line.char_indices().nth(ROOM) {
        None => line.to_owned(),
        Some(_) => line.chars().take(ROOM - 3).chain("...".chars()).collect(),
    }
}

/// A duration in its largest unit: `12 days`, `3 hours`, `20 minutes`.
pub fn length(duration: SignedDuration) -> String {
    let rounded = |unit, seconds| {
        let to = SignedDurationRound::new().smallest(unit).mode(RoundMode::HalfExpand);
        duration.round(to).map_or(0, |rounded| rounded.as_secs() / seconds)
    };
    let (minutes, hours) = (rounded(Unit::Minute, 60), rounded(Unit::Hour, 3600));
    match (minutes, hours) {
        (..60, _) => count(minutes, "minute"),
        (_, ..24) => count(hours, "hour"),
        // Half a day or more rounds up.
        _ => count((hours + 12) / 24, "day"),
    }
}

fn count(number: i64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// The most bytes that a text takes in a mail: two for a line end, three for a byte that is not ASCII.
pub fn size_in_a_mail(text: &str) -> usize {
    text.bytes().map(size_of).sum()
}

/// The first lines of a text that take at most `room` bytes in a mail.
pub fn cut(text: &str, room: usize) -> String {
    let mut left = room;
    let fits = |line: &&str| match left.checked_sub(size_in_a_mail(line)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    text.split_inclusive('\n').take_while(fits).collect()
}

fn size_of(octet: u8) -> usize {
    match octet {
        b'\n' => 2,
        // The marks of blocks are not sent.
        octet if octet.is_ascii_control() => 0,
        octet if octet.is_ascii() => 1,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_told_in_its_largest_unit() {
        let told = |minutes| length(SignedDuration::from_mins(minutes));
        assert_eq!(told(59), "59 minutes");
        assert_eq!(told(60), "1 hour");
        assert_eq!(told(22 * 60), "22 hours");
        assert_eq!(told(36 * 60), "2 days");
        assert_eq!(told(30 * 24 * 60), "30 days");
    }

    #[test]
    fn long_words_next_to_a_link_are_broken_and_the_link_is_not() {
        let link = format!("http://x.example/{}", "y".repeat(100));
        let long = "z".repeat(100);
        let said = said(&format!("{link} {long} end"));
        assert!(said.lines().any(|line| line.ends_with(&link)), "{said}");
        assert!(said.lines().all(|line| line.contains(&link) || line.chars().count() <= WIDTH), "{said}");
        assert_eq!(said.matches('z').count(), 100);
    }

    #[test]
    fn a_text_is_cut_at_a_line_that_fits() {
        assert_eq!(size_in_a_mail("a\né"), 1 + 2 + 6);
        assert_eq!(cut("one\ntwo\nthree", 10), "one\ntwo\n");
        assert_eq!(cut("one\ntwo\nthree", 9), "one\n");
        assert_eq!(cut("one", 0), "");
    }

    #[test]
    fn a_long_line_is_cut() {
        assert_eq!(clip("dvonn show 1"), "dvonn show 1");
        let cut = clip(&"é".repeat(100));
        assert_eq!((cut.chars().count(), cut.ends_with("é...")), (WIDTH - 4, true));
    }
}
