//! Perft: the number of legal sequences of plies from known positions, against the counts of other engines.
//!
//! Each count is checked twice: with `perft`, which counts the last ply, and with every ply made. A plain run skips the
//! long counts; with `TURNPOST_LONG` all are checked.

use turnpost_games::dvonn::Dvonn;
use turnpost_games::{Position, Table, perft};

use crate::dice::rounds;

const DVONN: &str = include_str!("data/dvonn-perft.txt");

/// The same count with every ply made, so without `legal_count`.
fn made(position: &Dvonn, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    position.each_move(&mut |ply| {
        let mut next = *position;
        next.make(ply);
        count += made(&next, depth - 1);
    });
    count
}

#[test]
fn dvonn() {
    let [counted, every_ply_made] = [3_000_000, 200_000].map(|plain| rounds(plain, u64::MAX));
    let mut positions = 0;
    for line in DVONN.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (line, name) = line.split_once('#').unwrap();
        let (text, counts) = line.split_once(';').unwrap();
        let position = Dvonn::read(text.trim()).unwrap();
        assert_eq!(position.write(), text.trim());
        let counts: Vec<u64> = counts.split_whitespace().map(|count| count.parse().unwrap()).collect();
        for (depth, count) in (1..).zip(&counts).filter(|(_, count)| **count <= counted) {
            assert_eq!(perft(&position, depth), *count, "{name} at depth {depth}");
            if *count <= every_ply_made {
                assert_eq!(made(&position, depth), *count, "{name} at depth {depth}, every ply made");
            }
            if depth == 2 {
                assert_eq!(Table::perft(&position, depth), *count, "{name} through a table");
            }
        }
        positions += 1;
    }
    assert_eq!(positions, 11);
}

#[test]
fn dvonn_placement() {
    // 49 spaces for the first DVONN piece, 48 for the second, and so on.
    assert_eq!(perft(&Dvonn::EMPTY, 3), 49 * 48 * 47);
}
