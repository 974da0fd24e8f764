//! Mails to the server, and its mails.

use mailparse::MailHeaderMap;
use turnpost::mail::bounce::Report;
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Ignored, Incoming, read};
use turnpost::mail::transport::Sent;
use turnpost::mail::{Letter, ServerIdentity};

pub use super::mail::Mail;

/// The server's address on every stage and every host.
pub const ADDRESS: &str = "play@turnpost.example";

/// A mail of one plain part as a mail server hands it on, with the lines of people's mail: CR LF.
pub fn letter(from: &str, subject: &str, text: &str, number: u32) -> Vec<u8> {
    let (local, domain) = from.split_once('@').unwrap();
    let mail = format!(
        "Return-Path: <{from}>\nFrom: {from}\nTo: {}\nSubject: {subject}\nMessage-ID: <{local}.{number}@{domain}>\n\n{text}",
        ADDRESS
    );
    mail.replace('\n', "\r\n").into_bytes()
}

/// The envelope of a mail that came the plain way. Its return path is its own or, without one, the address of From.
pub fn transported(mail: &[u8]) -> Envelope {
    let from = mailparse::parse_headers(mail).ok().and_then(|(headers, _)| {
        if headers.get_first_header("Return-Path").is_some() {
            return None;
        }
        let header = headers.get_first_header("From")?;
        let address = mailparse::addrparse_header(header).ok()?.extract_single_info()?;
        Some(EnvelopeSender::Address(address.addr))
    });
    Envelope { sender: from, recipient: None }
}

/// The password that a letter signs up with.
pub fn password_of(letter: &[u8]) -> Option<String> {
    let letter = String::from_utf8_lossy(letter);
    let (_, login) = letter.split_once("signup ")?;
    login.split_whitespace().nth(1).map(str::to_owned)
}

/// The reply that confirms the address a mail went to, if the mail asks for one. A newcomer chooses the password.
pub fn yes(mail: &Mail, number: u32, password: &str) -> Option<Vec<u8>> {
    let raw = mail.raw();
    let line = |start: &str| raw.lines().find_map(|line| line.strip_prefix(start).map(str::to_owned));
    let reply_to = line("Reply-To: ").filter(|address| address.contains("+c"));
    let quoted = mail.text.lines().find(|line| line.starts_with("[reply c"));
    let to = match (&reply_to, quoted) {
        (Some(to), _) => to.as_str(),
        (None, Some(_)) => ADDRESS,
        (None, None) => return None,
    };
    let (from, subject) = (&mail.to, &mail.subject);
    let yes = if subject.starts_with("Is this you, ") { format!("yes {password}") } else { "yes".to_owned() };
    let reply = format!(
        "Return-Path: <{from}>\nFrom: {from}\nTo: {to}\nSubject: Re: {subject}\n\
         Message-ID: <yes.{number}@example.org>\n\n{yes}\n\n> Welcome\n> {}\n",
        quoted.unwrap_or_default()
    );
    Some(reply.replace('\n', "\r\n").into_bytes())
}

impl Mail {
    /// A mail as a transport was given it.
    pub fn of(sent: &Sent) -> Mail {
        Mail::read(&sent.envelope.to, &sent.mail)
    }
}

/// The server that mails are written to where no stage reads them. It has a second address.
pub fn site() -> ServerIdentity {
    ServerIdentity {
        name: "Turnpost".to_owned(),
        address: ADDRESS.to_owned(),
        aliases: vec!["pbm@turnpost.example".to_owned()],
        host: "turnpost.example".to_owned(),
        authserv_id: None,
        banners: Vec::new(),
        extensions: true,
    }
}

/// The letter that a mail is.
pub fn read_letter(mail: &[u8], envelope: &Envelope) -> Letter {
    match read(mail, envelope, &site()) {
        Incoming::Letter(letter) => *letter,
        other => panic!("no letter: {other:?}"),
    }
}

/// Why a mail is no letter, or may be none.
pub fn why_ignored(mail: &[u8], envelope: &Envelope) -> Ignored {
    match read(mail, envelope, &site()) {
        Incoming::Ignored { why, .. } | Incoming::Doubtful { why, .. } => why,
        other => panic!("not aside: {other:?}"),
    }
}

/// What a mail reports, if it is a report.
pub fn reported(mail: &[u8], envelope: &Envelope) -> Option<Report> {
    match why_ignored(mail, envelope) {
        Ignored::Report { report, .. } => Some(*report),
        _ => None,
    }
}
