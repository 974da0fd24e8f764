//! Engines that the host seats: `[robot.engines.NAME]`. Each level is an account, `NAME-1`, `NAME-2` and so on.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use turnpost_games::{GameKind, registry};
use turnpost_robot::engine::{Answer, Engine, EngineSetup, Fault, GameSoFar, Protocol};

use crate::ids::{ROBOT_LEVELS, Userid};
use crate::language::{is_a_mail_role, looks_like_the_robot};
use crate::play::robot::shelter::shelter;
use crate::store::{Store, StoreError};

/// The answer of an engine that gives the game up.
pub(crate) const RESIGN: &str = "resign";

/// Time that an engine has to start and to take its options.
const START: Duration = Duration::from_secs(20);

/// Where programs are if no variable says so.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// An engine that the host seats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Key of the game in the registry.
    pub game: String,
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// UCI: the arguments of `go`. Empty: the engine thinks for half of `time`.
    #[serde(default)]
    pub go: String,
    /// Maximum seconds per move.
    #[serde(default = "seconds")]
    pub time: u32,
    /// Maximum memory, in MiB of address space.
    #[serde(default = "mebibytes")]
    pub memory: u32,
    /// Options of UCI, commands of GTP, or settings of GNU Backgammon, for all levels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: LevelOptions,
    /// The options of each level, in addition to these and before them. `go` in a level replaces `go` above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelOptions>,
}

type LevelOptions = BTreeMap<String, toml::Value>;

fn seconds() -> u32 {
    10
}

fn mebibytes() -> u32 {
    1024
}

/// A seated engine: its name, its level, and its settings.
#[derive(Debug, Clone, Copy)]
pub struct SeatedEngine<'a> {
    pub name: &'a str,
    pub level: u8,
    pub config: &'a EngineConfig,
}

/// The engines by their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Engines(pub BTreeMap<String, EngineConfig>);

impl Engines {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The engine whose account has this userid.
    pub fn of(&self, userid: &Userid) -> Option<SeatedEngine<'_>> {
        self.seated().find(|seated| seated.userid().as_ref() == Some(userid))
    }

    /// All levels of all engines.
    pub fn seated(&self) -> impl Iterator<Item = SeatedEngine<'_>> {
        self.0.iter().flat_map(|(name, config)| {
            (1..=config.count()).map(move |level| SeatedEngine { name, level, config })
        })
    }

    /// A sentence for each engine: its game and its accounts.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |(name, config): (&String, &EngineConfig)| {
            let game = config.kind().map_or("nothing", |kind| kind.name);
            format!("The program {name} plays {game}, unrated: {}.", accounts(name, config.count()))
        };
        self.0.iter().map(sentence).collect()
    }

    /// Makes the accounts of the engines that have none yet. Returns the userid that a player has already, if any.
    pub fn seat(&self, store: &Store) -> Result<Option<Userid>, StoreError> {
        for userid in self.seated().filter_map(|seated| seated.userid()) {
            match store.player(&userid)? {
                None => store.add_engine(&userid)?,
                Some(account) if account.id.is_robot() => {}
                Some(account) => return Ok(Some(account.userid)),
            }
        }
        Ok(None)
    }

    /// Checks the settings. The error is a sentence for the host.
    pub fn check(&self) -> Result<(), String> {
        for (name, config) in &self.0 {
            config.check(name).map_err(|why| format!("[robot.engines.{name}]: {why}"))?;
        }
        Ok(())
    }
}

impl EngineConfig {
    /// The number of levels.
    fn count(&self) -> u8 {
        u8::try_from(self.levels.len().max(1)).unwrap_or(ROBOT_LEVELS)
    }

    pub fn kind(&self) -> Option<&'static GameKind> {
        registry::find(&self.game)
    }

    fn check(&self, name: &str) -> Result<(), String> {
        let userid = format!("{name}-{ROBOT_LEVELS}");
        if userid.parse::<Userid>().is_err() || looks_like_the_robot(name) || is_a_mail_role(name) {
            return Err("the name begins userids, so it is a letter and up to 17 letters and digits, such as `mentor`".into());
        }
        let Some(kind) = self.kind() else { return Err(format!("`game` names no game: {:?}", self.game)) };
        if !self.protocol.knows(kind) {
            let known = registry::games().iter().filter(|game| self.protocol.knows(game));
            let known: Vec<&str> = known.map(|game| game.key).collect();
            return Err(format!("`protocol` is that of other games than {}: {}", kind.key, known.join(", ")));
        }
        if self.command.is_empty() {
            return Err("`command` is empty: it holds the program and its arguments".into());
        }
        if !(1..=60).contains(&self.time) || self.memory < 16 || self.levels.len() > ROBOT_LEVELS.into() {
            return Err(format!(
                "`time` is 1 to 60, `memory` 16 or more, and `levels` are {ROBOT_LEVELS} at most"
            ));
        }
        let values = self.levels.iter().chain([&self.options]).flatten();
        match values.into_iter().find(|(_, value)| value.is_table() || value.is_array()) {
            Some((option, _)) => {
                Err(format!("the value of `{option}` is a text, a number, or true or false"))
            }
            None => Ok(()),
        }
    }
}

impl SeatedEngine<'_> {
    /// The userid of this level's account.
    pub fn userid(&self) -> Option<Userid> {
        format!("{}-{}", self.name, self.level).parse().ok()
    }

    fn setup(&self) -> EngineSetup {
        let written = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let of_level = usize::from(self.level).checked_sub(1).and_then(|at| self.config.levels.get(at));
        let all = self.config.options.iter().chain(of_level.into_iter().flatten());
        let mut options: BTreeMap<_, _> = all.map(|(name, value)| (name.clone(), written(value))).collect();
        let go = options.remove("go").unwrap_or_else(|| self.config.go.clone());
        let go = if go.is_empty() { format!("movetime {}", self.config.time * 500) } else { go };
        let command = [shelter(self.config.memory, self.config.time), self.config.command.clone()].concat();
        EngineSetup { protocol: self.config.protocol, command, options, go: Some(go) }
    }

    /// Starts the engine as a child without network.
    pub fn start(&self) -> Result<Engine, Fault> {
        Engine::start(&self.setup(), Instant::now() + START, |command| {
            // No setting of the server is for it. Debian's engines are in a folder of their own.
            let path = std::env::var("PATH").unwrap_or_else(|_| PATH.to_owned());
            command.env_clear().env("PATH", format!("{path}:/usr/games")).current_dir("/");
        })
    }

    /// Asks a new child for the next ply.
    pub fn ask(&self, game: &GameSoFar<'_>) -> Result<Answer, Fault> {
        let mut engine = self.start()?;
        engine.choose(game, Instant::now() + Duration::from_secs(self.config.time.into()))
    }
}

/// The accounts of a robot or an engine: `robot-1, robot-2 and robot-3`.
pub(crate) fn accounts(name: &str, levels: u8) -> String {
    let names: Vec<String> = (1..=levels).map(|level| format!("{name}-{level}")).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.join(""),
    }
}
