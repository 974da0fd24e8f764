//! A host whose mail goes to a [`Sink`], with games that are played by reply tokens.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

use turnpost::credentials::token::{self, MailKind};
use turnpost::ids::{BoardId, Seat};
use turnpost::store::{PlayerId, Store};
use turnpost_games::dvonn::KIND;
use turnpost_games::{Setup, Table};

use super::host::{Host, Ran, finish, start};
use super::serving::stuffed;
use super::sink::{Sink, Taken};

/// Ann and bob, and boards between them of which one is played at a time.
pub struct PostOffice {
    pub host: Host,
    pub sink: Sink,
    /// The board being played as it should stand.
    pub table: Box<dyn Table>,
    /// Letters written so far.
    pub letters: u32,
    /// Mails that must have left in the end.
    pub due: usize,
    board: u32,
    store: Store,
}

/// A letter with the address it goes to.
pub struct Letter {
    pub recipient: String,
    pub mail: Vec<u8>,
}

impl PostOffice {
    /// Two accounts and no board. The mails of the signups have left.
    pub fn open() -> PostOffice {
        let (host, sink) = (Host::with_players(), Sink::start());
        host.sends_to(sink.port);
        let store = Store::open(&host.database()).unwrap();
        let table = (KIND.start)(&Setup { options: &[], seed: 0 }).unwrap();
        let mut office = PostOffice { host, sink, table, letters: 0, due: 0, board: 0, store };
        office.begin();
        office
    }

    /// A new board, on which pieces stand already.
    pub fn begin(&mut self) {
        self.board += 1;
        let seed = u64::from(self.board);
        let command = format!("dvonn challenge -symmetry -seed={seed} ann bob");
        let mut submit = self.command(&["submit", "--as-anyone"]);
        submit.args(command.split(' ')).env("TURNPOST_MAIL_AFTER_SUBMIT", "false");
        finish(start(submit, b"")).ok();
        let options = [("symmetry".to_owned(), None), ("seed".to_owned(), Some(seed.to_string()))];
        self.table = (KIND.start)(&Setup { options: &options, seed }).unwrap();
        // Each is told of it.
        self.due += 2;
    }

    /// The program, sending to the sink.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.host.command(arguments);
        command.env("TURNPOST_SMTP_TIMEOUT_SECONDS", "1");
        command
    }

    /// Runs it to its end.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> Ran {
        finish(start(self.command(arguments), input))
    }

    /// The next ply by a plain reply of the player to move; `choice` picks it. If the game is over, a new one begins first.
    pub fn next_letter(&mut self, choice: u32) -> Letter {
        if self.table.ended().is_some() {
            self.begin();
        }
        let legal = self.table.legal_plies();
        let ply = &legal[choice as usize % legal.len()];
        let (player, address) = match self.table.turn() {
            Seat::First => (PlayerId(1), "ann@example.org"),
            Seat::Second => (PlayerId(2), "bob@example.net"),
        };
        let token =
            token::give(&self.store, BoardId(self.board), player, (MailKind::Board, None)).unwrap().unwrap();
        self.letters += 1;
        // With words, so that no newer mail takes the place of these.
        let text = format!("{ply}\r\n\r\nA fine game so far.\r\n");
        let mail = super::letter(address, "Re: dvonn", &text, self.letters);
        self.table.play_turn(ply).unwrap();
        self.due += 2;
        Letter { recipient: super::ADDRESS.replace('@', &format!("+{token}@")), mail }
    }

    /// Whether the board stands as it should: all letters played, and each once.
    pub fn stands(&self) -> bool {
        let row = self.store.board(BoardId(self.board)).unwrap().unwrap();
        row.position == self.table.position()
    }

    /// Lets the time go by after which what was begun or put off is tried again.
    pub fn time_passes(&self) {
        let conn = rusqlite::Connection::open(self.host.database()).unwrap();
        conn.busy_timeout(std::time::Duration::from_secs(20)).unwrap();
        let past = "UPDATE outbox SET due_at = 0 WHERE state = 'waiting'";
        conn.execute(past, []).unwrap();
    }

    /// Panics unless every mail left and the database is sound. At most `repeats` mails left twice, with the same octets.
    pub fn assert_all_left(&self, repeats: usize) -> usize {
        assert!(self.stands(), "the board is not as it should be");
        let mut first: HashMap<String, Taken> = HashMap::new();
        let mut twice = 0;
        for mail in self.sink.taken() {
            match first.entry(mail.id.clone()) {
                Entry::Vacant(place) => drop(place.insert(mail)),
                Entry::Occupied(other) => {
                    assert_eq!(*other.get(), mail, "another mail under the same Message-ID");
                    twice += 1;
                }
            }
        }
        let outbox = self.host.run(&["admin", "outbox", "--json"], b"");
        let outbox: serde_json::Value = serde_json::from_str(outbox.ok()).unwrap();
        for row in outbox.as_array().unwrap() {
            assert!(row["board"].is_null() || row["state"] == "sent", "{row}");
        }
        // The signups came from a terminal, so no mail told of them.
        assert_eq!(first.len(), self.due, "mails that left");
        assert!(twice <= repeats, "{twice} mails left twice");
        self.host.assert_verified();
        twice
    }
}

/// What a mail server hears for a letter over LMTP; `None` when the connection ends before an answer.
pub fn hand_in(address: SocketAddr, letter: &Letter) -> Option<bool> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let mut said = Vec::from("LHLO mx.example\r\nMAIL FROM:<someone@example.org>\r\n");
    write!(said, "RCPT TO:<{}>\r\nDATA\r\n", letter.recipient).ok()?;
    said.extend(stuffed(&letter.mail));
    said.extend(b".\r\nQUIT\r\n");
    stream.write_all(&said).ok()?;
    let mut answers = String::new();
    // What was said before a connection was reset counts.
    let _ = std::io::Read::read_to_string(&mut stream, &mut answers);
    let (_, behind) = answers.split_once("354 ")?;
    behind.lines().nth(1).map(|answer| answer.starts_with("250 "))
}
