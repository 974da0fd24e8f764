//! Lines of a record: makes them 7-bit, folds and unfolds them.

use std::fmt::Write;

/// We fold longer lines.
const WIDTH: usize = 76;

/// `text` in 7 bits: other characters become `\uXXXX`, as in JSON.
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

/// Appends `line` to `text`, folded: each further line begins with one blank, and a fold never touches another blank.
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

/// The unfolded lines of a text, each with the number of its first line. Blanks at line ends do not matter.
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
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_folded_is_unfolded(lines in prop::collection::vec("[!-~]([ -~]{0,200}[!-~])?", 1..5)) {
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
