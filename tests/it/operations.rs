//! Every command that the pages for hosts name is one of the program's.

use std::path::Path;

use clap::{Arg, Command, CommandFactory};

/// Commands that the pages name before the program has them.
const TO_COME: &[&str] = &["admin export"];

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
    let root = turnpost::cli::Cli::command();
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
    let (mut named, mut to_come) = (0, Vec::new());
    for page in ["operations.md", "hosting.md", "mail-servers.md", "security.md"] {
        for line in commands(&std::fs::read_to_string(docs.join(page)).unwrap()) {
            named += 1;
            if let Some(unknown) = unknown(&line) {
                assert!(
                    TO_COME.contains(&unknown.as_str()),
                    "{page}: `{line}`: there is no `turnpost {unknown}`"
                );
                to_come.push(unknown);
            }
        }
    }
    assert!(named > 60, "only {named} commands were found");
    for command in TO_COME {
        assert!(
            to_come.iter().any(|found| found == command),
            "`turnpost {command}` is there: take it from the list"
        );
    }
}
