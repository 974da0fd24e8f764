//! The ways out, against a folder, a program and a server made for the test.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::support::sink::settings;
use turnpost::mail::transport::{
    Directory, Memory, OutEnvelope, SendError, Sendmail, Smtp, SmtpLogin, SmtpSettings, Tls, Transport,
};

const MAIL: &[u8] = b"From: a@b.org\r\nSubject: x\r\n\r\n.\r\nYour move.\r\n";

fn envelope(number: Option<u64>) -> OutEnvelope {
    OutEnvelope { from: Some("bounce@turnpost.example".to_owned()), to: "ann@example.org".to_owned(), number }
}

fn is_temporary(result: &Result<(), SendError>) -> bool {
    matches!(result, Err(SendError::Temporary(_)))
}

fn is_down(result: &Result<(), SendError>) -> bool {
    matches!(result, Err(SendError::Down(_)))
}

fn is_permanent(result: &Result<(), SendError>) -> bool {
    matches!(result, Err(SendError::Permanent(_)))
}

#[test]
fn memory_keeps_what_it_is_given() {
    let memory = Memory::default();
    memory.send(&envelope(Some(1)), MAIL).unwrap();
    let sent = memory.take();
    assert_eq!((sent.len(), sent[0].mail.as_slice(), sent[0].envelope.number), (1, MAIL, Some(1)));
    assert!(memory.take().is_empty());
}

#[test]
fn a_directory_holds_a_mail_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let directory = Directory::new(&path);
    for _ in 0..2 {
        directory.send(&envelope(Some(42)), MAIL).unwrap();
        directory.send(&envelope(None), MAIL).unwrap();
    }
    directory.send(&OutEnvelope { to: "bob@example.net".to_owned(), ..envelope(None) }, MAIL).unwrap();
    let names: Vec<PathBuf> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().all(|name| name.extension().is_some_and(|end| end == "eml")));
    assert_eq!(fs::read(path.join("00000042.eml")).unwrap(), MAIL);
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(is_down(&Directory::new(file).send(&envelope(None), MAIL)));
}

/// A program in place of sendmail.
fn script(folder: &tempfile::TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("sendmail");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn sendmail_is_given_envelope_and_mail() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let path = script(&folder, &format!("for a; do echo \"[$a]\"; done >{0}; cat >>{0}", out.display()));
    let sendmail = Sendmail::new(&path, Duration::from_secs(20));
    sendmail.send(&envelope(None), MAIL).unwrap();
    let head = "[-i]\n[-f]\n[bounce@turnpost.example]\n[--]\n[ann@example.org]\n";
    let mail = "From: a@b.org\nSubject: x\n\n.\nYour move.\n";
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{head}{mail}"));
    sendmail.send(&OutEnvelope { from: None, ..envelope(None) }, MAIL).unwrap();
    assert!(fs::read_to_string(&out).unwrap().starts_with("[-i]\n[-f]\n[]\n[--]\n"));
    let option = OutEnvelope { to: "-oQ/tmp@x.org".to_owned(), ..envelope(None) };
    assert!(is_permanent(&sendmail.send(&option, MAIL)));
    let option = OutEnvelope { from: Some("-oQ/tmp@x.org".to_owned()), ..envelope(None) };
    assert!(is_temporary(&sendmail.send(&option, MAIL)));
}

#[test]
fn sendmail_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    for (code, permanent) in [
        (64, true),
        (65, true),
        (67, true),
        (68, true),
        (69, false),
        (71, false),
        (75, false),
        (78, false),
        (1, false),
    ] {
        let path = script(&folder, &format!("cat >/dev/null; exit {code}"));
        let result = Sendmail::new(path, Duration::from_secs(20)).send(&envelope(None), MAIL);
        assert_eq!(
            (is_permanent(&result), is_temporary(&result)),
            (permanent, !permanent),
            "{code}: {result:?}"
        );
    }
    let large = vec![b'x'; 1_000_000];
    let path = script(&folder, "exit 0");
    assert!(is_temporary(&Sendmail::new(path, Duration::from_secs(20)).send(&envelope(None), &large)));
    assert!(is_down(
        &Sendmail::new(folder.path().join("none"), Duration::from_secs(20)).send(&envelope(None), MAIL)
    ));
    let path = script(&folder, "kill -9 $$");
    assert!(is_temporary(&Sendmail::new(path, Duration::from_secs(20)).send(&envelope(None), MAIL)));
}

#[test]
fn sendmail_is_stopped_when_it_hangs() {
    let folder = tempfile::tempdir().unwrap();
    // Longer than a test may take: it does not end by itself.
    let path = script(&folder, "exec sleep 100000");
    let result =
        Sendmail::new(path, Duration::from_millis(300)).send(&envelope(None), &vec![b'x'; 1_000_000]);
    assert!(is_temporary(&result), "{result:?}");
}

/// Answers the commands of one connection, and ends it after so many mails; gives what it was told.
fn answer(listener: &TcpListener, answers: &[(&str, &str)], most: usize) -> String {
    let (stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut output = stream.try_clone().unwrap();
    let mut say = |text: &str| text.is_empty() || output.write_all(format!("{text}\r\n").as_bytes()).is_ok();
    let find = |word: &str| answers.iter().find(|(command, _)| *command == word).map(|(_, answer)| *answer);
    say(find("CONNECT").unwrap_or("220 test"));
    let (mut heard, mut data, mut mails) = (String::new(), false, 0);
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { break };
        heard += &format!("{line}\n");
        let word = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let (key, usual) = match (data, line.as_str()) {
            (true, ".") => ("END", "250 taken"),
            (true, _) => continue,
            _ if word == "DATA" => ("DATA", "354 go on"),
            _ if word == "EHLO" => ("EHLO", "250 test"),
            _ if word == "QUIT" => ("QUIT", "221 bye"),
            _ if word == "AUTH" => ("AUTH", "235 ok"),
            _ => (word.as_str(), "250 ok"),
        };
        data = key == "DATA" && find(key).is_none();
        mails += usize::from(key == "END");
        match find(key) {
            Some("close") => break,
            answer => {
                if !say(answer.unwrap_or(usual)) || key == "QUIT" || mails == most {
                    break;
                }
            }
        }
    }
    heard
}

fn listen() -> (u16, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    (listener.local_addr().unwrap().port(), listener)
}

/// A server that gives these answers on one connection, and tells what it was given.
fn server(answers: &'static [(&'static str, &'static str)]) -> (u16, JoinHandle<String>) {
    let (port, listener) = listen();
    (port, std::thread::spawn(move || answer(&listener, answers, usize::MAX)))
}

/// Sends one mail to a server with these answers.
fn smtp(answers: &'static [(&'static str, &'static str)]) -> (Result<(), SendError>, String) {
    let (port, thread) = server(answers);
    let result = Smtp::new(&settings(port)).unwrap().send(&envelope(None), MAIL);
    (result, thread.join().unwrap())
}

#[test]
fn smtp_hands_the_mail_over() {
    let (result, heard) = smtp(&[]);
    assert_eq!(result, Ok(()));
    assert!(heard.starts_with(
        "EHLO turnpost.example\nMAIL FROM:<bounce@turnpost.example>\nRCPT TO:<ann@example.org>\nDATA\n"
    ));
    assert!(heard.contains("Subject: x\n\n..\nYour move.\n"), "{heard}");
    let (port, thread) = server(&[]);
    let null = OutEnvelope { from: None, ..envelope(None) };
    assert_eq!(Smtp::new(&settings(port)).unwrap().send(&null, MAIL), Ok(()));
    assert!(thread.join().unwrap().contains("MAIL FROM:<>\n"));
}

#[test]
fn smtp_answers_are_told_apart() {
    for answers in [
        &[("CONNECT", "421 not now")][..],
        &[("CONNECT", "554 no service here")],
        &[("EHLO", "550 not with you")],
        &[("EHLO", "nonsense")],
    ] {
        let (result, _) = smtp(answers);
        assert!(is_down(&result), "{answers:?}: {result:?}");
    }
    for answers in [
        &[("MAIL", "451 later")][..],
        &[("RCPT", "450 greylisted")],
        &[("END", "452 disk full")],
        &[("MAIL", "close")],
        &[("END", "close")],
        &[("MAIL", "530 log in first")],
    ] {
        let (result, _) = smtp(answers);
        assert!(is_temporary(&result), "{answers:?}: {result:?}");
    }
    for answers in [&[("RCPT", "550 no such user")][..], &[("MAIL", "550 no")], &[("END", "554 refused")]] {
        let (result, _) = smtp(answers);
        assert!(is_permanent(&result), "{answers:?}: {result:?}");
    }
}

#[test]
fn smtp_without_a_server_or_with_a_wrong_login() {
    let (port, listener) = listen();
    drop(listener);
    assert!(is_down(&Smtp::new(&settings(port)).unwrap().send(&envelope(None), MAIL)));
    let (port, thread) = server(&[("EHLO", "250-test\r\n250 AUTH PLAIN"), ("AUTH", "535 wrong")]);
    let login = SmtpLogin { user: "turnpost".to_owned(), password: "plover-42".to_owned() };
    let settings = SmtpSettings { login: Some(login), ..settings(port) };
    assert!(!format!("{settings:?}").contains("plover"));
    let result = Smtp::new(&settings).unwrap().send(&envelope(None), MAIL);
    assert!(is_down(&result), "{result:?}");
    assert!(!format!("{result:?}").contains("plover"));
    assert!(!thread.join().unwrap().contains("MAIL"));
    // STARTTLS asked for and not offered: nothing is sent in the clear.
    let (port, thread) = server(&[]);
    let strict = SmtpSettings { tls: Tls::StartTls, port, ..settings };
    assert!(is_down(&Smtp::new(&strict).unwrap().send(&envelope(None), MAIL)));
    assert!(!thread.join().unwrap().contains("AUTH"));
}

/// A server that takes everything, and closes each connection without a word after so many mails; tells how many
/// mails came by each, when all that were expected did.
fn takes_all(mails_a_connection: usize, expected: usize) -> (u16, JoinHandle<Vec<usize>>) {
    let (port, listener) = listen();
    let thread = std::thread::spawn(move || {
        let mut counts = Vec::new();
        while counts.iter().sum::<usize>() < expected {
            counts.push(answer(&listener, &[], mails_a_connection).matches("DATA\n").count());
        }
        counts
    });
    (port, thread)
}

#[test]
fn smtp_keeps_its_connection_and_mends_a_broken_one() {
    let (port, thread) = takes_all(3, 8);
    let smtp = Smtp::new(&settings(port)).unwrap();
    for _ in 0..7 {
        assert_eq!(smtp.send(&envelope(None), MAIL), Ok(()));
    }
    // Let go of while it is whole: the server sees a QUIT, and the next mail comes by another.
    smtp.disconnect();
    assert_eq!(smtp.send(&envelope(None), MAIL), Ok(()));
    drop(smtp);
    assert_eq!(thread.join().unwrap(), [3, 3, 1, 1]);
}

#[test]
fn smtp_sends_every_octet_of_a_mail_and_no_more() {
    let (port, thread) = server(&[]);
    let mail = b"Subject: x\r\n\r\n.\r\n..\r\n.a\r\n\r\n";
    assert_eq!(Smtp::new(&settings(port)).unwrap().send(&envelope(None), mail), Ok(()));
    let heard = thread.join().unwrap();
    assert!(heard.contains("\nDATA\nSubject: x\n\n..\n...\n..a\n\n.\n"), "{heard}");
    // No server can be made to take what it does not know.
    let (port, thread) = server(&[]);
    let abroad = OutEnvelope { to: "zoë@example.org".to_owned(), ..envelope(None) };
    assert!(is_permanent(&Smtp::new(&settings(port)).unwrap().send(&abroad, MAIL)));
    assert!(!thread.join().unwrap().contains("MAIL"));
}
