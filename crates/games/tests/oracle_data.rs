//! Each game against an independent engine: `data/WORD.txt` has counts, whole games, legal plies and illegal ones.
//! `tests/oracle` at the top of the project makes these files.

use std::path::Path;

use turnpost_games::{Chance, GameKind, Seat, Setup, Table, read_option, replay};

use crate::dice::rounds;
use crate::registry_laws::games;

/// The table after these plies, with options as a player writes them: `-size=5`.
fn table(kind: &GameKind, options: &str, plies: &str) -> Box<dyn Table> {
    let options: Vec<_> = options.split_whitespace().map(read_option).collect();
    let mut table = (kind.start)(&Setup { options: &options, seed: 0 }).unwrap();
    replay(&mut *table, plies.split_whitespace()).unwrap();
    table
}

fn check(kind: &GameKind, line: &str) {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let (what, options) = parts[0].split_once(' ').unwrap_or((parts[0], ""));
    match (what, &parts[1..]) {
        ("perft", []) => {
            let mut words: Vec<&str> = options.split_whitespace().collect();
            let count: u64 = words.pop().unwrap().parse().unwrap();
            let depth = words.pop().unwrap().parse().unwrap();
            if count <= rounds(20_000, 5_000_000) {
                assert_eq!(table(kind, &words.join(" "), "").perft(depth), count, "{kind:?}: {line}");
            }
        }
        ("game", [plies, result]) => {
            let ended = table(kind, options, plies).ended().map(|outcome| outcome.winner);
            let expected = match *result {
                "first" => Some(Seat::First),
                "second" => Some(Seat::Second),
                "tie" => None,
                other => panic!("{other}"),
            };
            assert_eq!(ended, Some(expected), "{kind:?}: {line}");
        }
        ("plies", [plies, legal]) => {
            let table = table(kind, options, plies);
            let casts = table.chance().into_iter().flat_map(Chance::casts).map(|cast| cast.to_string());
            let mut found: Vec<String> = table.legal_plies().into_iter().chain(casts).collect();
            found.sort();
            assert_eq!(found.join(" "), *legal, "{kind:?}: {plies}");
        }
        ("at", [legal]) => {
            let mut found = (kind.read)(options).unwrap().legal_plies();
            found.sort();
            assert_eq!(found.join(" "), *legal, "{kind:?}: {line}");
        }
        ("refused", [plies, ply]) => {
            let mut table = table(kind, options, plies);
            let before = table.position();
            assert!(table.play_text(ply).is_err(), "{kind:?}: {line}");
            assert_eq!(table.position(), before);
        }
        _ => panic!("{kind:?}: {line}"),
    }
}

#[test]
fn perft_and_games_agree_with_independent_engines() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    // These have data of their own.
    let others = ["dvonn", "hexmeister"];
    for kind in games().filter(|kind| !others.contains(&kind.key) && kind.family != "dice") {
        let file = data.join(format!("{}.txt", kind.key));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        let lines = || text.lines().filter(|line| !line.starts_with('#'));
        assert!(
            ["perft", "game", "plies"].iter().all(|what| lines().any(|line| line.starts_with(what))),
            "{kind:?}"
        );
        // A plain test takes each third of what is not a count.
        let (third, others) = (rounds(3, 1) as usize, lines().filter(|line| !line.starts_with("perft")));
        let counts = lines().filter(|line| line.starts_with("perft"));
        counts.chain(others.step_by(third)).for_each(|line| check(kind, line));
    }
}
