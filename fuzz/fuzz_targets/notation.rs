//! Any text as DVONN. Positions and plies that are read are written in the same way. Plies that are refused change
//! nothing. The text as a record in any format: what is read is written, and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnpost_games::dvonn::KIND;
use turnpost_games::{Setup, Table, registry};

/// A start, the first line's, or a full board.
fn start(line: &str) -> Box<dyn Table> {
    let full = [("symmetry".to_owned(), None)];
    match (KIND.read)(line) {
        Ok(table) => {
            let written = table.position();
            let again = (KIND.read)(&written).expect("what is written is read");
            assert_eq!(again.position(), written);
            table
        }
        Err(_) if line.is_empty() => (KIND.start)(&Setup { options: &[], seed: 7 }).expect("an empty board"),
        Err(_) => (KIND.start)(&Setup { options: &full, seed: 7 }).expect("a full board"),
    }
}

fuzz_target!(|text: &str| {
    let (position, plies) = text.split_once('\n').unwrap_or(("-", text));
    let mut table = start(position);
    for line in plies.lines() {
        let before = table.position();
        let mut rest = line;
        while !rest.trim().is_empty() {
            let at = table.position();
            match table.play_text(rest) {
                Ok(played) => {
                    assert!(played.rest.len() < rest.len(), "nothing was read of {rest:?}");
                    rest = played.rest;
                }
                Err(_) => {
                    assert_eq!(table.position(), at, "a refused ply changed the board");
                    break;
                }
            }
        }
        let _ = (before, table.drawing(), table.ended());
    }
    for kind in registry::games() {
        for notation in kind.notations {
            for game in (notation.read)(kind, text).unwrap_or_default() {
                if let Ok(written) = (notation.write)(kind, &game) {
                    let again = (notation.read)(kind, &written).expect("what is written is read");
                    assert_eq!(again.first().map(|again| &again.plies), Some(&game.plies), "{notation:?}");
                }
            }
        }
    }
});
