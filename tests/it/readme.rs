//! What the README and `docs` show is what there is.

use std::path::Path;

use crate::support::host::Host;
use turnpost::command::table::entries;
use turnpost::config::Config;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page of `docs`, below each other.
fn pages() -> String {
    let mut files = vec![root().join("README.md")];
    files.extend(std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// The fenced blocks behind a comment `<!-- from FILE -->` or `<!-- config -->`, with what the comment says.
fn blocks(pages: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    for piece in pages.split("<!-- ").skip(1) {
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
    assert_eq!(blocks.len(), 17);
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
    for entry in entries() {
        assert!(pages.contains(&format!("`{}`", entry.word)), "{}", entry.word);
    }
}
