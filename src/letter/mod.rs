//! Acts on one letter: runs its commands and replies, passes its words on, and chooses who gets which mail.

mod act;
mod answer_budget;
pub(crate) mod audience;
mod contest_turn;
mod gate;
mod known_words;
pub(crate) mod left_out_game;
pub(crate) mod lost_address;
pub(crate) mod passed_on;
mod receipt;
mod reply;
pub(crate) mod writer;

pub use act::act;
