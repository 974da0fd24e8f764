//! Engines of the host's as its players and pages show them. `tests/engines` plays with real ones.

use crate::support::Stage;
use crate::support::pages::{At, get};
use turnpost::config::Config;
use turnpost::data_dir::DATABASE;
use turnpost::mail::Operator;

#[test]
fn an_engine_is_shown_as_a_program_and_its_failure_to_the_operator() {
    let engines =
        "[robot.engines.deaf]\ngame = 'hex'\nprotocol = 'gtp'\ncommand = ['true']\nlevels = [{}, {}]\n";
    let Config { robot, .. } = toml::from_str(engines).unwrap();
    let mut stage = Stage::with(|config| config.robot.engines = robot.engines).peopled();
    assert_eq!(stage.app.robot.engines.seat(&stage.store).unwrap(), None);
    for (line, said) in [
        ("who deaf-2", "deaf-2 is the program deaf at level 2."),
        ("who", "The program deaf plays Hex, unrated: deaf-1 and deaf-2."),
        ("hex challenge ann deaf-2", "It is ann's move"),
        ("hex move 1 ann - f6", "deaf-2 thinks about its move"),
        ("hex propose 1 ann -", "deaf-2 agrees to no draws"),
        ("hex nudge 1 ann -", "deaf-2 is a program"),
        ("signup deaf-2 plover-42 x@example.org", "The name deaf-2 is taken."),
    ] {
        let answer = stage.submit(Operator::AsAnyone, line).0;
        assert!(answer.contains(said), "{line}: {answer}");
    }
    stage.think();
    let mails = stage.post();
    assert!(mails.iter().any(|mail| mail.subject == "deaf-2 does not play on board 1"), "{mails:?}");
    let page = get(At::database(&stage.folder.path().join(DATABASE)), "/players/deaf-2").text();
    assert!(page.contains("A program. Games against it are not rated."), "{page}");
}
