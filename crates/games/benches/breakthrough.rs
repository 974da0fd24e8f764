//! The cost of `rules`: Breakthrough by its rules against a version written by hand on bits, which also makes
//! every ply. `cargo bench -p turnpost-games` prints the ratio of the two times for the same count.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use turnpost_games::breakthrough::Breakthrough;
use turnpost_games::rules::Game;
use turnpost_games::{Setup, perft};

const DEPTH: u32 = 5;
const PLIES: u64 = 6_182_818;
const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// The board as the side to move sees it, which moves up.
#[derive(Clone, Copy)]
struct Bits {
    own: u64,
    other: u64,
}

impl Bits {
    fn each_move(self, visit: &mut impl FnMut(u64, u64)) {
        // A piece on the other side's far row has won.
        if self.other & 0xFF != 0 || self.own == 0 {
            return;
        }
        let mut each = |mut targets: u64, shift: u32| {
            while targets != 0 {
                let to = targets & targets.wrapping_neg();
                visit(to >> shift, to);
                targets &= targets - 1;
            }
        };
        each((self.own & NOT_A) << 7 & !self.own, 7);
        each(self.own << 8 & !self.own & !self.other, 8);
        each((self.own & NOT_H) << 9 & !self.own, 9);
    }

    fn after(self, from: u64, to: u64) -> Bits {
        Bits { own: (self.other & !to).swap_bytes(), other: (self.own ^ from ^ to).swap_bytes() }
    }

    fn perft(self, depth: u32) -> u64 {
        let mut count = 0;
        self.each_move(&mut |from, to| {
            count += if depth == 1 { 1 } else { self.after(from, to).perft(depth - 1) };
        });
        count
    }
}

fn best_of(mut run: impl FnMut() -> u64) -> Duration {
    let time = || {
        let started = Instant::now();
        assert_eq!(run(), PLIES);
        started.elapsed()
    };
    std::iter::repeat_with(time).take(7).min().unwrap_or_default()
}

fn main() {
    let start = Game::<Breakthrough>::start(&Setup { options: &[], seed: 0 }).expect("it has no options");
    let by_rules = best_of(|| perft(black_box(&start), DEPTH));
    let by_hand = best_of(|| black_box(Bits { own: 0xFFFF, other: 0xFFFF << 48 }).perft(DEPTH));
    let ratio = by_rules.as_secs_f64() / by_hand.as_secs_f64();
    println!(
        "breakthrough, {PLIES} plies: by rules {by_rules:.2?}, by hand {by_hand:.2?}: {ratio:.2} (goal 4)"
    );
}
