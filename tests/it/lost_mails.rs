//! Letters that break the rules of mail, as real ones do: each is read, or its writer hears why not.

use crate::support::data::DataFile;
use crate::support::host::{Host, finish, start};
use crate::support::serving::Served;
use crate::support::sink::{self, Fault, Sink};
use crate::support::{ADDRESS, Mail, Stage};
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

fn from(address: &str) -> Envelope {
    Envelope { sender: Some(EnvelopeSender::Address(address.to_owned())), recipient: None }
}

/// The one answer to a mail that came from ann's address.
fn answer(stage: &mut Stage, mail: &[u8]) -> Mail {
    let mut mails = stage.receive_from(&from("ann@example.org"), mail);
    assert_eq!(mails.len(), 1, "{}: {:?}", mail.escape_ascii(), stage.outcome);
    mails.remove(0)
}

/// A letter in which `dvonn show 1` is to be found gets the board, and another the reason.
fn assert_shows(name: &str, mail: &[u8]) {
    let mut stage = Stage::with_a_game();
    let answer = answer(&mut stage, mail);
    assert!(answer.text.contains("DVONN 1, ann (white) v bob (black)"), "{name}:\n{}", answer.text);
}

fn assert_told(name: &str, mail: &[u8], why: &str) {
    let mut stage = Stage::with_a_game();
    let answer = answer(&mut stage, mail);
    let said = answer.text.replace('\n', " ");
    assert_eq!(answer.subject, "We did not read your mail", "{name}");
    assert!(
        said.starts_with("We did not read your mail: ") && said.contains(why),
        "{name}:\n{}",
        answer.text
    );
    // Once, like any other letter.
    assert_eq!(stage.receive_from(&from("ann@example.org"), mail), [], "{name}");
}

/// The mails of a section of `tests/data/odd-mails.txt`, by name.
fn odd_mails(section: &str) -> Vec<(String, String)> {
    let lines = DataFile::read("odd-mails.txt").entries(section);
    let head = "From: ann@example.org\nSubject: multiple\n";
    let named = |line: String| {
        let (name, mail) = line.split_once(" | ").unwrap();
        (name.to_owned(), mail.replace("HEAD", head))
    };
    lines.into_iter().map(named).collect()
}

#[test]
fn no_fault_of_a_header_loses_a_letter() {
    for (name, header) in odd_mails("headers") {
        for end in ["\n", "\r\n", "\r", "\r\r\n"] {
            assert_shows(&name, format!("{header}\n").replace('\n', end).as_bytes());
        }
    }
    assert_shows("Latin-1", b"From: Zo\xEB <ann@example.org>\nX-\xE9: \xE9\nSubject: dvonn show 1\n\n");
}

#[test]
fn no_kind_of_line_end_loses_a_letter() {
    let mail = "From: ann@example.org\nSubject: multiple\nContent-Type: multipart/alternative;\n boundary=b\n\n--b\n\
        Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\ndvonn sh=\now 1\n--b--\n";
    for end in ["\r", "\r\r\n", "\r\r\r\n", "\r\n", "\n"] {
        assert_shows(&format!("{end:?}"), mail.replace('\n', end).as_bytes());
        // The mail server's own lines stand above.
        let below = format!("Received: by mx.example\nX-Trace: a\n b\n{}", mail.replace('\n', end));
        assert_shows(&format!("{end:?} below LF"), below.as_bytes());
        let (header, body) = mail.split_once("\n\n").unwrap();
        let mixed = format!("{}\r\n\r\n{}", header.replace('\n', "\r\n"), body.replace('\n', end));
        assert_shows(&format!("{end:?} in the body"), mixed.as_bytes());
    }
}

#[test]
fn no_fault_of_a_body_loses_a_letter() {
    for (name, mail) in odd_mails("bodies") {
        assert_shows(&name, mail.as_bytes());
        assert_shows(&name, mail.replace('\n', "\r\n").as_bytes());
    }
}

#[test]
fn octets_that_are_no_utf_8_are_read() {
    let head = "From: ann@example.org\nSubject: multiple\nContent-Type: text/plain; charset=";
    for (label, text) in [("IBM850", &b"dvonn show 1\n\x81\n"[..]), ("x-unknown", b"dvonn show 1\n\xE9\n")] {
        assert_shows(label, &[head.as_bytes(), label.as_bytes(), b"\n\n", text].concat());
    }
}

#[test]
fn a_closed_mail_gets_an_answer_that_says_so() {
    let head =
        "From: ann@example.org\nSubject: dvonn show 1\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n";
    for line in DataFile::read("odd-mails.txt").entries("closed") {
        let [name, why, rest] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let mail = format!("{head}{rest}");
        assert_told(name, mail.as_bytes(), why);
        // A stranger hears the same, once a day.
        let mut stage = Stage::new();
        let mails = stage.receive_from(&from("ann@example.org"), mail.as_bytes());
        assert!(mails[0].text.contains(why), "{name}");
        let again = mail.replace("<1@", "<2@");
        assert_eq!(stage.receive_from(&from("ann@example.org"), again.as_bytes()), [], "{name}");
    }
}

/// By a pipe and by LMTP: what is not read is logged with its reason, and answered once.
#[test]
fn what_is_not_read_is_logged() {
    let host = Host::set_up();
    let closed = |id: &str| {
        format!(
            "Return-Path: <eve@example.com>\nFrom: eve@example.com\nMessage-ID: <{id}@example.com>\n\
             Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIA\n"
        )
    };
    host.receive(closed("1").as_bytes()).assert_silent(0);
    host.receive(b"From: eve\n\nhelp\n").assert_silent(0);
    assert!(host.log().contains("mail not read: it is encrypted"), "{}", host.log());
    assert!(host.log().contains("mail set aside: it does not say who sent it"), "{}", host.log());
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    client.takes(closed("2").replace("eve@", "mallory@").replace('\n', "\r\n").as_bytes());
    let carls = b"From: carl@example.com\rSubject: help\rMessage-ID: <3@example.com>\r\r";
    assert_eq!(client.mail("carl@example.com", &[ADDRESS], carls), ["250 2.0.0 taken\r\n"]);
    host.wait_for_mails(3);
    let log = served.stop();
    assert!(log.contains("mail not read: it is encrypted"), "{log}");
    let to: Vec<String> = host.sent().into_iter().map(|mail| mail.to).collect();
    assert_eq!(to, ["eve@example.com", "someone@example.org", "carl@example.com"]);
}

/// A mail server that takes no address beyond ASCII (RFC 6531 3.2): nobody can be told, but the host.
#[test]
fn a_stranger_whom_our_mail_server_cannot_reach_is_logged() {
    let host = Host::set_up();
    let sink = Sink::start();
    host.sends_to(sink.port);
    sink.misbehave(Some((sink::Stage::Rcpt, Fault::Say(553))));
    let mail = "From: zo\u{eb}@example.org\nSubject: help\n\n";
    let mut command = host.command(&["receive", "--sender", "zo\u{eb}@example.org"]);
    command.env("TURNPOST_MAIL_AFTER_RECEIVE", "true");
    finish(start(command, mail.as_bytes())).assert_silent(0);
    assert!(host.log().contains("cannot be sent"), "{}", host.log());
    assert!(host.run(&["admin", "outbox"], b"").ok().contains("refused"));
}
