//! What players ran into and took for a fault.

use crate::support::{ANN, BOB, Stage};
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::service::board::Board;

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
fn people_may_replay_a_board_while_they_play_another() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    stage.mail("bob@example.net", &format!("dvonn move 1 bob {BOB} K3-J2"), "");
    // That very position is on the board.
    let (answer, well, _) = stage.submit(Operator::AsAnyone, "dvonn replay 1 ann bob");
    assert!(!well && flat(&answer).contains("This position, or its mirror, stands on a board"), "{answer}");
    let (answer, well, _) = stage.submit(Operator::AsAnyone, "dvonn replay 1#1 ann bob");
    assert!(well, "{answer}");
    let (answer, well, _) = stage.submit(Operator::AsAnyone, "dvonn replay 1#1 ann robot-1");
    assert!(!well && flat(&answer).contains("could be used to ask for advice"), "{answer}");
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

#[test]
fn an_invitation_to_watch_is_answered_with_yes_and_with_nothing_else() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let asked = stage.mail("dora@example.com", "dvonn subscribe 1 dora@example.com", "");
    assert!(flat(&asked[0].text).contains("reply to this mail with `yes`"), "{}", asked[0].text);
    let reply_to =
        asked[0].raw().lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned)).unwrap();
    assert!(reply_to.contains("+w1."), "{reply_to}");
    let mut number = 900;
    let mut reply = |stage: &mut Stage, text: &str| {
        number += 1;
        stage.now = stage.now.checked_add(jiff::SignedDuration::from_mins(1)).unwrap();
        let letter = format!(
            "From: dora@example.com\r\nTo: {reply_to}\r\nSubject: Re: watch\r\nMessage-ID: <w{number}@example.com>\r\n\r\n{text}"
        );
        stage.receive(letter.as_bytes())
    };
    for text in ["", "no thanks\r\n", "yes please, do\r\n", "> yes\r\n"] {
        let mails = reply(&mut stage, text);
        assert!(
            mails.iter().all(|mail| flat(&mail.text).contains("is not watched from")),
            "{text:?} {mails:?}"
        );
        assert!(!stage.store.watches(BoardId(1), "dora@example.com").unwrap(), "{text:?}");
    }
    let mails = reply(&mut stage, "Yes.\r\n\r\n> Somebody, most likely you\r\n");
    assert!(mails.len() == 1 && mails[0].text.contains("you watch this game now"), "{mails:?}");
    assert!(stage.store.watches(BoardId(1), "dora@example.com").unwrap());
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    assert!(mails.iter().any(|mail| mail.to == "dora@example.com"));
}

#[test]
fn two_who_ask_for_a_rematch_get_one_board() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage.mail("ann@example.org", &format!("dvonn resign 1 ann {ANN}"), "");
    let mails = stage.mail("ann@example.org", &format!("dvonn rematch 1 ann {ANN}"), "");
    assert_eq!(mails.len(), 2, "{mails:?}");
    let mails = stage.mail("bob@example.net", &format!("dvonn rematch 1 bob {BOB}"), "");
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!((mails[0].to.as_str(), mails[0].subject.as_str()), ("bob@example.net", "dvonn 2, bob v ann"));
    assert!(flat(&mails[0].text).contains("This is the rematch of board 1"), "{}", mails[0].text);
    assert_eq!(stage.store.board_numbers().unwrap().len(), 2);
    // Once that is over, another may follow.
    stage.mail("bob@example.net", &format!("dvonn resign 2 bob {BOB}"), "");
    stage.mail("bob@example.net", &format!("dvonn rematch 1 bob {BOB}"), "");
    assert_eq!(stage.store.board_numbers().unwrap().len(), 3);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn words_behind_tutorial_are_no_wrong_password() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "tutorial for beginners", "");
    let text = flat(&mails[0].text);
    assert!(text.contains("From your own address, `tutorial` alone starts it."), "{text}");
    assert!(!text.contains("beginners") && !text.contains("not right"), "{text}");
    let mails = stage.mail("ann@example.org", "tutorial", "");
    assert!(mails.iter().any(|mail| mail.subject.contains("ann v robot-1")), "{mails:?}");
}
