//! `turnpost robot gtp`: the robot as an engine of the Go Text Protocol, version 2. Black has the first seat.

use std::io::BufRead;
use std::sync::atomic::AtomicBool;

use turnpost_games::{GameKind, Outcome, Seat, Setup, Table, replay};
use turnpost_robot::engine::gtp_words;

use super::{OwnEngine, print_piece};
use crate::error::HostError;

const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "known_command",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "final_score",
    "quit",
];

/// A game with its controller.
struct GtpSession {
    kind: &'static GameKind,
    engine: OwnEngine,
    options: Vec<(String, Option<String>)>,
    plies: Vec<String>,
    table: Box<dyn Table>,
}

/// Answers commands until `quit` or the end of the input.
pub(super) fn run(kind: &'static GameKind, engine: OwnEngine, input: impl BufRead) -> Result<(), HostError> {
    let table = start(kind, &[]).map_err(HostError::Asked)?;
    let mut session = GtpSession { kind, engine, options: Vec::new(), plies: Vec::new(), table };
    for line in input.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let (id, words) = match words.as_slice() {
            [id, words @ ..] if id.bytes().all(|byte| byte.is_ascii_digit()) => (*id, words),
            words => ("", words),
        };
        let Some((command, arguments)) = words.split_first() else { continue };
        let (sign, says) = match session.answer(command, arguments) {
            Ok(says) => ('=', says),
            Err(why) => ('?', why),
        };
        print_piece(&format!("{sign}{id} {}\n\n", says.trim_end()))?;
        if *command == "quit" {
            break;
        }
    }
    Ok(())
}

fn start(kind: &GameKind, options: &[(String, Option<String>)]) -> Result<Box<dyn Table>, String> {
    (kind.start)(&Setup { options, seed: 0 }).map_err(|why| why.to_string())
}

impl GtpSession {
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Result<String, String> {
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("Turnpost".to_owned()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("known_command", [command, ..]) => Ok(COMMANDS.contains(command).to_string()),
            ("boardsize", [size, ..]) => {
                self.set("size", size, Vec::new()).map_err(|why| format!("unacceptable size: {why}"))
            }
            ("komi", [komi, ..]) => self.set("komi", komi, self.plies.clone()),
            ("clear_board", _) => self.begin(self.options.clone(), Vec::new()),
            ("play", [colour, word, ..]) => {
                self.must_be_turn_of(colour)?;
                let words = gtp_words(&*self.table);
                let meant = words.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
                let (_, ply) = meant.ok_or("illegal move")?;
                self.play(ply)
            }
            ("genmove", [colour, ..]) => {
                self.must_be_turn_of(colour)?;
                let (robot, limits) = (self.engine.robot, self.engine.limits());
                let choice = robot.choose_move(&self.table.position(), &limits, &AtomicBool::new(false));
                let choice = choice.map_err(|why| why.to_string())?.ok_or("the game is over")?;
                if choice.resigns {
                    return Ok("resign".to_owned());
                }
                let ply = choice.best_move;
                let words = gtp_words(&*self.table);
                let word = words.into_iter().find(|(_, known)| *known == ply).map(|(word, _)| word);
                self.play(ply)?;
                word.ok_or_else(|| "the move has no vertex".to_owned())
            }
            ("undo", _) => {
                let (_, before) = self.plies.split_last().ok_or("cannot undo")?;
                self.begin(self.options.clone(), before.to_vec())
            }
            ("showboard", _) => Ok(format!("\n{}", self.table.drawing().board)),
            ("final_score", _) => {
                self.table.ended().map(score).ok_or_else(|| "the game is not over".to_owned())
            }
            ("quit", _) => Ok(String::new()),
            _ if COMMANDS.contains(&command) => Err("syntax error".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Sets an option of the game, and begins it again with these plies.
    fn set(&mut self, name: &str, value: &str, plies: Vec<String>) -> Result<String, String> {
        let mut options = self.options.clone();
        options.retain(|(known, _)| known != name);
        options.push((name.to_owned(), Some(value.to_owned())));
        self.begin(options, plies)
    }

    fn begin(
        &mut self,
        options: Vec<(String, Option<String>)>,
        plies: Vec<String>,
    ) -> Result<String, String> {
        let mut table = start(self.kind, &options)?;
        replay(&mut *table, plies.iter().map(String::as_str)).map_err(|(_, why)| why.to_string())?;
        (self.options, self.plies, self.table) = (options, plies, table);
        Ok(String::new())
    }

    fn must_be_turn_of(&self, colour: &str) -> Result<(), String> {
        let [black, white] = [["b", "black"], ["w", "white"]];
        let colour = colour.to_ascii_lowercase();
        let (own, other) = if self.table.turn() == Seat::First { (black, white) } else { (white, black) };
        match () {
            () if own.contains(&&*colour) => Ok(()),
            () if other.contains(&&*colour) => Err(format!("illegal move: it is the turn of {}", own[1])),
            () => Err("syntax error".to_owned()),
        }
    }

    fn play(&mut self, ply: String) -> Result<String, String> {
        self.table.play_text(&ply).map_err(|why| why.to_string())?;
        self.plies.push(ply);
        Ok(String::new())
    }
}

/// The result as GTP writes it: `B+3.5`, `W+`, or `0`.
fn score(outcome: Outcome) -> String {
    let Some(winner) = outcome.winner else { return "0".to_owned() };
    let letter = winner.of(&["B", "W"]);
    let Some([black, white]) = outcome.score.map(|score| score.map(f64::from)) else {
        return format!("{letter}+");
    };
    // Half a point of White is not in the score.
    let half = if outcome.how.is_some() { 0.5 } else { 0.0 };
    format!("{letter}+{}", (black - white - half).abs())
}
