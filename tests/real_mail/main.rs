//! Games by way of real mail servers: Postfix, OpenSMTPD, Exim, Dovecot and getmail, as Debian packs them.
//!
//! Not among the tests of a plain `cargo test`: `.ci/servers` unpacks the servers, then `cargo test --test real_mail`
//! starts each route on a machine of its own (see [`world`]), which takes the rights of the superuser. What is
//! missing is a failure, never passed over. Each route has our lines from `packaging`, which
//! `docs/mail-servers.md` shows.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing
)]

mod disk;
mod imap;
#[path = "../support/mail.rs"]
mod mail;
mod players;
mod servers;
mod world;

use std::time::Instant;

use players::{play, sign_up};
use servers::{SENDS, as_turnpost};

const PLAYERS: [&str; 2] = ["ann", "bob"];

/// The first game of the data: its plies by number.
fn whole_game() -> Vec<&'static str> {
    let games = include_str!("../../crates/games/tests/data/dvonn-games.txt");
    let (_, game) = games.split_once("game 1\n").unwrap();
    let plies = |key: &str| game.lines().find_map(|line| line.strip_prefix(key)).unwrap().split_whitespace();
    plies("place: ").chain(plies("move: ")).collect()
}

/// Plays all of a game or the last plies of it, and looks whether all that is stored fits together.
fn game_by(route: &str, whole: bool) {
    let script = whole_game();
    let start = Instant::now();
    let mut players = sign_up();
    let sent = if whole {
        play(&mut players, "dvonn challenge ann bob", &script)
    } else {
        let (position, rest) = late(&script);
        play(&mut players, &format!("dvonn challenge -position=\"{position}\" ann bob"), &rest)
    };
    // A bounce is left alone, and would have been answered if its sender had been lost on the way.
    players[0].bounce("dvonn show 1");
    world::wait_for_log("its return path is empty");
    assert!(players.iter_mut().all(|player| player.look().is_empty()), "a bounce was answered");
    as_turnpost(&["admin", "verify"]);
    println!("{route}: {sent} plies in {:.1} s", start.elapsed().as_secs_f64());
}

/// The position before the last plies in which white is to move, and those plies.
fn late(script: &[&'static str]) -> (String, Vec<&'static str>) {
    use turnpost_games::{Setup, dvonn::KIND};
    let mut table = (KIND.start)(&Setup { options: &[], seed: 0 }).unwrap();
    let begin = script.len() - 9;
    for ply in &script[..begin] {
        table.play_text(ply).unwrap();
    }
    (table.position(), script[begin..].to_vec())
}

/// The settings of Postfix that let it know the address, and not by which way it goes.
fn without_transport(main: &str) -> String {
    main.lines().filter(|line| !line.starts_with("turnpost_")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn postfix_by_pipe() {
    if !world::on("postfix_by_pipe", &["postfix", "dovecot"]) {
        return;
    }
    servers::turnpost(SENDS);
    let _mailboxes = servers::dovecot();
    let transport = include_str!("../../packaging/postfix/transport");
    servers::postfix(
        include_str!("../../packaging/postfix/main.cf"),
        include_str!("../../packaging/postfix/master.cf"),
        &format!("{transport}{}", servers::to_mailboxes(&PLAYERS)),
        "",
    );
    game_by("Postfix by pipe", true);
}

#[test]
fn postfix_by_alias() {
    if !world::on("postfix_by_alias", &["postfix", "dovecot"]) {
        return;
    }
    // And out by its sendmail program.
    servers::turnpost("[mail]\ntransport = \"sendmail\"\nafter_receive = true\n");
    let _mailboxes = servers::dovecot();
    let main = without_transport(include_str!("../../packaging/postfix/main.cf"));
    servers::postfix(
        &format!("{main}default_privs = _turnpost\n"),
        "",
        &servers::to_mailboxes(&PLAYERS),
        include_str!("../../packaging/postfix/aliases"),
    );
    game_by("Postfix by alias", false);
}

#[test]
fn opensmtpd_by_mda() {
    if !world::on("opensmtpd_by_mda", &["opensmtpd", "dovecot"]) {
        return;
    }
    servers::turnpost(SENDS);
    let _mailboxes = servers::dovecot();
    let _mta = servers::opensmtpd(include_str!("../../packaging/opensmtpd/smtpd.conf"));
    game_by("OpenSMTPD by mda", false);
}

#[test]
fn exim_by_pipe() {
    if !world::on("exim_by_pipe", &["exim", "dovecot"]) {
        return;
    }
    servers::turnpost(SENDS);
    let _mailboxes = servers::dovecot();
    let _mta = servers::exim(
        include_str!("../../packaging/exim/router"),
        include_str!("../../packaging/exim/transport"),
    );
    game_by("Exim by pipe", false);
}

#[test]
fn a_mailbox_polled_by_getmail() {
    if !world::on("a_mailbox_polled_by_getmail", &["postfix", "dovecot", "getmail"]) {
        return;
    }
    servers::turnpost(SENDS);
    let _mailboxes = servers::dovecot();
    // The provider: our server is one of those who have mailboxes there.
    let main = without_transport(include_str!("../../packaging/postfix/main.cf"));
    servers::postfix(&main, "", &servers::to_mailboxes(&["ann", "bob", "play"]), "");
    let _polling = servers::getmail(include_str!("../../packaging/getmail/getmailrc"));
    game_by("a mailbox polled by getmail", false);
}

#[test]
fn a_mailbox_polled_by_fetchmail() {
    if !world::on("a_mailbox_polled_by_fetchmail", &["postfix", "dovecot", "fetchmail"]) {
        return;
    }
    servers::turnpost(SENDS);
    let _mailboxes = servers::dovecot();
    let main = without_transport(include_str!("../../packaging/postfix/main.cf"));
    servers::postfix(&main, "", &servers::to_mailboxes(&["ann", "bob", "play"]), "");
    let _polling = servers::fetchmail(include_str!("../../packaging/fetchmail/fetchmailrc"));
    game_by("a mailbox polled by fetchmail", false);
}

#[test]
fn a_disk_that_is_full() {
    if !world::on("a_disk_that_is_full", &[]) {
        return;
    }
    let refused = disk::fill_up();
    println!("a full disk: {refused} plies in vain");
}

#[test]
fn postfix_by_lmtp() {
    if !world::on("postfix_by_lmtp", &["postfix", "dovecot"]) {
        return;
    }
    let serve = include_str!("../../packaging/postfix/serve.toml");
    servers::turnpost(&format!("{}{serve}", SENDS.replace("after_receive = true\n", "")));
    let _mailboxes = servers::dovecot();
    let main = without_transport(include_str!("../../packaging/postfix/main.cf"));
    let main = format!("{main}header_checks = regexp:/etc/postfix/header_checks\n");
    world::write("/etc/postfix/header_checks", include_str!("../../packaging/postfix/header_checks"));
    let transport = include_str!("../../packaging/postfix/transport-lmtp");
    servers::postfix(&main, "", &format!("{transport}{}", servers::to_mailboxes(&PLAYERS)), "");
    world::run("sh", &["-ec", include_str!("../../packaging/postfix/socket")]);
    let _serving = servers::serve();
    game_by("Postfix by LMTP to `turnpost serve`", true);
}
