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

/// Prose folded at [`WIDTH`]; paragraphs, parted by blank lines, stay apart.
pub fn wrap(text: &str) -> String {
    let paragraphs: Vec<String> =
        text.split("\n\n").map(|paragraph| textwrap::fill(paragraph, WIDTH)).collect();
    paragraphs.join("\n\n")
}

/// Prose folded and set in by `blanks`.
pub fn indent(text: &str, blanks: usize) -> String {
    let margin = " ".repeat(blanks);
    textwrap::fill(text, textwrap::Options::new(WIDTH).initial_indent(&margin).subsequent_indent(&margin))
}

/// A line of somebody else's, cut where it would be wider than a mail with a mark in front of it.
pub fn clip(line: &str) -> String {
    const ROOM: usize = WIDTH - 4;
    match line.char_indices().nth(ROOM) {
        None => line.to_owned(),
        Some(_) => line.chars().take(ROOM - 3).chain("...".chars()).collect(),
    }
}
