//! Acting on one letter: who wrote it, what a reply to us means, which lines run, whom its words reach.

mod act;
mod answer_budget;
pub(crate) mod audience;
mod by_reply;
mod doubt;
mod gate;
mod known_words;
pub(crate) mod lost_address;
mod message_reply;
pub(crate) mod passed_on;
pub(crate) mod reply_lines;
pub mod reply_moves;
mod wishes;
pub(crate) mod writer;
mod yes_no;

pub use act::act;
