//! The tests of the public API.

#![allow(clippy::unwrap_used, clippy::panic)]

mod dice;
mod dvonn_data;
mod dvonn_laws;
mod dvonn_rules;
mod hexmeister_laws;
mod hexmeister_rules;
mod notation;
mod perft;
mod refusals;
mod registry_laws;
