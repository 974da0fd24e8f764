//! What the README and `docs` show is what there is.

use std::path::Path;

use crate::support::host::Host;
use turnpost::commands::LANGUAGE;
use turnpost::config::Config;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page of `docs`, below each other.
fn pages() -> String {
    let mut files = vec![root().join("README.md")];
    files.extend(std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    files.iter().filter(|file| file.is_file()).map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// The fenced blocks behind a comment `<!-- from FILE -->` or `<!-- config -->`, with what the comment says.
fn blocks(pages: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    // What .ci/handbook does not run has a remark too.
    for piece in pages.split("<!-- ").skip(1).filter(|piece| !piece.starts_with("not run: ")) {
        let (comment, rest) = piece.split_once(" -->\n```").unwrap_or_else(|| panic!("no block: {piece}"));
        let (_, rest) = rest.split_once('\n').unwrap();
        let (block, _) = rest.split_once("\n```").unwrap();
        blocks.push((comment, block));
    }
    blocks
}

/// The quoted-printable mails of a file as people read them.
fn readable(file: &str) -> String {
    file.replace("=\n", "").replace("=2D", "-").replace("=20", " ").replace("=3D", "=")
}

#[test]
fn the_blocks_are_parts_of_the_files_they_name() {
    let pages = pages();
    let blocks = blocks(&pages);
    assert_eq!(blocks.len(), 25);
    for (comment, block) in blocks {
        match comment.strip_prefix("from ") {
            Some(name) => {
                let file = std::fs::read_to_string(root().join(name)).unwrap();
                assert!(file.contains(block) || readable(&file).contains(block), "not in {name}:\n{block}");
            }
            None => assert_eq!(block, Config::default().print().trim_end(), "{comment}"),
        }
    }
    assert!(pages.contains(include_str!("../first-game.txt").trim_end()), "all of it");
}

#[test]
fn the_two_commands() {
    let pages = pages();
    for command in
        ["cargo run --locked -- --data \"$(mktemp -d)\" submit < tests/first-game.txt", "cargo test --locked"]
    {
        assert!(pages.contains(&format!("\n    {command}\n")), "{command}");
    }
}

#[test]
fn every_configuration_shown_is_one_and_every_command_is_known() {
    let pages = pages();
    let (mut configurations, mut commands) = (0, 0);
    for piece in pages.split("\n```toml\n").skip(1) {
        let host = Host::new();
        std::fs::write(host.data().join("turnpost.toml"), piece.split("\n```").next().unwrap()).unwrap();
        host.run(&["config"], b"").ok();
        configurations += 1;
    }
    // With `--help` behind it a command does nothing, and one that does not exist still fails.
    for line in pages.lines().filter(|line| line.starts_with("    ")) {
        let whole = || line.split_once(" /usr/bin/turnpost ");
        let Some((_, arguments)) = line.split_once(" turnpost ").or_else(whole) else { continue };
        // What stands behind `submit` is a player's command, which is read as it is.
        let options = arguments.split_once("submit ").map_or(arguments, |_| "submit");
        let quoted = options.split('"').enumerate();
        let options: String = quoted.map(|(n, part)| if n % 2 == 1 { "x" } else { part }).collect();
        let arguments: Vec<&str> = options.split(' ').chain(["--help"]).collect();
        Host::new().run(&arguments, b"").ok();
        commands += 1;
    }
    assert!(configurations > 1 && commands > 2, "{configurations} configurations, {commands} commands");
}

#[test]
fn every_key_command_and_room_is_named() {
    let pages = pages();
    let table: toml::Table = Config::default().print().parse().unwrap();
    for (key, value) in &table {
        match value.as_table() {
            None => assert!(pages.contains(&format!("| `{key}` |")), "{key}"),
            Some(section) => {
                for inner in section.keys() {
                    assert!(pages.contains(&format!("`{key}.{inner}`")), "{key}.{inner}");
                }
            }
        }
    }
    let host = Host::new();
    for (above, arguments) in [("turnpost", &["--help"][..]), ("turnpost admin", &["admin", "--help"])] {
        let help = host.run(arguments, b"");
        let (_, commands) = help.ok().split_once("Commands:\n").unwrap();
        for line in commands.lines().take_while(|line| !line.is_empty()) {
            let word = line.split_whitespace().next().unwrap();
            assert!(word == "help" || pages.contains(&format!("`{above} {word}")), "{above} {word}");
        }
    }
    for entry in std::fs::read_dir(root().join("src")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(pages.contains(&format!("`{name}`")), "src/{name}");
    }
    for entry in LANGUAGE.entries() {
        assert!(pages.contains(&format!("`{}`", entry.word)), "{}", entry.word);
    }
}
