//! The law that nothing outside a game's files knows it: with a made-up game in the registry every test that walks the
//! registry passes, mails have their picture, and nothing offers what the game has not.

use std::path::Path;
use std::process::Command;

use turnpost::mail::Operator;
use turnpost_games::registry;

use crate::support::{ANN, BOB, Stage};
use crate::zz;

/// Set for the process in which the made-up game is in the registry.
const WITH_ZZ: &str = "TURNPOST_WITH_ZZ";

/// Runs first, by its name and by that of its module, in the process that has one thread.
#[test]
fn a_game_is_made_up() {
    if std::env::var_os(WITH_ZZ).is_some() {
        registry::make_up(&[&zz::KIND]);
    }
}

#[test]
fn every_test_that_walks_the_registry_passes_with_a_game_more() {
    if std::env::var_os(WITH_ZZ).is_some() {
        return;
    }
    let mut walking = vec!["a_made_up_game".to_owned()];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let Some(module) = file.file_stem().and_then(|stem| stem.to_str()).filter(|_| file.is_file()) else {
            continue;
        };
        let text = std::fs::read_to_string(&file).unwrap();
        for test in text.split("#[test]\n").skip(1) {
            let body = test.split("\n}\n").next().unwrap();
            let name = body.split("fn ").nth(1).unwrap().split('(').next().unwrap();
            if ["registry::games()", "for_each_game(", "games_to_try()"]
                .iter()
                .any(|walks| body.contains(walks))
            {
                walking.push(format!("{module}::{name}"));
            }
        }
    }
    assert!(walking.len() > 12, "{walking:?}");
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--test-threads=1"])
        .args(&walking)
        .env(WITH_ZZ, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
}

/// A whole game of it by mail: what its mails hold and offer.
#[test]
fn mails_have_their_picture_and_offer_what_the_game_has() {
    if std::env::var_os(WITH_ZZ).is_none() {
        return;
    }
    let mut stage = Stage::with_players();
    stage.has_viewers = true;
    let mut all = stage.mail("ann@example.org", "zz challenge -stones=40 ann bob", "");
    for number in 0..40 {
        let mut table =
            (zz::KIND.read)(&stage.store.board(turnpost::ids::BoardId(1)).unwrap().unwrap().position)
                .unwrap();
        let Some(ply) = table.legal_plies().pop() else { break };
        table.play_text(&ply).unwrap();
        let (from, login) = [("ann@example.org", ANN), ("bob@example.net", BOB)][number % 2];
        let userid = ["ann", "bob"][number % 2];
        all.extend(stage.mail(from, &format!("zz move 1 {userid} {login} {ply}"), ""));
        stage.wait(1);
    }
    let boards: Vec<_> = all.iter().filter(|mail| mail.raw().contains("multipart/related")).collect();
    assert!(boards.len() > 40, "{} of {} mails have a picture", boards.len(), all.len());
    let last = all.last().unwrap();
    assert!(last.text.contains("`rematch`") && !last.text.contains("analyse"), "{}", last.text);
    assert_eq!(stage.think(), 0, "no letter follows the game");
    for (command, says) in [
        ("zz analyse 1", "The robot does not know Zeez."),
        ("zz challenge ann robot-1", "The robot does not know Zeez."),
        ("zz tutorial", "Zeez has no tutorial. `help zz` explains it."),
        ("zz record 1 --format=sgf", "records of Zeez have one format"),
        ("help zz", "q3 drops a stone on q3"),
    ] {
        let (answer, ..) = stage.submit(Operator::As("ann".parse().unwrap()), command);
        let answer = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(answer.contains(says) && !answer.contains("challenge robot"), "{command}: {answer}");
    }
    let (page, ..) = stage.submit(Operator::Nobody, "help robot");
    assert!(!page.contains("Zeez") && page.contains("at levels 1 to"), "{page}");
}
