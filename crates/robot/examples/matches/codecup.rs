//! The CodeCup protocol for DVONN: a line a ply, on standard input and output.
//!
//! `Start` tells the robot to begin; otherwise the first line is the other side's first ply. Plies are `F3` in the
//! placement phase, then `A3B4` and `PASS`; passes are written. White places the last piece and moves the first stack:
//! two lines in a row. `Quit` or the end of the game ends it.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use turnpost_games::dvonn::{Dvonn, Move, Phase};
use turnpost_games::{Position, Seat};
use turnpost_robot::{Limits, TranspositionTable, mix, search, search_with};

/// Among how many plies of its own the time is divided at first. Behind them most games are solved.
const OWN_PLIES: u32 = 14;

/// It never plans with fewer.
const FEWEST_PLIES: u32 = 4;

/// The placement phase gets one of this many parts of the time: it is searched less deep.
const PLACEMENT_SHARE: u32 = 20;

/// Plays a game and returns at its end, at `Quit`, or at the end of the input. `game_time` is divided among the plies;
/// without it `limits` bound each of them. A ply that cannot be played is an error.
pub fn play(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    game_time: Option<Duration>,
    limits: &Limits,
) -> io::Result<()> {
    let mut player = Player::new(game_time, limits);
    let mut own = None;
    loop {
        if own == Some(player.position.to_move()) && player.position.outcome().is_none() {
            let ply = player.choose();
            writeln!(output, "{}", write_ply(ply))?;
            output.flush()?;
            player.make(ply);
            continue;
        }
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        match line.trim() {
            "" => {}
            quit if quit.eq_ignore_ascii_case("quit") => return Ok(()),
            start if start.eq_ignore_ascii_case("start") && own.is_none() => own = Some(Seat::First),
            ply => {
                own = own.or(Some(Seat::Second));
                player.hear(ply).map_err(io::Error::other)?;
            }
        }
    }
}

/// `F3`, `A3B4` or `PASS`.
pub fn write_ply(ply: Move) -> String {
    match ply {
        Move::Place(space) => space.to_string(),
        Move::Stack(from, to) => format!("{from}{to}"),
        Move::Pass => "PASS".to_owned(),
    }
}

/// The robot in one game.
pub struct Player {
    position: Dvonn,
    game_time: Option<Duration>,
    limits: Limits,
    table: TranspositionTable,
    /// Time used of the game's.
    used: Duration,
    /// Own plies of the stacking phase so far.
    played: u32,
}

impl Player {
    pub fn new(game_time: Option<Duration>, limits: &Limits) -> Player {
        let table = TranspositionTable::new(limits.table_bytes());
        let limits = limits.clone();
        Player { position: Dvonn::EMPTY, game_time, limits, table, used: Duration::ZERO, played: 0 }
    }

    pub fn position(&self) -> &Dvonn {
        &self.position
    }

    pub fn make(&mut self, ply: Move) {
        self.position.make(ply);
    }

    /// A ply drawn from the seed; the game is not over.
    pub fn random_ply(&self) -> Move {
        let plies = self.position.legal_moves();
        let random = mix(self.limits.seed ^ u64::from(self.position.placed()) << 32);
        plies[(random >> 32) as usize % plies.len()]
    }

    /// Plays what the other side wrote; an error says what is wrong with it.
    pub fn hear(&mut self, text: &str) -> Result<(), String> {
        let broken = |why: String| format!("{text:?}: {why}");
        let (ply, rest) = self.position.read_move(text).map_err(|error| broken(error.why))?;
        if !rest.trim().is_empty() {
            return Err(broken("something stands behind the ply".to_owned()));
        }
        self.position.play(ply).map_err(|error| broken(error.why))
    }

    /// The ply to play; the game is not over.
    pub fn choose(&mut self) -> Move {
        let plies = self.position.legal_moves();
        let first = plies.first().copied().unwrap_or(Move::Pass);
        if plies.len() <= 1 {
            return first;
        }
        let started = Instant::now();
        let mut limits = self.limits.clone();
        if let Some(whole) = self.game_time {
            limits.time = Some(if self.position.phase() == Phase::Placement {
                whole / PLACEMENT_SHARE / 24
            } else {
                let plies = OWN_PLIES.saturating_sub(self.played).max(FEWEST_PLIES);
                self.played += 1;
                whole.saturating_sub(self.used) / plies
            });
        }
        let never = AtomicBool::new(false);
        let result = if limits.is_repeatable() {
            search(&self.position, &limits, &never)
        } else {
            search_with(&self.position, &limits, &never, &mut self.table)
        };
        self.used += started.elapsed();
        result.map_or(first, |result| result.best_move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, PipeReader, PipeWriter, pipe};
    use std::thread::JoinHandle;

    /// A robot at the other end of two pipes.
    struct Program {
        input: PipeWriter,
        output: BufReader<PipeReader>,
        thread: JoinHandle<io::Result<()>>,
    }

    impl Program {
        fn start((game_time, limits): (Option<Duration>, Limits)) -> Program {
            let ((told, input), (output, mut tells)) = (pipe().unwrap(), pipe().unwrap());
            let thread =
                std::thread::spawn(move || play(&mut BufReader::new(told), &mut tells, game_time, &limits));
            Program { input, output: BufReader::new(output), thread }
        }

        fn tell(&mut self, line: &str) {
            writeln!(self.input, "{line}").unwrap();
        }

        fn hear(&mut self) -> String {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        }
    }

    /// The referee: lets both play against each other and checks every ply.
    fn referee(players: [(Option<Duration>, Limits); 2]) -> Dvonn {
        let mut players = players.map(Program::start);
        let mut position = Dvonn::EMPTY;
        players[0].tell("Start");
        while position.outcome().is_none() {
            let mover = position.to_move().index();
            let line = players[mover].hear();
            let right = match position.phase() {
                Phase::Placement => line.len() == 2,
                Phase::Stacking => line.len() == 4,
            };
            assert!(right && line.to_ascii_uppercase() == line, "{line:?}");
            let (ply, rest) = position.read_move(&line).unwrap();
            assert_eq!(rest, "");
            position.play(ply).unwrap();
            players[1 - mover].tell(&line);
        }
        for mut player in players {
            player.tell("Quit");
            player.thread.join().unwrap().unwrap();
            let mut line = String::new();
            assert_eq!(player.output.read_line(&mut line).unwrap(), 0, "{line}");
        }
        position
    }

    #[test]
    fn a_whole_game_in_the_codecup_manner() {
        let end = referee([(None, Limits { seed: 5, ..Limits::nodes(500) }), (None, Limits::nodes(300))]);
        assert!(end.outcome().unwrap().score.is_some_and(|[white, black]| white + black > 0));
        let small = Limits { memory: 1 << 20, ..Limits::default() };
        let shared = Limits { time: Some(Duration::from_millis(10)), threads: 2, ..small.clone() };
        referee([(Some(Duration::from_secs(1)), small), (None, shared)]);
    }

    #[test]
    fn a_ply_that_cannot_be_played_ends_the_game_with_a_sentence() {
        let mut program = Program::start((None, Limits::nodes(50)));
        program.tell("A5");
        assert_eq!(program.hear(), "");
        let why = program.thread.join().unwrap().unwrap_err();
        assert!(why.to_string().starts_with("\"A5\": "), "{why}");
    }
}
