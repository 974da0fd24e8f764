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
        // A drawing begins beside a row of its own, and keeps its blanks.
        context! { prose, text => lines.join(if prose { " " } else { "\n" }) }
    };
    blocks.into_iter().filter(|lines| !lines.is_empty()).map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_flows_and_a_drawing_stands() {
        let blocks = blocks("One line\nand another.\n\n    word\n  more\n\nEnd.\n");
        let texts: Vec<String> =
            blocks.iter().map(|block| block.get_attr("text").unwrap().to_string()).collect();
        assert_eq!(texts, ["One line and another.", "    word\n  more", "End."]);
    }
}
