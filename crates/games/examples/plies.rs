//! Prints the legal plies of positions, or the casts that can fall there. A program compares them with those of another
//! engine.
//!
//! A line of input is `WORD [options] | PLY PLY ...`. The answer is `LEGAL LEGAL ... | STATE` with the state `going`,
//! `first`, `second` or `tie`, or `! WHY` if a ply cannot be played.

use std::io::{BufRead, Write};

use turnpost_games::{Chance, Seat, Setup, Table, read_option, registry};

type Answer<T> = Result<T, Box<dyn std::error::Error>>;

fn start(head: &str) -> Answer<Box<dyn Table>> {
    let mut words = head.split_whitespace();
    let game = words.next().and_then(registry::find).ok_or("no such game")?;
    let options: Vec<_> = words.map(read_option).collect();
    Ok((game.start)(&Setup { options: &options, seed: 0 })?)
}

fn play(table: &mut dyn Table, plies: &str) -> Answer<()> {
    for ply in plies.split_whitespace() {
        if table.chance().is_some() {
            table.replay(ply)?;
        } else {
            table.play_text(ply)?;
        }
    }
    Ok(())
}

fn state(table: &dyn Table) -> &'static str {
    match table.ended().map(|outcome| outcome.winner) {
        None => "going",
        Some(None) => "tie",
        Some(Some(Seat::First)) => "first",
        Some(Some(Seat::Second)) => "second",
    }
}

fn main() -> Answer<()> {
    let mut last: Option<(String, Box<dyn Table>)> = None;
    let mut answers = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        // A game gets one more ply in each line, so only the new ply is played.
        let answer = match last.take() {
            Some((before, mut table)) if line.starts_with(&before) => {
                play(table.as_mut(), &line[before.len()..]).map(|()| table)
            }
            _ => line.split_once('|').ok_or_else(|| "no | in the line".into()).and_then(|(head, plies)| {
                let mut table = start(head)?;
                play(table.as_mut(), plies).map(|()| table)
            }),
        };
        match answer {
            Ok(table) => {
                let casts = table.chance().into_iter().flat_map(Chance::casts).map(|cast| cast.to_string());
                let plies: Vec<String> = table.legal_plies().into_iter().chain(casts).collect();
                writeln!(answers, "{} | {}", plies.join(" "), state(table.as_ref()))?;
                last = Some((format!("{line} "), table));
            }
            Err(why) => writeln!(answers, "! {why}")?,
        }
        answers.flush()?;
    }
    Ok(())
}
