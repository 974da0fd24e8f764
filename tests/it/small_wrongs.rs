//! What players ran into and took for a fault.

use crate::support::{ANN, BOB, Stage};
use jiff::SignedDuration;
use turnpost::board::Board;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::timer::host_acts::{Act, BoardAct, GameEnd};

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

#[test]
fn resend_brings_the_last_board_and_no_refusal() {
    let mut stage = Stage::with_a_game();
    let refused = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-K3"), "");
    assert!(!refused[0].text.contains("\\__/"), "{}", refused[0].text);
    let mails = stage.mail("ann@example.org", &format!("resend ann {ANN}"), "");
    assert_eq!(mails[0].first_line(), "ann, your move (ply 1): a new game of DVONN with bob; you are white.");
}

#[test]
fn standard_input_has_room_for_more_than_fifty_commands() {
    let mut stage = Stage::with_players();
    let (printed, ends_well, _) = stage.submit(Operator::Nobody, &"who ann\n".repeat(60));
    assert_eq!(printed.matches("ann, here since").count(), 60);
    assert!(ends_well);
}

#[test]
fn the_end_of_a_preview_names_each_side_once() {
    let mut stage = Stage::with_players();
    let rows = [9, 10, 11, 10].map(|spaces| vec!["."; spaces].join(","));
    let position = format!("{}/w,D,D,D,.,.,.,.,. w", rows.join("/"));
    let line = format!("dvonn preview new \"-position={position}\" A1-B1 B1-D1");
    let mails = stage.mail("ann@example.org", &line, "");
    assert!(mails[0].text.contains("\nGame over: white wins 3 to 0.\n"), "{}", mails[0].text);
}

#[test]
fn each_end_is_told_in_one_plain_sentence() {
    let command = |stage: &mut Stage, line: &str| {
        let (printed, ends_well, _) = stage.submit(Operator::AsAnyone, line);
        assert!(ends_well, "{line}\n{printed}");
    };
    let host = |stage: &mut Stage, end| {
        stage.host(Act::OnBoard(BoardId(1), BoardAct::End(end)), "both asked").unwrap();
    };
    type End<'a> = &'a dyn Fn(&mut Stage);
    let ends: [(&str, End<'_>); 8] = [
        ("ann (white) wins; bob resigned", &|stage| command(stage, "dvonn resign 1 bob -")),
        ("it was declined", &|stage| command(stage, "dvonn decline 1 bob -")),
        ("a draw by agreement", &|stage| {
            command(stage, "dvonn propose 1 ann -\ndvonn accept 1 bob -");
        }),
        ("bob (black) wins; ann ran out of time", &|stage| {
            command(stage, "dvonn move 1 ann - D1-E1\ndvonn move 1 bob - K3-J2");
            let until = stage.now.checked_add(SignedDuration::from_hours(24 * 22)).unwrap();
            stage.ticks(until);
        }),
        ("it was declined", &|stage| {
            let until = stage.now.checked_add(SignedDuration::from_hours(24 * 22)).unwrap();
            stage.ticks(until);
        }),
        ("bob (black) wins, as the host decided", &|stage| host(stage, GameEnd::Won("bob".parse().unwrap()))),
        ("a draw, as the host decided", &|stage| host(stage, GameEnd::Draw)),
        ("nobody won", &|stage| host(stage, GameEnd::Void)),
    ];
    for (told, end) in ends {
        let mut stage = Stage::with_a_game();
        end(&mut stage);
        let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
        assert_eq!(mails[0].first_line(), format!("Board 1 is over: {told}."));
    }
}

#[test]
fn a_robot_that_opens_a_game_plays_in_the_same_letter() {
    for options in ["", "-symmetry", "-random"] {
        let mut stage = Stage::with_players();
        let mails = stage.mail("ann@example.org", &format!("dvonn challenge {options} robot-3 ann"), "");
        let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
        assert_eq!((board.row.plies.0, mails.len()), (1, 1), "{options}: {mails:?}");
        assert!(mails[0].text.contains("robot-3 played"), "{options}: {}", mails[0].text);
    }
}

#[test]
fn a_queue_holds_moves_and_nothing_else() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let mut queue = |text: &str| {
        let (answer, well, _) = stage.submit(Operator::AsAnyone, &format!("dvonn queue 1 ann {ANN} {text}"));
        (well, flat(&answer))
    };
    for text in ["K3-J2 < nothing", "E1-G1 hello", "if K3-J2 now then E1-G1", "E1-G1#3", "E1-G1, A1-B1 x"] {
        let (well, answer) = queue(text);
        assert!(!well && answer.contains("A move of the queue cannot be read"), "{text}: {answer}");
    }
    assert!(queue("if K3-J2 then E1-G1").0);
    let (well, answer) = queue("E1-G1, A1-B1");
    assert!(well && answer.contains("Your queue waits"), "{answer}");
}
