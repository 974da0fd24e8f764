//! Turnpost: a play-by-email turn server for abstract board games.
//!
//! One straight line from mail to mail, which [`pipeline`] is:
//!
//! ```text
//! bytes --mail::incoming--> Letter --command::read--> Vec<Line> --service::act--> Transcript --reply::compose--> Vec<OutgoingMail> --> outbox
//!                                                  |<------------------------- one transaction ------------------------->|
//! outbox --delivery--> the world
//! ```
//!
//! Reading order: [`pipeline`], [`ids`], [`mail`], [`command`], [`service`], [`store`], [`reply`], [`delivery`], then the
//! entrances, [`cli`] and `server`. The rules of the games and the robot are packages of their own.

pub mod app;
pub mod cli;
pub(crate) mod clock;
pub mod command;
pub mod config;
pub mod data_dir;
pub mod delivery;
pub(crate) mod error;
pub mod ids;
pub mod mail;
pub mod picture;
pub mod pipeline;
pub(crate) mod private_files;
pub mod reply;
pub(crate) mod server;
pub mod service;
pub mod store;
pub mod web;
pub(crate) mod zone;

pub use clock::work;
