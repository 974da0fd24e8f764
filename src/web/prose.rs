//! Help pages as paragraphs, which a small screen can break anew, and drawings and lists, which it cannot.

use minijinja::{Value, context};

/// The parts of a text: paragraphs in pieces, and what keeps its lines.
pub(super) fn blocks(text: &str) -> Vec<Value> {
    let lines: Vec<&str> = text.lines().collect();
    lines.split(|line| line.trim().is_empty()).flat_map(parts).collect()
}

/// What stands between two empty lines: a paragraph, a drawing, or a paragraph with a list below it.
fn parts(lines: &[&str]) -> Vec<Value> {
    let indent = if is_numbered(lines) { "   " } else { "" };
    let flows = |(place, line): &(usize, &&str)| {
        let line = if *place == 0 { line } else { line.strip_prefix(indent).unwrap_or(line) };
        !line.starts_with(' ') && !line.contains("  ")
    };
    let prose = lines.iter().enumerate().take_while(flows).count();
    let (prose, rest) = lines.split_at_checked(prose).unwrap_or((&[], lines));
    let mut parts = Vec::new();
    if !prose.is_empty() {
        let lines: Vec<&str> = prose.iter().map(|line| line.trim()).collect();
        parts.push(context! { pieces => pieces(&lines.join(" ")), drawn => "" });
    }
    if !rest.is_empty() {
        parts.push(context! { pieces => Vec::<String>::new(), drawn => rest.join("\n") });
    }
    parts
}

/// True for a paragraph with a number, whose other lines stand below its words.
fn is_numbered(lines: &[&str]) -> bool {
    let number = lines.first().and_then(|line| line.split_once(". "));
    let mut rest = lines.iter().skip(1);
    number.is_some_and(|(number, _)| number.len() == 1 && number.bytes().all(|octet| octet.is_ascii_digit()))
        && rest.all(|line| line.starts_with("   "))
}

/// A paragraph in pieces: words, and by turns what a mail quotes with backquotes.
fn pieces(text: &str) -> Vec<String> {
    text.split('`').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let shown = |block: Value| {
            let [pieces, drawn] = ["pieces", "drawn"].map(|name| block.get_attr(name).unwrap().to_string());
            if pieces == "[]" { drawn } else { pieces }
        };
        blocks(text).into_iter().map(shown).collect()
    }

    #[test]
    fn prose_flows_and_a_drawing_stands() {
        assert_eq!(
            read("One `line`\nand another.\n\n    word\n  more\n\n\nEnd.\n"),
            ["['One ', 'line', ' and another.']", "    word\n  more", "['End.']"]
        );
    }

    #[test]
    fn a_list_stands_below_its_paragraph_and_numbers_stay() {
        assert_eq!(
            read("OPTIONS:\n    -a   first\n\n1. ONE. A\n   b.\n\n a / b\n\na  b\nc"),
            ["['OPTIONS:']", "    -a   first", "['1. ONE. A b.']", " a / b", "a  b\nc"]
        );
    }
}
