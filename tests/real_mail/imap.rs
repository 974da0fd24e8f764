//! As much of IMAP (RFC 3501) as it takes to read a mailbox.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A mailbox that is open.
pub struct Mailbox {
    stream: BufReader<TcpStream>,
    seen: u32,
    tag: u32,
}

impl Mailbox {
    /// Opens the inbox of an address.
    pub fn open(address: &str) -> Mailbox {
        let stream = BufReader::new(TcpStream::connect(("127.0.0.1", 143)).unwrap());
        let mut mailbox = Mailbox { stream, seen: 0, tag: 0 };
        mailbox.line();
        mailbox.ask(&format!("LOGIN {address} {}", super::servers::MAILBOX_PASSWORD));
        mailbox.ask("SELECT INBOX");
        mailbox
    }

    /// The mails that came since the last look, the oldest first.
    pub fn new_mails(&mut self) -> Vec<Vec<u8>> {
        self.ask("NOOP");
        // A range whose beginning is behind the last mail stands for the last mail.
        let from = self.seen + 1;
        let mut mails = Vec::new();
        for (number, mail) in self.ask(&format!("UID FETCH {from}:* (UID BODY.PEEK[])")) {
            if number > self.seen {
                self.seen = number;
                mails.push(mail);
            }
        }
        mails
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.stream.read_line(&mut line).unwrap() > 0, "the mailbox was closed");
        line
    }

    /// Says something, waits for its end, and gives the mails in the answer with their numbers.
    fn ask(&mut self, what: &str) -> Vec<(u32, Vec<u8>)> {
        self.tag += 1;
        let tag = format!("t{}", self.tag);
        self.stream.get_mut().write_all(format!("{tag} {what}\r\n").as_bytes()).unwrap();
        let mut mails = Vec::new();
        loop {
            let line = self.line();
            if let Some(end) = line.strip_prefix(&format!("{tag} ")) {
                assert!(end.starts_with("OK"), "{what}: {line}");
                return mails;
            }
            let Some((_, length)) = line.trim_end().trim_end_matches('}').rsplit_once('{') else { continue };
            let Ok(length) = length.parse() else { continue };
            let mut mail = vec![0; length];
            self.stream.read_exact(&mut mail).unwrap();
            let (_, number) = line.split_once("UID ").unwrap();
            let number = number.split_whitespace().next().unwrap().parse().unwrap();
            mails.push((number, mail));
        }
    }
}
