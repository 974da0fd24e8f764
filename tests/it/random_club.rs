//! A club whose members do anything at all, in any order: they play, sign up and off, change everything they can, talk,
//! watch and go away. What is stored stays sound, no password or code is shown or kept, and what is refused changes nothing.

use crate::support::{ANN, BOB, Stage, rounds};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::AccountRole;
use turnpost_games::registry;

/// Userids, their first passwords, and where they write from.
const PEOPLE: [(&str, &str, &str); 4] = [
    ("ann", ANN, "ann@example.org"),
    ("bob", BOB, "bob@example.net"),
    ("cleo", "gannet-33", "cleo@example.com"),
    ("dora", "whimbrel-9", "dora@example.com"),
];

/// What passwords are changed to.
const OTHERS: [&str; 3] = ["sanderling-5", "turnstone-8", "wrong-one"];

struct Club {
    stage: Stage,
    rng: ChaCha12Rng,
    /// Every code and token that was mailed.
    codes: Vec<String>,
}

impl Club {
    fn gather(seed: u64) -> Club {
        let mut stage = Stage::with_players();
        for (name, password, address) in &PEOPLE[2..] {
            stage.sign_up(address, name, password);
        }
        let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap();
        stage.store.set_role(ann.id, AccountRole::Organiser).unwrap();
        for challenge in [
            "dvonn challenge --forfeittime=2 -random ann bob",
            "hexmeister challenge --forfeittime=2 --swap bob cleo",
            "dvonn challenge cleo ann",
            "dvonn challenge --unrated -random ann robot-1",
            "hex challenge -size=5 bob robot-1",
        ] {
            stage.submit(Operator::AsAnyone, challenge);
        }
        Club { stage, rng: ChaCha12Rng::seed_from_u64(seed), codes: Vec::new() }
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.rng.next_u32().is_multiple_of(count)
    }

    fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.rng.next_u32() as usize % things.len()]
    }

    /// A ply that board allows, or one that it most likely does not.
    fn ply(&mut self, board: u32) -> String {
        let row = self.stage.store.board(BoardId(board)).unwrap();
        let plies = row
            .map(|row| (registry::find(&row.game).unwrap().read)(&row.position).unwrap().legal_plies())
            .unwrap_or_default();
        if plies.is_empty() || self.one_in(8) {
            return self.pick(&["F3", "A3-B4", "c1", "pass", "d8-c9+", "A5", "done"]).to_string();
        }
        self.pick(&plies).clone()
    }

    /// The game of a board, its number, and somebody with a password, mostly those who sit there and mostly theirs.
    fn seated(&mut self) -> (String, u32, String, usize) {
        let board = 1 + self.rng.next_u32() % (self.stage.store.next_board().unwrap().0).min(9);
        let row = self.stage.store.board(BoardId(board)).unwrap();
        let game = row.as_ref().map_or("dvonn".to_owned(), |row| row.game.clone());
        let mut who = self.rng.next_u32() as usize % PEOPLE.len();
        if let Some(row) = row.filter(|_| !self.one_in(6)) {
            let seat = row.to_move.unwrap_or(turnpost::ids::Seat::First);
            let seat = if self.one_in(3) { seat.other() } else { seat };
            let player = *seat.of(&row.players);
            if !player.is_robot() {
                who = player.0 as usize - 1;
            }
        }
        let (name, password, _) = PEOPLE[who];
        // A check of a password takes its time, so most commands are given on the machine itself.
        let password = match self.rng.next_u32() % 12 {
            0 => *self.pick(&OTHERS),
            1..=3 => password,
            _ => "-",
        };
        (game, board, format!("{name} {password}"), who)
    }

    /// A command about a board, or a list.
    fn of_a_game(&mut self) -> (String, usize) {
        let (game, board, login, who) = self.seated();
        let first = *self.pick(&["ann", "bob", "cleo", "ann", "bob", "cleo", "robot-2"]);
        let second = *self.pick(&["ann", "bob", "cleo", "dora", "nobody", "robot-1", "robot"]);
        let new_game = *self.pick(&["dvonn", "hexmeister"]);
        let options = *self.pick(&[
            "",
            "--swap",
            "--lots --unrated",
            "--nagtime=1 --forfeittime=0",
            "-seed=3 -random",
            "--swap --nagtime=1 --forfeittime=2 --totaltime=3",
        ]);
        let ply = self.ply(board);
        let other = self.ply(board);
        let number = self.rng.next_u32() % 4;
        let mut kind = self.rng.next_u32() % 38;
        // What ends a game comes seldom, so that most of the others find one that goes on.
        if matches!(kind, 16 | 17 | 24) && !self.one_in(6) {
            kind = 3;
        }
        let command = match kind {
            0..=2 => format!("{new_game} challenge {options} {first} {second}"),
            3..=13 => format!("{game} move {board} {login} {ply}"),
            14 => format!("{game} move {board} {login} {ply} {other}"),
            15 => format!("{game} move {board} {login} {ply}#{number}"),
            16 => format!("{game} resign {board} {login}"),
            17 => format!("{game} propose {board} {login}"),
            18..=19 => format!("{game} move {board} {login} undo"),
            20..=21 => format!("{game} accept {board} {login}"),
            22 => format!("{game} reject {board} {login}"),
            23 => format!("{game} swap {board} {login}"),
            24 => format!("{game} decline {board} {login}"),
            25 => format!("{game} queue {board} {login} {ply}, {other}"),
            26 => format!("{game} queue {board} {login} (if {ply} then {other}) {ply}"),
            27 => format!("{game} submit {board} {login} {ply}"),
            28 => format!("{game} confirm {board} {login}"),
            29 => format!("{game} rematch {board} {login}"),
            30 => format!("{game} replay {board}#{number} {first} {second}"),
            31 => format!("{new_game} seek {options} {login}"),
            32 => format!("{new_game} accept seek {number} {login}"),
            33 => format!("{game} nudge {board} {login}"),
            34..=36 => {
                let today = self.stage.now.to_zoned(jiff::tz::TimeZone::UTC).date();
                let first = today.saturating_add(jiff::Span::new().days(i64::from(number)));
                let own = [
                    format!("vacation {login} {first} {first}"),
                    format!("vacation {login} off"),
                    format!("{new_game} notify {login} on"),
                    format!("set {login} limit {new_game} 6"),
                ];
                self.pick(&own).clone()
            }
            _ => {
                let looks = [
                    format!("{game} show {board}#{number}"),
                    format!("{game} showas {login} all"),
                    format!("{game} preview {board} {ply}"),
                    format!("all show {first} next"),
                    format!("{game} games {first} {second} all"),
                    format!("{new_game} seek off {login}"),
                    format!("{game} analyse {board}#{number}"),
                    format!("{game} record {board}"),
                    format!("who {second}"),
                    format!("{new_game} standings"),
                    "games".to_owned(),
                ];
                self.pick(&looks).clone()
            }
        };
        (command, who)
    }

    fn setting(&mut self) -> String {
        let other = PEOPLE[self.rng.next_u32() as usize % 4].0;
        let value = *self.pick(&["on", "off", "off", "maybe"]);
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

    /// A command about an account, an address or words to others.
    fn of_a_person(&mut self) -> (String, usize) {
        let (_, board, login, who) = self.seated();
        let (name, password, _) = PEOPLE[who];
        let other = *self.pick(&["ann", "bob", "cleo", "dora", "nobody"]);
        let new = *self.pick(&OTHERS);
        let addresses =
            ["x@example.org", "y@example.net", "ann@example.org", "eve@example.edu", "no address"];
        let address = *self.pick(&addresses);
        let code = match self.codes.last() {
            Some(code) if !self.rng.next_u32().is_multiple_of(4) => code.clone(),
            _ => "aaaaaaaaaaaaaaaaaaaaaaaaa2".to_owned(),
        };
        let text = format!("Hello, my password is {password}.\nsignoff {name} {password}\nend");
        let command = match self.rng.next_u32() % 36 {
            0 => format!("signup {login} {address}"),
            1 | 2 => format!("signup {name} {password} {address}"),
            3 | 4 => format!("add {login} {address}"),
            5 => format!("change address {login} {address}"),
            6 => format!("change password {login} {new}"),
            7 | 8 => format!("forgot {other}"),
            9 => format!("reset {name} {code} {new}"),
            10 => format!("signoff {login}"),
            11 if self.one_in(8) => format!("delete {login}"),
            11..=19 => format!("set {login} {}", self.setting()),
            20..=22 => format!("resend {login} {board}"),
            23..=25 => format!("message {login} {other}\n{text}"),
            26 => format!("broadcast {login}\n{text}"),
            27 | 28 => format!("dvonn chat {board} {login}\n{text}"),
            29..=33 => format!("dvonn subscribe {board} {address}"),
            34 => format!("dvonn unsubscribe {board} {address}"),
            _ => format!("dvonn notify {login} {}", self.pick(&["on", "off"])),
        };
        (command, who)
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
fn a_club_that_does_anything_stays_sound() {
    let passwords: Vec<&str> = PEOPLE.iter().map(|(_, password, _)| *password).chain(OTHERS).collect();
    let (mut done, mut refused, mut robot_plies, mut timed_out) = (0, 0, 0, 0);
    let seeds = rounds(4, 15);
    for seed in 0..seeds {
        let mut club = Club::gather(seed);
        for _ in 0..220 {
            let (command, who) = if club.one_in(2) { club.of_a_game() } else { club.of_a_person() };
            let before = club.stage.dump();
            let (was_done, said) = club.give(who, &command);
            for password in &passwords {
                assert!(!said.contains(password), "{command}\n{said}");
            }
            if was_done {
                done += 1;
            } else {
                refused += 1;
                assert_eq!(club.stage.dump(), before, "{command}\n{said}");
            }
            // The timer runs every hour, but for a day now and then; and sometimes nobody writes for three.
            match club.rng.next_u32() % 40 {
                0 => club.stage.wait(24),
                1 => {
                    for _ in 0..72 {
                        club.stage.wait(1);
                        timed_out += club.stage.tick().0.timed_out;
                    }
                }
                _ => club.stage.wait(1),
            }
            timed_out += club.stage.tick().0.timed_out;
            if club.one_in(4) {
                club.stage.think();
            }
        }
        club.stage.think();
        assert_eq!(club.stage.wrong(), Vec::<String>::new(), "seed {seed}");
        assert_eq!(club.stage.store.robot_turns().unwrap(), [], "seed {seed}");
        robot_plies += club.stage.robot_plies();
        club.stage.assert_secret(&passwords);
        let text = club.stage.text();
        assert!(club.codes.iter().all(|code| !text.contains(code.as_str())), "seed {seed}: a code is stored");
        assert!(!club.codes.is_empty());
    }
    assert!(done > 60 * seeds && refused > 60 * seeds, "{done} done, {refused} refused");
    assert!(robot_plies > 3 * seeds as usize, "{robot_plies} plies of the robot");
    assert!(timed_out > 0, "{timed_out} lost by time");
}
