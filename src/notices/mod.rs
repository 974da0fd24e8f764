//! What the server tells people: the answer to a letter, the views of a board, and who hears of its news.

pub mod afterword;
pub mod analysis_view;
pub(crate) mod audience;
pub mod board_update;
pub(crate) mod contest_news;
pub mod contest_view;
pub(crate) mod decisions;
pub(crate) mod explored;
pub(crate) mod game_cell;
pub(crate) mod ladder_view;
pub(crate) mod lesson;
pub mod look;
pub mod mail;
pub(crate) mod mail_preferences;
pub(crate) mod names;
mod occasion;
pub(crate) mod open_seeks;
pub(crate) mod own_table;
pub(crate) mod past_contests;
pub mod ply_view;
pub(crate) mod team_view;
pub(crate) mod time_words;
pub(crate) mod told_contests;
pub(crate) mod transcript;
pub mod view;

pub use mail::Mail;
pub use occasion::{Occasion, Outbox};
pub use transcript::{Answer, Answered, Event, Seated, Transcript};
pub use view::Thread;
