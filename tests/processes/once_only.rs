//! A letter is acted on once, however often and by however many processes it is delivered; and where it cannot be, it
//! stays with the mail server.

use std::process::Child;

use crate::support::host::{Host, finish, start};
use crate::support::{ANN, letter};

fn first_move() -> Vec<u8> {
    letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1)
}

#[test]
fn delivered_to_eight_processes_at_once_it_is_played_once() {
    let host = Host::with_a_game();
    let before = host.delivered().len();
    let mail = first_move();
    let all: Vec<Child> = (0..8).map(|_| start(host.command(&["receive"]), &mail)).collect();
    for child in all {
        finish(child).assert_silent(0);
    }
    assert_eq!(host.plies(1), 1);
    let mails = host.delivered();
    assert_eq!(mails.len(), before + 2, "one answer, and one mail to the opponent");
    let to_ann =
        mails.iter().filter(|mail| mail.first_line().starts_with("D1-E1 is played. bob has until ")).count();
    assert_eq!(to_ann, 1);
    host.assert_verified();
}

#[test]
fn sixteen_letters_at_once_are_all_taken_in() {
    // On a host that has no database yet: making it is part of what they do at once.
    let host = Host::set_up();
    let all: Vec<Child> = (0..16)
        .map(|n| {
            let mail = letter(&format!("p{n}@example.org"), &format!("signup player{n} secret-{n}"), "", n);
            start(host.command(&["receive"]), &mail)
        })
        .collect();
    for child in all {
        let ran = finish(child);
        assert_eq!(ran.code, Some(0), "{}", host.log());
        ran.assert_silent(0);
    }
    let users = host.run(&["admin", "users", "--json"], b"");
    let users: serde_json::Value = serde_json::from_str(users.ok()).unwrap();
    assert_eq!(users.as_array().unwrap().len(), 16);
    assert_eq!(host.delivered().len(), 16);
    host.assert_verified();
}

#[test]
fn a_locked_database_leaves_the_letter_with_the_mail_server() {
    let host = Host::with_a_game();
    let lock = rusqlite::Connection::open(host.database()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut command = host.command(&["receive"]);
    command.env("TURNPOST_BUSY_SECONDS", "0");
    finish(start(command, &first_move())).assert_silent(75);
    assert!(host.log().contains("mail left with the mail server: database"), "{}", host.log());
    lock.execute_batch("ROLLBACK").unwrap();
    // It comes again, and is the first then.
    host.receive(&first_move()).assert_silent(0);
    assert_eq!(host.plies(1), 1);
}

#[test]
fn a_data_directory_that_cannot_be_written_leaves_the_letter_with_the_mail_server() {
    let host = Host::with_a_game();
    let mail = first_move();
    // Where that means something.
    let read_only = |yes: bool| {
        use std::os::unix::fs::PermissionsExt;
        for entry in std::fs::read_dir(host.data()).unwrap() {
            let path = entry.unwrap().path();
            let mode = if yes { 0o400 } else { 0o600 };
            if path.is_file() {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        let mode = if yes { 0o500 } else { 0o700 };
        std::fs::set_permissions(host.data(), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    read_only(true);
    let superuser = std::fs::write(host.data().join("probe"), "").is_ok();
    let ran = host.receive(&mail);
    read_only(false);
    ran.assert_silent(if superuser { 0 } else { 75 });
    assert_eq!(host.plies(1), usize::from(superuser));
}

#[test]
fn mistakes_of_the_host_leave_the_letter_with_the_mail_server() {
    let host = Host::with_a_game();
    let mail = first_move();
    for arguments in [
        &["receive", "--no-such-option"][..],
        &["receive", "--recipient"],
        &["receive", "word"],
        &["--config", "/nowhere/turnpost.toml", "receive"],
    ] {
        host.run(arguments, &mail).assert_silent(75);
    }
    let mut command = host.command(&["receive"]);
    command.env("TURNPOST_SMTP_PORT", "many");
    finish(start(command, &mail)).assert_silent(75);
    let (file, away) = (host.data().join("turnpost.toml"), host.data().join("away"));
    std::fs::rename(&file, &away).unwrap();
    std::fs::write(&file, "adress = 'x'").unwrap();
    host.receive(&mail).assert_silent(75);
    std::fs::rename(&away, &file).unwrap();
    assert_eq!(host.plies(1), 0);
}

#[test]
fn the_envelope_says_whom_not_to_answer() {
    let host = Host::with_a_game();
    let before = host.delivered().len();
    let mail = letter("eve@example.com", "help", "", 1);
    host.run(&["receive", "--sender", "", "--recipient", "play@turnpost.example"], &mail).assert_silent(0);
    host.run(&["receive", "--sender", "<>"], &mail).assert_silent(0);
    assert_eq!(host.delivered().len(), before);
    assert_eq!(host.log().lines().count(), 2, "{}", host.log());
    host.run(&["receive", "--sender", "eve@example.com", "--recipient", "play@turnpost.example"], &mail)
        .assert_silent(0);
    assert_eq!(host.delivered().len(), before + 1);
}
