//! People who sign up and off, change everything they can, talk, watch and go away, in any order: what is stored stays
//! sound, no password or code is shown or kept, and what is refused changes nothing.

use crate::support::{Stage, rounds};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::AccountRole;

/// Userids, their first passwords, and where they write from.
const PEOPLE: [(&str, &str, &str); 4] = [
    ("ann", "plover-42", "ann@example.org"),
    ("bob", "dunlin-7", "bob@example.net"),
    ("cleo", "gannet-33", "cleo@example.com"),
    ("dora", "whimbrel-9", "dora@example.com"),
];

/// What passwords are changed to.
const OTHERS: [&str; 3] = ["sanderling-5", "turnstone-8", "wrong-one"];

struct Crowd {
    stage: Stage,
    rng: ChaCha12Rng,
    /// Every code and token that was mailed.
    codes: Vec<String>,
}

impl Crowd {
    fn gather(seed: u64) -> Crowd {
        let mut stage = Stage::new();
        for (name, password, address) in PEOPLE {
            stage.sign_up(address, name, password);
        }
        let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap();
        stage.store.set_role(ann.id, AccountRole::Organiser).unwrap();
        for challenge in ["dvonn challenge -random ann bob", "dvonn challenge -random bob cleo"] {
            stage.submit(Operator::AsAnyone, challenge);
        }
        Crowd { stage, rng: ChaCha12Rng::seed_from_u64(seed), codes: Vec::new() }
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.rng.next_u32().is_multiple_of(count)
    }

    fn pick<'t, T: ?Sized>(&mut self, things: &[&'t T]) -> &'t T {
        things[self.rng.next_u32() as usize % things.len()]
    }

    /// Somebody, with a password that may be theirs or `-`, which the machine itself vouches for.
    fn login(&mut self) -> (usize, String) {
        let who = self.rng.next_u32() as usize % PEOPLE.len();
        let password = match self.rng.next_u32() % 12 {
            0 => PEOPLE[who].1,
            1 => self.pick(&OTHERS),
            _ => "-",
        };
        (who, format!("{} {password}", PEOPLE[who].0))
    }

    fn setting(&mut self) -> String {
        let other = self.pick(&["ann", "bob", "cleo", "dora", "nobody"]);
        let value = self.pick(&["on", "off", "off", "maybe"]);
        match self.rng.next_u32() % 8 {
            0 => format!("block {other}"),
            1 => format!("unblock {other} unblock {other}"),
            2 => format!("zone {}", self.pick(&["Europe/Paris", "Pacific/Auckland", "Mars/Phobos", "UTC"])),
            3 => format!("limit dvonn {}", self.pick(&["0", "1", "5", "off", "many"])),
            4 => format!("{} dvonn", self.pick(&["reject", "accept", "accept"])),
            5 => format!("digest {value}"),
            6 => format!("openness {value} html {value}"),
            _ => format!("broadcast {value} picture {value}"),
        }
    }

    fn command(&mut self) -> (usize, String) {
        let (who, login) = self.login();
        let name = PEOPLE[who].0;
        let other = self.pick(&["ann", "bob", "cleo", "dora", "nobody"]);
        let new = self.pick(&OTHERS);
        let address = self.pick(&[
            "x@example.org",
            "y@example.net",
            "ann@example.org",
            "eve@example.edu",
            "no address",
        ]);
        let board = 1 + self.rng.next_u32() % 4;
        let code = match self.codes.last() {
            Some(code) if !self.rng.next_u32().is_multiple_of(4) => code.clone(),
            _ => "aaaaaaaaaaaaaaaaaaaaaaaaa2".to_owned(),
        };
        let text = format!("Hello, my password is {}.\nsignoff {name} {}\nend", PEOPLE[who].1, PEOPLE[who].1);
        let day = 16 + self.rng.next_u32() % 14;
        let command = match self.rng.next_u32() % 40 {
            0 => format!("signup {login} {address}"),
            1 | 2 => format!("signup {name} {} {address}", PEOPLE[who].1),
            3 | 4 => format!("add {login} {address}"),
            5 => format!("change address {login} {address}"),
            6 => format!("change password {login} {new}"),
            7 | 8 => format!("forgot {other}"),
            9 => format!("reset {name} {code} {new}"),
            10 => format!("signoff {login}"),
            11 if self.one_in(8) => format!("delete {login}"),
            11..=18 => format!("set {login} {}", self.setting()),
            19 | 20 => format!("vacation {login} 2026-11-{day} 2026-12-{:02}", day - 12),
            21 => format!("vacation {login} off"),
            22 | 23 => format!("resend {login} {board}"),
            24 | 25 => format!("who {other}"),
            26 | 27 => format!("message {login} {other}\n{text}"),
            28 => format!("broadcast {login}\n{text}"),
            29 | 30 => format!("dvonn chat {board} {login}\n{text}"),
            31 => format!("dvonn subscribe {board} {address}"),
            32 | 33 => format!("dvonn subscribe {board} {address} {code}"),
            34 => format!("dvonn unsubscribe {board} {address}"),
            35 => format!("dvonn notify {login} {}", self.pick(&["on", "off"])),
            36 => format!("dvonn challenge -random {other} {name}"),
            37 if self.one_in(4) => format!("dvonn resign {board} {login}"),
            _ => format!("dvonn move {board} {login} {}", self.ply(board)),
        };
        (who, command)
    }

    fn ply(&self, board: u32) -> String {
        let Some(row) = self.stage.store.board(BoardId(board)).unwrap() else { return "D1-E1".to_owned() };
        let table = (turnpost_games::dvonn::KIND.read)(&row.position).unwrap();
        table.legal_plies().first().cloned().unwrap_or_else(|| "D1-E1".to_owned())
    }

    /// Gives a command by mail or on the machine itself; whether it was done, and all that was said.
    fn give(&mut self, who: usize, command: &str) -> (bool, String) {
        let from = PEOPLE[who].2;
        let (mut said, done, mails) =
            if command.contains(" -\n") || command.contains(" - ") || command.ends_with(" -") {
                self.stage.submit(Operator::AsAnyone, command)
            } else {
                let (subject, text) = command.split_once('\n').unwrap_or((command, ""));
                let mails = self.stage.mail(from, subject, text.trim_end_matches("end"));
                (String::new(), self.stage.store.letters(1).unwrap()[0].tally.done == 1, mails)
            };
        for mail in &mails {
            said.push_str(&mail.text);
            let is_code = |word: &&str| {
                word.len() == 26 && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'))
            };
            self.codes.extend(mail.text.split_whitespace().filter(is_code).map(str::to_owned));
        }
        (done, said)
    }
}

#[test]
fn people_who_do_anything_leave_everything_sound() {
    let passwords: Vec<&str> = PEOPLE.iter().map(|(_, password, _)| *password).chain(OTHERS).collect();
    let (mut done, mut refused) = (0, 0);
    let seeds = rounds(3, 10);
    for seed in 0..seeds {
        let mut crowd = Crowd::gather(seed);
        for _ in 0..150 {
            let (who, command) = crowd.command();
            let before = crowd.stage.dump();
            let (was_done, said) = crowd.give(who, &command);
            for password in &passwords {
                assert!(!said.contains(password), "{command}\n{said}");
            }
            if was_done {
                done += 1;
            } else {
                refused += 1;
                assert_eq!(crowd.stage.dump(), before, "{command}\n{said}");
            }
            crowd.stage.wait(i64::from(crowd.rng.next_u32() % 8));
        }
        assert_eq!(crowd.stage.wrong(), Vec::<String>::new(), "seed {seed}");
        crowd.stage.assert_secret(&passwords);
        let text = crowd.stage.text();
        assert!(
            crowd.codes.iter().all(|code| !text.contains(code.as_str())),
            "seed {seed}: a code is stored"
        );
        assert!(!crowd.codes.is_empty());
    }
    assert!(done > 50 * seeds && refused > 30 * seeds, "{done} done, {refused} refused");
}

/// Nothing of a person is left but the userid and the games.
#[test]
fn who_deletes_the_account_is_forgotten() {
    let mut stage = Stage::with_a_game();
    let mails = stage.mail("ann@example.org", "add ann plover-42 ann.elsewhere@example.org", "");
    stage.confirm(&mails);
    stage.mail("ann@example.org", "dvonn move 1 ann wrong-12 D1-E1", "");
    stage.mail("ann@example.org", "dvonn move 1 ann plover-42 D1-E1", "Hello, Bob.");
    stage.mail("stranger@example.com", "delete ann plover-42", "");
    let text = stage.text();
    for trace in
        ["ann@example.org", "ann.elsewhere", "stranger@example.com", "argon2id$v=19$m=19456,t=2,p=1$ann"]
    {
        assert!(
            !text.contains(trace),
            "{trace}: {:?}",
            text.lines().filter(|line| line.contains(trace)).collect::<Vec<_>>()
        );
    }
    let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap();
    assert_eq!((ann.state.as_str(), ann.password_hash), ("deleted", None));
    let mails = stage.mail("ann@example.org", "signup ann plover-42", "");
    assert!(mails[0].text.contains("The userid ann is taken."), "{}", mails[0].text);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}
