//! The robot as a player: one mail for both moves, turns that wait in the database, and what nobody can do with it.

use std::cell::Cell;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::host::{Host, finish};
use crate::support::serving::Served;
use crate::support::{ADDRESS, ANN, Stage, letter};
use jiff::SignedDuration;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rusqlite::Connection;
use turnpost::app::App;
use turnpost::config::Config;
use turnpost::data_dir::DATABASE;
use turnpost::ids::{BoardId, ROBOT_LEVELS, Seat};
use turnpost::mail::Operator;
use turnpost::pipeline::play_robot_turn;
use turnpost::play::robot::RobotConfig;
use turnpost::store::{EventKind, PlayerId, Store};
use turnpost::timer::Turned;
use turnpost_games::registry;
use turnpost_robot::ROBOTS;

const FROM: &str = "ann@example.org";

fn app(robot: RobotConfig) -> App {
    Config { address: ADDRESS.to_owned(), robot, ..Config::default() }.app()
}

/// A ply of ann's on board 1, any one.
fn any_ply(stage: &Stage, rng: &mut ChaCha12Rng) -> Option<(&'static str, String)> {
    let row = stage.store.board(BoardId(1)).unwrap().unwrap();
    let mover = row.to_move?;
    assert!(!mover.of(&row.players).is_robot(), "the robot is quick at this level");
    let kind = registry::find(&row.game).unwrap();
    let plies = (kind.read)(&row.position).unwrap().legal_plies();
    Some((kind.key, plies[rng.next_u32() as usize % plies.len()].clone()))
}

/// Plays any plies until the game is over, and gives how many letters that took.
fn to_the_end(stage: &mut Stage, seed: u64) -> u32 {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let mut letters = 0;
    while let Some((game, ply)) = any_ply(stage, &mut rng) {
        // A token would be as good; the operator's word needs no password to be checked.
        let (answer, ends_well, mails) =
            stage.submit(Operator::AsAnyone, &format!("{game} move 1 ann - {ply}"));
        assert!(ends_well, "{answer}");
        assert_eq!(mails, [], "the answer says it all: {answer}");
        letters += 1;
        assert!(letters < 500, "a game ends");
    }
    letters
}

fn record(stage: &Stage) -> Vec<String> {
    let events = stage.store.events(BoardId(1)).unwrap();
    events.into_iter().filter(|event| event.kind == EventKind::Ply).map(|event| event.text).collect()
}

#[test]
fn games_to_the_end_are_rated_and_the_same_letters_make_the_same_game() {
    for (game, robot) in [("dvonn", "robot-1"), ("dvonn", "robot"), ("hexmeister", "robot-1")] {
        for sides in [format!("ann {robot}"), format!("{robot} ann")] {
            let mut records = Vec::new();
            for _ in 0..2 {
                let mut stage = Stage::with_players();
                let started = stage.mail(FROM, &format!("{game} challenge {sides}"), "");
                assert_eq!(started.len(), 1, "one mail, the robot's opening in it");
                assert!(to_the_end(&mut stage, 7) > 10);
                assert_eq!(stage.wrong(), Vec::<String>::new());
                let level = if robot == "robot" { 3 } else { 1 };
                let rating = stage.store.rating(game, PlayerId::robot(level)).unwrap().unwrap();
                assert_eq!(rating.won + rating.lost + rating.tied, 1);
                records.push(record(&stage));
            }
            assert_eq!(records[0], records[1]);
        }
    }
}

#[test]
fn a_letter_gets_one_mail_with_both_moves_in_it() {
    let mut stage = Stage::with_players();
    stage.mail(FROM, "dvonn challenge -symmetry -seed=7 ann robot-7", "");
    let mails = stage.mail(FROM, &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let [mail] = mails.as_slice() else { panic!("{mails:?}") };
    assert!(mail.text.contains("You played D1-E1."), "{}", mail.text);
    assert!(mail.text.starts_with("ann, your move (ply 3): robot-7 played "), "{}", mail.text);
    // Queues play on in the same letter, and the last word is the robot's.
    let plan = "dvonn queue 1 ann - (if A1-A2 then B1-B2) E1-G1";
    let (answer, ends_well, mails) = stage.submit(Operator::AsAnyone, plan);
    assert!(ends_well && mails.is_empty(), "{answer}");
    assert!(answer.contains("It is ann's turn (white), ply 5"), "{answer}");
    assert_eq!(stage.store.robot_turns().unwrap(), []);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Level 8 takes longer than anybody waits for the answer to a letter.
fn with_a_slow_turn() -> Stage {
    let mut stage = Stage::with_players();
    let mails = stage.mail(FROM, "dvonn challenge -symmetry -seed=7 --unrated robot-8 ann", "");
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("robot-8 thinks about its move"), "{}", mails[0].text);
    assert_eq!(stage.store.robot_turns().unwrap().len(), 1);
    stage
}

#[test]
fn a_turn_that_was_taken_by_a_process_that_is_gone_is_played_after_its_lease() {
    let mut stage = with_a_slow_turn();
    let cancel = AtomicBool::new(false);
    let now = stage.now;
    let taken =
        stage.store.write(|store| store.lease_robot_turn(now, SignedDuration::from_mins(10))).unwrap();
    assert_eq!(taken.unwrap().board, BoardId(1));
    let app = app(RobotConfig::default());
    assert!(play_robot_turn(&mut stage.store, &app, || now, &cancel).unwrap().is_none(), "somebody thinks");
    let (_, mails) = stage.tick();
    assert_eq!(mails, []);
    stage.wait(1);
    let (_, mails) = stage.tick();
    let [mail] = mails.as_slice() else { panic!("{mails:?}") };
    assert!(mail.text.starts_with("ann, your move (ply 2): robot-8 played "), "{}", mail.text);
    assert_eq!((stage.robot_plies(), stage.store.robot_turns().unwrap().len()), (1, 0));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_thought_about_a_board_that_has_gone_on_is_dropped() {
    let mut stage = with_a_slow_turn();
    let app = app(RobotConfig::default());
    let mut other = Store::open(&stage.folder.path().join(DATABASE)).unwrap();
    let (now, asked) = (stage.now, Cell::new(0));
    // The third look at the clock comes after the thought and before its transaction.
    let clock = || {
        asked.set(asked.get() + 1);
        if asked.get() == 3 {
            let decline = Connection::open(stage.folder.path().join(DATABASE)).unwrap();
            decline.execute("UPDATE boards SET events = events + 1 WHERE id = 1", []).unwrap();
        }
        now
    };
    let turn = play_robot_turn(&mut other, &app, clock, &AtomicBool::new(false)).unwrap().unwrap();
    assert!(matches!(turn.turned, Turned::Dropped), "{turn:?}");
    assert_eq!((asked.get(), stage.robot_plies()), (3, 0));
    let back = Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    back.execute("UPDATE boards SET events = events - 1 WHERE id = 1", []).unwrap();
    stage.wait(1);
    assert_eq!(stage.think(), 1);
    assert_eq!((stage.robot_plies(), stage.wrong()), (1, Vec::new()));
}

#[test]
fn a_thought_that_is_broken_off_waits() {
    let mut stage = with_a_slow_turn();
    let now = stage.now;
    let stop = AtomicBool::new(true);
    let turn =
        play_robot_turn(&mut stage.store, &app(RobotConfig::default()), || now, &stop).unwrap().unwrap();
    assert!(matches!(turn.turned, Turned::Stopped), "{turn:?}");
    stop.store(false, Ordering::Relaxed);
    let off = app(RobotConfig { enabled: false, ..RobotConfig::default() });
    assert!(play_robot_turn(&mut stage.store, &off, || now, &stop).unwrap().is_none(), "it is switched off");
    assert_eq!(stage.think(), 1);
    assert_eq!(stage.robot_plies(), 1);
}

#[test]
fn a_board_that_is_damaged_does_not_keep_the_others_waiting() {
    let mut stage = with_a_slow_turn();
    stage.mail(FROM, "dvonn challenge -symmetry -seed=8 --unrated robot-8 ann", "");
    let damage = Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    let position: String =
        damage.query_row("SELECT position FROM boards WHERE id = 1", [], |row| row.get(0)).unwrap();
    damage.execute("UPDATE boards SET position = 'damaged' WHERE id = 1", []).unwrap();
    let (now, never) = (stage.now, AtomicBool::new(false));
    let app = app(RobotConfig::default());
    let mut next = || play_robot_turn(&mut stage.store, &app, || now, &never).unwrap();
    let lost = next().unwrap();
    assert!(matches!((lost.board, &lost.turned), (BoardId(1), Turned::Lost(_))), "{lost:?}");
    let played = next().unwrap();
    assert!(
        matches!((played.board, &played.turned), (BoardId(2), Turned::Played { mails: 1 })),
        "{played:?}"
    );
    assert!(next().is_none());
    // Mended, it is played when the lease is over.
    damage.execute("UPDATE boards SET position = ?1 WHERE id = 1", [position]).unwrap();
    stage.wait(1);
    assert_eq!(stage.think(), 1);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn killed_processes_lose_no_turn_and_several_play_it_once() {
    let host = Host::new();
    let start = "signup ann plover-42 ann@example.org\ndvonn challenge -symmetry -seed=7 robot-8 ann\n\
                 dvonn challenge -symmetry -seed=8 robot-8 ann\ndvonn challenge -symmetry -seed=9 robot-8 ann\n";
    host.run(&["submit"], start.as_bytes()).ok();
    let played = || {
        let conn = Connection::open(host.database()).unwrap();
        let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        (count("SELECT count(*) FROM events WHERE kind = 'ply'"), count("SELECT count(*) FROM robot_turns"))
    };
    assert_eq!(played(), (0, 3));
    // Killed while it thinks about the first.
    let mut thinking = host.command(&["tick"]).stdout(Stdio::null()).spawn().unwrap();
    let is_leased = || {
        let conn = Connection::open(host.database()).unwrap();
        let sql = "SELECT count(*) FROM robot_turns WHERE lease_until IS NOT NULL";
        conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() > 0
    };
    while !is_leased() {
        std::thread::sleep(Duration::from_millis(5));
    }
    thinking.kill().unwrap();
    thinking.wait().unwrap();
    assert_eq!(played(), (0, 3), "it thinks for longer than that");
    host.assert_verified();
    // Ten minutes later.
    let conn = Connection::open(host.database()).unwrap();
    conn.execute("UPDATE robot_turns SET lease_until = 1", []).unwrap();
    drop(conn);
    let ticks: Vec<_> = (0..3).map(|_| host.command(&["tick"]).spawn().unwrap()).collect();
    for tick in ticks {
        finish(tick).ok();
    }
    assert_eq!(played(), (3, 0));
    host.assert_verified();
    assert_eq!(host.delivered().iter().filter(|mail| mail.text.contains("robot-8 played")).count(), 3);
}

#[test]
fn serve_answers_at_once_and_later() {
    let host = Host::new();
    host.run(&["submit"], b"signup ann plover-42 ann@example.org\n").ok();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    client.takes(&letter(FROM, "dvonn challenge -symmetry -seed=7 ann robot-3", "", 1));
    client.takes(&letter(FROM, &format!("dvonn move 1 ann {ANN} D1-E1"), "", 2));
    host.wait_for_mails(2);
    assert_eq!(host.sent().len(), 2, "the robot's move is in the answer");
    client.takes(&letter(FROM, "dvonn challenge -symmetry -seed=7 robot-8 ann", "", 3));
    host.wait_for_mails(4);
    let sent = host.sent();
    assert!(sent[3].text.contains("robot-8 played"), "{}", sent[3].text);
    // A thought in hand does not hold the server's end up.
    client.takes(&letter(FROM, "dvonn challenge -symmetry -seed=7 robot-9 ann", "", 4));
    host.wait_for_mails(5);
    let log = served.stop();
    assert!(log.contains("the robot played") && !log.contains("ERROR"), "{log}");
    host.assert_verified();
}

#[test]
fn nobody_is_the_robot() {
    let mut stage = Stage::with_players();
    stage.submit(Operator::AsAnyone, "dvonn challenge ann robot-1\ndvonn challenge ann robot");
    for (speaker, command) in [
        (Operator::AsAnyone, "dvonn resign 1 robot-1 -"),
        (Operator::AsAnyone, "dvonn propose 1 robot-1 -"),
        (Operator::AsAnyone, "change password robot-1 - plover-42"),
        (Operator::AsAnyone, "delete robot-1 -"),
        (Operator::As("robot-1".parse().unwrap()), "dvonn resign 1 robot-1 -"),
        (Operator::As("robot-1".parse().unwrap()), "dvonn challenge bob robot-1"),
        (Operator::Nobody, "reset robot-1 aaaaaaaaaaaaaaaaaaaaaaaaaa plover-42"),
        (Operator::Nobody, "signup robot-1 plover-42 x@example.org"),
        (Operator::Nobody, "signup robot plover-42 x@example.org"),
        (Operator::Nobody, "signup Robot_5 plover-42 x@example.org"),
        (Operator::Nobody, "signup r0bot5 plover-42 x@example.org"),
        (Operator::Nobody, "signup ro-bot plover-42 x@example.org"),
        (Operator::AsAnyone, "message ann - robot-1\nHello\nend"),
        (Operator::AsAnyone, "dvonn chat 1 ann -\nHello\nend"),
        (Operator::AsAnyone, "dvonn challenge robot-1 robot-2"),
        (Operator::AsAnyone, "dvonn challenge robot robot"),
        (Operator::AsAnyone, "hexmeister challenge ann robot-4"),
        (Operator::AsAnyone, "dvonn challenge ann robot --level=10"),
        (Operator::AsAnyone, "dvonn challenge ann bob --level=3"),
        (Operator::AsAnyone, "dvonn seek --level=3 ann -"),
    ] {
        let before = stage.dump();
        let said = format!("{command}, {speaker:?}");
        let (answer, ends_well, mails) = stage.submit(speaker, command);
        assert!(!ends_well, "{said}: {answer}");
        assert_eq!(stage.dump(), before, "{said}");
        assert_eq!(mails, [], "{said}");
    }
    let (_, ends_well, mails) = stage.submit(Operator::Nobody, "forgot robot-1");
    assert!(ends_well && mails.is_empty(), "the answer tells nothing");
    assert!(!stage.dump().lines().any(|line| line.starts_with("resets")));
}

#[test]
fn the_accounts_are_there_for_every_level_of_every_game() {
    let stage = Stage::new();
    let most = ROBOTS.iter().map(|robot| robot.levels.len()).max().unwrap();
    assert_eq!(most, usize::from(ROBOT_LEVELS));
    for level in 1..=ROBOT_LEVELS {
        let account = stage.store.player(&format!("ROBOT-{level}").parse().unwrap()).unwrap().unwrap();
        assert_eq!((account.id, account.password_hash), (PlayerId::robot(level), None));
        assert_eq!(stage.store.addresses(account.id).unwrap().rows.len(), 0);
    }
    assert_eq!(stage.store.players().unwrap().len(), 0, "those of people");
}

#[test]
fn so_many_games_with_it_and_no_more() {
    let mut stage = Stage::with_players();
    for game in ["dvonn", "hexmeister", "dvonn", "dvonn", "dvonn"] {
        let (answer, ends_well, _) =
            stage.submit(Operator::AsAnyone, &format!("{game} challenge ann robot-1"));
        assert!(ends_well, "{answer}");
    }
    let (answer, ends_well, _) = stage.submit(Operator::AsAnyone, "dvonn challenge robot-2 ann");
    assert!(!ends_well && answer.contains("ann plays 5 games with the robot already"), "{answer}");
    assert!(stage.submit(Operator::AsAnyone, "dvonn challenge robot-2 bob").1, "others may");
    assert!(stage.submit(Operator::AsAnyone, "dvonn decline 1 ann -\ndvonn challenge robot-2 ann").1);
}

/// A position that is given might be that of a game the player plays: neither the robot nor an analysis is to tell.
#[test]
fn no_advice_on_games_in_play() {
    let position = ".,.,.,.,w3,.,.,.,./.,.,.,.,B2,.,.,.,.,./.,B2,.,.,.,.,.,.,.,.,./.,b4,.,.,.,.,.,.,.,./w3,.,.,D,.,.,.,.,. w";
    let given = [
        format!("dvonn challenge \"-position={position}\" ann robot"),
        format!("dvonn challenge \"-position={position}\" robot-9 ann"),
        "dvonn replay 1#1 ann cleo".to_owned(),
        "dvonn replay 1#1 robot ann --level=9".to_owned(),
    ];
    let mut stage = Stage::with_a_game();
    stage.submit(Operator::AsAnyone, "signup cleo gannet-3 cleo@example.com\ndvonn move 1 ann - D1-E1");
    for command in &given {
        let (answer, ends_well, _) = stage.submit(Operator::AsAnyone, command);
        let answer: String = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        let why =
            if command.ends_with("ann cleo") { "ann has in play" } else { "ann has a game of DVONN in play" };
        assert!(!ends_well && answer.contains(why), "{command}: {answer}");
    }
    let (answer, ends_well, _) = stage.submit(Operator::AsAnyone, "dvonn analyse 1");
    assert!(!ends_well && answer.contains("Only games that are over are analysed"), "{answer}");
    // Of another game nothing is given away, and after the game nothing either.
    let hexmeister = "hexmeister challenge ann cleo\nhexmeister move 2 ann - b1\nhexmeister resign 2 ann -";
    stage.submit(Operator::AsAnyone, hexmeister);
    assert!(stage.submit(Operator::AsAnyone, "dvonn resign 1 bob -").1);
    for command in &given {
        let (answer, ends_well, _) = stage.submit(Operator::AsAnyone, command);
        assert!(ends_well, "{command}: {answer}");
        let board = stage.store.next_board().unwrap().0 - 1;
        assert!(stage.submit(Operator::AsAnyone, &format!("dvonn resign {board} ann -")).1);
    }
}

#[test]
fn seats_and_side_to_move_are_the_robots_own() {
    let mut stage = Stage::with_players();
    stage.mail(FROM, "dvonn challenge --swap robot-1 ann", "");
    let row = stage.store.board(BoardId(1)).unwrap().unwrap();
    assert_eq!((row.plies.0, row.to_move), (1, Some(Seat::Second)));
    let mails = stage.mail(FROM, &format!("dvonn swap 1 ann {ANN}"), "");
    let [mail] = mails.as_slice() else { panic!("{mails:?}") };
    assert!(
        mail.text.contains("You changed seats.") && mail.text.contains("robot-1 played"),
        "{}",
        mail.text
    );
    let row = stage.store.board(BoardId(1)).unwrap().unwrap();
    assert_eq!((row.plies.0, row.to_move, row.players[1]), (2, Some(Seat::First), PlayerId::robot(1)));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}
