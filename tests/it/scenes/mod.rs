//! Scenes of `tests/scenes`: what players do one after the other, and the sentences that come of it.
//!
//! A scene begins with `== TITLE` and a server on which ann and bob have accounts. A line at the margin happens, an
//! indented one must hold of what happened last; `scene.rs` lists both. `each NAME | NAME` repeats the lines down to `of`
//! with each row from there down to `done` in place of the names, and the number of the row for `ROW`. At the head of a
//! file `$NAME = WORDS` abbreviates. At the end of each scene `admin verify` finds nothing wrong.
//!
//! `TURNPOST_SCENE=WORDS` plays only the scenes that hold these words.

mod host;
mod scene;

use std::path::Path;

use crate::data::decoded;
use scene::Scene;

pub use scene::phone_reply;

/// Plays the scenes of a file, and says what does not hold in it.
fn play(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes").join(format!("{name}.txt"));
    let file = std::fs::read_to_string(path).unwrap();
    let only = std::env::var("TURNPOST_SCENE").unwrap_or_default();
    let (head, _) = file.split_once("\n== ").unwrap();
    let short = head.lines().filter_map(|line| line.strip_prefix('$')?.split_once(" = "));
    let file = short.fold(file.clone(), |file, (name, words)| file.replace(&format!("${name}"), words));
    let mut wrong = Vec::new();
    for scene in file.split("\n== ").skip(1).filter(|scene| scene.contains(&only)) {
        let (title, text) = scene.split_once('\n').unwrap();
        let kinds: &[bool] = match text.lines().next().unwrap_or_default() {
            "extensions off" => &[false],
            "extensions on and off" => &[true, false],
            _ => &[true],
        };
        for extensions in kinds {
            if let Err(why) = play_scene(&repeated(text), *extensions) {
                wrong.push(format!("{name}: {title}\n    {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A scene with the lines that are said for each row of a table.
fn repeated(text: &str) -> String {
    let Some((before, rest)) =
        text.split_once("each ").filter(|(before, _)| before.ends_with('\n') || before.is_empty())
    else {
        return text.to_owned();
    };
    let (names, rest) = rest.split_once('\n').unwrap();
    let (lines, rest) = rest.split_once("\nof\n").unwrap_or_else(|| panic!("no rows: {text}"));
    let (rows, behind) = rest.split_once("\ndone\n").unwrap_or((rest, ""));
    let names: Vec<&str> = names.split(" | ").collect();
    let mut all = before.to_owned();
    for (number, row) in rows.lines().filter(|row| !row.is_empty() && !row.starts_with('#')).enumerate() {
        let values: Vec<&str> = row.split(" | ").collect();
        assert_eq!(values.len(), names.len(), "{row}");
        let pairs = names.iter().zip(values);
        let lines = lines.replace("ROW", &number.to_string());
        all += &pairs.fold(lines, |lines, (name, value)| lines.replace(name, value));
        all.push('\n');
    }
    all + &repeated(behind)
}

fn play_scene(text: &str, extensions: bool) -> Result<(), String> {
    let mut scene = Scene::new(extensions);
    let mut lines = text.lines().peekable();
    let mut happened = "";
    while let Some(line) = lines.next() {
        if line.is_empty() || line.starts_with('#') || line.starts_with("extensions ") {
            continue;
        }
        if let Some(expected) = line.strip_prefix("  ") {
            if !scene.holds(expected) {
                return Err(format!("after {happened}\n    does not hold: {expected}\n{}", scene.told()));
            }
            continue;
        }
        happened = line;
        let mut below = Vec::new();
        while let Some(line) = lines.peek().and_then(|line| line.trim_start().strip_prefix('|')) {
            below.push(decoded(line.strip_prefix(' ').unwrap_or(line)));
            lines.next();
        }
        scene.happens(line, &below.join("\n")).map_err(|why| format!("{line}: {why}"))?;
    }
    let wrong = scene.stage.wrong();
    if wrong.is_empty() || scene.is_damaged { Ok(()) } else { Err(format!("{wrong:?}")) }
}

/// A test for each file.
macro_rules! scenes {
    ($($name:ident)*) => {
        $(#[test] fn $name() { play(stringify!($name)); })*

        #[test]
        fn every_file_of_scenes_is_played() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
            let mut found: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            found.sort_unstable();
            assert_eq!(found, [$(concat!(stringify!($name), ".txt")),*]);
        }
    };
}

scenes! { addresses clocks corners first_ten_minutes greetings hexmeister host_acts replies reply_purposes squatting tutorial }
