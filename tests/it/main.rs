//! The server, from outside: one program, a module a subject. `cargo test --test it conversations` runs one of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod abuse_proof;
mod addresses;
mod bad_input;
mod came_back;
mod cli;
mod clocks;
mod conversations;
mod corners;
mod corpora;
mod dkim;
mod faults;
mod games_law;
mod help;
mod hexmeister_service;
mod html;
mod killed;
mod lmtp_session;
mod mail_attacks;
mod mail_authentication;
mod mail_bounces;
mod mail_incoming;
mod mail_outgoing;
mod mail_transport;
mod migrations;
mod once_only;
mod random_club;
mod random_people;
mod ratings;
mod readme;
mod real_letters;
mod records;
mod replies;
mod reply_text;
mod robot_player;
mod robot_program;
mod rooms;
mod serve;
mod serve_together;
mod serve_watched;
mod strangers;
mod support;
mod talk;
mod verify;
mod whole_game;
