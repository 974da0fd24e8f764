//! Engines of others as players: programs that speak UCI or GTP, and GNU Backgammon, run as a child.
//!
//! A child is trusted in nothing. Its answers have a deadline, its lines a length and a number, and a ply that the rules
//! forbid is a [`Fault`]. After a fault the child is killed.

mod gnubg;
mod gtp;
mod process;
mod uci;
mod words;

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use turnpost_games::{GameKind, Table, replay};

use process::EngineProcess;
pub use words::{gtp_words, uci_words};

/// A protocol of engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Go Text Protocol, version 2.
    Gtp,
    /// The command line of GNU Backgammon.
    Gnubg,
}

impl Protocol {
    /// True if engines play the game by this protocol.
    pub fn knows(self, kind: &GameKind) -> bool {
        match self {
            Protocol::Uci => words::UCI_GAMES,
            Protocol::Gtp => words::GTP_GAMES,
            Protocol::Gnubg => words::GNUBG_GAMES,
        }
        .contains(&kind.key)
    }
}

/// How to start an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSetup {
    /// The protocol that it speaks.
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// UCI: options and their values. GTP: commands and their arguments, sent after the start, such as `level` and `10`.
    /// GNU Backgammon: the settings of its command `set`, such as `evaluation chequerplay evaluation plies` and `2`.
    pub options: BTreeMap<String, String>,
    /// UCI: the arguments of `go`, such as `nodes 20000`; if not given, `movetime 1000`.
    pub go: Option<String>,
}

/// A game up to the ply that an engine is asked for.
#[derive(Debug, Clone, Copy)]
pub struct GameSoFar<'a> {
    /// The game.
    pub kind: &'a GameKind,
    /// The text of the first position.
    pub start: &'a str,
    /// All plies in their standard form, with the forced passes.
    pub plies: &'a [String],
}

/// What an engine does with its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A legal ply in its standard form.
    Ply(String),
    /// It gives the game up.
    Resigns,
}

/// Why an engine gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The program cannot be started, for this reason.
    Absent(String),
    /// The program ended.
    Died,
    /// No answer came before the deadline.
    Hung,
    /// A line was too long, or an answer had too many lines.
    Flooded,
    /// It said something that cannot be: a ply that the rules forbid, an error, an unknown option.
    Lied(String),
    /// The game cannot be told in the protocol, for this reason. The engine is not at fault.
    Untold(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Absent(why) => write!(f, "the program cannot be started: {why}"),
            Fault::Died => f.write_str("the program ended without an answer"),
            Fault::Hung => f.write_str("no answer came in time"),
            Fault::Flooded => f.write_str("it wrote more than an answer can be"),
            Fault::Lied(what) => f.write_str(what),
            Fault::Untold(why) => write!(f, "this game cannot be told to it: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

/// An engine that runs. Its process is killed when this is dropped, and after each fault.
#[derive(Debug)]
pub struct Engine {
    process: EngineProcess,
    talk: EngineTalk,
}

#[derive(Debug)]
enum EngineTalk {
    Uci(uci::UciTalk),
    Gtp(gtp::GtpTalk),
    Gnubg(gnubg::GnubgTalk),
}

impl Engine {
    /// Starts an engine and gives it its options. `prepare` can change the command: its folder, its environment.
    ///
    /// # Errors
    /// The program cannot be started, or does not answer as the protocol says before the deadline.
    pub fn start(
        setup: &EngineSetup,
        deadline: Instant,
        prepare: impl FnOnce(&mut Command),
    ) -> Result<Engine, Fault> {
        let (program, arguments) =
            setup.command.split_first().ok_or_else(|| Fault::Absent("it has no command".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments);
        prepare(&mut command);
        let mut process = EngineProcess::start(command)?;
        let talk = match setup.protocol {
            Protocol::Uci => EngineTalk::Uci(uci::UciTalk::begin(&mut process, setup, deadline)?),
            Protocol::Gtp => EngineTalk::Gtp(gtp::GtpTalk::begin(&mut process, setup, deadline)?),
            Protocol::Gnubg => EngineTalk::Gnubg(gnubg::GnubgTalk::begin(&mut process, setup, deadline)?),
        };
        Ok(Engine { process, talk })
    }

    /// The name and the version, as the engine says them.
    pub fn name(&self) -> &str {
        match &self.talk {
            EngineTalk::Uci(talk) => &talk.name,
            EngineTalk::Gtp(talk) => &talk.name,
            EngineTalk::Gnubg(talk) => &talk.name,
        }
    }

    /// Asks for the next ply. Each call tells the whole game, so that calls need not follow one another.
    ///
    /// # Errors
    /// No legal ply came before the deadline. Unless the game cannot be told, the process is dead then.
    pub fn choose(&mut self, game: &GameSoFar<'_>, deadline: Instant) -> Result<Answer, Fault> {
        let answer = match &mut self.talk {
            EngineTalk::Uci(talk) => talk.choose(&mut self.process, game, deadline),
            EngineTalk::Gtp(talk) => talk.choose(&mut self.process, game, deadline),
            EngineTalk::Gnubg(talk) => talk.choose(&mut self.process, game, deadline),
        };
        if answer.as_ref().is_err_and(|fault| !matches!(fault, Fault::Untold(_))) {
            self.process.kill();
        }
        answer
    }
}

/// The position after the game so far. `each` sees the position before each ply, and the ply.
fn table_after(
    game: &GameSoFar<'_>,
    mut each: impl FnMut(&dyn Table, &str) -> Result<(), Fault>,
) -> Result<Box<dyn Table>, Fault> {
    let mut table = (game.kind.read)(game.start).map_err(|why| Fault::Untold(why.to_string()))?;
    for ply in game.plies {
        each(&*table, ply)?;
        replay(&mut *table, [ply.as_str()]).map_err(|(_, why)| Fault::Untold(why.to_string()))?;
    }
    Ok(table)
}

/// The ply that `word` means.
fn ply_of(words: Vec<(String, String)>, word: &str) -> Result<Answer, Fault> {
    let meant = words.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    let illegal = || Fault::Lied(format!("it played {word:.40}, which is no legal move here"));
    meant.map(|(_, ply)| Answer::Ply(ply)).ok_or_else(illegal)
}
