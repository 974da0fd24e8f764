//! Games that others recorded, read and written again. `TURNPOST_RECORDS` names a folder with a folder for each game, in
//! which a file ends with the name of its format. `data/public-records.txt` has their numbers.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use turnpost_games::registry;

const COUNTS: &str = include_str!("data/public-records.txt");

#[test]
fn public_records_are_read_and_written_again() {
    let folder =
        PathBuf::from(std::env::var_os("TURNPOST_RECORDS").expect("TURNPOST_RECORDS names a folder"));
    let mut found = BTreeMap::new();
    for kind in registry::games().iter().filter(|kind| folder.join(kind.key).is_dir()) {
        let [mut read, mut drawn, mut refused] = [0; 3];
        let mut files: Vec<_> =
            folder.join(kind.key).read_dir().unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        for path in files {
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            let Some(notation) = kind.notations.iter().find(|notation| notation.name == ending) else {
                continue;
            };
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).replace("\r\n", "\n");
            // A faulty game of a file of tags does not hide the others.
            for (at, part) in text.split("[Event ").enumerate().filter(|(_, part)| !part.trim().is_empty()) {
                let part = if at == 0 { part.to_owned() } else { format!("[Event {part}") };
                match (notation.read)(kind, &part) {
                    Ok(games) => {
                        for game in games {
                            let is_drawn = game.end.is_some_and(|end| end.winner.is_none());
                            (read, drawn) = (read + 1, drawn + i32::from(is_drawn));
                            let again =
                                (notation.read)(kind, &(notation.write)(kind, &game).unwrap()).unwrap();
                            assert_eq!(again, [game], "{}", path.display());
                        }
                    }
                    Err(why) => {
                        refused += 1;
                        println!("{}: {why}", path.display());
                    }
                }
            }
        }
        found.insert(kind.key, format!("{read} read, {drawn} of them drawn, {refused} refused"));
    }
    let counts: BTreeMap<&str, String> = COUNTS
        .lines()
        .skip(3)
        .filter_map(|line| line.split_once(": "))
        .map(|(game, count)| (game, count.to_owned()))
        .collect();
    assert_eq!(found, counts);
}
