//! Turnpost: a play-by-email turn server for abstract board games.
//!
//! [`pipeline`] is one straight line from mail to mail:
//!
//! ```text
//! bytes --mail::incoming--> Letter --LANGUAGE.read--> Vec<Line> --letter::act--> Transcript --compose::compose--> Vec<OutgoingMail> --> outbox
//!                                                  |<------------------------- one transaction ------------------------->|
//! outbox --delivery--> the world
//! ```
//!
//! Reading order: [`pipeline`], [`ids`], [`mail`], [`language`], [`letter`], [`commands`], [`store`],
//! [`compose`] and [`delivery`]. Then the entry points [`cli`] and `server`. The rules of the games and the robot
//! are separate packages.

pub mod app;
pub mod board;
pub mod cli;
pub(crate) mod clock;
pub mod commands;
pub mod compose;
pub mod config;
pub mod connections;
pub mod contest;
pub(crate) mod copies;
pub mod credentials;
pub mod data_dir;
pub mod delivery;
pub mod dice;
pub(crate) mod error;
pub mod failure;
pub mod ids;
pub mod language;
pub mod letter;
pub mod mail;
pub mod meaning;
pub mod notices;
pub mod picture;
pub mod pipeline;
pub mod play;
pub(crate) mod private_files;
pub mod push;
pub(crate) mod server;
pub mod settings;
pub mod store;
pub mod timer;
pub mod web;
pub(crate) mod zone;
