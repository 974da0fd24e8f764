//! Two players who know nothing but what is in their mailboxes, and the plies they are going to play.

use std::time::{Duration, Instant};

use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport};

use super::imap::Mailbox;
use super::mail::Mail;
use super::world::logs;

const SERVER: &str = "play@example.org";

/// Somebody with a mailbox.
pub struct Player {
    /// Their userid, and the left side of their address.
    pub name: &'static str,
    /// All mails they read.
    pub read: Vec<Mail>,
    mailbox: Mailbox,
    written: u32,
}

impl Player {
    /// Opens their mailbox.
    pub fn new(name: &'static str) -> Player {
        let mailbox = Mailbox::open(&format!("{name}@example.org"));
        Player { name, read: Vec::new(), mailbox, written: 0 }
    }

    fn address(&self) -> String {
        format!("{}@example.org", self.name)
    }

    /// Sends a mail through the mail server, as a mail program would.
    pub fn write(&mut self, to: &str, headers: &str, text: &str) {
        self.write_from(Some(self.address()), to, headers, text);
    }

    /// Sends a command as bounces are sent, from the null sender.
    pub fn bounce(&mut self, subject: &str) {
        self.write_from(None, SERVER, &format!("Subject: {subject}"), "");
    }

    fn write_from(&mut self, sender: Option<String>, to: &str, headers: &str, text: &str) {
        self.written += 1;
        let (name, number) = (self.name, self.written);
        let mail = format!(
            "From: {name} <{}>\nTo: {to}\nMessage-ID: <{name}.{number}@example.org>\n\
             Date: Mon, 16 Nov 2026 10:00:00 +0000\nMIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\n{headers}\n\n{text}",
            self.address()
        );
        let sender = sender.map(|sender| sender.parse().unwrap());
        let envelope = Envelope::new(sender, vec![to.parse().unwrap()]);
        let sent = SmtpTransport::builder_dangerous("127.0.0.1")
            .port(25)
            .timeout(Some(Duration::from_secs(20)))
            .build()
            .send_raw(&envelope.unwrap(), mail.replace('\n', "\r\n").as_bytes());
        sent.unwrap_or_else(|why| panic!("{name} cannot send to {to}: {why}\n{}", logs()));
    }

    /// Sends one command in the Subject.
    pub fn command(&mut self, subject: &str) {
        self.write(SERVER, &format!("Subject: {subject}"), "");
    }

    /// Reads what came.
    pub fn look(&mut self) -> Vec<Mail> {
        let mails = self.mailbox.new_mails();
        let mails: Vec<Mail> = mails.iter().map(|mail| Mail::read(&self.address(), &ours(mail))).collect();
        for mail in &mails {
            assert!(
                self.read.iter().all(|before| before.id != mail.id),
                "{} came twice to {}",
                mail.id,
                self.name
            );
            self.read.push(mail.clone());
        }
        mails
    }

    /// Waits for mail that has this in it.
    pub fn wait_for(&mut self, words: &str) -> Mail {
        let start = Instant::now();
        loop {
            if let Some(mail) = self.look().into_iter().find(|mail| mail.text.contains(words)) {
                return mail;
            }
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "{}: no mail with {words:?}\n{}",
                self.name,
                logs()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Answers a mail with a line above what it says, as mail programs do.
    pub fn reply(&mut self, mail: &Mail, line: &str) {
        let raw = mail.raw();
        let (_, rest) = raw.split_once("\nReply-To: ").unwrap_or_else(|| panic!("no Reply-To:\n{raw}"));
        let to = rest.lines().next().unwrap().trim_start_matches(|c| c != '<').trim_matches(['<', '>']);
        let to = if to.is_empty() { rest.lines().next().unwrap() } else { to };
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
        let headers =
            format!("Subject: Re: {}\nIn-Reply-To: {}\nReferences: {}", mail.subject, mail.id, mail.id);
        let text = format!("{line}\n\nOn Mon, 16 Nov 2026 at 10:00, Turnpost <{SERVER}> wrote:\n{quoted}");
        self.write(to, &headers, &text);
    }
}

/// The mail without what servers on the way put in front of it, which is not held to our rules.
fn ours(mail: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(mail.to_vec()).unwrap();
    let at = text.find("\r\nFrom: Turnpost").unwrap_or_else(|| panic!("not a mail of ours:\n{text}"));
    text.as_bytes()[at + 2..].to_vec()
}

/// Both sign up by mail, and confirm their addresses where they are asked to.
pub fn sign_up() -> [Player; 2] {
    let mut players = [Player::new("ann"), Player::new("bob")];
    for player in &mut players {
        let name = player.name;
        player.command(&format!("signup {name} secret-of-{name}"));
        let first = player.wait_for(name);
        if !first.text.contains("Your mail goes to") {
            player.reply(&first, &format!("yes secret-of-{name}"));
            player.wait_for("Your mail goes to");
        }
    }
    players
}

/// How many plies of a script lead to the last in a mail's list of moves: `Last moves: 1. D1-E1 K3-J2, 2. E1-G1.`
fn plies_played(text: &str, script: &[&str]) -> usize {
    let Some((_, listed)) = text.split_once("Last move") else { return 0 };
    let listed = listed.split("\n\n").next().unwrap().replace('\n', " ");
    let (_, moves) = listed.split_once(": ").unwrap();
    let moves = moves.trim_end_matches('.').replace(',', "");
    let moves: Vec<&str> = moves.split_whitespace().filter(|word| !word.ends_with('.')).collect();
    (0..=script.len()).find(|plies| script[..*plies].ends_with(&moves)).unwrap()
}

/// Plays a game from its challenge to its end: every mail is read, and each that says so is answered by a plain reply.
/// `script` holds the plies by number. Gives how many plies were sent.
pub fn play(players: &mut [Player; 2], challenge: &str, script: &[&str]) -> usize {
    let before = players.each_ref().map(|player| player.read.len());
    players[0].command(challenge);
    let (mut sent, mut over) = (0, [false, false]);
    let mut start = Instant::now();
    // A mail may overtake the one before it, also that of the end.
    let all_came = |players: &[Player; 2], sent: usize| {
        players.iter().zip(before).all(|(player, before)| player.read.len() - before > sent)
    };
    while over != [true, true] || !all_came(players, sent) {
        let mut idle = true;
        for (player, over) in players.iter_mut().zip(&mut over) {
            for mail in player.look() {
                idle = false;
                assert!(!mail.subject.contains("no command"), "{}\n{}", player.name, mail.text);
                if mail.subject.starts_with("Your move: ") {
                    player.reply(&mail, script[plies_played(&mail.text, script)]);
                    sent += 1;
                } else if !mail.subject.starts_with("Waiting for ") {
                    let ends = ["You won: ", "ann won: ", "bob won: ", "Game over: "];
                    assert!(
                        ends.iter().any(|end| mail.subject.starts_with(end)),
                        "{}: {}",
                        mail.subject,
                        mail.first_line()
                    );
                    *over = true;
                }
            }
        }
        if idle {
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "the game stands still after {sent}\n{}",
                logs()
            );
            std::thread::sleep(Duration::from_millis(10));
        } else {
            start = Instant::now();
        }
    }
    // One mail to each for the beginning, and one for every letter that played.
    for (player, before) in players.iter().zip(before) {
        assert_eq!(player.read.len() - before, sent + 1, "mails to {}", player.name);
    }
    sent
}
