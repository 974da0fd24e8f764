//! The rules of the games, from outside.

#![allow(clippy::unwrap_used, clippy::panic)]

mod dvonn_data;
mod dvonn_laws;
mod dvonn_rules;
mod hexmeister_laws;
mod hexmeister_rules;
mod perft;
