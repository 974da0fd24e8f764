//! What is wrong around the program: mail servers that misbehave, a full disk, a database that others keep to
//! themselves, a clock that goes back. After each nothing is lost, nothing was played twice, and no mail is missing; the
//! one mail that may leave twice is one of which the mail server did not say that it had taken it.

use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::support::host::{Host, Ran, finish, start};
use crate::support::post_office::{Letter, PostOffice};
use crate::support::serving::Served;
use crate::support::sink::{Fault, Stage};

fn receive(office: &PostOffice, letter: &Letter) -> Ran {
    let arguments = ["receive", "--sender", "someone@example.org", "--recipient", &letter.recipient];
    office.run(&arguments, &letter.mail)
}

/// The same, waiting no longer than a second for others.
fn impatient(office: &PostOffice, letter: &Letter) -> Ran {
    let mut command = office.command(&["receive", "--recipient", &letter.recipient]);
    command.env("TURNPOST_BUSY_SECONDS", "1");
    finish(start(command, &letter.mail))
}

/// Plays one letter, whose two mails then wait.
fn play(office: &mut PostOffice) {
    let letter = office.next_letter(7);
    receive(office, &letter).assert_silent(0);
    assert!(office.stands());
}

#[test]
fn a_mail_server_that_misbehaves_at_every_stage() {
    // Side by side, for most of it is waiting.
    std::thread::scope(|scope| {
        for stage in Stage::ALL {
            scope.spawn(move || misbehaves_at(stage));
        }
    });
}

/// A service manager kills what does not end in time, and the mail in hand with it.
#[test]
fn a_server_that_is_to_end_does_so_within_twenty_seconds_whatever_it_waits_for() {
    std::thread::scope(|scope| {
        for stage in Stage::ALL {
            scope.spawn(move || ends_while_stalled_at(stage));
        }
    });
}

fn ends_while_stalled_at(stage: Stage) {
    let mut office = PostOffice::open();
    office.run(&["deliver"], b"").ok();
    play(&mut office);
    let before = office.sink.taken().len();
    office.sink.misbehave(Some((stage, Fault::Stall)));
    let variables = [("TURNPOST_SERVE_HTTP", "127.0.0.1:0"), ("TURNPOST_WEB_LISTEN", "127.0.0.1:0")];
    let served = Served::start(&office.host, &variables);
    // Half a letter and half a request each come in meanwhile, and no more of them.
    let mut visitors = [served.http, served.web].map(|place| TcpStream::connect(place.unwrap()).unwrap());
    visitors.iter_mut().for_each(|visitor| visitor.write_all(b"GET / HTTP/1.1\r\nHo").unwrap());
    let mut client = served.connect();
    client.begin("someone@example.org", &[crate::support::ADDRESS]);
    client.say(b"Subject: help\r\n");
    std::thread::sleep(Duration::from_secs(1));
    let begun = Instant::now();
    let log = served.stop();
    assert!(begun.elapsed() < Duration::from_secs(20), "{stage:?}: {:?}\n{log}", begun.elapsed());
    office.sink.misbehave(None);
    office.time_passes();
    assert!(
        office.run(&["deliver"], b"").ok().starts_with("2 sent, 0 to be tried again"),
        "{stage:?}\n{log}"
    );
    // Of the one that was taken without a word nobody could know.
    let unheard = office.sink.taken().len() - before - 2;
    assert_eq!(unheard, usize::from(stage == Stage::End), "{stage:?}");
    office.assert_all_left(unheard);
}

fn misbehaves_at(stage: Stage) {
    let mut office = PostOffice::open();
    office.run(&["deliver"], b"").ok();
    let mut repeats = 0;
    for fault in [Fault::Stall, Fault::Close, Fault::Say(421), Fault::Say(451)] {
        play(&mut office);
        let before = office.sink.taken().len();
        office.sink.misbehave(Some((stage, fault)));
        let ran = office.run(&["deliver"], b"");
        assert_eq!(ran.ok(), "0 sent, 2 to be tried again, 0 refused for good\n", "{stage:?} {fault:?}");
        // The mails of which no answer was heard were taken.
        let unheard = stage == Stage::End && matches!(fault, Fault::Stall | Fault::Close);
        let taken = office.sink.taken().len() - before;
        assert_eq!(taken, if unheard { 2 } else { 0 }, "{stage:?} {fault:?}");
        repeats += taken;
        office.sink.misbehave(None);
        // A server that does not talk has said nothing about the mails; else they wait a minute.
        if !matches!(stage, Stage::Greeting | Stage::Ehlo) {
            assert_eq!(
                office.run(&["deliver"], b"").ok(),
                "0 sent, 0 to be tried again, 0 refused for good\n"
            );
            office.time_passes();
        }
        assert_eq!(office.run(&["deliver"], b"").ok(), "2 sent, 0 to be tried again, 0 refused for good\n");
    }
    assert_eq!(office.assert_all_left(repeats), repeats);
}

#[test]
fn a_mail_server_that_refuses_for_good() {
    for (stage, code) in [
        (Stage::Greeting, 554),
        (Stage::Ehlo, 550),
        (Stage::Mail, 530),
        (Stage::Mail, 550),
        (Stage::Rcpt, 550),
        (Stage::Data, 554),
        (Stage::End, 554),
    ] {
        // One each, for an address that has been refused for good three times gets no more mail.
        let mut office = PostOffice::open();
        office.run(&["deliver"], b"").ok();
        play(&mut office);
        office.sink.misbehave(Some((stage, Fault::Say(code))));
        let ran = office.run(&["deliver"], b"");
        office.sink.misbehave(None);
        // Of a server that does not talk or wants a login, the mail is not to blame.
        let waits = stage == Stage::Greeting || stage == Stage::Ehlo || code == 530;
        let expected = if waits { "2 to be tried again, 0" } else { "0 to be tried again, 2" };
        assert_eq!(ran.ok(), format!("0 sent, {expected} refused for good\n"), "{stage:?} {code}");
        office.time_passes();
        let sent = if waits { 2 } else { 0 };
        let ran = office.run(&["deliver"], b"");
        assert!(
            ran.ok().starts_with(&format!("{sent} sent, 0 to be tried again")),
            "{stage:?} {code}: {ran:?}"
        );
        office.due -= 2 - sent;
        // It is not lost without a trace: the operator sees what the server said.
        let outbox = office.run(&["admin", "outbox"], b"");
        assert_eq!(outbox.ok().contains(&code.to_string()), !waits, "{}", outbox.out);
        assert!(office.stands());
        assert_eq!(office.sink.taken().len(), office.due);
        office.host.assert_verified();
    }
}

#[test]
fn one_address_that_is_refused_does_not_hold_up_the_other() {
    let mut office = PostOffice::open();
    office.sink.misbehave(Some((Stage::Rcpt, Fault::Say(450))));
    assert!(office.run(&["deliver"], b"").ok().starts_with("0 sent, 2 to be tried again"));
    office.sink.misbehave(None);
    // What came later does not wait for what was put off.
    play(&mut office);
    assert!(office.run(&["deliver"], b"").ok().starts_with("2 sent, 0 to be tried again"));
    office.time_passes();
    assert!(office.run(&["deliver"], b"").ok().starts_with("2 sent, 0 to be tried again"));
    office.assert_all_left(0);
}

/// The program with files that cannot grow beyond so many blocks of 512 octets. The signal that comes with such a
/// write is ignored, as on a full disk, where there is none.
fn confined(office: &PostOffice, blocks: u64, arguments: &[&str]) -> Command {
    let plain = office.command(arguments);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f $0; exec \"$@\"", &blocks.to_string()]);
    command.arg(plain.get_program()).args(plain.get_args());
    command.env_clear();
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap());
    }
    for pipe in [Command::stdin, Command::stdout, Command::stderr] {
        pipe(&mut command, std::process::Stdio::piped());
    }
    command
}

#[test]
fn a_disk_without_room_leaves_the_letter_with_the_mail_server() {
    let mut office = PostOffice::open();
    office.run(&["deliver"], b"").ok();
    let (mut refused, mut taken) = (0, 0);
    for round in 0..4 {
        let letter = office.next_letter(round);
        let arguments =
            ["receive", "--sender", "someone@example.org", "--recipient", letter.recipient.as_str()];
        // From no room at all to enough, in steps of a page.
        for blocks in (0..4000).step_by(8) {
            let ran = finish(start(confined(&office, blocks, &arguments), &letter.mail));
            office.host.assert_verified();
            if ran.code == Some(0) {
                ran.assert_silent(0);
                taken += 1;
                break;
            }
            ran.assert_silent(75);
            assert!(!office.stands(), "played, and left with the mail server all the same");
            refused += 1;
        }
        assert!(office.stands());
        // It comes again: it was taken.
        receive(&office, &letter).assert_silent(0);
        assert!(office.stands());
        // Sending with no room to note that it was sent.
        for blocks in (0..4000).step_by(64) {
            let ran = finish(start(confined(&office, blocks, &["deliver"]), b""));
            if ran.code == Some(0) {
                break;
            }
            assert_eq!(ran.code, Some(75), "{ran:?}");
        }
        office.time_passes();
        office.run(&["deliver"], b"").ok();
    }
    assert_eq!(taken, 4);
    assert!(refused >= 4 * 3, "the disk was never full: {refused}");
    let repeats = office.assert_all_left(usize::MAX);
    println!("{refused} refusals for want of room; {repeats} mails left twice");
}

/// Keeps the database from all other writers for so long.
fn lock(office: &PostOffice, time: Duration) {
    let database = office.host.database();
    let (locked, is_locked) = channel();
    std::thread::spawn(move || {
        let conn = rusqlite::Connection::open(database).unwrap();
        conn.busy_timeout(Duration::from_secs(10)).unwrap();
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        locked.send(()).unwrap();
        std::thread::sleep(time);
        conn.execute_batch("ROLLBACK").unwrap();
    });
    is_locked.recv().unwrap();
}

#[test]
fn a_database_that_others_keep_to_themselves() {
    let mut office = PostOffice::open();
    office.run(&["deliver"], b"").ok();
    let letter = office.next_letter(3);
    // For longer than a letter waits: it stays with the mail server, which comes again.
    lock(&office, Duration::from_secs(3));
    impatient(&office, &letter).assert_silent(75);
    assert!(!office.stands());
    // For less: it waits its turn.
    receive(&office, &letter).assert_silent(0);
    assert!(office.stands());
    // While a mail is on its way out, for longer than one look at the database waits: it is noted as sent in the end.
    let (database, due) = (office.host.database(), office.sink.taken().len());
    let (hook, hooked) = channel();
    office.sink.before_answer(move || {
        let conn = rusqlite::Connection::open(database).unwrap();
        conn.busy_timeout(Duration::from_secs(10)).unwrap();
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(4));
            conn.execute_batch("ROLLBACK").unwrap();
            hook.send(()).unwrap();
        });
    });
    let mut command = office.command(&["deliver"]);
    command.env("TURNPOST_BUSY_SECONDS", "1").env("TURNPOST_SMTP_TIMEOUT_SECONDS", "10");
    assert_eq!(finish(start(command, b"")).ok(), "2 sent, 0 to be tried again, 0 refused for good\n");
    hooked.recv().unwrap();
    assert_eq!(office.sink.taken().len(), due + 2);
    office.assert_all_left(0);
}

#[test]
fn a_database_that_is_locked_for_long() {
    // Six times as long as a letter waits.
    const LONG: Duration = Duration::from_secs(6);
    let mut office = PostOffice::open();
    let served = Served::start(&office.host, &[("TURNPOST_BUSY_SECONDS", "1")]);
    let letter = office.next_letter(3);
    lock(&office, LONG);
    // Two mail servers bring the same letter again and again, by LMTP and by a pipe, until it is taken.
    let (by_lmtp, by_pipe) = std::thread::scope(|scope| {
        let by_lmtp = scope.spawn(|| {
            let mut client = served.connect();
            std::iter::repeat_with(|| client.mail("someone@example.org", &[&letter.recipient], &letter.mail))
                .take_while(|replies| !replies[0].starts_with("250 "))
                .inspect(|replies| assert!(replies[0].starts_with("451 "), "{replies:?}"))
                .count()
        });
        let by_pipe = std::iter::repeat_with(|| impatient(&office, &letter))
            .take_while(|ran| ran.code != Some(0))
            .inspect(|ran| ran.assert_silent(75))
            .count();
        (by_lmtp.join().unwrap(), by_pipe)
    });
    assert!(office.stands());
    assert!(by_lmtp >= 1 && by_pipe >= 1, "nobody was told to come again: {by_lmtp}, {by_pipe}");
    served.stop();
    office.run(&["deliver"], b"").ok();
    office.assert_all_left(0);
}

#[test]
fn a_clock_set_back_ends_no_game_and_holds_up_no_mail() {
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n\
                   dvonn challenge -symmetry -seed=7 ann bob\n";
    let mut submit = host.command(&["submit"]);
    submit.env("TURNPOST_MAIL_AFTER_SUBMIT", "false");
    finish(start(submit, players.as_bytes())).ok();
    // All of that was in a year to come, when the clock was wrong; one mail was being sent.
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    let year = 365 * 24 * 60 * 60;
    let later = format!(
        "UPDATE outbox SET created_at = created_at + {year}, due_at = due_at + {year};
         UPDATE outbox SET lease_until = due_at + 600 WHERE id = 1;"
    );
    conn.execute_batch(&later).unwrap();
    let waiting: u32 = conn.query_row("SELECT count(*) FROM outbox", [], |row| row.get(0)).unwrap();
    assert_eq!(host.delivered().len(), waiting as usize);
    assert!(waiting > 0);
}
