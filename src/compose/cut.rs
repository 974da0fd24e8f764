//! Cuts an answer to the size of a mail.

use super::document::{self, Block, DrawnBoard};
use super::{plain, text};

/// The most bytes that blocks take in the text of a mail. An attached file takes them twice.
pub fn size(blocks: &[Block]) -> usize {
    let files = document::files(blocks).map(|file| text::size_in_a_mail(&file.text));
    text::size_in_a_mail(&plain::write(blocks)) + files.sum::<usize>()
}

/// The first blocks that take at most `room` bytes in a mail. Of a table or of lines that do not fit, the first rows.
pub fn cut(blocks: Vec<Block>, mut room: usize) -> Vec<Block> {
    let mut kept = Vec::new();
    for block in blocks {
        let size = |block: &Block| size(std::slice::from_ref(block)) + 2;
        match room.checked_sub(size(&block)) {
            Some(rest) => {
                room = rest;
                kept.push(block);
            }
            None => {
                match block {
                    // Each line gets a margin.
                    Block::Lines(lines) => {
                        let shown = text::cut(&plain::write(&[Block::Lines(lines.clone())]), room);
                        let lines = lines.trim_start_matches('\n').split_inclusive('\n');
                        kept.push(Block::Lines(lines.take(shown.lines().count()).collect()));
                    }
                    Block::Board { title, drawing, key } => {
                        let lines = text::cut(&drawing.lines, room);
                        kept.push(Block::Board { title, drawing: DrawnBoard { lines, ..drawing }, key });
                    }
                    Block::Table { has_head, mut rows } => {
                        let fits =
                            |rows: &[Vec<_>]| size(&Block::Table { has_head, rows: rows.to_vec() }) <= room;
                        while !rows.is_empty() && !fits(&rows) {
                            rows.truncate(rows.len() * 7 / 8);
                        }
                        kept.push(Block::Table { has_head, rows });
                    }
                    _ => {}
                }
                return kept;
            }
        }
    }
    kept
}
