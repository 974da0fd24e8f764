#![allow(clippy::unwrap_used, clippy::panic)]

/// `plain` rounds in an unoptimised `cargo test`, `long` rounds if `TURNPOST_LONG` is set.
pub fn rounds(plain: u64, long: u64) -> u64 {
    if std::env::var_os("TURNPOST_LONG").is_some() { long } else { plain }
}

mod advice;
mod backgammon;
mod deciding;
mod engine;
mod evaluating;
mod go;
mod gomoku;
mod minds;
mod placing;
mod search;
mod solving;
mod values;
