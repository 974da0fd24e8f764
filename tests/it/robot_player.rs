//! The robot as a player: one mail for both moves, turns that wait in the database, and what nobody can do with it.

use std::cell::Cell;
use std::path::PathBuf;
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
use turnpost::cli::{Instance, ROBOT_SECONDS};
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
fn the_same_letters_make_the_same_game_to_its_end() {
    for (game, robot) in [("dvonn", "robot-1"), ("dvonn", "robot-3"), ("hexmeister", "robot-1")] {
        for sides in [format!("ann {robot}"), format!("{robot} ann")] {
            let mut records = Vec::new();
            for _ in 0..2 {
                let mut stage = Stage::with_players();
                let started = stage.mail(FROM, &format!("{game} challenge {sides}"), "");
                assert_eq!(started.len(), 1, "one mail, the robot's opening in it");
                assert!(to_the_end(&mut stage, 7) > 10);
                assert_eq!(stage.wrong(), Vec::<String>::new());
                records.push(record(&stage));
            }
            assert_eq!(records[0], records[1]);
        }
    }
}

#[test]
fn a_game_with_dice_is_played_to_its_end_by_the_letters_of_the_person() {
    for (options, robot) in [("", "robot-3"), ("-match=3 ", "robot-1"), ("-cube ", "robot-2")] {
        let mut stage = Stage::with_players();
        let started = stage.mail(FROM, &format!("backgammon challenge {options}{robot} ann"), "");
        assert!(started[0].text.contains("reply `roll moonshine`"), "{}", started[0].text);
        let rolled = stage.mail(FROM, &format!("backgammon roll 1 ann {ANN} moonshine"), "");
        assert_eq!(rolled.len(), 1, "the robot's turn is in it, if the dice let the robot begin");
        let (mut rng, mut letters) = (ChaCha12Rng::seed_from_u64(7), 0);
        loop {
            // Only while ann cannot move does the robot have too many turns for one letter.
            while stage.think() > 0 {}
            let Some((game, ply)) = any_ply(&stage, &mut rng) else { break };
            let (answer, ends_well, _) =
                stage.submit(Operator::AsAnyone, &format!("{game} move 1 ann - {ply}"));
            assert!(ends_well, "{answer}");
            letters += 1;
        }
        // A dropped double ends a game soon.
        assert!((1..500).contains(&letters), "{letters}");
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
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
    assert!(mail.text.starts_with("ann, robot-8 played "), "{}", mail.text);
    assert_eq!((stage.robot_plies(), stage.store.robot_turns().unwrap().len()), (1, 0));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn who_has_used_up_the_seconds_of_a_day_meets_a_quicker_robot_until_it_is_over() {
    let mut stage = with_a_slow_turn();
    let mut config = Config { address: ADDRESS.to_owned(), ..Config::default() };
    config.limits.robot_seconds_a_day = 4;
    let (app, mut rng) = (config.app(), ChaCha12Rng::seed_from_u64(1));
    for (hours, is_told) in [(1, false), (24, true), (1, false)] {
        // The robot thinks for five seconds each time, between the second and the third look at the clock.
        let (now, looks) = (stage.now, Cell::new(0));
        let clock = || {
            looks.set(looks.get() + 1);
            now + SignedDuration::from_secs(if looks.get() < 3 { 0 } else { 5 })
        };
        play_robot_turn(&mut stage.store, &app, clock, &AtomicBool::new(false)).unwrap().unwrap();
        stage.wait(hours);
        let mails = stage.post();
        assert_eq!(mails[0].text.contains("below its level"), is_told, "{}", mails[0].text);
        let (game, ply) = any_ply(&stage, &mut rng).unwrap();
        stage.submit(Operator::AsAnyone, &format!("{game} move 1 ann - {ply}"));
    }
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
fn the_robot_gives_up_a_lost_game_of_go() {
    let mut stage = Stage::with_players();
    // Black, the robot, is forty points behind.
    let rows = ".bbbbbbb./bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/wwwwwwwww/wwwwwwww./wwwwwwwww/bbbbwwwww/...bwwww.";
    stage.mail(FROM, &format!("go challenge --unrated -position=\"{rows} b 0,100,0,0\" robot-5 ann"), "");
    stage.think();
    stage.post();
    let told = &stage.left.last().unwrap().text;
    assert!(told.starts_with("ann, you won your game with robot-5"), "{told}");
    let last = stage.store.events(BoardId(1)).unwrap().pop().unwrap();
    assert_eq!((last.kind, last.seat), (EventKind::Resignation, Some(Seat::First)));
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
fn a_tick_begins_no_analysis_after_forty_seconds() {
    let mut stage = Stage::with_players();
    for board in 1..=3 {
        for command in [
            "challenge -symmetry -seed=7 ann bob",
            "move BOARD ann - D1-E1",
            "resign BOARD ann -",
            "analyse BOARD",
        ] {
            let command = format!("dvonn {}", command.replace("BOARD", &format!("{board}")));
            let (answer, ends_well, _) = stage.submit(Operator::As("ann".parse().unwrap()), &command);
            assert!(ends_well, "{command}\n{answer}");
        }
    }
    let store = Store::open(&stage.folder.path().join(DATABASE)).unwrap();
    let app = app(RobotConfig::default());
    let mut server = Instance { data: PathBuf::new(), config: Config::default(), app, store };
    let (begun, asked) = (stage.now, Cell::new(0));
    let ten_seconds_later = || {
        asked.set(asked.get() + 10);
        begun.checked_add(SignedDuration::from_secs(asked.get())).unwrap()
    };
    let analysed: Vec<usize> =
        (0..3).map(|_| server.think(ROBOT_SECONDS, ten_seconds_later).unwrap().analysed).collect();
    assert_eq!(analysed, [1, 1, 1]);
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
