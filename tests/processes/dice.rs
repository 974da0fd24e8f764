//! `turnpost dice` and the Python of `docs/dice.md` compute the rolls of records again.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use turnpost::dice::{Dice, Secret};
use turnpost::ids::BoardId;
use turnpost_games::{Setup, registry};

use crate::support::host::{Host, finish, start};

const AT: &str = "2026-11-16T09:00:00Z";
/// The salts of both seats.
const FIRST: &str = "77103cb5a245c0b003159ec6f2170056";
const SECOND: &str = "47e7840a980ac198a859515ce61f5371";

/// The record of a game of Pig in which both roll whenever they can, until the second side resigns; and its rolls.
fn record(board: u32) -> (String, usize) {
    let mut table = (registry::find("pig").unwrap().start)(&Setup { options: &[], seed: 0 }).unwrap();
    let position = table.position();
    let secret = Secret::of_board(&[3; 32], BoardId(board), &[4; 32]);
    let (hash, told) = (secret.hash(), secret.write());
    let dice = Dice { secret, board: BoardId(board), salts: vec![FIRST.to_owned(), SECOND.to_owned()] };
    let mut text = format!(
        "Turnpost game record 1\nboard: {board}\ngame: pig\nplayers: ann (white) v bob (black)\n\
         started: {AT} by first\ndice: {hash}\nset-up: options\nposition: {position}\n\n\
         * dice first by first at {AT} \"salt {FIRST}\"\n* dice server by server at {AT} \"hash {hash}\"\n\
         * dice second by second at {AT} \"salt {SECOND}\"\n"
    );
    let (mut rolls, mut ply) = (0, 0);
    while table.ended().is_none() && rolls < 600 {
        ply += 1;
        let played = match table.chance() {
            Some(chance) => {
                rolls += 1;
                table.play_chance(dice.roll(rolls, chance).unwrap()).unwrap()
            }
            None => table.play_text(&table.copy().legal_plies()[0]).unwrap().ply,
        };
        writeln!(text, "{ply}. {played} {AT}").unwrap();
    }
    if table.ended().is_none() {
        writeln!(text, "* resignation second by second at {AT}").unwrap();
    }
    writeln!(text, "* dice server by server at {AT} \"secret {told}\"\nend").unwrap();
    // A line is at most 76 columns wide, and goes on behind a blank.
    let folded = |line: &str| match line.split_at_checked(70) {
        Some((head, rest)) => format!("{head}\n {rest}\n"),
        None => format!("{line}\n"),
    };
    (text.lines().map(folded).collect(), rolls as usize)
}

#[test]
fn the_program_and_the_python_of_the_docs_agree_on_ten_thousand_rolls() {
    let host = Host::new();
    let doc = include_str!("../../docs/dice.md");
    let (_, python) = doc.split_once("```python\n").unwrap();
    let (python, _) = python.split_once("```").unwrap();
    let by_python = |record: &str| {
        let mut command = Command::new("python3");
        command.args(["-c", python]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        finish(start(command, record.as_bytes())).ok().to_owned()
    };
    let mut rolls = 0;
    for board in 1.. {
        let (record, more) = record(board);
        rolls += more;
        let says = format!("{more} of {more} rolls follow from their secrets\n");
        assert_eq!(by_python(&record), says);
        let ran = host.run(&["dice", "-"], record.as_bytes());
        assert!(ran.ok().starts_with(&format!("{more} rolls follow from the secret")), "{}", ran.ok());
        if rolls >= 10_000 {
            break;
        }
    }
    let (record, _) = record(7);
    let (before, roll, after) = {
        let at = record.find("\n2. ").unwrap() + 4;
        (&record[..at], &record[at..=at], &record[at + 1..])
    };
    let forged = format!("{before}{}{after}", if roll == "6" { "5" } else { "6" });
    for (what, forged) in [
        ("a roll", forged),
        ("a word", record.replace("salt 47e7", "salt 57e7")),
        ("the board", record.replace("board: 7", "board: 8")),
    ] {
        assert!(by_python(&forged).starts_with("FORGED: roll "), "{what}");
        let ran = host.run(&["dice", "-"], forged.as_bytes());
        assert_eq!(ran.code, Some(1), "{what}: {}", ran.err);
    }
}
