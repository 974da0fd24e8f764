//! The help pages and the templates they and all mails are made from.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::conversations::phone_reply;
use crate::support::host::{Host, finish, start};
use crate::support::{Stage, files_below, rounds};
use crate::zz;
use turnpost::commands::{LANGUAGE, Reading, help};
use turnpost::compose::document::Block;
use turnpost::compose::{self, HelpPicture, Templates};
use turnpost::config::Config;
use turnpost::language::Scope;
use turnpost::mail::Operator;
use turnpost::store::AccountRole;
use turnpost_games::registry;
use turnpost_games::{GameKind, Setup};

/// An example of the table as it would be sent for a game: its word, and two moves that a new board of it allows.
fn example_for(game: &GameKind, example: &str) -> String {
    let mut table = (game.start)(&Setup { options: &[], seed: 7 }).unwrap();
    let first = table.legal_plies().swap_remove(0);
    table.play_text(&first).unwrap();
    let second = table.legal_plies().first().unwrap_or(&first).clone();
    example.replace("GAME", game.key).replace("F3", &first).replace("F4", &second)
}

/// What has to have happened, beside a challenge, before a command can be carried out.
fn before(word: &str) -> &'static [&'static str] {
    match word {
        "accept" | "reject" => &["GAME propose 1 ann -"],
        "undo" => &["GAME move 1 ann - F3"],
        "confirm" => &["GAME submit 1 ann - F3"],
        "rematch" | "resume" => &["GAME resign 1 ann -"],
        "analyse" => &["GAME move 1 ann - F3", "GAME resign 1 ann -"],
        "swap" => &["GAME move 1 ann - F3"],
        "unsubscribe" => &["GAME subscribe 1 carol@example.com"],
        "reset" => &["forgot ann"],
        _ => &[],
    }
}

/// A command with the code of the last mail that held one in the place of `<code>`.
fn with_code(stage: &Stage, command: &str) -> String {
    if !command.contains("<code>") {
        return command.to_owned();
    }
    let is_code =
        |word: &&str| word.len() == 26 && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'));
    let mails = stage.left.iter().rev();
    let code = mails.flat_map(|mail| mail.text.split_whitespace()).find(is_code).unwrap();
    command.replace("<code>", code)
}

#[test]
fn what_the_details_quote_can_be_written() {
    let mut read = 0;
    for entry in LANGUAGE.entries() {
        let quoted = entry.details.split('`').skip(1).step_by(2).map(|piece| piece.replace("GAME", "dvonn"));
        for piece in quoted {
            let line = match entry.word {
                "queue" if piece.starts_with("if ") || piece.contains(", ") => {
                    format!("dvonn queue 1 ann secret {piece}")
                }
                "set" if piece.contains(' ') => {
                    format!("set ann secret {}", piece.split('|').next().unwrap())
                }
                "challenge" | "seek" if piece.starts_with('-') => {
                    let value = piece.replace("=D", "=3");
                    let value =
                        value.replace("...", &(registry::games()[0].start)(&setup()).unwrap().position());
                    match entry.word {
                        "seek" => format!("dvonn seek {value} ann secret"),
                        _ => format!("dvonn challenge {value} ann bob"),
                    }
                }
                "record" if piece.starts_with("--") => format!("dvonn record 1 {piece}"),
                _ => continue,
            };
            assert!(matches!(LANGUAGE.read_line(&line).reading, Reading::Command(_)), "{line}");
            read += 1;
        }
    }
    assert!(read >= 12, "{read} quoted pieces were read");
}

fn setup() -> Setup<'static> {
    Setup { options: &[], seed: 7 }
}

#[test]
fn every_page_can_be_asked_for_and_fits_a_mail() {
    let mut stage = Stage::with_players();
    let mut subjects: Vec<String> = help::pages().iter().map(|page| format!("help {page}")).collect();
    subjects.extend(["help".to_owned(), "help HELP mvoe".to_owned()]);
    subjects.extend(registry::games().iter().map(|game| format!("{} help", game.key)));
    for subject in subjects {
        // No address gets twenty answers within an hour.
        stage.wait(1);
        let mails = stage.mail("ann@example.org", &subject, "");
        assert_eq!(mails.len(), 1, "{subject}");
        assert!(mails[0].text.lines().count() > 5, "{subject}\n{}", mails[0].text);
        let letter = &stage.store.letters(1).unwrap()[0];
        assert_eq!((letter.tally.done, letter.tally.refused), (1, 0), "{subject}");
    }
}

#[test]
fn every_game_has_pictures_of_what_its_page_says() {
    let app = Config::default().app();
    for game in registry::games().iter().filter(|game| game.key != zz::KIND.key) {
        let page = compose::help::blocks(&app.templates, game.key).unwrap();
        let pictures = page.into_iter().filter_map(|block| match block {
            Block::Picture(picture) => Some(picture),
            _ => None,
        });
        let pictures: Vec<HelpPicture> = pictures.collect();
        assert!(pictures.len() >= 3, "{} has {} pictures", game.key, pictures.len());
        for picture in &pictures {
            let caption = &picture.caption;
            assert!(caption.is_ascii() && caption.ends_with('.') && caption.len() <= 160, "{caption}");
            // What cannot be reached in a game is not read.
            (game.read)(&picture.position).unwrap_or_else(|why| panic!("{picture:?}: {why}"));
            let scene = picture.scene(game).unwrap_or_else(|| panic!("a ply is not legal: {picture:?}"));
            assert_eq!(scene.last.is_some(), !picture.plies.is_empty(), "{picture:?}");
        }
        assert!(!compose::help::render(&app.templates, game.key).unwrap().contains(&pictures[0].caption));
    }
}

#[test]
fn the_list_of_commands_is_the_table_the_reader_reads_by() {
    let (page, _, _) = Stage::new().submit(Operator::Nobody, "help commands");
    for entry in LANGUAGE.entries() {
        let grammar = entry.grammar("game");
        let shown = page.replace("\n  ", " ");
        assert!(shown.lines().any(|line| line.starts_with(&format!("- {grammar}: "))), "{grammar}\n{page}");
    }
    let words: Vec<&str> = page.lines().filter(|line| line.starts_with("- game ")).collect();
    assert_eq!(words.len(), LANGUAGE.entries().filter(|entry| entry.scope == Scope::Game).count());
}

#[test]
fn every_example_is_read_and_carried_out() {
    let mut tried = HashSet::new();
    // What can be played after a roll is not known before.
    let games: Vec<_> = zz::games_to_try().into_iter().filter(|game| !game.dice).collect();
    let each = games.iter().enumerate();
    let all = each.flat_map(|game| LANGUAGE.entries().enumerate().map(move |entry| (game, entry)));
    for ((index, game), (number, entry)) in all {
        // In a plain run each command is tried with DVONN and one other game.
        let is_roll = entry.word == "roll";
        let is_chosen = game.key == "dvonn" || (index + number) % games.len() == 0 || is_roll;
        // In a game with dice a roll is between the plies of the other examples.
        if game.dice != is_roll {
            continue;
        }
        if !is_chosen && rounds(0, 1) == 0 {
            continue;
        }
        let robot = turnpost_robot::find(game.key);
        let is_of_robot = ["analyse", "hint"].contains(&entry.word);
        if entry.word == "tutorial" && game.tutorial.is_none() || is_of_robot && robot.is_none() {
            continue;
        }
        let example = example_for(game, entry.example);
        // One that names no game is the same for all.
        if !tried.insert(example.clone()) {
            continue;
        }
        let reading = LANGUAGE.read_line(example.lines().next().unwrap()).reading;
        assert!(matches!(reading, Reading::Command(_)), "{example}");
        let mut stage = Stage::new();
        if entry.word != "signup" {
            stage = Stage::with_players();
            let players = match entry.word {
                "hint" => "--unrated ann robot",
                "bot" => "--unrated ann bob",
                _ => "--swap ann bob",
            };
            let challenge = format!("{} challenge {players}", game.key);
            for command in [challenge.as_str()].iter().chain(before(entry.word)) {
                let command = example_for(game, command);
                let (answer, ends_well, mails) = stage.submit(Operator::AsAnyone, &command);
                for question in mails.iter().filter(|mail| mail.subject.starts_with("Watch ")) {
                    stage.receive(&phone_reply(question, "yes", 1));
                }
                assert!(ends_well, "{command}\n{answer}");
            }
        }
        if entry.word == "nudge" {
            // It comes a day after the move it asks for.
            stage.wait(25);
        }
        if ["signin", "bot"].contains(&entry.word) {
            stage.app.pages = Some("https://play.turnpost.example".to_owned());
        }
        if entry.word == "analyse" {
            // Whoever gives commands on the machine itself sees what is made already.
            stage.submit(Operator::As("ann".parse().unwrap()), &entry.example.replace("GAME", game.key));
            stage.think();
        }
        if entry.word == "broadcast" {
            let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap();
            stage.store.set_role(ann.id, AccountRole::Organiser).unwrap();
        }
        let example = with_code(&stage, &example.replace("TOKEN", "<code>"));
        let (answer, ends_well, _) = stage.submit(Operator::Nobody, &example);
        assert!(ends_well, "{example}\n{answer}");
    }
}

/// Whoever follows the tutorial word for word has played a game.
#[test]
fn the_tutorial_can_be_followed() {
    let (page, _, _) = Stage::new().submit(Operator::Nobody, "help tutorial");
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert_eq!(commands, ["signup ann plover-42", "tutorial", "dvonn challenge ann bob"], "{page}");
    assert!(page.lines().count() <= 33, "a stranger gets seven lines more: {page}");
    let mut stage = Stage::new();
    stage.sign_up("bob@example.net", "bob", "dunlin-7");
    for command in commands {
        let mails = stage.mail("ann@example.org", command, "");
        stage.confirm(&mails);
        let letter = &stage.store.letters(1).unwrap()[0];
        assert_eq!(letter.tally.done, 1, "{command}\n{:?}", mails.first().map(|mail| &mail.text));
    }
    let (boards, _, _) = stage.submit(Operator::Nobody, "dvonn games ann");
    assert!(boards.contains("ann v robot-1") && boards.contains("ann v bob"), "{boards}");
}

fn templates() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let name = |path: PathBuf| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = files_below(&root).into_iter().map(|(path, _)| name(path)).collect();
    names.sort();
    names
}

#[test]
fn every_template_is_built_in() {
    let mut built_in: Vec<&str> = Templates::names().collect();
    built_in.sort_unstable();
    assert_eq!(built_in, templates());
    for game in registry::games().iter().filter(|game| game.key != zz::KIND.key) {
        assert!(built_in.contains(&format!("help/{}.md", game.key).as_str()), "{}", game.key);
    }
}

#[test]
fn a_host_has_words_of_its_own() {
    let host = Host::new();
    let folder: PathBuf = host.data().join("texts");
    std::fs::create_dir_all(folder.join("help")).unwrap();
    std::fs::write(folder.join("footer.md"), "\n---\n\nThe club of {{ name }}, {{ operator }}\n").unwrap();
    std::fs::write(folder.join("help/tutorial.md"), "Come on Fridays.\n").unwrap();
    std::fs::write(folder.join("stranger.md"), "Subject: {{ name }}: aide\n\nBonjour.\n").unwrap();
    let run = |arguments: &[&str], input: &[u8]| {
        let mut command = host.command(arguments);
        command.env("TURNPOST_TEMPLATES", &folder);
        finish(start(command, input))
    };
    assert_eq!(run(&["submit", "help", "tutorial"], b"").ok(), "Come on Fridays.\n");
    run(&["receive"], &crate::support::letter("eve@example.com", "hello", "", 1)).assert_silent(0);
    let mails = host.delivered();
    assert!(
        mails[0].text.ends_with("\n-- \nThe club of Turnpost, operator@turnpost.example\n"),
        "{}",
        mails[0].text
    );
    assert_eq!(
        (mails[0].subject.as_str(), mails[0].text.starts_with("Bonjour.\n")),
        ("Turnpost: aide", true)
    );
    // A host's mistake in a text costs nobody a mail.
    std::fs::write(folder.join("footer.md"), "{{ nmae }}\n").unwrap();
    std::fs::write(folder.join("stranger.md"), "No Subject\n").unwrap();
    run(&["receive"], &crate::support::letter("eva@example.com", "hello", "", 2)).assert_silent(0);
    let mails = host.delivered();
    assert!(mails.len() == 2 && mails[1].text.contains("operator@turnpost.example"), "{}", mails[1].text);
    assert_eq!(mails[1].subject, "Playing at Turnpost");
}
