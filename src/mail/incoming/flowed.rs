//! `format=flowed` (RFC 3676 4): a line that ends with a blank continues in the next one.

/// Joins the lines of each paragraph. Quoted lines keep one `>` for each level.
pub(super) fn unfold(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The quote depth of the open paragraph.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        // 4.4: one leading blank is stuffing.
        let content = content.strip_prefix(' ').unwrap_or(content);
        // 4.3: the signature line is fixed and ends a paragraph.
        let signature = content == "-- ";
        if open.is_some_and(|quoted| quoted != depth || signature) {
            out.push('\n');
            open = None;
        }
        if open.is_none() && depth > 0 {
            out.extend(std::iter::repeat_n('>', depth));
            out.push(' ');
        }
        let flowed = content.ends_with(' ') && !signature;
        if flowed && delsp {
            out.push_str(content.strip_suffix(' ').unwrap_or(content));
        } else {
            out.push_str(content);
        }
        open = flowed.then_some(depth);
        if !flowed {
            out.push('\n');
        }
    }
    if open.is_some() {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unfold;

    #[test]
    fn paragraphs() {
        assert_eq!(unfold("one \ntwo\nthree\n", false), "one two\nthree\n");
        assert_eq!(unfold("on \ne\n", true), "one\n");
        assert_eq!(unfold(" > no quote\n From here\n", false), "> no quote\nFrom here\n");
        assert_eq!(unfold("> a \n> b\n>> c \nd\n", false), "> a b\n>> c \nd\n");
        assert_eq!(unfold("last \n-- \nann \n", false), "last \n-- \nann \n");
        assert_eq!(unfold("", false), "");
    }
}
