//! UCI: `uci`, `setoption`, `position`, `go`.

use std::time::Instant;

use turnpost_games::Table;

use super::process::EngineProcess;
use super::words::uci_words;
use super::{Answer, EngineSetup, Fault, GameSoFar, ply_of, table_after};

/// The option of engines that castle by moving the king onto the rook.
const CHESS960: &str = "UCI_Chess960";

#[derive(Debug)]
pub(super) struct UciTalk {
    pub name: String,
    castles_onto_rook: bool,
    go: String,
    /// Plies of the last position, to know a new game.
    plies: usize,
}

impl UciTalk {
    pub(super) fn begin(
        process: &mut EngineProcess,
        setup: &EngineSetup,
        deadline: Instant,
    ) -> Result<UciTalk, Fault> {
        process.say("uci")?;
        let (mut name, mut offered) = (String::new(), Vec::new());
        process.hear(deadline, |line| {
            if let Some(says) = line.strip_prefix("id name ") {
                name = says.chars().take(80).collect();
            }
            if let Some(option) = line.strip_prefix("option name ") {
                offered.push(option.split(" type ").next().unwrap_or_default().to_lowercase());
            }
            (line == "uciok").then_some(())
        })?;
        let has = |option: &str| offered.contains(&option.to_lowercase());
        for (option, value) in &setup.options {
            if !has(option) {
                return Err(Fault::Lied(format!("it has no option {option}")));
            }
            process.say(&format!("setoption name {option} value {value}"))?;
        }
        let castles_onto_rook = has(CHESS960);
        if castles_onto_rook {
            process.say(&format!("setoption name {CHESS960} value true"))?;
        }
        let go = setup.go.clone().unwrap_or_else(|| "movetime 1000".to_owned());
        let talk = UciTalk { name, castles_onto_rook, go, plies: usize::MAX };
        ready(process, deadline)?;
        Ok(talk)
    }

    pub(super) fn choose(
        &mut self,
        process: &mut EngineProcess,
        game: &GameSoFar<'_>,
        deadline: Instant,
    ) -> Result<Answer, Fault> {
        // After the FEN, the text of a position can have the keys of earlier boards.
        let fen = game.start.split(" since ").next().unwrap_or_default();
        let mut position = format!("position fen {fen} moves");
        let table = table_after(game, |before, ply| {
            position.push(' ');
            position.push_str(&self.word(before, ply)?);
            Ok(())
        })?;
        if game.plies.len() <= self.plies {
            process.say("ucinewgame")?;
        }
        self.plies = game.plies.len();
        process.say(position.trim_end_matches(" moves"))?;
        // Lines from before the question do not answer it.
        ready(process, deadline)?;
        process.say(&format!("go {}", self.go))?;
        let word = process.hear(deadline, |line| {
            Some(line.strip_prefix("bestmove")?.split_whitespace().next().unwrap_or_default().to_owned())
        })?;
        ply_of(uci_words(&*table), &word)
    }

    /// The word of a ply.
    fn word(&self, before: &dyn Table, ply: &str) -> Result<String, Fault> {
        let mut words = uci_words(before).into_iter().filter(|(_, of)| of == ply).map(|(word, _)| word);
        let first = words.next();
        let last = if self.castles_onto_rook { words.next_back() } else { None };
        last.or(first).ok_or_else(|| Fault::Untold(format!("it has no word for {ply}")))
    }
}

fn ready(process: &mut EngineProcess, deadline: Instant) -> Result<(), Fault> {
    process.say("isready")?;
    process.hear(deadline, |line| (line == "readyok").then_some(()))
}
