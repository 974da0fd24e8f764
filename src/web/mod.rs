//! The web pages, on which people and programs read boards and play.
//!
//! ```text
//! request --address--> Address --page--> Answer --guard--> response
//! ```
//!
//! Pages only read the database. A form becomes a letter, which `Hand` passes to the pipeline. Every address has one
//! meaning (`address`), pages show the same views as mails, and everything works without a script.

mod act;
mod address;
mod analysis;
mod answer;
mod board;
mod branches;
mod browser;
mod choosing;
mod connection;
mod contests;
mod dead_chain;
mod description;
mod form;
mod game_contests;
mod graph;
mod guard;
mod invite;
mod lists;
mod mailed_link;
mod me;
mod me_command;
mod me_form;
mod mine;
mod moves;
mod new_game;
mod news;
mod organising;
mod page;
mod pause;
mod play;
mod player;
mod prose;
mod router;
mod seat;
mod session;
mod sign_up;
mod site;
mod steps;
mod study;
mod trial;
mod turn;
mod variation;
mod visitors;

pub use connection::{RULES, attend};
pub use description::description;
pub use site::{CurrentSite, Hand, Setting, Site};
