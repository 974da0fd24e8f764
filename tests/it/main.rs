//! The server from outside, in one process but for a few runs of the program: a module a subject. `cargo test --test it
//! conversations` runs one of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod a_made_up_game;
mod abuse_amplification;
mod abuse_hidden;
mod abuse_identity;
mod abuse_poison;
mod abuse_proof;
mod abuse_tokens;
mod announce;
mod automatic_mail;
mod bad_input;
mod batches;
mod bounce_texts;
mod came_back;
mod cli;
mod clocks;
mod contest;
mod conversations;
mod corpora;
mod dkim;
mod erase;
mod events;
mod foreseen;
mod games_law;
mod help;
mod host_acts;
mod html;
mod leagues;
mod lmtp_session;
mod lost_mails;
mod mail_attacks;
mod mail_authentication;
mod mail_bounces;
mod mail_incoming;
mod mail_outgoing;
mod mail_pictures;
mod mail_transport;
mod migrations;
mod old_mails;
mod operations;
mod pictures;
mod random_club;
mod ratings;
mod readme;
mod real_letters;
mod real_mail;
mod records;
mod replies;
mod robot_player;
mod rooms;
mod samples;
mod scenes;
mod sending;
#[path = "../support/mod.rs"]
mod support;
mod talk;
mod verify;
mod web;
mod web_api;
mod web_invite;
mod web_sign_in;
mod whole_game;
mod wrong_clocks;
mod zz;
