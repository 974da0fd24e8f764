//! The HTML of the blocks of templates that are not Markdown yet.

use super::blocks::{Block, BlockKind};
use super::html::Frame;
use super::markup::{
    LIST, PROSE, SIZE, flowing, is_folded, keeps_blanks, linked, preformatted, said, subject_link,
};

pub fn put(block: &Block, frame: Frame<'_>, page: &mut String) {
    let lines: Vec<&str> = block.text.lines().collect();
    match (&block.kind, frame.reply) {
        (BlockKind::Subject, _) => {
            lines.iter().for_each(|line| subject_link(line.trim(), frame.address, page));
        }
        (BlockKind::Reply, Some(reply)) => linked(&lines.join(" "), reply, page),
        _ if lines.iter().any(|line| keeps_blanks(line)) => preformatted(&lines, SIZE, "", page),
        (BlockKind::List, _) => flowing(&lines, LIST, is_folded, page),
        (BlockKind::Words, _) => said(&lines, page),
        _ => flowing(&lines, PROSE, is_folded, page),
    }
}
