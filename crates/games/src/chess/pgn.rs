//! PGN, the format in which other servers and programs keep games of chess.

use super::Chess;
use crate::rules::Game;
use crate::{Position, Seat, Setup, Transcribed};

const WIDTH: usize = 78;
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

fn first() -> Result<Game<Chess>, String> {
    Game::start(&Setup { options: &[], seed: 0 }).map_err(|why| why.to_string())
}

/// Writes the seven tags that every PGN has, `?` if unknown, and the plies with their numbers.
pub(super) fn write(start: &str, plies: &[String]) -> Result<String, String> {
    let mut game = Game::<Chess>::read(start).map_err(|why| why.to_string())?;
    let usual = first()?.write();
    let mut words = Vec::new();
    for ply in plies {
        let number = game.state().counts[super::NUMBER];
        match game.to_move() {
            Seat::First => words.push(format!("{number}.")),
            Seat::Second if words.is_empty() => words.push(format!("{number}...")),
            Seat::Second => {}
        }
        words.push(ply.clone());
        play(&mut game, ply)?;
    }
    let result = match game.outcome().map(|outcome| outcome.winner) {
        Some(Some(Seat::First)) => "1-0",
        Some(Some(Seat::Second)) => "0-1",
        Some(None) => "1/2-1/2",
        None => "*",
    };
    words.push(result.to_owned());
    let tags = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
    ];
    let mut tags: Vec<(&str, &str)> = tags.into_iter().chain([("Result", result)]).collect();
    if start != usual {
        tags.extend([("Variant", "Chess960"), ("SetUp", "1"), ("FEN", start)]);
    }
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        let fits = width + word.len() < WIDTH;
        text.push_str(if text.is_empty() {
            ""
        } else if fits {
            " "
        } else {
            "\n"
        });
        width = if fits { width + 1 + word.len() } else { word.len() };
        text.push_str(&word);
    }
    Ok(format!("{tags}\n{text}\n"))
}

fn play(game: &mut Game<Chess>, word: &str) -> Result<String, String> {
    let told = |why: String| format!("{word:?} cannot be played: {why}");
    let (ply, rest) = game.read_move(word).map_err(|unreadable| told(unreadable.why))?;
    if !rest.is_empty() {
        return Err(told("more stands behind the move.".to_owned()));
    }
    let written = game.write_move(ply);
    game.play(ply).map_err(|illegal| told(illegal.why))?;
    Ok(written)
}

/// Reads the first game of a text. It ignores tags, comments, variations and judgements.
pub(super) fn read(text: &str) -> Result<Transcribed, String> {
    if text.lines().any(|line| line.starts_with("[FEN ")) {
        return Err("it begins with another position than the usual one".to_owned());
    }
    let (mut game, mut plies, mut resigned) = (first()?, Vec::new(), None);
    for word in moves(text).split_whitespace() {
        // Remove the number from `12.e4`, `12.` and `12`, but keep 0-0, which is castling.
        let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = unnumbered.is_empty() || unnumbered.starts_with('.');
        let word = if is_numbered { unnumbered.trim_start_matches('.') } else { word };
        if RESULTS.contains(&word) {
            // If a side lost although the game is not over on the board, record that it resigned.
            let loser = match word {
                "1-0" => Some(Seat::Second),
                "0-1" => Some(Seat::First),
                _ => None,
            };
            resigned = loser.filter(|_| game.outcome().is_none());
            break;
        }
        if !word.is_empty() && !word.starts_with('$') {
            plies.push(play(&mut game, word)?);
        }
    }
    if plies.is_empty() {
        return Err("there is no move in it".to_owned());
    }
    Ok(Transcribed { plies, resigned })
}

/// The text without tags, comments and variations.
fn moves(text: &str) -> String {
    let (mut moves, mut depth, mut comment) = (String::new(), 0_u32, false);
    for line in text.lines().filter(|line| !line.starts_with(['[', '%'])) {
        for c in line.split(';').next().unwrap_or_default().chars() {
            match c {
                '{' => comment = true,
                '}' => comment = false,
                _ if comment => {}
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ if depth == 0 => moves.push(c),
                _ => {}
            }
        }
        moves.push('\n');
    }
    moves
}
