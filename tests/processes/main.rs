//! The program as processes: started and killed at any moment, several at once, on full disks, with real sockets and the
//! real clock. `cargo test --test processes killed` runs one module.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod abuse_faces;
mod abuse_files;
mod abuse_over_lmtp;
mod backup;
mod bots;
mod dice;
mod doctor;
mod faults;
mod full_disk;
mod init;
mod keeping;
mod killed;
mod once_only;
mod outages;
mod questions;
mod restarts;
mod robot_program;
mod serve;
mod serve_together;
mod serve_watched;
mod strict_start;
#[path = "../support/mod.rs"]
mod support;
mod two_machines;
mod web_api;
mod web_edges;
mod web_news;
mod web_odd;
mod web_pause;
mod web_play;
mod web_try;
mod web_turns;
mod whole;
