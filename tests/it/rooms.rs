//! The rooms of `src` import downward only, in the order of the list below.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use turnpost_games::{GameKind, registry};

use crate::support::files_below;

/// The rooms from top to bottom. A room imports from lower floors, never from its own.
const FLOORS: &[&[&str]] = &[
    &["cli"],
    &["server"],
    &["copies"],
    &["data_dir"],
    &["error"],
    &["config"],
    &["web"],
    &["pipeline"],
    &["delivery"],
    &["app"],
    &["compose"],
    &["timer", "letter"],
    &["meaning"],
    &["commands"],
    &["play"],
    &["notices"],
    &["contest"],
    &["credentials", "board"],
    &["failure"],
    &["language"],
    &["dice", "push"],
    &["store", "mail"],
    &["clock", "connections", "ids", "picture", "private_files", "settings", "zone"],
];

/// Names that several types share on purpose: what each game calls its own, what the robot's search and the pages call
/// theirs beside the server's, and a command's arguments beside what the command makes.
const SHARED_NAMES: &[&str] = &[
    "Answer", "Board", "Cell", "Chance", "Choice", "Entry", "Limits", "Move", "Piece", "Ply", "Record",
    "Setting", "Space", "Tutorial",
];

/// A type name means one thing in the server, the games and the robot.
#[test]
fn a_type_name_means_one_thing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates/games/src", "crates/robot/src"].map(|folder| files(&root.join(folder)));
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in folders.into_iter().flatten() {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let words: Vec<&str> =
                line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let kind = words.iter().position(|word| matches!(*word, "struct" | "enum"));
            let starts = ["struct ", "enum ", "pub struct ", "pub enum ", "pub("];
            if let Some(name) = kind.and_then(|at| words.get(at + 1))
                && starts.iter().any(|start| line.trim_start().starts_with(start))
            {
                defined.entry((*name).to_owned()).or_default().push(file.display().to_string());
            }
        }
    }
    assert!(defined.len() > 500, "only {} types were found", defined.len());
    let shared =
        |(name, files): &(&String, &Vec<String>)| files.len() > 1 && !SHARED_NAMES.contains(&name.as_str());
    assert_eq!(defined.iter().filter(shared).collect::<Vec<_>>(), []);
    for name in SHARED_NAMES {
        assert!(defined.get(*name).is_some_and(|files| files.len() > 1), "{name} is shared no more");
    }
}

/// What may name games beside their own files: the two registries with their front pages, samples of templates, and tests.
const NAMES_GAMES: &[&str] = &[
    "crates/games/src/lib.rs",
    "crates/games/src/registry.rs",
    "crates/robot/src/engine/words.rs",
    "crates/robot/src/hints.rs",
    "crates/robot/src/lib.rs",
    "crates/robot/src/limits.rs",
    "crates/robot/src/robot.rs",
    "src/commands/tests.rs",
    "src/compose/samples.json",
    // The word `go` of UCI.
    "src/cli/robot/uci.rs",
    "src/play/robot/engines.rs",
    // The media type of PGN.
    "src/mail/outgoing/mod.rs",
];

/// A new game needs no line outside its files. Words of everyday language count as its name where they are quoted alone,
/// or begin a command.
#[test]
fn only_its_own_files_name_a_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "templates", "crates/games/src", "crates/robot/src"];
    let (mut looked, mut found) = (0, Vec::new());
    for (path, text) in folders.into_iter().flat_map(|folder| files_below(&root.join(folder))) {
        let path = path.strip_prefix(root).unwrap();
        if NAMES_GAMES.iter().any(|file| path == Path::new(file)) {
            continue;
        }
        looked += 1;
        let text = String::from_utf8(text).unwrap().to_lowercase();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let is_own = |game: &GameKind| {
            path.iter().any(|part| Path::new(part).file_stem().is_some_and(|stem| stem == game.key))
        };
        for game in registry::games().iter().filter(|game| !is_own(game)) {
            let names = |line: &str| match game.key.len() {
                ..=4 => {
                    line.contains(&format!("\"{}\"", game.key)) || line.contains(&format!("`{} ", game.key))
                }
                _ => line
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|word| word == game.key || word == game.name.to_lowercase()),
            };
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//") && names(line));
            found.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }
    assert!(looked > 300, "{looked} files were looked at");
    assert_eq!(found, [""; 0]);
}

#[test]
fn imports_point_down() {
    let mut arrows = BTreeSet::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in files(&source) {
        let room = room(file.strip_prefix(&source).unwrap());
        // The two roots name every room.
        if room == "main" || room == "lib" {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for target in imported(&text).into_iter().filter(|target| *target != room) {
            assert!(floor(&room) < floor(&target), "{}: {room} must not import {target}", file.display());
            arrows.insert((room.clone(), target));
        }
    }
    assert!(arrows.len() > 20, "only {} arrows were found", arrows.len());
}

/// Within a room files import each other in one direction too: a file that is reached from one of its own imports would
/// have to be read together with it.
#[test]
fn files_of_a_room_import_without_circles() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut looked_at, mut circles) = (0, Vec::new());
    let rooms = FLOORS.iter().flat_map(|floor| floor.iter()).filter(|room| source.join(room).is_dir());
    for room in rooms {
        let folder = source.join(room);
        let modules: BTreeSet<String> = files(&folder).iter().map(|file| module(&folder, file)).collect();
        let mut arrows: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
        for file in files(&folder) {
            let text = std::fs::read_to_string(&file).unwrap();
            let from = modules.get(&module(&folder, &file)).unwrap();
            let targets = paths(&text).into_iter().filter_map(|path| absolute(&path, room, from));
            let reached = targets.filter_map(|path| owner(&path, &modules));
            arrows.entry(from).or_default().extend(reached.filter(|target| *target != from));
        }
        for from in arrows.keys() {
            let mut next: Vec<&String> = arrows[from].iter().copied().collect();
            let mut seen = BTreeSet::new();
            while let Some(at) = next.pop() {
                if at == *from {
                    circles.push(format!("{room}: {from} is reached from its own imports, through {seen:?}"));
                    break;
                }
                if seen.insert(at) {
                    next.extend(arrows.get(at).into_iter().flatten());
                }
            }
        }
        looked_at += arrows.len();
    }
    assert_eq!(circles, [""; 0]);
    assert!(looked_at > 200, "only {looked_at} files were found");
}

/// A file as a path of modules below its room: `html::style`, or nothing for the room's own `mod.rs`.
fn module(room: &Path, file: &Path) -> String {
    let path = file.strip_prefix(room).unwrap().with_extension("");
    let names: Vec<&str> =
        path.iter().map(|name| name.to_str().unwrap()).filter(|name| *name != "mod").collect();
    names.join("::")
}

/// Every path behind a `use` outside tests, one a name.
fn paths(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for statement in code.split("\nuse ").skip(1) {
        flatten("", statement.split(';').next().unwrap(), &mut found);
    }
    found
}

/// `a::{b, c::d}` as `a::b` and `a::c::d`.
fn flatten(before: &str, tree: &str, found: &mut Vec<String>) {
    let Some((head, group)) = tree.split_once('{') else {
        found.push(format!("{before}{}", tree.trim()));
        return;
    };
    let head = format!("{before}{}", head.trim());
    let (mut depth, mut begins) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let part = group[begins..at].trim();
                if !part.is_empty() {
                    flatten(&head, part, found);
                }
                begins = at + 1;
            }
            _ => {}
        }
    }
}

/// A path of `use` below the room, without `crate::ROOM`, `super` and `self`; `None` where it leads elsewhere.
fn absolute(path: &str, room: &str, from: &str) -> Option<String> {
    if let Some(rest) = path.strip_prefix(&format!("crate::{room}::")) {
        return Some(rest.to_owned());
    }
    let mut here: Vec<&str> = from.split("::").filter(|name| !name.is_empty()).collect();
    let mut rest = path;
    while let Some(up) = rest.strip_prefix("super::") {
        here.pop()?;
        rest = up;
    }
    (rest != path).then(|| here.into_iter().chain([rest]).collect::<Vec<_>>().join("::"))
}

/// The file in which a path of the room lies: the longest module that begins it. What a `mod.rs` exports is its own.
fn owner<'m>(path: &str, modules: &'m BTreeSet<String>) -> Option<&'m String> {
    let names: Vec<&str> = path.split("::").collect();
    (1..=names.len()).rev().find_map(|count| modules.get(&names[..count].join("::")))
}

#[test]
fn every_form_of_import_is_read() {
    let text = "use crate::ids::Ply;\nuse crate::{\n    mail::clean,\n    store,\n    zone::{self, find},\n};\n\
                // use crate::cli;\n/// [`crate::web`]\nlet now = crate::clock::now();\n";
    let found: Vec<String> = imported(text).into_iter().collect();
    assert_eq!(found, ["clock", "ids", "mail", "store", "zone"]);
}

fn floor(room: &str) -> usize {
    FLOORS.iter().position(|floor| floor.contains(&room)).unwrap_or_else(|| panic!("{room} has no floor"))
}

/// The first part of a file's path below `src`: `mail` for `mail/letter.rs`, `config` for `config.rs`.
fn room(path: &Path) -> String {
    path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The rooms that stand behind `crate::` in the code, one by one or in braces.
fn imported(text: &str) -> BTreeSet<String> {
    imported_from("crate::", text)
}

/// The same behind another beginning.
fn imported_from(beginning: &str, text: &str) -> BTreeSet<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: Vec<&str> = text.lines().filter(is_code).collect();
    let mut found = BTreeSet::new();
    for rest in code.join("\n").split(beginning).skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => found.extend(heads(group)),
            None => found.extend([head(rest)]),
        }
    }
    found.remove("");
    found
}

/// The first name of each path in a group, up to the brace that closes it.
fn heads(group: &str) -> Vec<String> {
    let (mut depth, mut begins, mut found) = (0, true, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            c if begins && !c.is_whitespace() => {
                found.push(head(&group[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    found
}

fn head(path: &str) -> String {
    path.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()
}
