//! The rooms of `src` import downward only, in the order of the list below.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rooms from top to bottom. A room imports from lower floors, never from its own.
const FLOORS: &[&[&str]] = &[
    &["cli"],
    &["server"],
    &["data_dir"],
    &["error"],
    &["config"],
    &["web"],
    &["pipeline"],
    &["delivery"],
    &["app"],
    &["reply"],
    &["service"],
    &["command"],
    &["store", "mail"],
    &["clock", "ids", "picture", "private_files", "zone"],
];

/// Pages and pictures show every game of the registry, so a new one needs no line there.
#[test]
fn no_page_or_picture_knows_a_game_by_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut looked = files(&root.join("src/mail/outgoing"));
    looked.extend(["src/picture.rs", "src/delivery.rs"].map(|file| root.join(file)));
    for folder in ["src/web", "templates/web"] {
        looked.extend(std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    assert!(looked.len() > 30, "{looked:?}");
    for file in looked.iter().filter(|file| file.extension() != Some("json".as_ref())) {
        let text = std::fs::read_to_string(file).unwrap().to_lowercase();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for game in turnpost_games::registry::GAMES {
            let names = |line: &&str| !line.trim_start().starts_with("//") && line.contains(game.key);
            assert_eq!(code.lines().find(names), None, "{}", file.display());
        }
    }
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
fn files_of_the_service_import_without_circles() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/service");
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files(&source) {
        let part = room(file.strip_prefix(&source).unwrap());
        // What `mod.rs` names and exports it does not use.
        if part == "mod" {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap().replace("crate::service::", "service::");
        let parts = imported_from("service::", &text).into_iter().filter(|target| *target != part);
        arrows.entry(part.clone()).or_default().extend(parts);
    }
    for part in arrows.keys() {
        let mut reached: Vec<&String> = arrows[part].iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(next) = reached.pop() {
            assert!(next != part, "{part}.rs is reached from its own imports, through {seen:?}");
            if seen.insert(next) {
                reached.extend(arrows.get(next).into_iter().flatten());
            }
        }
    }
    assert!(arrows.len() > 30, "only {} files were found", arrows.len());
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
