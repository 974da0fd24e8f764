//! Prose and columns.

/// A mail's text is at most so wide.
pub const WIDTH: usize = 78;

/// Text without blanks at the ends of lines and without more than two blank lines in a row, ended by one line end.
pub fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines() {
        // `-- ` introduces a signature (RFC 3676 4.3) and is the one line whose blank means something.
        let line = if line == "-- " { line } else { line.trim_end() };
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank <= 1 && !(tidy.is_empty() && line.is_empty()) {
            tidy.push_str(line);
            tidy.push('\n');
        }
    }
    tidy.truncate(tidy.trim_end_matches('\n').len());
    tidy.push('\n');
    tidy
}

/// What introduces the signature (RFC 3676 4.3). Mail programs do not quote what stands below it.
const SIGNATURE: &str = "\n-- \n";

/// Adds a line, as a paragraph of its own, above the signature.
pub fn add_line(text: &mut String, line: &str) {
    let end = text.rfind(SIGNATURE).unwrap_or(text.len());
    text.insert_str(end, &format!("\n{line}\n"));
}

/// Prose folded at [`WIDTH`]; paragraphs, parted by blank lines, stay apart.
pub fn wrap(text: &str) -> String {
    let paragraphs: Vec<String> =
        text.split("\n\n").map(|paragraph| textwrap::fill(paragraph, folding(""))).collect();
    paragraphs.join("\n\n")
}

/// Prose folded and set in by `blanks`.
pub fn indent(text: &str, blanks: usize) -> String {
    textwrap::fill(text, folding(&" ".repeat(blanks)))
}

/// Folded between words only: a move such as A3-B4, or a userid with a hyphen, is copied as it stands on its line.
fn folding(margin: &str) -> textwrap::Options<'_> {
    textwrap::Options::new(WIDTH)
        .initial_indent(margin)
        .subsequent_indent(margin)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
}

/// Words of a person, every line set in behind a bar: no line of theirs can look like one of ours, none of which
/// begins so.
pub fn said(words: &str) -> String {
    const BAR: &str = "| ";
    let lines = words.lines().map(|line| match line.trim_end() {
        "" => BAR.trim_end().to_owned(),
        line => textwrap::fill(line, folding(BAR)),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of somebody else's, cut where it would be wider than a mail with a mark in front of it.
pub fn clip(line: &str) -> String {
    const ROOM: usize = WIDTH - 4;
    match line.char_indices().nth(ROOM) {
        None => line.to_owned(),
        Some(_) => line.chars().take(ROOM - 3).chain("...".chars()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_not_broken_at_its_dash() {
        let text = format!("{} A3-B4", "x".repeat(WIDTH - 3));
        assert_eq!(wrap(&text), text.replace(' ', "\n"));
        assert_eq!(indent("A3-B4", 4), "    A3-B4");
    }

    #[test]
    fn a_long_line_is_cut() {
        assert_eq!(clip("dvonn show 1"), "dvonn show 1");
        let cut = clip(&"é".repeat(100));
        assert_eq!((cut.chars().count(), cut.ends_with("é...")), (WIDTH - 4, true));
    }
}
