//! Pages: the stored boards, to look at in a browser.
//!
//! ```text
//! request --address--> Address --page--> Answer --guard--> response
//! ```
//!
//! Pages only read, except for buttons: a form becomes a letter, and `Hand` brings it to the
//! pipeline. Every address has one meaning (`address`), every page is rendered from the same views as the mails,
//! by the same templates, and everything works without a script.

mod act;
mod address;
mod analysis;
mod answer;
mod board;
mod choosing;
mod connection;
mod contests;
mod description;
mod form;
mod game_contests;
mod graph;
mod guard;
mod invite;
mod lists;
mod me;
mod me_form;
mod page;
mod pause;
mod play;
mod player;
mod prose;
mod router;
mod session;
mod site;
mod steps;
mod trial;
mod turn;
mod visitors;

pub use connection::{RULES, attend};
pub use description::description;
pub use site::{CurrentSite, Hand, Setting, Site};
