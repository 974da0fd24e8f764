//! Where two commands meet, as far as no scene tells of it (`tests/scenes/corners.txt`).

use crate::support::Stage;
use turnpost::board::Board;
use turnpost::ids::{BoardId, Which};
use turnpost::mail::Operator;

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Something a player does on the machine itself: what is printed, and whether it is done.
fn does(stage: &mut Stage, userid: &str, line: &str) -> (String, bool) {
    let (said, well, _) = stage.submit(Operator::As(userid.parse().unwrap()), line);
    (said, well)
}

#[test]
fn lists_go_on_where_they_ended() {
    let mut stage = Stage::with_players();
    let lines = "dvonn challenge ann bob\n".repeat(40);
    assert!(does(&mut stage, "ann", &lines).1);
    assert!(does(&mut stage, "ann", &lines).1);
    let (list, _) = does(&mut stage, "bob", "dvonn games ann");
    assert!(list.contains("`dvonn games ann --before=31` goes on"), "{list}");
    let (list, _) = does(&mut stage, "bob", "dvonn games ann --before=31");
    let numbers: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(numbers.contains(&"30") && numbers.contains(&"1") && !numbers.contains(&"31"), "{list}");
    assert!(!list.contains("--before"), "{list}");
    let (shown, _) = does(&mut stage, "bob", "dvonn show ann");
    assert!(shown.contains("No more than 20 boards"), "{shown}");
    let filter = turnpost::store::BoardFilter { limit: 100, which: Which::Active, ..Default::default() };
    assert_eq!(stage.store.boards(&filter).unwrap().len(), 80);
}

#[test]
fn what_is_not_read_is_said() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "", &"dvonn games ann\n".repeat(54));
    assert!(
        mails[0].text.contains("The rest of this mail was not read: a mail ends after 50 commands"),
        "{mails:?}"
    );
    // The operator's own terminal has no limit.
    let (answer, well) = does(&mut stage, "ann", &"dvonn games ann\n".repeat(54));
    assert!(well && answer.matches("DVONN games of ann").count() == 54, "{answer}");
    let (said, well) = does(&mut stage, "ann", &"who ann\n".repeat(60));
    assert!(well && said.matches("ann, here since").count() == 60, "{said}");
    let (answer, _) = does(&mut stage, "ann", &format!("{}\ndvonn games ann", "x".repeat(20_000)));
    assert!(answer.starts_with("> ***"), "{}", answer.chars().take(200).collect::<String>());
}

#[test]
fn a_position_whose_side_to_move_has_no_move_begins_with_a_pass() {
    let mut stage = Stage::with_players();
    // A position of a played game in which the server had to pass.
    let position = (1..200usize)
        .find_map(|step| {
            let options = [("symmetry".to_owned(), None)];
            let setup = turnpost_games::Setup { options: &options, seed: 7 };
            let mut table = (turnpost_games::dvonn::KIND.start)(&setup).unwrap();
            for round in 0.. {
                if table.forced_ply().is_some() || table.ended().is_some() {
                    break;
                }
                let legal = table.legal_plies();
                table.play_text(&legal[round * step % legal.len()]).unwrap();
            }
            table.forced_ply().map(|_| table.position())
        })
        .unwrap();
    let challenge = format!("dvonn challenge \"-position={position}\" ann bob");
    let mails = stage.mail("ann@example.org", &challenge, "");
    let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap_or_else(|| panic!("{mails:?}"));
    assert_eq!((board.row.plies.0, board.table.forced_ply()), (1, None));
    assert!(mails.iter().all(|mail| flat(&mail.text).contains("has no move and passes.")), "{mails:?}");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_mirrored_position_of_a_running_board_is_refused() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -random -seed=7 ann bob", "");
    let position = Board::load(&stage.store, BoardId(1)).unwrap().unwrap().row.position;
    let (board, rest) = position.split_once(' ').unwrap();
    let mirror: Vec<String> =
        board.split('/').map(|row| row.split(',').rev().collect::<Vec<_>>().join(",")).collect();
    let turned: Vec<String> = mirror.iter().rev().cloned().collect();
    for rows in [mirror.join("/"), turned.join("/")] {
        let line = format!("dvonn challenge \"-position={rows} {rest}\" ann bob");
        let (answer, well, _) = stage.submit(Operator::AsAnyone, &line);
        assert!(!well && flat(&answer).contains("or its mirror, stands"), "{answer}");
    }
}

#[test]
fn a_timer_that_runs_every_hour_or_every_day_moves_no_deadline() {
    for hours in [1, 2, 24] {
        let mut stage = Stage::with_players();
        stage.tick();
        for _ in 0..3 {
            stage.wait(hours);
            stage.tick();
        }
        stage.mail("ann@example.org", "dvonn challenge ann bob", "");
        for _ in 0..5 {
            stage.wait(hours);
            let (ticked, mails) = stage.tick();
            assert_eq!((ticked.down, ticked.moved, mails.len()), (None, 0, 0), "{hours}");
        }
        stage.wait(24 * 5);
        assert!(stage.tick().0.down.is_some(), "five days are more than three pauses");
    }
}
