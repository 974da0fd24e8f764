//! `turnpost robot uci`: the robot as a chess engine of the Universal Chess Interface.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use turnpost_games::{GameKind, Setup, Table};
use turnpost_robot::engine::uci_words;
use turnpost_robot::{Choice, Limits};

use super::{OwnEngine, print};
use crate::error::HostError;

/// Milliseconds lost between the clock of the other program and ours.
const LAG: i64 = 30;

/// The clock has to last for this many moves, unless the other program says how many.
const MOVES_TO_GO: i64 = 30;

/// The longest search, in milliseconds: a day.
const LONGEST: i64 = 86_400_000;

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CastlingWord {
    TwoSquares,
    /// As in Chess960.
    OntoRook,
}

struct UciSession {
    kind: &'static GameKind,
    engine: OwnEngine,
    castling: CastlingWord,
    table: Box<dyn Table>,
    search: Option<JoinHandle<Result<(), HostError>>>,
    /// Ends the search.
    cancel: Arc<AtomicBool>,
}

/// Answers commands until `quit` or the end of the input.
pub(super) fn run(kind: &'static GameKind, engine: OwnEngine, input: impl BufRead) -> Result<(), HostError> {
    let mut session = UciSession {
        kind,
        engine,
        castling: CastlingWord::TwoSquares,
        table: start(kind)?,
        search: None,
        cancel: Arc::default(),
    };
    for line in input.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["quit", ..] => break,
            ["stop", ..] => session.stop()?,
            ["uci", ..] => session.introduce()?,
            ["isready", ..] => print("readyok")?,
            ["setoption", "name", option, "value", value, ..] => session.set(option, value),
            ["position", words @ ..] => {
                session.stop()?;
                match session.read(words) {
                    Ok(table) => session.table = table,
                    Err(why) => print(&format!("info string {why}"))?,
                }
            }
            ["go", words @ ..] => {
                session.stop()?;
                session.go(words);
            }
            // The protocol tells engines to ignore what they do not know.
            _ => {}
        }
    }
    session.stop()
}

fn start(kind: &GameKind) -> Result<Box<dyn Table>, HostError> {
    (kind.start)(&Setup { options: &[], seed: 0 }).map_err(|why| HostError::Asked(why.to_string()))
}

impl UciSession {
    fn introduce(&self) -> Result<(), HostError> {
        print(concat!("id name Turnpost ", env!("CARGO_PKG_VERSION")))?;
        print("id author the Turnpost developers")?;
        let (level, highest) = (self.engine.level, self.engine.highest());
        print(&format!("option name Level type spin default {level} min 1 max {highest}"))?;
        print("option name UCI_Chess960 type check default false")?;
        print("uciok")
    }

    fn set(&mut self, option: &str, value: &str) {
        if option.eq_ignore_ascii_case("UCI_Chess960") {
            self.castling = if value == "true" { CastlingWord::OntoRook } else { CastlingWord::TwoSquares };
        } else if option.eq_ignore_ascii_case("Level") {
            let level = value.parse().unwrap_or(self.engine.level);
            self.engine.level = level.min(self.engine.highest()).max(1);
        }
    }

    /// Reads `startpos` or `fen` with a position, and `moves` with plies.
    fn read(&self, words: &[&str]) -> Result<Box<dyn Table>, String> {
        let (begin, plies) =
            words.split_at(words.iter().position(|word| *word == "moves").unwrap_or(words.len()));
        let mut table = match begin {
            ["startpos"] => start(self.kind).map_err(|why| why.to_string())?,
            ["fen", fen @ ..] => (self.kind.read)(&fen.join(" ")).map_err(|why| why.to_string())?,
            _ => return Err("a position is startpos, or fen with its fields".to_owned()),
        };
        for word in plies.iter().skip(1) {
            let known = uci_words(&*table).into_iter().find(|(known, _)| known == word);
            let (_, ply) = known.ok_or_else(|| format!("{word} is no legal move"))?;
            table.play_text(&ply).map_err(|why| why.to_string())?;
            self.continue_drawn(&mut table)?;
        }
        Ok(table)
    }

    /// Forgets a draw by repetition or by fifty moves: programs can play on after it.
    fn continue_drawn(&self, table: &mut Box<dyn Table>) -> Result<(), String> {
        if table.ended().is_some_and(|outcome| outcome.winner.is_none()) {
            let fen = table.position();
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            *table = (self.kind.read)(&format!("{} 0 1", fields.join(" "))).map_err(|why| why.to_string())?;
        }
        Ok(())
    }

    /// Begins a search in a thread of its own.
    fn go(&mut self, words: &[&str]) {
        self.cancel = Arc::default();
        let (limits, flag) = (self.limits(words), Arc::clone(&self.cancel));
        let (robot, table) = (self.engine.robot, self.table.copy());
        let (is_infinite, castling) = (words.contains(&"infinite"), self.castling);
        self.search = Some(thread::spawn(move || {
            let choice = robot.choose_move(&table.position(), &limits, &flag);
            while is_infinite && !flag.load(Relaxed) {
                thread::sleep(Duration::from_millis(5));
            }
            report(&*table, choice.ok().flatten(), castling)
        }));
    }

    /// The limits of the level, and those that `go` names. At the highest level `go` alone decides.
    fn limits(&mut self, words: &[&str]) -> Limits {
        let number = |name: &str| words.iter().skip_while(|word| **word != name).nth(1)?.parse::<i64>().ok();
        let [left, gained] = self.table.turn().of(&[["wtime", "winc"], ["btime", "binc"]]).map(number);
        let share = |left: i64| {
            let moves = number("movestogo").unwrap_or(MOVES_TO_GO).max(1);
            (left / moves).saturating_add(gained.unwrap_or_default() / 2).min(left / 2).saturating_sub(LAG)
        };
        let time = number("movetime")
            .or(left.map(share))
            .map(|time| Duration::from_millis(time.clamp(1, LONGEST) as u64));
        let nodes = number("nodes").map(|nodes| nodes.max(1) as u64);
        let depth = number("depth").map(|depth| depth.clamp(1, 99) as u32);
        let is_bounded = words.contains(&"infinite") || time.is_some() || nodes.is_some() || depth.is_some();
        let level = self.engine.limits();
        let of_level = level.nodes.filter(|_| !is_bounded || self.engine.level < self.engine.highest());
        Limits { nodes: nodes.into_iter().chain(of_level).min(), time, depth, ..level }
    }

    /// Ends the search, which then prints its move.
    fn stop(&mut self) -> Result<(), HostError> {
        self.cancel.store(true, Relaxed);
        self.search.take().map_or(Ok(()), |search| search.join().unwrap_or(Ok(())))
    }
}

/// Prints what a search found, then its move.
fn report(table: &dyn Table, choice: Option<Choice>, castling: CastlingWord) -> Result<(), HostError> {
    let Some(choice) = choice else { return print("bestmove 0000") };
    let (mut after, mut line) = (table.copy(), Vec::new());
    for ply in &choice.variation {
        // Of the two words of castling, the second is the king's move onto its rook.
        let mut words =
            uci_words(&*after).into_iter().filter(|(_, known)| known == ply).map(|(word, _)| word);
        let first = words.next();
        line.extend(words.next_back().filter(|_| castling == CastlingWord::OntoRook).or(first));
        if after.play_text(ply).is_err() {
            break;
        }
    }
    let Choice { depth, nodes, value, elapsed, .. } = choice;
    let (time, moves) = (elapsed.as_millis(), line.join(" "));
    print(&format!("info depth {depth} nodes {nodes} time {time} score cp {value} pv {moves}"))?;
    print(&format!("bestmove {}", line.first().map_or("0000", String::as_str)))
}
