//! Every command that the pages for hosts and the units name is one of the program's.

use std::fs;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use crate::support::host::Host;

/// The command lines in backquotes, and those that stand alone.
fn commands(page: &str) -> Vec<String> {
    let text = page.lines().map(str::trim_start).collect::<Vec<_>>().join(" ");
    let quoted = text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let alone = page.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned);
    let all = alone.chain(quoted).map(|line| line.trim_start_matches("sudo -u _turnpost ").to_owned());
    all.filter(|line| line.starts_with("turnpost ") && !line.contains('…')).collect()
}

/// What a command line says that its command does not know: its path, and the option if it is one.
fn unknown(line: &str) -> Option<String> {
    let mut root = turnpost::cli::Cli::command();
    // Those of clap itself too.
    root.build();
    let globals = ["--data", "--config"];
    let (mut command, mut path): (&Command, Vec<&str>) = (&root, Vec::new());
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            return None;
        } else if globals.contains(&word) {
            words.next();
        } else if let Some(option) = word.strip_prefix("--") {
            let known = command.get_arguments().any(|argument| argument.get_long() == Some(option));
            // What stands behind `submit` is a player's.
            if !known && command.get_positionals().any(Arg::is_trailing_var_arg_set) {
                return None;
            }
            if !known {
                return Some([path.as_slice(), &[word]].concat().join(" "));
            }
        } else if command.has_subcommands() {
            path.push(word);
            match command.find_subcommand(word) {
                Some(found) => command = found,
                None => return Some(path.join(" ")),
            }
        }
    }
    None
}

#[test]
fn every_command_of_the_pages_for_hosts_is_known() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut named = 0;
    for page in ["operations.md", "hosting.md", "mail-servers.md", "security.md"] {
        for line in commands(&fs::read_to_string(docs.join(page)).unwrap()) {
            named += 1;
            if let Some(unknown) = unknown(&line) {
                panic!("{page}: `{line}`: there is no `turnpost {unknown}`");
            }
        }
    }
    assert!(named > 60, "only {named} commands were found");
}

#[test]
fn the_units_call_commands_that_there_are() {
    let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    let mut units = 0;
    for entry in fs::read_dir(&packaging).unwrap() {
        let path = entry.unwrap().path();
        let text = match path.extension().and_then(|end| end.to_str()) {
            Some("service") => fs::read_to_string(&path).unwrap(),
            Some("timer") => {
                assert!(path.with_extension("service").exists(), "{}", path.display());
                continue;
            }
            _ => continue,
        };
        let (_, line) = text.split_once("\nExecStart=/usr/bin/turnpost ").unwrap();
        let arguments = line.lines().next().unwrap().split(' ').chain(["--help"]).collect::<Vec<_>>();
        Host::new().run(&arguments, b"").ok();
        units += 1;
    }
    assert!(units >= 4);
}

/// `.ci/package` runs them all; here a missing option is found at once.
#[test]
fn every_line_of_the_page_for_bad_days_can_be_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut handbook = std::process::Command::new(root.join(".ci/handbook"));
    let printed = handbook.arg("docs/operations.md").current_dir(root).output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().filter(|line| line.contains(" turnpost ")).collect();
    assert!(lines.len() > 40, "{printed}");
    for line in lines {
        let pieces = line.split('"').enumerate();
        let words = pieces.flat_map(|(n, piece)| match n % 2 {
            1 => vec![piece],
            _ => piece.split_whitespace().collect(),
        });
        let words = words.skip_while(|word| *word != "turnpost");
        if let Err(why) = turnpost::cli::Cli::command().try_get_matches_from(words) {
            assert_eq!(why.exit_code(), 0, "{line}: {why}");
        }
    }
}
