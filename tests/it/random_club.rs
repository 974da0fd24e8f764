//! A club whose members do anything at all, in any order: what is stored stays sound, no password is shown, and what
//! is refused changes nothing.

use crate::support::{ANN, BOB, Stage, rounds};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost_games::registry;

const CLEO: &str = "gannet-33";
const PLAYERS: [(&str, &str, &str); 3] =
    [("ann", ANN, "ann@example.org"), ("bob", BOB, "bob@example.net"), ("cleo", CLEO, "cleo@example.com")];

struct Club {
    stage: Stage,
    rng: ChaCha12Rng,
}

impl Club {
    fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.rng.next_u32() as usize % things.len()]
    }

    /// A ply that board allows, or one that it most likely does not.
    fn ply(&mut self, board: u32) -> String {
        let row = self.stage.store.board(BoardId(board)).unwrap();
        let plies = row
            .map(|row| (registry::find(&row.game).unwrap().read)(&row.position).unwrap().legal_plies())
            .unwrap_or_default();
        if plies.is_empty() || self.rng.next_u32().is_multiple_of(8) {
            return self.pick(&["F3", "A3-B4", "c1", "pass", "d8-c9+", "A5", "done"]).to_string();
        }
        self.pick(&plies).clone()
    }

    /// The game of a board, its number, and somebody with a password, mostly those who sit there and mostly theirs.
    fn seated(&mut self) -> (String, u32, String, usize) {
        let board = 1 + self.rng.next_u32() % (self.stage.store.next_board().unwrap().0).min(9);
        let row = self.stage.store.board(BoardId(board)).unwrap();
        let game = row.as_ref().map_or("dvonn".to_owned(), |row| row.game.clone());
        let mut who = self.rng.next_u32() as usize % 3;
        if let Some(row) = row.filter(|_| !self.rng.next_u32().is_multiple_of(6)) {
            let seat = row.to_move.unwrap_or(turnpost::ids::Seat::First);
            let seat = if self.rng.next_u32().is_multiple_of(3) { seat.other() } else { seat };
            let player = *seat.of(&row.players);
            if !player.is_robot() {
                who = player.0 as usize - 1;
            }
        }
        let (name, password, _) = PLAYERS[who];
        // A check of a password takes its time, so most commands are given on the machine itself.
        let password = match self.rng.next_u32() % 12 {
            0 => "wrong-one",
            1..=3 => password,
            _ => "-",
        };
        (game, board, format!("{name} {password}"), who)
    }

    fn command(&mut self) -> (String, usize) {
        let (game, board, login, who) = self.seated();
        let first = *self.pick(&["ann", "bob", "cleo", "ann", "bob", "cleo", "robot-2"]);
        let second = *self.pick(&["ann", "bob", "cleo", "dora", "robot-1", "robot"]);
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
        if matches!(kind, 16 | 17 | 24) && !self.rng.next_u32().is_multiple_of(6) {
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
                    format!("set {login} digest on"),
                    format!("set {login} digest off"),
                    format!("set {login} zone Pacific/Auckland"),
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
                    "list".to_owned(),
                ];
                self.pick(&looks).clone()
            }
        };
        (command, who)
    }
}

#[test]
fn a_club_that_does_anything_stays_sound() {
    let (mut done, mut refused, mut robot_plies, mut timed_out) = (0, 0, 0, 0);
    let seeds = rounds(3, 10);
    for seed in 0..seeds {
        let mut stage = Stage::with_players();
        stage.sign_up("cleo@example.com", "cleo", CLEO);
        for challenge in [
            "dvonn challenge --forfeittime=2 -random ann bob",
            "hexmeister challenge --forfeittime=2 --swap bob cleo",
            "dvonn challenge cleo ann",
            "dvonn challenge --unrated -random ann robot-1",
            "hexmeister challenge --swap bob robot-1",
        ] {
            stage.submit(Operator::AsAnyone, challenge);
        }
        let mut club = Club { stage, rng: ChaCha12Rng::seed_from_u64(seed) };
        for _ in 0..160 {
            let (command, who) = club.command();
            let before = club.stage.dump();
            let (answer, ends_well, _) = if !command.contains(" - ") && !command.ends_with(" -") {
                let mails = club.stage.mail(PLAYERS[who].2, &command, "");
                let letter = &club.stage.store.letters(1).unwrap()[0];
                (String::new(), letter.tally.done == 1, mails)
            } else {
                club.stage.submit(Operator::AsAnyone, &command)
            };
            for (_, password, _) in PLAYERS {
                assert!(!answer.contains(password), "{command}\n{answer}");
            }
            if ends_well {
                done += 1;
            } else {
                refused += 1;
                assert_eq!(club.stage.dump(), before, "{command}");
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
            if club.rng.next_u32().is_multiple_of(4) {
                club.stage.think();
            }
        }
        club.stage.think();
        assert_eq!(club.stage.wrong(), Vec::<String>::new(), "seed {seed}");
        assert_eq!(club.stage.store.robot_turns().unwrap(), [], "seed {seed}");
        robot_plies += club.stage.robot_plies();
        club.stage.assert_secret(&[ANN, BOB, CLEO, "wrong-one"]);
    }
    assert!(done > 40 * seeds && refused > 50 * seeds, "{done} done, {refused} refused");
    assert!(robot_plies > 5 * seeds as usize, "{robot_plies} plies of the robot");
    assert!(timed_out > 0, "{timed_out} lost by time");
}
