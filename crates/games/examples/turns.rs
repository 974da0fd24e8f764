//! Prints the legal plies of positions, each with the position that it leads to. A program compares them with those of
//! another engine. Unlike `plies`, it allows plies with blanks.
//!
//! A line of input is `GAME POSITION`. The answer is `PLY = POSITION`, separated by `; `, or `! WHY`.

use std::io::{BufRead, Write};

use turnpost_games::registry;

fn answer(line: &str) -> Result<String, Box<dyn std::error::Error>> {
    let (game, position) = line.split_once(' ').ok_or("no position in the line")?;
    let table = (registry::find(game).ok_or("no such game")?.read)(position)?;
    let mut turns = Vec::new();
    for ply in table.legal_plies() {
        let mut after = table.copy();
        after.replay(&ply)?;
        turns.push(format!("{ply} = {}", after.position()));
    }
    Ok(turns.join("; "))
}

fn main() -> std::io::Result<()> {
    let mut answers = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        writeln!(answers, "{}", answer(&line?).unwrap_or_else(|why| format!("! {why}")))?;
    }
    Ok(())
}
