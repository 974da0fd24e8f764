//! Clocks: single cases, and half a year of a busy server; a year where `TURNPOST_LONG` is set.

use std::collections::HashMap;

use crate::support::host::{Host, finish, start};
use crate::support::{ANN, BOB, Mail, Stage, rounds};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use turnpost::board::verify::verify;
use turnpost::board::{self, Board, Terms};
use turnpost::config::Config;
use turnpost::data_dir::DATABASE;
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::Operator;
use turnpost::store::{BoardDays, BoardState, Ending, EventKind, EventRow, PlayerId, Store, VacationRow};
use turnpost::timer::tick::{Ticked, tick};

/// Runs SQL on a stage's database, as another process would.
fn sql(stage: &Stage, sql: &str) {
    rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap().execute_batch(sql).unwrap();
}

/// Somebody announces a vacation, or calls theirs off.
fn announce(stage: &mut Stage, userid: &str, password: &str, days: &str) {
    let (answer, well, _) = stage.submit(Operator::Nobody, &format!("vacation {userid} {password} {days}"));
    assert!(well, "{answer}");
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A stage whose timer runs, with a board between ann and bob that both have moved on: it is ann's turn.
fn begun(options: &str) -> Stage {
    let mut stage = Stage::with_players();
    stage.tick();
    stage.mail("ann@example.org", &format!("dvonn challenge -symmetry -seed=7 {options} ann bob"), "");
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    stage.mail("bob@example.net", &format!("dvonn move 1 bob {BOB} K3-J2"), "");
    stage
}

fn row(stage: &Stage) -> turnpost::store::BoardRow {
    stage.store.board(BoardId(1)).unwrap().unwrap()
}

fn deadline(stage: &Stage) -> Timestamp {
    row(stage).deadline_at.unwrap()
}

#[test]
fn a_reminder_says_what_happens_next_and_the_last_warning_comes_a_tenth_before_the_end_once() {
    let mut stage = begun("--nagtime=1 --forfeittime=5");
    let mails = stage.ticks(at("2026-11-17T09:00:00Z"));
    assert_eq!(mails.len(), 1);
    let until = "Sat 2026-11-21 09:00 UTC, in 4 days";
    let text = mails[0].text.replace('\n', " ");
    assert!(
        text.contains(&format!("You lose the game on time if you do not move before {until}.")),
        "{text}"
    );
    assert!(text.contains(&format!("ann's turn (white), ply 3, until {until}.")), "{text}");
    // Half a day before the end: the limit is five days.
    assert_eq!(stage.ticks(at("2026-11-20T20:59:00Z")), []);
    let mails = stage.ticks(at("2026-11-20T21:00:00Z"));
    assert_eq!((mails.len(), mails[0].to.as_str()), (1, "ann@example.org"));
    assert_eq!(mails[0].first_line(), "ann, your move (ply 3): bob waits, and this is the last warning.");
    let text = mails[0].text.replace('\n', " ");
    assert!(text.contains("do not move before Sat 2026-11-21 09:00 UTC, in 12 hours"), "{text}");
    // A vacation moves the end, and no second warning comes in this turn.
    announce(&mut stage, "ann", ANN, "2026-11-21 2026-11-21");
    assert_eq!(stage.ticks(at("2026-11-22T08:59:00Z")), []);
    stage.ticks(at("2026-11-22T09:00:00Z"));
    assert_eq!(row(&stage).result.unwrap().ending, Ending::TimedOut);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_last_warning_of_a_long_limit_comes_a_day_before_and_one_of_a_game_not_taken_up_says_so() {
    let mut stage = Stage::with_players();
    stage.tick();
    stage.mail("ann@example.org", "dvonn challenge --nagtime=20 --forfeittime=21 ann bob", "");
    let began = stage.now;
    let mails = stage.ticks(began.checked_add(SignedDuration::from_hours(20 * 24)).unwrap());
    // The reminder would come at the same time; the warning says all of it.
    let text = mails.iter().map(|mail| mail.text.replace('\n', " ")).collect::<String>();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(text.contains("The game closes without a result if you do not move before"), "{text}");
    assert!(text.contains(", in 1 day."), "{text}");
}

#[test]
fn a_total_time_is_told_as_days_left() {
    let mut stage = begun("--nagtime=0 --forfeittime=0 --totaltime=10");
    stage.ticks(at("2026-11-19T09:00:00Z"));
    let legal = Board::load(&stage.store, BoardId(1)).unwrap().unwrap().table.legal_plies()[0].clone();
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} {legal}"), "");
    assert!(
        mails.iter().all(|mail| {
            let text = mail.text.replace('\n', " ");
            text.contains("Of the time for all moves, ann has 7 days left and bob has 10 days.")
        }),
        "{mails:?}"
    );
}

#[test]
fn the_games_of_a_player_stand_with_their_deadlines_nearest_first() {
    let mut stage = begun("--nagtime=0 --forfeittime=9");
    for days in ["3", "0", "20"] {
        stage.mail(
            "ann@example.org",
            &format!("dvonn challenge --nagtime=0 --forfeittime={days} ann bob"),
            "",
        );
    }
    let (answer, _, _) = stage.submit(Operator::Nobody, "dvonn games ann");
    let listed: Vec<&str> = answer.lines().filter(|line| line.contains(" v ")).collect();
    let boards: Vec<&str> = listed.iter().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(boards, ["2", "1", "4", "3"], "{answer}");
    assert!(listed[0].contains("Thu 2026-11-19, in 3 days") && listed[0].contains("ann to move"), "{answer}");
    assert!(!listed[3].contains("2026"), "{answer}");
    let (answer, _, _) = stage.submit(Operator::Nobody, "dvonn games");
    assert!(answer.lines().find(|line| line.contains(" v ")).unwrap().contains("      4 "), "{answer}");
}

#[test]
fn a_tick_twice_does_nothing_twice() {
    let mut stage = begun("--nagtime=1 --forfeittime=2");
    let mails = stage.ticks(at("2026-11-17T09:00:00Z"));
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].first_line(), "ann, your move (ply 3): bob waits, and this is a reminder.");
    assert!(mails[0].raw().contains("\nAuto-Submitted: auto-generated\n"));
    assert_eq!(stage.tick(), (Ticked::default(), vec![]));
    let before = stage.dump();
    assert_eq!(stage.tick().0, Ticked::default());
    assert_eq!(stage.dump(), before);
    assert_eq!(stage.ticks(at("2026-11-18T08:59:00Z")).len(), 1, "the last warning");
    let mails = stage.ticks(at("2026-11-18T09:00:00Z"));
    assert_eq!(mails.len(), 2);
    assert_eq!(row(&stage).result.unwrap().ending, Ending::TimedOut);
    assert_eq!(stage.tick(), (Ticked::default(), vec![]));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn after_a_month_without_a_timer_nobody_has_lost_a_minute() {
    let mut stage = begun("--nagtime=3 --forfeittime=5");
    stage.ticks(at("2026-11-20T08:00:00Z"));
    stage.now = at("2026-12-20T08:00:00Z");
    let (ticked, mails) = stage.tick();
    assert_eq!((ticked.moved, ticked.timed_out, ticked.down), (1, 0, Some(SignedDuration::from_hours(720))));
    assert_eq!(deadline(&stage), at("2026-12-21T09:00:00Z"));
    assert_eq!(mails.len(), 2, "each is told once");
    assert!(mails.iter().all(|mail| mail.text.contains("dvonn 1, ann v bob")));
    assert_eq!(stage.tick(), (Ticked::default(), vec![]));
    // The reminder of this turn was sent before the stop; the game is lost when the five days are over.
    assert_eq!(stage.ticks(at("2026-12-20T20:59:00Z")).len(), 0);
    assert_eq!(stage.ticks(at("2026-12-21T08:59:00Z")).len(), 1, "the last warning");
    stage.ticks(at("2026-12-21T09:00:00Z"));
    assert_eq!(row(&stage).state, BoardState::Finished);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_first_timer_of_an_old_server_forfeits_nobody() {
    let mut stage = Stage::with_a_game();
    stage.wait(24 * 365);
    let (ticked, _) = stage.tick();
    assert_eq!((ticked.moved, ticked.timed_out + ticked.declined), (1, 0));
    assert!(deadline(&stage) > stage.now);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_clock_that_is_set_wrong_and_back_does_no_harm() {
    let mut stage = begun("--nagtime=0 --forfeittime=5");
    stage.ticks(at("2026-11-17T09:00:00Z"));
    let right = deadline(&stage);
    // Four years ahead: as good as a stop.
    stage.now = at("2030-11-17T09:00:00Z");
    assert_eq!(stage.tick().0.timed_out, 0);
    assert!(deadline(&stage) > stage.now);
    // And back: the deadline comes back as well.
    stage.now = at("2026-11-17T09:30:00Z");
    stage.tick();
    let back = deadline(&stage);
    assert!(back >= right && back.duration_since(right) <= SignedDuration::from_hours(1), "{back}");
    // Some hours back, as when a wrong clock is put right.
    stage.now = at("2026-11-17T05:00:00Z");
    assert_eq!(stage.tick().0.timed_out, 0);
    assert!(deadline(&stage) >= right && deadline(&stage) <= back);
    stage.ticks(at("2026-11-21T08:30:00Z"));
    assert_eq!(row(&stage).state, BoardState::Running);
    stage.ticks(at("2026-11-21T10:30:00Z"));
    assert_eq!(row(&stage).state, BoardState::Finished);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_vacation_stops_the_clock_for_both_sides_until_it_is_called_off() {
    let mut stage = begun("--nagtime=0 --forfeittime=5");
    sql(&stage, "UPDATE players SET zone = 'Europe/Paris' WHERE userid = 'bob'");
    // It is ann's turn, and bob is away from the 18th to the 20th: three days of his calendar.
    announce(&mut stage, "bob", BOB, "2026-11-18 2026-11-20");
    stage.tick();
    assert_eq!(deadline(&stage), at("2026-11-24T09:00:00Z"));
    // Called off before it begins: as if it had never been.
    announce(&mut stage, "bob", BOB, "off");
    stage.tick();
    assert_eq!(deadline(&stage), at("2026-11-21T09:00:00Z"));
    announce(&mut stage, "bob", BOB, "2026-11-18 2026-11-20");
    // Those days are what they were when they were announced, wherever bob goes.
    sql(&stage, "UPDATE players SET zone = 'America/New_York' WHERE userid = 'bob'");
    stage.ticks(at("2026-11-18T23:00:00Z"));
    assert_eq!(deadline(&stage), at("2026-11-24T09:00:00Z"));
    // Called off while it lasts: what has gone by stays counted. The 18th began at 23:00 UTC of the 17th.
    announce(&mut stage, "bob", BOB, "off");
    stage.tick();
    assert_eq!(deadline(&stage), at("2026-11-22T09:00:00Z"));
    // A player's later change of zone moves nothing.
    sql(&stage, "UPDATE players SET zone = 'Pacific/Auckland'");
    stage.ticks(at("2026-11-22T08:59:00Z"));
    assert_eq!(deadline(&stage), at("2026-11-22T09:00:00Z"));
    assert_eq!(row(&stage).state, BoardState::Running);
    stage.ticks(at("2026-11-22T09:00:00Z"));
    assert_eq!(row(&stage).state, BoardState::Finished);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_vacation_is_told_to_each_opponent_once_with_the_new_deadlines() {
    let mut stage = begun("--nagtime=0 --forfeittime=5");
    stage.sign_up("cleo@example.com", "cleo", "gannet-33");
    stage.mail("ann@example.org", "dvonn challenge ann bob", "");
    stage.mail("ann@example.org", "dvonn challenge --forfeittime=0 ann cleo", "");
    let told = |mails: &[Mail]| -> Vec<(String, String)> {
        let away = mails.iter().filter(|mail| mail.to != "bob@example.net");
        away.map(|mail| (mail.to.clone(), mail.text.split_whitespace().collect::<Vec<_>>().join(" ")))
            .collect()
    };
    let mails = stage.mail("bob@example.net", &format!("vacation bob {BOB} 2026-11-18 2026-11-20"), "");
    let away = told(&mails);
    assert_eq!(away.len(), 1, "{mails:?}");
    assert_eq!(away[0].0, "ann@example.org");
    assert!(away[0].1.contains("bob is on vacation from 2026-11-18 to 2026-11-20"), "{away:?}");
    assert!(
        away[0].1.contains("dvonn 1, ann v bob: ann's turn until Tue 2026-11-24 09:00 UTC, in 8 days"),
        "{away:?}"
    );
    assert!(away[0].1.contains("dvonn 2, ann v bob: ann's turn until"), "{away:?}");
    assert_eq!(deadline(&stage), at("2026-11-24T09:00:00Z"), "it counts at once");
    let mails = stage.mail("bob@example.net", &format!("vacation bob {BOB} off"), "");
    let back = told(&mails);
    assert!(back[0].1.contains("until Sat 2026-11-21 09:00 UTC"), "{back:?}");
    // Nobody fills a mailbox by announcing and taking back.
    for _ in 0..5 {
        stage.mail("bob@example.net", &format!("vacation bob {BOB} 2026-11-18 2026-11-20"), "");
        let mails = stage.mail("bob@example.net", &format!("vacation bob {BOB} off"), "");
        assert_eq!(mails.iter().filter(|mail| mail.to == "bob@example.net").count(), 1);
    }
    let mails = stage.mail("bob@example.net", &format!("vacation bob {BOB} 2026-11-18 2026-11-20"), "");
    assert_eq!(told(&mails), []);
    assert_eq!(stage.tick().0.moved, 0, "nothing is left to move");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_vacation_from_today_counts_from_the_word() {
    let mut stage = begun("--nagtime=0 --forfeittime=5");
    stage.ticks(at("2026-11-16T15:00:00Z"));
    announce(&mut stage, "ann", ANN, "2026-11-16 2026-11-16");
    stage.tick();
    // Nine hours of the day are left; the six that ann had already used stay used.
    assert_eq!(deadline(&stage), at("2026-11-21T18:00:00Z"));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn whoever_hears_of_the_end_of_a_board_hears_of_one_that_time_ended() {
    let mut stage = begun("--nagtime=1 --forfeittime=2");
    stage.sign_up("cleo@example.com", "cleo", "gannet-33");
    stage.mail("cleo@example.com", "dvonn notify cleo gannet-33 on", "");
    sql(
        &stage,
        "INSERT INTO watchers (board, address, address_key, asked_at, confirmed_at, told)
         VALUES (1, 'dora@example.com', 'dora@example.com', 0, 0, 3)",
    );
    let reminder = stage.ticks(at("2026-11-17T09:00:00Z"));
    assert_eq!(reminder.len(), 1, "a reminder is nobody else's business");
    assert_eq!(stage.ticks(at("2026-11-18T08:59:00Z")).len(), 1, "nor is a last warning");
    let mails = stage.ticks(at("2026-11-18T09:00:00Z"));
    let mut told: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    told.sort_unstable();
    assert_eq!(told, ["ann@example.org", "bob@example.net", "cleo@example.com", "dora@example.com"]);
    assert!(mails.iter().all(|mail| mail.text.contains("Game over: bob (black) wins")), "{mails:?}");
    assert_eq!(stage.tick().1, []);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_board_that_time_ended_makes_room_for_the_next_your_move_mail() {
    let mut stage = begun("--forfeittime=2 --nagtime=0");
    stage.submit(Operator::Nobody, &format!("set ann {ANN} digest on"));
    for board in 2..=3 {
        let challenge = "dvonn challenge --forfeittime=9 --nagtime=0 -symmetry -seed=7 bob ann";
        stage.mail("bob@example.net", challenge, "");
        let mails = stage.mail("bob@example.net", &format!("dvonn move {board} bob {BOB} D1-E1"), "");
        let told = mails.iter().filter(|mail| mail.to == "ann@example.org").count();
        assert_eq!(told, usize::from(board == 2), "ann has one mail to answer");
    }
    stage.ticks(at("2026-11-18T08:59:00Z"));
    let mails = stage.ticks(at("2026-11-18T09:00:00Z"));
    let anns: Vec<&str> =
        mails.iter().filter(|mail| mail.to == "ann@example.org").map(Mail::first_line).collect();
    assert_eq!(anns.len(), 2, "{anns:?}");
    assert!(
        anns[0].starts_with("ann, the game is over: ") && anns[1].starts_with("ann, your move (ply 2)"),
        "{anns:?}"
    );
}

#[test]
fn a_damaged_board_stops_no_other_clock() {
    let mut stage = begun("--nagtime=0 --forfeittime=2");
    stage.mail("ann@example.org", "dvonn challenge --nagtime=1 ann bob", "");
    sql(
        &stage,
        "UPDATE events SET text = 'Z9' WHERE board = 1 AND number = 2; UPDATE boards SET position = 'x' WHERE id = 1",
    );
    stage.now = at("2026-11-16T09:30:00Z");
    let (ticked, _) = stage.tick();
    assert_eq!(ticked.damaged.len(), 1, "{ticked:?}");
    assert!(ticked.damaged[0].starts_with("board 1: "), "{ticked:?}");
    let mails = stage.ticks(at("2026-11-17T09:30:00Z"));
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].subject, "dvonn 2, ann v bob");
}

#[test]
fn nobody_is_nudged_on_vacation() {
    let mut stage = begun("");
    announce(&mut stage, "ann", ANN, "2026-11-18 2026-11-20");
    stage.ticks(at("2026-11-18T10:00:00Z"));
    let nudge = format!("dvonn nudge 1 bob {BOB}");
    let (answer, well, mails) = stage.submit(Operator::Nobody, &nudge);
    assert_eq!((well, mails.len()), (false, 0));
    assert!(answer.starts_with("ann is on vacation until 2026-11-20; the clocks"), "{answer}");
    stage.ticks(at("2026-11-21T00:00:00Z"));
    assert!(stage.submit(Operator::Nobody, &nudge).1);
    stage.ticks(at("2026-11-21T23:30:00Z"));
    assert!(!stage.submit(Operator::Nobody, &nudge).1, "once a day");
    stage.ticks(at("2026-11-22T00:00:00Z"));
    assert!(stage.submit(Operator::Nobody, &nudge).1);
}

#[test]
fn the_time_for_all_moves_counts_to_the_second() {
    let mut stage = begun("--nagtime=0 --forfeittime=0 --totaltime=2");
    // Ann and bob take turns of 10 hours and of 1; both made ply 1 and 2 in no time.
    let plies = ["E1-G1", "I1-H1", "G1-H1", "J2-H1"];
    for (number, ply) in plies.iter().enumerate().take(3) {
        let until = stage.now.checked_add(SignedDuration::from_hours(if number % 2 == 0 { 10 } else { 1 }));
        stage.ticks(until.unwrap());
        let (name, password) = if number % 2 == 0 { ("ann", ANN) } else { ("bob", BOB) };
        let (answer, well, _) =
            stage.submit(Operator::Nobody, &format!("dvonn move 1 {name} {password} {ply}"));
        if !well && number == 2 {
            // That stack has no such move in this layout; any other does.
            let legal =
                Board::load(&stage.store, BoardId(1)).unwrap().unwrap().table.legal_plies()[0].clone();
            assert!(stage.submit(Operator::Nobody, &format!("dvonn move 1 ann {ANN} {legal}")).1);
        } else {
            assert!(well, "{answer}");
        }
    }
    stage.tick();
    // Bob has used an hour of his 48.
    assert_eq!(deadline(&stage), stage.now.checked_add(SignedDuration::from_hours(47)).unwrap());
    let legal = Board::load(&stage.store, BoardId(1)).unwrap().unwrap().table.legal_plies()[0].clone();
    assert!(stage.submit(Operator::Nobody, &format!("dvonn move 1 bob {BOB} {legal}")).1);
    stage.tick();
    // Ann has used 20, and is away for a day.
    let end = stage.now.checked_add(SignedDuration::from_hours(28)).unwrap();
    assert_eq!(deadline(&stage), end);
    let tomorrow = stage.now.to_zoned(TimeZone::UTC).date().tomorrow().unwrap();
    announce(&mut stage, "ann", ANN, &format!("{tomorrow} {tomorrow}"));
    let end = end.checked_add(SignedDuration::from_hours(24)).unwrap();
    stage.ticks(end.checked_sub(SignedDuration::from_secs(1)).unwrap());
    assert_eq!((deadline(&stage), row(&stage).state), (end, BoardState::Running));
    stage.ticks(end);
    let result = row(&stage).result.unwrap();
    assert_eq!((result.ending, result.winner), (Ending::TimedOut, Some(Seat::Second)));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Boards of three weeks ago, some answered and some not, and eight timers at once: each does what the others left.
#[test]
fn eight_timers_at_once_do_each_thing_once() {
    let host = Host::new();
    let mut commands = format!("signup ann {ANN} ann@example.org\nsignup bob {BOB} bob@example.net\n");
    let answered = format!("dvonn move NR ann {ANN} F3\ndvonn move NR bob {BOB} E3\n");
    for board in 1..=8 {
        commands.push_str("dvonn challenge ann bob\n");
        if board <= 4 {
            commands.push_str(&answered.replace("NR", &board.to_string()));
        }
    }
    host.run(&["submit"], commands.as_bytes()).ok();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute_batch(
        "UPDATE events SET at = at - 21*86400, deadline_at = deadline_at - 21*86400;
         UPDATE boards SET started_at = started_at - 21*86400, changed_at = changed_at - 21*86400,
            deadline_at = deadline_at - 21*86400;
         INSERT INTO ticks VALUES (1, unixepoch() - 1800);",
    )
    .unwrap();
    drop(conn);
    let before = host.delivered().len();
    let timers: Vec<_> = (0..8).map(|_| start(host.command(&["tick"]), b"")).collect();
    let told: Vec<String> = timers.into_iter().map(|timer| finish(timer).ok().to_owned()).collect();
    let sum = |place: usize| -> u32 {
        let number =
            |line: &String| line.split(", ").nth(place).unwrap().split(' ').next().unwrap().parse::<u32>();
        told.iter().map(|line| number(line).unwrap()).sum()
    };
    assert_eq!((sum(0), sum(1), sum(2), sum(3)), (0, 4, 4, 16), "{told:?}");
    assert_eq!(host.delivered().len(), before + 16);
    host.assert_verified();
}

/// What the year knows of a board beside the server.
struct Turn {
    number: u32,
    mover: Seat,
    began: Timestamp,
}

struct Year {
    store: Store,
    now: Timestamp,
    rng: ChaCha12Rng,
    /// When clocks stand still, by player; and for all.
    away: HashMap<PlayerId, Vec<(Timestamp, Timestamp)>>,
    down: Vec<(Timestamp, Timestamp)>,
    zones: HashMap<PlayerId, TimeZone>,
    /// Of every turn: when it began and ended, and whose zone it was counted in.
    turns: Vec<(BoardId, u32, Timestamp, Timestamp)>,
    open: HashMap<BoardId, Turn>,
}

const ZONES: &[&str] = &[
    "Europe/Paris",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "America/Santiago",
    "UTC",
];

impl Year {
    fn below(&mut self, bound: u64) -> u64 {
        self.rng.next_u64() % bound
    }

    /// The seconds between two instants in which a board's clocks ran.
    fn running(&self, players: &[PlayerId; 2], from: Timestamp, to: Timestamp) -> i64 {
        let mut still: Vec<(i64, i64)> = Vec::new();
        let away = players.iter().filter_map(|player| self.away.get(player)).flatten();
        for (first, last) in away.chain(&self.down) {
            still.push((first.max(&from).as_second(), last.min(&to).as_second()));
        }
        still.sort_unstable();
        let mut running = to.as_second() - from.as_second();
        let mut counted = i64::MIN;
        for (first, last) in still {
            let first = first.max(counted);
            running -= (last - first).max(0);
            counted = counted.max(last);
        }
        running
    }

    fn challenge(&mut self) {
        let players = self.zones.len() as u64;
        let one = 1 + self.below(players) as i64;
        let two = 1 + (one - 1 + 1 + self.below(players - 1) as i64) % players as i64;
        let kind = &turnpost_games::dvonn::KIND;
        let seed = self.below(1000);
        let options = vec![("symmetry".to_owned(), None)];
        let table = (kind.start)(&turnpost_games::Setup { options: &options, seed }).unwrap();
        let days = BoardDays {
            nag: self.below(6) as u32,
            forfeit: [0, 3, 7, 21][self.below(4) as usize],
            total: [0, 0, 10, 40][self.below(4) as usize],
        };
        let terms = Terms {
            game: "dvonn".into(),
            players: [one, two],
            options,
            seed,
            from_position: false,
            position: table.position(),
            rated: true,
            lots: false,
            may_swap: false,
            days,
            rematch_of: None,
            tutorial: false,
            imported: None,
        };
        let zones = [one, two].map(|player| self.zones[&PlayerId(player)].clone());
        let now = self.now;
        let (board, _) =
            self.store.write(|store| board::start(store, &terms, now, None, Some(&zones))).unwrap();
        let id = board.row.id;
        self.open.insert(id, Turn { number: 1, mover: Seat::First, began: now });
    }

    /// The player to move plays some ply of a board.
    fn play(&mut self, id: BoardId) {
        let mut board = Board::load(&self.store, id).unwrap().unwrap();
        let [first, second] = board.row.players;
        let zones = [self.zones[&first].clone(), self.zones[&second].clone()];
        let legal = board.table.legal_plies();
        let ply = legal[self.below(legal.len() as u64) as usize].clone();
        let mut events = vec![
            board.play(&ply, Some(*board.table.turn().of(&board.row.players)), self.now, &zones).unwrap().0,
        ];
        events.extend(board.play_passes(self.now, &zones));
        let now = self.now;
        self.store
            .write(|store| {
                for event in &events {
                    store.add_event(id, event)?;
                }
                store.update_board(&board.row)
            })
            .unwrap();
        let turn = self.open.remove(&id).unwrap();
        self.turns.push((id, turn.number, turn.began, now));
        if board.row.state == BoardState::Running {
            let began = Turn { number: board.row.events, mover: board.table.turn(), began: now };
            self.open.insert(id, began);
        }
    }

    /// Whoever lost by time had let it run out, and the event comes at or after the deadline that was told.
    fn check_forfeit(&self, id: BoardId, turn: &Turn) {
        let row = self.store.board(id).unwrap().unwrap();
        let events = self.store.events(id).unwrap();
        let [.., before, last] = events.as_slice() else { panic!("{id}") };
        assert!(matches!(last.kind, EventKind::TimedOut | EventKind::Decline), "{last:?}");
        assert_eq!(last.seat, Some(turn.mover));
        assert!(last.at >= before.deadline_at.unwrap(), "{id}: {before:?} {last:?}");
        let ran = self.running(&row.players, turn.began, last.at);
        // A day of the calendar may have an hour less.
        let by_turn = row.days.forfeit > 0 && ran >= i64::from(row.days.forfeit) * 86_400 - 3_600;
        let used: i64 = self.used(&events, &row.players, turn.mover) + ran;
        let by_total = row.days.total > 0 && used >= i64::from(row.days.total) * 86_400;
        assert!(by_turn || by_total, "board {id} {:?}: {ran} s of the turn, {used} s in all", row.days);
        let answered =
            events.iter().any(|event| event.kind == EventKind::Ply && event.seat == Some(Seat::Second));
        assert_eq!(row.state == BoardState::Declined, !answered);
    }

    fn used(&self, events: &[EventRow], players: &[PlayerId; 2], mover: Seat) -> i64 {
        let turns: Vec<&EventRow> =
            events.iter().filter(|event| matches!(event.kind, EventKind::Start | EventKind::Ply)).collect();
        turns
            .windows(2)
            .filter(|pair| pair[1].seat == Some(mover))
            .map(|pair| self.running(players, pair[0].at, pair[1].at))
            .sum()
    }
}

/// A year: some four hundred boards, sixty players in eight zones, vacations, and a server that is down now and then,
/// for hours or for weeks, while letters still come in.
#[test]
fn months_of_a_busy_server() {
    let folder = if std::path::Path::new("/dev/shm").is_dir() {
        tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    };
    let path = folder.path().join(DATABASE);
    let mut store = Store::open(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    let app = Config::default().app();
    let begins = at("2026-01-01T00:00:00Z");
    let mut zones = HashMap::new();
    for n in 0..60_usize {
        let userid = format!("player{n}").parse().unwrap();
        let player = store
            .write(|store| {
                let id = store.add_player(&userid, "x", &[7; 32], begins)?;
                store.add_address(id, &format!("player{n}@example.org"), begins, Some(begins))?;
                Ok::<_, turnpost::store::StoreError>(id)
            })
            .unwrap();
        let zone = ZONES[n % ZONES.len()];
        other.execute("UPDATE players SET zone = ?1 WHERE id = ?2", (zone, player.0)).unwrap();
        zones.insert(player, TimeZone::get(zone).unwrap());
    }
    let mut year = Year {
        store,
        now: begins,
        rng: ChaCha12Rng::seed_from_u64(2026),
        away: HashMap::new(),
        down: Vec::new(),
        zones,
        turns: Vec::new(),
        open: HashMap::new(),
    };
    tick(&mut year.store, &app, begins).unwrap();
    // With the days in spring on which clocks are changed, north and south.
    let months = rounds(6, 12);
    let ends =
        begins.to_zoned(TimeZone::UTC).checked_add(Span::new().months(months as i64)).unwrap().timestamp();
    let months = months as usize;
    let (mut ticked, mut last_tick) = (Ticked::default(), begins);
    let mut down_until = begins;
    let mut next_check = begins;
    while year.now < ends {
        year.now = year.now.checked_add(SignedDuration::from_mins(55)).unwrap();
        if year.below(26) == 0 {
            year.challenge();
        }
        if year.below(80) == 0 {
            // Somebody takes a vacation that begins today or later.
            let player = PlayerId(1 + year.below(60) as i64);
            let zone = year.zones[&player].clone();
            let today = year.now.to_zoned(zone.clone()).date();
            let first: Date = today.checked_add(Span::new().days(year.below(20) as i64)).unwrap();
            let last = first.checked_add(Span::new().days(year.below(14) as i64)).unwrap();
            let instant = |day: Date| day.to_zoned(zone.clone()).unwrap().timestamp();
            let (starts_at, ends_at) = (instant(first).max(year.now), instant(last.tomorrow().unwrap()));
            let vacation = VacationRow { first, last, starts_at, ends_at };
            year.store.write(|store| store.add_vacation(player, &vacation)).unwrap();
            year.away.entry(player).or_default().push((starts_at, ends_at));
        }
        let mut waiting: Vec<BoardId> = year.open.keys().copied().collect();
        waiting.sort_unstable();
        for id in waiting {
            // One in seven boards is asleep; on the others a ply takes two days.
            if id.0 % 7 != 0 && year.below(52) == 0 {
                year.play(id);
            }
        }
        if down_until <= year.now && year.below(900) == 0 {
            let hours = [2, 5, 30, 24 * 30][year.below(4) as usize];
            down_until = year.now.checked_add(SignedDuration::from_hours(hours)).unwrap();
        }
        if year.now < down_until {
            continue;
        }
        if year.now.duration_since(last_tick) > SignedDuration::from_hours(1) {
            year.down.push((last_tick, year.now));
        }
        last_tick = year.now;
        let now = year.now;
        let done = tick(&mut year.store, &app, now).unwrap();
        ticked.timed_out += done.timed_out;
        ticked.declined += done.declined;
        ticked.reminded += done.reminded;
        ticked.moved += done.moved;
        if done.timed_out + done.declined > 0 {
            let over: Vec<BoardId> = year
                .open
                .keys()
                .copied()
                .filter(|id| year.store.board(*id).unwrap().unwrap().state != BoardState::Running)
                .collect();
            assert_eq!(over.len(), done.timed_out + done.declined);
            for id in over {
                let turn = year.open.remove(&id).unwrap();
                year.check_forfeit(id, &turn);
                year.turns.push((id, turn.number, turn.began, now));
            }
        }
        if now >= next_check {
            assert_eq!(verify(&year.store).unwrap().wrong, Vec::<String>::new(), "{now}");
            next_check = now.checked_add(SignedDuration::from_hours(24 * 40)).unwrap();
        }
    }
    assert_eq!(verify(&year.store).unwrap().wrong, Vec::<String>::new());
    // Reminders: one in every turn that lasted longer than the days before it, none in the others.
    let mut statement = other
        .prepare("SELECT commands, count(*) FROM letters WHERE commands LIKE 'reminder %' GROUP BY 1")
        .unwrap();
    let reminders: HashMap<String, u32> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    assert!(reminders.values().all(|count| *count == 1));
    assert_eq!(reminders.len(), ticked.reminded);
    for (id, turn, began, ended) in &year.turns {
        let row = year.store.board(*id).unwrap().unwrap();
        if row.days.nag == 0 || row.days.total > 0 {
            continue;
        }
        let ran = year.running(&row.players, *began, *ended);
        let nag = i64::from(row.days.nag) * 86_400;
        let reminded = reminders.contains_key(&format!("reminder {id} {turn}"));
        let forfeits_first = row.days.forfeit > 0 && row.days.forfeit <= row.days.nag;
        if ran < nag - 3_600 || forfeits_first {
            assert!(!reminded, "board {id}, turn {turn}: {ran} s");
        }
        if ran > nag + 2 * 3_600 && !forfeits_first && !year.just_after_a_stop(*began, *ended) {
            assert!(reminded, "board {id}, turn {turn}: {ran} s of {nag}");
        }
    }
    let boards = year.store.board_numbers().unwrap().len();
    assert!(
        boards > 25 * months && ticked.timed_out > 2 * months && ticked.declined * 2 > months,
        "{boards} boards, {ticked:?}"
    );
    assert!(ticked.reminded > 20 * months && ticked.moved > 20 * months && year.down.len() > 2, "{ticked:?}");
}

impl Year {
    /// Whether the turn ended while no timer ran: then nobody could be reminded.
    fn just_after_a_stop(&self, began: Timestamp, ended: Timestamp) -> bool {
        self.down.iter().any(|(from, to)| *from < ended && ended <= *to && *to > began)
    }
}
