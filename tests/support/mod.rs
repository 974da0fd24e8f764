//! What the tests of the whole house share: a stage without processes, and a host with them.

// Each test program uses a part.
#![allow(dead_code, unused_imports)]

pub mod data;
pub mod description;
pub mod host;
pub mod mail;
pub mod mails;
mod opening;
pub mod pages;
pub mod played;
pub mod post_office;
pub mod reports;
pub mod serving;
pub mod sink;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use argon2::Params;
use jiff::{SignedDuration, Timestamp};
use rand_chacha::ChaCha12Rng;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tempfile::TempDir;
use turnpost::app::App;
use turnpost::board::verify;
use turnpost::commands::pause::Ask;
use turnpost::commands::{Command, Made};
use turnpost::config::Config;
use turnpost::credentials::Limits;
use turnpost::data_dir::DATABASE;
use turnpost::delivery::deliver;
use turnpost::failure::CommandError;
use turnpost::ids::{BoardId, Identity};
use turnpost::mail::incoming::{self, Envelope, Incoming};
use turnpost::mail::transport::{Memory, OutEnvelope};
use turnpost::mail::{AnswerBy, Letter, Operator, Proof, ReplyToken, ServerIdentity};
use turnpost::pipeline::{self, Handled, Received};
use turnpost::play::robot::RobotConfig;
use turnpost::store::{DICE_KEY, PlayerId, Store};
use turnpost::timer::Turned;
use turnpost::timer::host_acts::{Act, Order};
use turnpost::timer::tick::Ticked;

use opening::Opening;

pub use mails::{ADDRESS, Mail, letter};
pub use opening::folder;

/// How often chance is tried: so often in a plain `cargo test`, oftener where `TURNPOST_LONG` is set.
pub fn rounds(plain: u64, long: u64) -> u64 {
    if std::env::var_os("TURNPOST_LONG").is_some() { long } else { plain }
}

/// The folder of real mails that `TURNPOST_EMAILS` names; `None` where it is not set, or to nothing.
pub fn real_mails() -> Option<PathBuf> {
    std::env::var_os("TURNPOST_EMAILS").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// Every file below a folder, with its bytes, in order.
pub fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| match path.is_dir() {
        true => files_below(&path),
        false => vec![(path.clone(), std::fs::read(path).unwrap())],
    };
    paths.into_iter().flat_map(read).collect()
}

/// When a stage begins.
pub const BEGINS: &str = "2026-11-16T09:00:00Z";

/// What became of a letter on a stage.
#[derive(Debug, PartialEq, Eq)]
pub enum LetterOutcome {
    /// It was acted on.
    Acted,
    /// It had been taken in before.
    Again,
    /// It was set aside, and why.
    Ignored(String),
}

/// A server without processes, with a database of its own. Its clock moves only by hand, and its chance has a seed.
pub struct Stage {
    /// Where its database is.
    pub folder: TempDir,
    /// Its database.
    pub store: Store,
    /// The hour.
    pub now: Timestamp,
    /// Every mail that left so far.
    pub left: Vec<Mail>,
    /// The envelopes they left with.
    pub envelopes: Vec<OutEnvelope>,
    /// Whether its mails are looked at; else they leave without their pictures, which take most of the time.
    pub has_viewers: bool,
    /// What became of the last letter.
    pub outcome: LetterOutcome,
    config: Config,
    pub app: App,
    rng: ChaCha12Rng,
    letters: u32,
    /// The password of the last signup by mail.
    chosen: String,
}

impl Stage {
    /// An empty server.
    pub fn new() -> Stage {
        Stage::with(|_| ())
    }

    /// An empty server with other settings.
    pub fn with(change: impl FnOnce(&mut Config)) -> Stage {
        Stage::begun(&opening::EMPTY, change)
    }

    /// A server with the accounts ann and bob. They play board 1 of `-symmetry -seed=7`, and ann moves first. Their passwords are [`ANN`] and [`BOB`].
    pub fn with_a_game() -> Stage {
        Stage::begun(&opening::GAME, |_| ())
    }

    /// A server with the accounts ann and bob.
    pub fn with_players() -> Stage {
        Stage::begun(&opening::PLAYERS, |_| ())
    }

    fn begun(opening: &Opening, change: impl FnOnce(&mut Config)) -> Stage {
        let mut config = Config {
            address: ADDRESS.to_owned(),
            operator: "operator@turnpost.example".to_owned(),
            // Fewer positions than in earnest: tests run unoptimised.
            robot: RobotConfig { analysis: 300, ..RobotConfig::default() },
            // And the least that a hash can take.
            limits: Limits { password_kib: Params::MIN_M_COST, ..Limits::default() },
            ..Config::default()
        };
        change(&mut config);
        let folder = folder();
        let database = folder.path().join(DATABASE);
        std::fs::write(&database, &opening.database).unwrap();
        // The same dice in each run.
        std::fs::write(database.with_file_name(DICE_KEY), [7; 32]).unwrap();
        let store = Store::open(&database).unwrap();
        Stage {
            store,
            now: BEGINS.parse().unwrap(),
            left: opening.left.clone(),
            envelopes: opening.envelopes.clone(),
            has_viewers: false,
            outcome: LetterOutcome::Acted,
            app: opening::app(&config),
            config,
            rng: opening.rng.clone(),
            letters: opening.letters,
            chosen: String::new(),
            folder,
        }
    }

    /// This server with the accounts ann and bob.
    pub fn peopled(self) -> Stage {
        let mut stage = self;
        stage.sign_up("ann@example.org", "ann", ANN);
        stage.sign_up("bob@example.net", "bob", BOB);
        stage
    }

    /// Makes an account by mail and confirms its address by a reply; gives the answer to that.
    pub fn sign_up(&mut self, from: &str, userid: &str, password: &str) -> Vec<Mail> {
        let mails = self.mail(from, &format!("signup {userid} {password}"), "");
        self.confirm(&mails)
    }

    /// Says yes from every address that one of the mails asks; gives the mails it causes.
    pub fn confirm(&mut self, mails: &[Mail]) -> Vec<Mail> {
        let mut answers = Vec::new();
        for mail in mails {
            self.letters += 1;
            if let Some(yes) = mails::yes(mail, self.letters, &self.chosen) {
                answers.extend(self.receive(&yes));
            }
        }
        answers
    }

    /// Hands a whole mail in, as `receive` does, and gives the mails it caused. The transport says what its From does.
    pub fn receive(&mut self, mail: &[u8]) -> Vec<Mail> {
        self.receive_from(&mails::transported(mail), mail)
    }

    /// The same from an envelope.
    pub fn receive_from(&mut self, envelope: &Envelope, mail: &[u8]) -> Vec<Mail> {
        self.chosen = mails::password_of(mail).unwrap_or_else(|| std::mem::take(&mut self.chosen));
        let Stage { store, app, now, rng, .. } = self;
        self.outcome = match pipeline::receive(store, app, mail, envelope, *now, rng).unwrap() {
            Received::Ignored(why, counted) => {
                let counted = counted.map(|counted| format!(" ({counted})")).unwrap_or_default();
                self.outcome = LetterOutcome::Ignored(format!("{why}{counted}"));
                return self.post();
            }
            Received::Handled(Handled::Acted { .. }) | Received::TurnedAway(_, Handled::Acted { .. }) => {
                LetterOutcome::Acted
            }
            Received::Handled(_) | Received::TurnedAway(..) => LetterOutcome::Again,
        };
        self.post()
    }

    /// Writes a mail of one plain part and hands it in. Each has a Message-ID of its own.
    pub fn mail(&mut self, from: &str, subject: &str, text: &str) -> Vec<Mail> {
        self.letters += 1;
        let mail = letter(from, subject, text, self.letters);
        self.receive(&mail)
    }

    /// Hands a letter in and leaves what it causes in the outbox.
    pub fn put_in(&mut self, from: &str, subject: &str, text: &str, number: u32) {
        let mail = letter(from, subject, text, number);
        match incoming::read(&mail, &Envelope::default(), &self.config.identity()) {
            Incoming::Letter(letter) => drop(self.handle(&letter)),
            other => panic!("{other:?}"),
        }
    }

    pub fn site(&self) -> ServerIdentity {
        self.config.identity()
    }

    /// Gives commands on the machine itself. Returns the printed answer, true if the last was carried out, and the mails.
    pub fn submit(&mut self, speaks_for: Operator, text: &str) -> (String, bool, Vec<Mail>) {
        self.letters += 1;
        let mut identity = [0; 32];
        identity[..4].copy_from_slice(&self.letters.to_be_bytes());
        let letter = Letter {
            identity: Identity(identity),
            message_id: None,
            in_reply_to: None,
            references: Vec::new(),
            sender: None,
            return_path: None,
            proof: Proof::Operator(speaks_for),
            token: None,
            subject: String::new(),
            text: text.to_owned(),
            answer: AnswerBy::Terminal,
        };
        match self.handle(&letter) {
            Handled::Acted { answer, ends_well, .. } => (answer, ends_well, self.post()),
            Handled::Again | Handled::Counted(_) | Handled::SetAside => panic!("two letters of one identity"),
        }
    }

    fn handle(&mut self, letter: &Letter) -> Handled {
        pipeline::handle(&mut self.store, &self.app, letter, self.now, &mut self.rng).unwrap()
    }

    /// Has the holder of a token press a button of their page, and gives the mails it caused.
    pub fn press(&mut self, token: ReplyToken, words: &str) -> Vec<Mail> {
        // `pause 2` is asked for by another form than `pause 1`.
        let (word, once) = words.split_once(' ').unwrap_or((words, ""));
        let command = match word {
            "pause" => Some(Command::Pause(Ask::Pause)),
            "back" => Some(Command::Pause(Ask::ComeBack)),
            _ => None,
        };
        let letter = Letter::by_page(Some(token), word.to_owned(), once);
        let asked = (&letter, command);
        pipeline::handle_button(&mut self.store, &self.app, asked, self.now, &mut self.rng).unwrap();
        self.post()
    }

    /// Has the host act: what is said to him and the mails it causes, or why nothing was done.
    pub fn host(&mut self, act: Act, reason: &str) -> Result<(String, Vec<Mail>), String> {
        let Stage { store, app, now, rng, .. } = self;
        let order = Order { act, reason: reason.to_owned(), os_user: "keeper".to_owned() };
        match pipeline::carry_out(store, app, &order, *now, rng) {
            Ok(done) => {
                let mails = self.post();
                assert!(mails.len() >= done.mails);
                Ok((done.said, mails))
            }
            Err(CommandError::Refused(why)) => Err(why.to_string()),
            Err(CommandError::Failed(failure)) => panic!("{failure}"),
        }
    }

    /// Runs the timer at the stage's hour, and gives what it did and the mails it caused.
    pub fn tick(&mut self) -> (Ticked, Vec<Mail>) {
        let ticked = pipeline::tick(&mut self.store, &self.app, self.now).unwrap();
        self.think();
        (ticked, self.post())
    }

    /// Lets the robot do all that waits for it; panics where it is lost.
    pub fn think(&mut self) -> usize {
        let cancel = AtomicBool::new(false);
        let mut turns = 0;
        while let Some(turn) =
            pipeline::play_robot_turn(&mut self.store, &self.app, || self.now, &cancel).unwrap()
        {
            assert!(!matches!(turn.turned, Turned::Lost(_)), "{turn:?}");
            turns += 1;
        }
        while let Some(done) =
            pipeline::analyse_next(&mut self.store, &self.app, || self.now, &cancel).unwrap()
        {
            assert!(matches!(done.made, Made::Kept { .. }), "{done:?}");
        }
        turns
    }

    /// Lets the hours up to `until` go by while the timer runs twice in each, and gives the mails it caused.
    pub fn ticks(&mut self, until: Timestamp) -> Vec<Mail> {
        let mut mails = self.tick().1;
        while self.now < until {
            self.now = until.min(self.now.checked_add(SignedDuration::from_mins(30)).unwrap());
            mails.extend(self.tick().1);
        }
        mails
    }

    /// Empties the outbox by the code that empties it in earnest.
    pub fn post(&mut self) -> Vec<Mail> {
        let memory = if self.has_viewers { Memory::with_viewers() } else { Memory::default() };
        let now = self.now;
        deliver(&mut self.store, &memory, &self.app, || now).unwrap();
        let sent = memory.take();
        self.envelopes.extend(sent.iter().map(|sent| sent.envelope.clone()));
        let mails: Vec<Mail> = sent.iter().map(Mail::of).collect();
        self.left.extend(mails.iter().cloned());
        mails
    }

    /// Moves the clock by hours.
    pub fn wait(&mut self, hours: i64) {
        self.now = self.now.checked_add(SignedDuration::from_hours(hours)).unwrap();
    }

    /// How many plies the robot has played.
    pub fn robot_plies(&self) -> usize {
        let boards = self.store.board_numbers_from(BoardId(1), u32::MAX).unwrap();
        let events = boards.into_iter().flat_map(|board| self.store.events(board).unwrap());
        events.filter(|event| event.player.is_some_and(PlayerId::is_robot) && event.ply.is_some()).count()
    }

    /// What `admin verify` finds wrong.
    pub fn wrong(&self) -> Vec<String> {
        let contests = turnpost::contest::faults::faults(&self.store).unwrap();
        [verify::verify(&self.store).unwrap().wrong, contests].concat()
    }

    /// All that a refused command must leave as it was: boards, seats, events, players and addresses.
    pub fn dump(&self) -> String {
        dump(&self.folder.path().join(DATABASE))
    }

    /// The database, past the server.
    pub fn database(&self) -> Connection {
        Connection::open(self.folder.path().join(DATABASE)).unwrap()
    }

    /// Puts the file `copy.db` in the place of the database.
    pub fn restore(&mut self) {
        let path = self.folder.path().join(DATABASE);
        self.store = Store::in_memory().unwrap();
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
        std::fs::copy(self.folder.path().join("copy.db"), &path).unwrap();
        self.store = Store::open(&path).unwrap();
    }

    /// Changes the database past the server.
    pub fn change(&self, sql: &str) {
        self.database().execute_batch(sql).unwrap();
    }

    /// Every text and every readable blob of the database, a line each.
    pub fn text(&self) -> String {
        let conn = self.database();
        let mut tables = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
        let names: Vec<String> =
            tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let mut text = String::new();
        for name in names {
            let mut statement = conn.prepare(&format!("SELECT * FROM {name}")).unwrap();
            let columns = statement.column_count();
            let mut rows = statement.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                for column in 0..columns {
                    match row.get_ref(column).unwrap() {
                        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                            text.push_str(&format!("{}\n", String::from_utf8_lossy(bytes)));
                        }
                        _ => {}
                    }
                }
            }
        }
        text
    }

    /// Panics where one of `passwords` is found in a mail that left or anywhere in the files of the database.
    pub fn assert_secret(&self, passwords: &[&str]) {
        for mail in &self.left {
            let shown = format!("{}\n{}\n{}", mail.raw(), mail.subject, mail.text);
            for password in passwords {
                assert!(!shown.contains(password), "{password} in a mail to {}:\n{shown}", mail.to);
            }
        }
        for file in std::fs::read_dir(self.folder.path()).unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            for password in passwords {
                assert!(!text.contains(password), "{password} in {}", path.display());
            }
        }
    }
}

/// Ann's password on every stage.
pub const ANN: &str = "plover-42";
/// Bob's.
pub const BOB: &str = "dunlin-7";

/// The rows that commands change, a line each.
pub fn dump(database: &std::path::Path) -> String {
    let conn = rusqlite::Connection::open(database).unwrap();
    let mut dump = String::new();
    for table in [
        "boards",
        "seats",
        "events",
        "players",
        "addresses",
        "queues",
        "drafts",
        "seeks",
        "game_settings",
        "blocks",
        "vacations",
        "resets",
        "watchers",
    ] {
        let mut statement = conn.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<String> =
                (0..columns).map(|column| format!("{:?}", row.get_ref(column).unwrap())).collect();
            dump.push_str(&format!("{table} {}\n", values.join(" ")));
        }
    }
    dump
}
