//! The tests of the public API.

#![allow(clippy::unwrap_used, clippy::panic)]

mod backgammon;
mod backgammon_told;
mod chance;
mod chess_letters;
mod chess_rules;
mod data_files;
mod dead_stones;
mod dice;
mod dvonn_data;
mod dvonn_laws;
mod dvonn_rules;
mod formats;
mod hexmeister_laws;
mod hexmeister_naive;
mod hexmeister_rules;
mod oracle_data;
mod perft;
mod registry_laws;
mod stones;
mod turned_boards;
