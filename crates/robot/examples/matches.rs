//! Plays matches between two players of a game, to learn how strong the levels are.
//!
//! `cargo run --release -p turnpost-robot --example matches -- GAME PLAYER PLAYER [NAME=VALUE...]`. A player is
//! - a level, such as `3`, or nodes and error of estimates of one, such as `6400/200`;
//! - `random`;
//! - an engine: its protocol and command, then its options and, for UCI, the bounds of a move, such as
//!   `'uci /usr/games/stockfish; UCI_LimitStrength=true; UCI_Elo=1350; go nodes 50000'` or
//!   `'gtp /usr/games/gnugo --mode gtp --level 1 --chinese-rules --capture-all-dead --positional-superko'`.
//!
//! `games=100` is their number. `seed=1` decides the openings of four random plies, or the dice; each is played twice, with sides
//! changed. `anchor=1350` is the known rating of the second player. Other words are options of the game, such as `size=9`.
//! `matches table FILE` plays the match of each line of a file, in which ` | ` separates these words, and prints the rows
//! of the table in `docs/robot.md`: `matches table crates/robot/examples/matches.txt`.

#![allow(clippy::print_stdout)]

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use turnpost_games::{Cast, Chance, GameKind, Seat, Setup, Table, read_option, registry};
use turnpost_robot::engine::{Answer, Engine, EngineSetup, Fault, GameSoFar, Protocol};
use turnpost_robot::limits::Level;
use turnpost_robot::{Robot, find, mix};

/// A game of more plies is a tie, unless dice end it.
const LONGEST: usize = 400;

/// Random plies of an opening.
const OPENING: u64 = 4;

/// Games that are played at the same time.
const THREADS: usize = 2;

/// An engine that does not answer for so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Debug)]
enum Player {
    Random,
    Level(&'static Robot, Level),
    Engine(EngineSetup),
}

impl Player {
    fn read(kind: &GameKind, text: &str) -> Result<Player, String> {
        let unknown = || format!("{} has no player {text:?}", kind.key);
        let robot = find(kind.key).ok_or_else(unknown)?;
        if text == "random" {
            return Ok(Player::Random);
        }
        let protocol = |word| {
            Some(match word {
                "uci" => Protocol::Uci,
                "gtp" => Protocol::Gtp,
                "gnubg" => Protocol::Gnubg,
                _ => return None,
            })
        };
        if let Some((protocol, rest)) =
            text.split_once(' ').and_then(|(word, rest)| Some((protocol(word)?, rest)))
        {
            let (command, more) = rest.split_once(';').unwrap_or((rest, ""));
            let more = || more.split(';').map(str::trim);
            let options = more().filter_map(|option| option.split_once('='));
            return Ok(Player::Engine(EngineSetup {
                protocol,
                command: command.split_whitespace().map(str::to_owned).collect(),
                options: options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
                go: more().find_map(|go| go.strip_prefix("go ")).map(str::to_owned),
            }));
        }
        let own = match text.split_once('/') {
            Some((nodes, noise)) => nodes.parse().ok().zip(noise.parse().ok()),
            None => text.parse().ok().and_then(|level| robot.level(level)).map(|own| (own.nodes, own.noise)),
        };
        own.map(|(nodes, noise)| Player::Level(robot, Level { nodes, noise })).ok_or_else(unknown)
    }

    /// Chooses a ply; `None` to resign. `engine` is this player's, once it runs.
    fn choose(
        &self,
        engine: &mut Option<Engine>,
        game: &GameSoFar<'_>,
        table: &dyn Table,
        seed: u64,
    ) -> Result<Option<String>, String> {
        let setup = match self {
            Player::Random => return Ok(random_ply(table, seed)),
            Player::Level(robot, level) => {
                let limits = level.limits(1.0, seed);
                let choice = robot.choose_move(&table.position(), &limits, &AtomicBool::new(false));
                let choice = choice.map_err(|why| why.to_string())?.filter(|choice| !choice.resigns);
                return Ok(choice.map(|choice| choice.best_move));
            }
            Player::Engine(setup) => setup,
        };
        let deadline = Instant::now() + PATIENCE;
        let failed = |fault: Fault| format!("{:?} after {:?}: {fault}", setup.command, game.plies);
        let mut running = match engine.take() {
            Some(running) => running,
            None => Engine::start(setup, deadline, |_| {}).map_err(failed)?,
        };
        let answer = running.choose(game, deadline).map_err(failed)?;
        *engine = Some(running);
        Ok(match answer {
            Answer::Ply(ply) => Some(ply),
            Answer::Resigns => None,
        })
    }
}

/// A random legal ply, and no pass if there is another.
fn random_ply(table: &dyn Table, seed: u64) -> Option<String> {
    let mut plies = table.legal_plies();
    if plies.len() > 1 {
        plies.retain(|ply| ply != "pass");
    }
    plies.get((mix(seed) >> 32) as usize % plies.len().max(1)).cloned()
}

/// The results of the first player.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    won: u32,
    lost: u32,
    tied: u32,
    /// Half points in each pair of games from the same opening, 0 to 4.
    pairs: Vec<u32>,
}

impl Tally {
    fn count(&mut self, results: [Option<bool>; 2]) {
        let mut half_points = 0;
        for result in results {
            let (count, points) = match result {
                Some(true) => (&mut self.won, 2),
                Some(false) => (&mut self.lost, 0),
                None => (&mut self.tied, 1),
            };
            *count += 1;
            half_points += points;
        }
        self.pairs.push(half_points);
    }

    /// The share of the points won, and its 95 % bounds. The bounds count pairs, because the two games of an opening are
    /// not independent, and one more pair won and one lost, because a player who won all games can lose the next.
    fn score(&self) -> [f64; 3] {
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let mut shares: Vec<f64> =
            self.pairs.iter().map(|half_points| f64::from(*half_points) / 4.0).collect();
        let score = mean(&shares);
        shares.extend([0.0, 1.0]);
        let (centre, count) = (mean(&shares), shares.len() as f64);
        let spread = shares.iter().map(|share| (share - centre).powi(2)).sum::<f64>() / (count - 1.0);
        let reach = 1.96 * (spread / count).sqrt();
        [score, (centre - reach).max(0.0), (centre + reach).min(1.0)]
    }

    /// The rating points between the players, with 95 % bounds. Half a game keeps them finite.
    fn difference(&self) -> [f64; 3] {
        let half = 0.25 / self.pairs.len().max(1) as f64;
        self.score()
            .map(|score| score.clamp(half, 1.0 - half))
            .map(|score| 400.0 * (score / (1.0 - score)).log10())
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([score, low, high], [points, least, most]) = (self.score(), self.difference());
        let Tally { won, lost, tied, .. } = self;
        write!(
            f,
            "{won} won, {lost} lost, {tied} tied, score {score:.3} ({low:.3} to {high:.3}), {points:+.0} points ({least:+.0} to {most:+.0})"
        )
    }
}

#[derive(Debug)]
struct Match {
    kind: &'static GameKind,
    players: [Player; 2],
    options: Vec<(String, Option<String>)>,
    games: u64,
    seed: u64,
    anchor: Option<u64>,
}

impl Match {
    fn read(words: &[impl AsRef<str>]) -> Result<Match, String> {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let [game, one, two, rest @ ..] = words.as_slice() else {
            return Err("GAME PLAYER PLAYER [NAME=VALUE...], or table FILE".to_owned());
        };
        let kind = registry::find(game).ok_or_else(|| format!("there is no game {game:?}"))?;
        let players = [Player::read(kind, one)?, Player::read(kind, two)?];
        let mut read = Match { kind, players, options: Vec::new(), games: 100, seed: 1, anchor: None };
        for word in rest {
            let (name, value) = read_option(word);
            let number = value.as_ref().and_then(|value| value.parse().ok());
            match (name.as_str(), number) {
                ("games", Some(number)) => read.games = number,
                ("seed", Some(number)) => read.seed = number,
                ("anchor", Some(number)) => read.anchor = Some(number),
                _ if kind.options.iter().any(|known| known.name == name) => read.options.push((name, value)),
                _ => return Err(format!("{} has no option {word:?}", kind.key)),
            }
        }
        Ok(read)
    }

    fn play(&self) -> Result<Tally, String> {
        let (next, results) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let work = || -> Result<(), String> {
            let mut engines = [None, None];
            loop {
                let pair = next.fetch_add(1, Relaxed);
                if 2 * pair >= self.games {
                    return Ok(());
                }
                let seed = mix(self.seed ^ mix(pair));
                // After a fault the other thread begins no more games.
                let played = [0, 1].map(|first| self.game(seed, first, &mut engines));
                let [one, two] = played.map(|result| result.inspect_err(|_| next.store(self.games, Relaxed)));
                results.lock().map_err(|_| "a game broke off")?.push((pair, [one?, two?]));
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a game broke off")?)
        })?;
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|(pair, _)| *pair);
        let mut tally = Tally::default();
        results.into_iter().for_each(|(_, played)| tally.count(played));
        Ok(tally)
    }

    /// Plays a game that the player with the index `first` begins. True if player 0 wins; `None` for a tie.
    fn game(
        &self,
        seed: u64,
        first: usize,
        engines: &mut [Option<Engine>; 2],
    ) -> Result<Option<bool>, String> {
        let setup = Setup { options: &self.options, seed };
        let mut table = (self.kind.start)(&setup).map_err(|why| why.to_string())?;
        // Dice make enough openings.
        for number in 0..if self.kind.dice { 0 } else { OPENING } {
            let ply = random_ply(&*table, seed ^ mix(number)).unwrap_or_default();
            table.play_text(&ply).map_err(|why| why.to_string())?;
        }
        let (start, mut plies, mut rolls) = (table.position(), Vec::new(), 0);
        let mut dice = |chance: Chance| {
            rolls += 1;
            let casts: Vec<Cast> = chance.casts().collect();
            casts.get((mix(seed ^ mix(!rolls)) >> 32) as usize % casts.len().max(1)).copied()
        };
        let won_by = |seat: Seat| Some(seat.index() == first);
        while table.ended().is_none() && (self.kind.dice || plies.len() < LONGEST) {
            let (seat, seed) = (table.turn(), mix(seed ^ mix((2 * plies.len() + first) as u64)));
            let game = GameSoFar { kind: self.kind, start: &start, plies: &plies };
            let place = seat.index() ^ first;
            let Some(ply) = self.players[place].choose(&mut engines[place], &game, &*table, seed)? else {
                return Ok(won_by(seat.other()));
            };
            table.play_text(&ply).map_err(|why| format!("{ply}: {why}"))?;
            plies.push(ply);
            plies.extend(table.play_until_choice(&mut dice).into_iter().map(|pass| pass.ply));
        }
        Ok(table.ended().and_then(|outcome| outcome.winner).and_then(won_by))
    }
}

/// Plays the match of each line, and prints the rows of a table.
fn play_table(lines: &str) -> Result<(), String> {
    for line in lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split('|').map(str::trim).collect();
        println!("| {} | {} |", words.join(" | "), Match::read(&words)?.play()?);
    }
    Ok(())
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [table, file] = words.as_slice()
        && table == "table"
    {
        return play_table(&std::fs::read_to_string(file).map_err(|why| format!("{file}: {why}"))?);
    }
    let asked = Match::read(&words)?;
    let tally = asked.play()?;
    println!("{tally}");
    if let Some(anchor) = asked.anchor {
        let [points, least, most] = tally.difference().map(|points| anchor as f64 + points);
        println!("rating {points:.0} ({least:.0} to {most:.0})");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_player_wins_and_a_seed_plays_the_same_games_again() {
        let play = || Match::read(&["breakthrough", "2", "random", "games=9"]).and_then(|asked| asked.play());
        let tally = play().unwrap();
        assert_eq!((tally.won + tally.lost + tally.tied, tally.pairs.len()), (10, 5));
        assert!(tally.score()[0] > 0.8, "{tally}");
        assert_eq!(play(), Ok(tally));
    }

    /// A match of a level against a program that answers `isready` and `uci`, and does `go` for a move.
    fn against(go: &str) -> Result<Tally, String> {
        let script = format!(
            "while read word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) {go};; esac; done"
        );
        let mut asked = Match::read(&["chess", "20/0", "uci sh -c", "games=2"])?;
        if let Player::Engine(setup) = &mut asked.players[1] {
            setup.command.push(script);
        }
        asked.play()
    }

    #[test]
    fn a_fault_of_an_engine_ends_the_match_in_its_words() {
        let lie = against("echo bestmove e2e5").unwrap_err();
        assert!(lie.ends_with("it played e2e5, which is no legal move here"), "{lie}");
        assert!(against("exit").unwrap_err().ends_with("the program ended without an answer"));
    }

    #[test]
    fn bounds_narrow_with_the_games() {
        let [few, many] =
            [4, 40].map(|times| Tally { pairs: [0, 1, 2, 3, 4].repeat(times), ..Tally::default() }.score());
        assert!(few[1] < many[1] && many[1] < 0.5 && 0.5 < many[2] && many[2] < few[2]);
        // A spread of sqrt(1/8) over two hundred pairs.
        assert!((many[2] - 0.5 - 1.96 * (0.125_f64 / 199.0).sqrt()).abs() < 1e-3);
    }
}
