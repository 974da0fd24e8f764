//! Acting on one letter: who wrote it, what its replies do, which lines run, whom its words reach.

mod act;
mod answer_budget;
pub(crate) mod audience;
mod gate;
mod known_words;
pub(crate) mod lost_address;
pub(crate) mod passed_on;
mod reply;
pub(crate) mod writer;

pub use act::act;
