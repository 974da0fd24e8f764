//! Help pages as paragraphs, which a small screen can break anew, and drawings and grammars, which it cannot.

use minijinja::{Value, context};

/// The parts of a text between its empty lines.
pub(super) fn blocks(text: &str) -> Vec<Value> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        match blocks.last_mut() {
            Some(block) if !line.trim().is_empty() => block.push(line),
            _ => blocks.push(Vec::new()),
        }
    }
    let block = |lines: Vec<&str>| {
        let prose = lines.iter().all(|line| !line.starts_with(' ') && !line.contains("  "));
        let pieces = if prose { pieces(&lines.join(" ")) } else { Vec::new() };
        context! { pieces, drawn => if prose { String::new() } else { lines.join("\n") } }
    };
    blocks.into_iter().filter(|lines| !lines.is_empty()).map(block).collect()
}

/// A paragraph in pieces: words, and by turns what a mail quotes with backquotes.
fn pieces(text: &str) -> Vec<String> {
    text.split('`').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_flows_and_a_drawing_stands() {
        let blocks = blocks("One `line`\nand another.\n\n    word\n  more\n\nEnd.\n");
        let parts =
            |name: &str| blocks.iter().map(|block| block.get_attr(name).unwrap().to_string()).collect();
        let (pieces, drawn): (Vec<String>, Vec<String>) = (parts("pieces"), parts("drawn"));
        assert_eq!(pieces, [r#"["One ", "line", " and another."]"#, "[]", r#"["End."]"#]);
        assert_eq!(drawn, ["", "    word\n  more", ""]);
    }
}
