//! Turnpost: a play-by-email turn server for abstract board games.
//!
//! One straight line from mail to mail:
//!
//! ```text
//! bytes --mail::incoming--> Letter --command::read--> Vec<Line> --service::handle--> Transcript --reply::render--> Reply
//! ```
//!
//! Reading order: [`ids`], [`game`], [`mail::Letter`], [`command`], [`service`], [`store`], [`reply`], [`door`].

pub mod app;
pub mod cli;
pub mod clock;
pub mod command;
pub mod config;
pub mod data_dir;
pub mod delivery;
pub mod error;
pub mod ids;
pub mod mail;
pub mod pipeline;
pub mod reply;
pub mod server;
pub mod service;
pub mod store;
pub mod zone;
