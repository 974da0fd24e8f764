//! The CodeCup protocol for DVONN: a line a ply, on standard input and output.
//!
//! `Start` tells the robot to begin; otherwise the first line is the other side's first ply. Plies are `F3` in the
//! placement phase, then `A3B4` and `PASS`; passes are written. White places the last piece and moves the first stack:
//! two lines in a row. `Quit` or the end of the game ends it.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::search::{search, search_with};
use super::tt::TranspositionTable;
use super::zobrist::{index, mix};
use turnpost_games::dvonn::{Dvonn, Move, Phase};
use turnpost_games::{Position, Seat};

/// The time is divided among so many plies of its own at first. Behind them most games are solved.
const OWN_PLIES: u32 = 14;

/// It never plans with fewer.
const FEWEST_PLIES: u32 = 4;

/// The placement phase gets one of so many parts of the time: it is searched less deep.
const PLACEMENT_SHARE: u32 = 20;

/// Why a game broke off.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// Standard input or output.
    #[error("standard input or output: {0}")]
    Io(#[from] io::Error),
    /// A line that is no ply, or one the rules forbid.
    #[error("{0:?}: {1}")]
    Ply(String, String),
}

/// Plays a game and returns at its end, at `Quit`, or at the end of the input. `game_time` is divided among the plies;
/// without it `limits` bound each of them.
///
/// # Errors
/// When it cannot read or write, or is told a ply that cannot be played.
pub fn play(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    game_time: Option<Duration>,
    limits: &Limits,
) -> Result<(), ProtocolError> {
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
                player.hear(ply)?;
            }
        }
    }
}

/// `F3`, `A3B4` or `PASS`.
pub(super) fn write_ply(ply: Move) -> String {
    match ply {
        Move::Place(space) => space.to_string(),
        Move::Stack(from, to) => format!("{from}{to}"),
        Move::Pass => "PASS".to_owned(),
    }
}

/// The robot in one game.
pub(super) struct Player {
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
    pub(super) fn new(game_time: Option<Duration>, limits: &Limits) -> Player {
        let table = TranspositionTable::new(limits.table_bytes());
        let limits = limits.clone();
        Player { position: Dvonn::EMPTY, game_time, limits, table, used: Duration::ZERO, played: 0 }
    }

    pub(super) fn position(&self) -> &Dvonn {
        &self.position
    }

    pub(super) fn make(&mut self, ply: Move) {
        self.position.make(ply);
    }

    /// A ply drawn from the seed; the game is not over.
    pub(super) fn random_ply(&self) -> Move {
        let plies = self.position.legal_moves();
        let random = mix(self.limits.seed ^ u64::from(self.position.placed()) << 32);
        plies.get(index(random, plies.len())).copied().unwrap_or(Move::Pass)
    }

    /// Plays what the other side wrote.
    pub(super) fn hear(&mut self, text: &str) -> Result<(), ProtocolError> {
        let broken = |why: String| ProtocolError::Ply(text.to_owned(), why);
        let (ply, rest) = self.position.read_move(text).map_err(|error| broken(error.why))?;
        if !rest.trim().is_empty() {
            return Err(broken("something stands behind the ply".to_owned()));
        }
        self.position.play(ply).map_err(|error| broken(error.why))
    }

    /// The ply to play; the game is not over.
    pub(super) fn choose(&mut self) -> Move {
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
