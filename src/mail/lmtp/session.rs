//! The state of a session: which command is valid when, and its effect.

use std::mem;

use super::command::{self, EsmtpParameters, Verb};
use super::data::Data;
use super::{Action, MailOutcome, MailTransaction, Settings, TOO_LARGE, delivered};

/// RFC 5321 4.5.3.1.4 requires 512 octets and extensions lengthen MAIL; this is four times as much.
const MAX_LINE: usize = 2048;

#[derive(Debug)]
pub struct Session {
    settings: Settings,
    greeted: bool,
    sender: Option<String>,
    recipients: Vec<String>,
    /// True if the last MAIL was refused; RCPTs pipelined after it are then out of sequence.
    refused: bool,
    state: SessionState,
    errors: usize,
    /// Commands since the last mail, except accepted recipients.
    idle: usize,
}

#[derive(Debug)]
enum SessionState {
    /// The beginning of a command line, dropped if too long.
    Line {
        bytes: Vec<u8>,
        too_long: bool,
    },
    Data(Data),
    Closed,
}

impl SessionState {
    fn line() -> Self {
        SessionState::Line { bytes: Vec::new(), too_long: false }
    }
}

impl Session {
    /// A new session; write [`Session::greeting`] first.
    pub fn new(settings: Settings) -> Self {
        let state = SessionState::line();
        let (sender, recipients) = (None, Vec::new());
        Session { settings, greeted: false, sender, recipients, refused: false, state, errors: 0, idle: 0 }
    }

    pub fn greeting(&self) -> String {
        format!("220 {} LMTP Turnpost\r\n", self.settings.host)
    }

    /// The last line before a shutdown; later input is ignored.
    pub fn shut_down(&mut self) -> String {
        self.state = SessionState::Closed;
        format!("421 4.3.2 {} is going down\r\n", self.settings.host)
    }

    /// The last line to a client that is too slow.
    pub fn time_out(&mut self) -> String {
        self.state = SessionState::Closed;
        format!("421 4.4.2 {} has waited long enough\r\n", self.settings.host)
    }

    /// The last line to a client whose connection another client needs.
    pub fn give_way(&mut self) -> String {
        self.state = SessionState::Closed;
        format!("421 4.3.2 {} needs this connection for another one\r\n", self.settings.host)
    }

    /// True between two mails, when closing cannot make a mail arrive twice.
    pub fn is_idle(&self) -> bool {
        match &self.state {
            SessionState::Line { bytes, too_long } => bytes.is_empty() && !too_long && self.sender.is_none(),
            SessionState::Data(_) => false,
            SessionState::Closed => true,
        }
    }

    /// The number of octets held: at most a mail, or a line and an envelope.
    pub fn kept(&self) -> usize {
        let state = match &self.state {
            SessionState::Line { bytes, .. } => bytes.len(),
            SessionState::Data(data) => data.kept(),
            SessionState::Closed => 0,
        };
        state + self.recipients.iter().chain(&self.sender).map(String::len).sum::<usize>()
    }

    /// Takes input in pieces of any size.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Vec<Action> {
        let mut actions = Vec::new();
        while !bytes.is_empty() {
            bytes = match &mut self.state {
                SessionState::Closed => return actions,
                SessionState::Data(data) => {
                    let rest = data.feed(bytes);
                    if rest.is_some() {
                        self.end_of_data(&mut actions);
                    }
                    rest.unwrap_or_default()
                }
                SessionState::Line { .. } => self.take_line(bytes, &mut actions),
            };
        }
        actions
    }

    /// Extends the command line, runs it when complete, and gives the rest.
    fn take_line<'b>(&mut self, bytes: &'b [u8], actions: &mut Vec<Action>) -> &'b [u8] {
        let SessionState::Line { bytes: line, too_long } = &mut self.state else { return bytes };
        // The LF can arrive alone, after a CR that is held already.
        let mut end = None;
        for (at, octet) in bytes.iter().enumerate() {
            let before = at.checked_sub(1).map_or(line.last(), |before| bytes.get(before));
            if *octet == b'\n' && before == Some(&b'\r') {
                end = Some(at + 1);
                break;
            }
        }
        let (piece, rest) = bytes.split_at_checked(end.unwrap_or(bytes.len())).unwrap_or((bytes, &[]));
        line.extend(piece);
        if line.len() > MAX_LINE {
            *too_long = true;
            // The last octet can be the CR of the line's end.
            line.drain(..line.len() - 1);
        }
        if end.is_some() {
            let too_long = *too_long;
            let line = mem::take(line);
            self.state = SessionState::line();
            let reply =
                if too_long { "500 5.5.2 the line is too long".to_owned() } else { self.command(&line) };
            self.answer(reply, actions);
        }
        rest
    }

    fn answer(&mut self, reply: String, actions: &mut Vec<Action>) {
        // A refused mail is no protocol error. Neither are RCPTs pipelined after its MAIL (RFC 2920 3.1).
        let mistake = reply.starts_with("50") || reply.starts_with("555");
        if mistake && !(self.refused && reply.starts_with("503")) {
            self.errors += 1;
        }
        self.idle += usize::from(!reply.starts_with("250 2.1.5"));
        let ends = match () {
            () if self.errors > self.settings.errors => Some("421 4.7.0 too many errors\r\n"),
            () if self.idle > self.settings.idle => Some("421 4.7.0 too many commands without a mail\r\n"),
            () => None,
        };
        if let Some(why) = ends {
            self.state = SessionState::Closed;
            actions.push(Action::Reply(why.to_owned()));
            actions.push(Action::Close);
            return;
        }
        let bye = reply.starts_with("221");
        actions.push(Action::Reply(reply + "\r\n"));
        if bye {
            self.state = SessionState::Closed;
            actions.push(Action::Close);
        }
    }

    fn command(&mut self, line: &[u8]) -> String {
        let line = line.strip_suffix(b"\r\n").unwrap_or(line);
        let Some(verb) = command::read(line) else {
            return "500 5.5.2 that is no command that is known here".to_owned();
        };
        match verb {
            Verb::Lhlo(true) => self.hello(),
            Verb::Lhlo(false) => "501 5.5.4 say LHLO and the name of your server".to_owned(),
            // RFC 2033 4.1: HELO and EHLO are refused, or the client would take this for SMTP.
            Verb::SmtpHello => "500 5.5.1 this is LMTP: say LHLO".to_owned(),
            Verb::Mail(path) => {
                let reply = self.mail(path);
                self.refused = self.sender.is_none();
                reply
            }
            Verb::Rcpt(path) => self.rcpt(path),
            Verb::Data(true) => self.data(),
            Verb::Data(false) => "501 5.5.4 DATA stands alone".to_owned(),
            Verb::Rset => {
                self.reset();
                "250 2.0.0 forgotten".to_owned()
            }
            Verb::Noop => "250 2.0.0 so be it".to_owned(),
            Verb::Vrfy => "252 2.1.5 send it and see".to_owned(),
            Verb::Help => "214 2.0.0 LHLO MAIL RCPT DATA RSET NOOP VRFY QUIT".to_owned(),
            Verb::Quit => format!("221 2.0.0 {} says goodbye", self.settings.host),
        }
    }

    fn hello(&mut self) -> String {
        self.reset();
        self.greeted = true;
        // RFC 2033 4.3 requires PIPELINING and ENHANCEDSTATUSCODES and recommends 8BITMIME.
        let Settings { host, size, .. } = &self.settings;
        let extensions =
            "250-PIPELINING\r\n250-ENHANCEDSTATUSCODES\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE";
        format!("250-{host}\r\n{extensions} {size}")
    }

    fn mail(&mut self, path: Option<(String, EsmtpParameters)>) -> String {
        if !self.greeted {
            return "503 5.5.1 say LHLO first".to_owned();
        }
        if self.sender.is_some() {
            return "503 5.5.1 the sender is named already".to_owned();
        }
        let Some((sender, parameters)) = path else {
            return "501 5.5.4 say MAIL FROM:<address>".to_owned();
        };
        if !parameters.known {
            return "555 5.5.4 only SIZE, BODY and SMTPUTF8 are known here".to_owned();
        }
        if parameters.size.is_some_and(|size| size > self.settings.size as u64) {
            return TOO_LARGE.trim_end().to_owned();
        }
        self.sender = Some(sender);
        "250 2.1.0 sender noted".to_owned()
    }

    fn rcpt(&mut self, path: Option<(String, EsmtpParameters)>) -> String {
        if self.sender.is_none() {
            return "503 5.5.1 say MAIL first".to_owned();
        }
        let Some((recipient, parameters)) = path.filter(|(recipient, _)| !recipient.is_empty()) else {
            return "501 5.5.4 say RCPT TO:<address>".to_owned();
        };
        if !parameters.none {
            return "555 5.5.4 RCPT has no parameters here".to_owned();
        }
        if self.recipients.len() >= self.settings.recipients {
            return "452 4.5.3 too many recipients".to_owned();
        }
        self.recipients.push(recipient);
        "250 2.1.5 recipient noted".to_owned()
    }

    fn data(&mut self) -> String {
        if self.recipients.is_empty() {
            // RFC 2033 4.2: DATA without a recipient is refused, because no answer could follow.
            return "503 5.5.1 name a sender and a recipient first".to_owned();
        }
        self.state = SessionState::Data(Data::new(self.settings.size));
        "354 send the mail, and end it with a dot on a line of its own".to_owned()
    }

    fn end_of_data(&mut self, actions: &mut Vec<Action>) {
        let SessionState::Data(data) = mem::replace(&mut self.state, SessionState::line()) else { return };
        self.idle = 0;
        let recipients = mem::take(&mut self.recipients);
        let sender = self.sender.take().unwrap_or_default();
        match data.end() {
            Some(data) => actions.push(Action::Deliver(MailTransaction { sender, recipients, data })),
            None => actions.push(Action::Reply(delivered(&vec![MailOutcome::TooLarge; recipients.len()]))),
        }
    }

    fn reset(&mut self) {
        self.sender = None;
        self.refused = false;
        self.recipients.clear();
    }
}
