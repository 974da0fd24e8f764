//! Writes a table, whose columns must fit a phone.

use super::writer::{HtmlWriter, NO_WRAP, RULE};
use crate::compose::document::Inline;
use crate::compose::plain::numbers;

impl HtmlWriter<'_> {
    pub(super) fn table(&mut self, has_head: bool, rows: &[Vec<Vec<Inline>>]) {
        const HEAD: &str = ";font-weight:400;opacity:.7";
        // Longer cells, such as names, are broken if a phone has no room for them.
        const WHOLE: usize = 10;
        let text = |inline: &Inline| match inline {
            Inline::Text(text) | Inline::Value(text) | Inline::Code { text, .. } => text.clone(),
            Inline::Link { .. } | Inline::Strong(_) | Inline::Break => "text".to_owned(),
        };
        let plain = |cell: &Vec<Inline>| cell.iter().map(text).collect::<String>();
        let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(plain).collect()).collect();
        let right = numbers(&cells, has_head);
        let style = self.style("margin:4px 0 18px;border-collapse:collapse;width:100%");
        // A phone has room for a cross-table of eight players.
        let (size, gap) = match cells.iter().map(Vec::len).max() {
            Some(7..) => ("12px", "5px"),
            Some(5..) => ("13px", "8px"),
            _ => ("15px", "14px"),
        };
        if rows.is_empty() {
            return;
        }
        self.out.push_str(&format!("<table cellpadding=\"0\" cellspacing=\"0\" border=\"0\"{style}>\n"));
        for (n, (row, texts)) in rows.iter().zip(&cells).enumerate() {
            let (tag, style) = if has_head && n == 0 { ("th", HEAD) } else { ("td", "") };
            self.out.push_str("<tr>");
            for (n, (cell, text)) in row.iter().zip(texts).enumerate() {
                let align = if right.get(n) == Some(&true) { "right" } else { "left" };
                let gap = if n + 1 < row.len() { gap } else { "0" };
                let is_whole = text.chars().count() <= WHOLE;
                let wrap = if is_whole { NO_WRAP } else { "" };
                let style = self.style(&format!(
                    "padding:8px {gap} 8px 0;border-bottom:{RULE};font-size:{size}{style}{wrap}"
                ));
                self.out.push_str(&format!("<{tag} align=\"{align}\"{style}>"));
                let at = self.out.len();
                self.put(cell);
                if !is_whole {
                    let cell = self.out.split_off(at).replace("&nbsp;", " ");
                    self.out.push_str(&cell);
                }
                self.out.push_str(&format!("</{tag}>"));
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</table>\n");
    }
}
