//! Clocks of the machine that are wrong and are set right, and a machine that is off now and then: nobody loses a game
//! for it, and nothing stays shut.

use crate::support::{ANN, BOB, Stage, letter, rounds};
use jiff::{SignedDuration, Timestamp};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use turnpost::board::Board;
use turnpost::config::keep::Age;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::pipeline;
use turnpost::store::{BoardRow, BoardState, CodeHash, Ending, PlayerId};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn row(stage: &Stage) -> BoardRow {
    stage.store.board(BoardId(1)).unwrap().unwrap()
}

/// Whoever is to move plays some ply; false where the game is over.
fn play(stage: &mut Stage) -> bool {
    let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
    let Some(seat) = board.row.to_move else { return false };
    let (userid, ply) = (["ann", "bob"][seat.index()], board.table.legal_plies()[0].clone());
    let (answer, well, _) = stage.submit(Operator::AsAnyone, &format!("dvonn move 1 {userid} - {ply}"));
    assert!(well, "{answer}");
    true
}

/// A board of these limits on which both have moved.
fn begun(options: &str) -> Stage {
    let mut stage = Stage::with_players();
    stage.tick();
    stage.mail(
        "ann@example.org",
        &format!("dvonn challenge -symmetry -seed=7 --nagtime=0 {options} ann bob"),
        "",
    );
    play(&mut stage);
    play(&mut stage);
    stage.tick();
    stage
}

#[test]
fn a_clock_a_year_ahead_uses_up_nobodys_time() {
    for (letter_first, options) in [
        (false, "--forfeittime=5"),
        (true, "--forfeittime=5"),
        (false, "--totaltime=5"),
        (true, "--totaltime=5"),
    ] {
        let options = options.replace("--totaltime", "--forfeittime=0 --totaltime");
        let mut stage = begun(&options);
        // Two hours of the clock that is wrong, in which both players move, before or after the timer looks.
        stage.now = at("2027-11-16T10:00:00Z");
        if letter_first {
            assert!(play(&mut stage) && play(&mut stage));
        }
        assert_eq!(stage.tick().0.timed_out, 0);
        stage.wait(1);
        assert!(play(&mut stage) && play(&mut stage));
        assert_eq!(stage.tick().0.timed_out, 0);
        stage.now = at("2026-11-16T12:00:00Z");
        stage.tick();
        // Each has a day for each of the next moves, and needs no more.
        for hours in 0..4 {
            let until = stage.now.checked_add(SignedDuration::from_hours(24)).unwrap();
            stage.ticks(until);
            assert_eq!(row(&stage).state, BoardState::Running, "{options}, {letter_first}, {hours}");
            assert!(play(&mut stage));
        }
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}

#[test]
fn whoever_was_told_a_deadline_of_a_wrong_clock_is_told_the_right_one() {
    let mut stage = begun("--forfeittime=5");
    stage.now = at("2027-11-16T11:00:00Z");
    let (_, mails) = stage.tick();
    assert_eq!(mails.len(), 2);
    assert!(mails[0].text.contains("Sun 21 Nov 11:00 UTC"), "{}", mails[0].text);
    // Half an hour later the clock is right again.
    stage.now = at("2026-11-16T11:30:00Z");
    let (_, mails) = stage.tick();
    assert_eq!(mails.len(), 2, "each is told once");
    assert!(mails[0].text.contains("Sat 21 Nov"), "{}", mails[0].text);
    assert_eq!(stage.tick().1, []);
    stage.ticks(at("2026-11-21T12:30:00Z"));
    assert_eq!(row(&stage).result.unwrap().ending, Ending::TimedOut);
}

/// The limit of answers to strangers, and of wrong passwords.
#[test]
fn what_was_counted_by_a_clock_a_year_ahead_shuts_nobody_out() {
    let mut stage = Stage::with(|config| {
        config.limits.strangers_a_day = 2;
        config.limits.wrong_passwords_of_a_userid = 2;
    })
    .peopled();
    stage.now = at("2027-11-16T10:00:00Z");
    stage.mail("eve@example.com", "help", "");
    stage.mail("ann@example.org", "set ann dotterel-9 digest on", "");
    stage.now = at("2026-11-16T12:00:00Z");
    for day in 0..4 {
        let help = stage.mail(&format!("stranger{day}@example.com"), "help", "");
        assert_eq!(help.len(), 1, "day {day}");
        stage.mail("ann@example.org", "set ann dotterel-9 digest on", "");
        let mails = stage.mail("ann@example.org", &format!("set ann {ANN} digest on"), "");
        assert!(!mails[0].text.contains("password"), "day {day}: {}", mails[0].text);
        stage.wait(25);
    }
}

#[test]
fn what_a_clock_a_year_ahead_leased_or_allowed_once_is_free() {
    let stage = Stage::with_a_game();
    stage.change("INSERT INTO robot_turns (board, event, arose_at) VALUES (1, 1, 0)");
    let (wrong, right) = (at("2027-11-16T10:00:00Z"), at("2026-11-16T12:00:00Z"));
    for (now, free) in [(wrong, true), (wrong, false), (right, true), (right, false)] {
        let lease = SignedDuration::from_mins(10);
        assert_eq!(stage.store.robot_is_wanted(now).unwrap(), free, "{now}");
        assert_eq!(stage.store.lease_robot_turn(now, lease).unwrap().is_some(), free, "{now}");
        assert_eq!(stage.store.may_broadcast(PlayerId(1), now, 86_400).unwrap(), free, "{now}");
        let code = CodeHash::of("of a forgotten password");
        assert_eq!(stage.store.add_reset(PlayerId(1), code, now, 3600).unwrap(), free, "{now}");
    }
}

/// What time it is, by a clock that may be wrong.
struct Machine {
    right: Timestamp,
    wrong_by: SignedDuration,
}

/// Months in which the clock jumps about and the machine is off now and then, and players who always answer in time.
#[test]
fn whoever_answers_in_time_never_loses_by_it() {
    const DAY: i64 = 24;
    for seed in 0..rounds(6, 60) {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let mut below = move |bound: u64| rng.next_u64() % bound;
        let options = ["--forfeittime=5", "--forfeittime=0 --totaltime=60", "--forfeittime=5 --totaltime=60"]
            [usize::try_from(seed % 3).unwrap()];
        let mut stage = begun(options);
        let mut machine = Machine { right: stage.now, wrong_by: SignedDuration::ZERO };
        let mut happened = vec![format!("{}, {options}", stage.now)];
        // Hours of a running machine in this turn.
        let (mut turn, mut plies) = (0, 0);
        let mut answer_after = below(4 * 24) as i64;
        while plies < 10 {
            let mut hours = 2;
            match below(40) {
                0 => machine.wrong_by = SignedDuration::from_hours(365 * DAY),
                1 => machine.wrong_by = SignedDuration::from_hours(-DAY),
                2 => machine.wrong_by = SignedDuration::from_hours(-400 * DAY),
                3..=9 => machine.wrong_by = SignedDuration::ZERO,
                10 => hours = 30 * DAY,
                _ => {}
            }
            machine.right += SignedDuration::from_hours(hours);
            let before = std::mem::replace(&mut stage.now, machine.right + machine.wrong_by);
            if stage.now.duration_since(before) != SignedDuration::from_hours(2) {
                happened.push(format!("{before} became {}", stage.now));
            }
            turn += 2;
            let letter_first = below(2) == 0;
            let answers = turn > answer_after;
            if answers {
                happened.push(format!("{}: ply {plies}, before the timer: {letter_first}", stage.now));
                (turn, plies, answer_after) = (0, plies + 1, below(4 * 24) as i64);
            }
            if answers && letter_first {
                assert!(play(&mut stage));
            }
            stage.tick();
            assert_eq!(row(&stage).state, BoardState::Running, "seed {seed}, {}: {happened:#?}", stage.now);
            if answers && !letter_first {
                assert!(play(&mut stage));
            }
        }
        assert_eq!(stage.wrong(), Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn a_clock_set_back_in_the_middle_of_a_game() {
    let mut stage = Stage::with_a_game();
    let moves = [
        ("ann@example.org", format!("dvonn move 1 ann {ANN} D1-E1"), -30 * 24),
        ("bob@example.net", format!("dvonn move 1 bob {BOB} K3-J2"), 24),
        ("ann@example.org", format!("dvonn move 1 ann {ANN} E1-G1"), -1),
        ("bob@example.net", format!("dvonn move 1 bob {BOB} I1-H1"), 40 * 24),
    ];
    for (number, (from, command, hours)) in moves.into_iter().enumerate() {
        stage.tick();
        let mail = letter(from, &command, "", u32::try_from(number).unwrap() + 100);
        let mails = stage.receive(&mail);
        assert_eq!(mails.len(), 2, "{command}: {mails:#?}");
        stage.wait(hours);
        // The same letter by another route, at times before it was first taken in.
        assert!(stage.receive(&mail).is_empty(), "{command}");
        if hours < 0 {
            let (ticked, mails) = stage.tick();
            assert_eq!((ticked.timed_out, ticked.declined, mails.len()), (0, 0, 0), "{command}");
        }
        assert_eq!(stage.wrong(), Vec::<String>::new(), "{command}");
    }
}

/// Runs the timer as the server does, every two hours up to `until`; gives how many mails have lost their text.
fn keeps(stage: &mut Stage, until: Timestamp) -> usize {
    let mut forgotten = 0;
    loop {
        stage.tick();
        let before = Age::default().before(stage.now).unwrap();
        forgotten += pipeline::forget_mails(&mut stage.store, before, stage.now, || true).unwrap();
        if stage.now >= until {
            return forgotten;
        }
        stage.wait(2);
    }
}

#[test]
fn a_clock_set_forward_and_back_takes_no_text_from_a_mail() {
    for (ticked_before, with_a_game) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut stage = if with_a_game { Stage::with_a_game() } else { Stage::with_players() };
        stage.mail("ann@example.org", "help", "");
        if ticked_before {
            assert_eq!(keeps(&mut stage, at("2026-11-26T09:00:00Z")), 0);
        }
        for (wrong, right) in [
            ("2027-11-26T09:00:00Z", "2026-11-26T12:00:00Z"),
            ("2036-01-01T00:00:00Z", "2026-11-26T15:00:00Z"),
            // A machine that has no clock begins in 1970.
            ("1970-01-01T00:00:00Z", "2026-11-26T18:00:00Z"),
        ] {
            for clock in [wrong, right] {
                stage.now = at(clock);
                let soon = stage.now.checked_add(SignedDuration::from_hours(6)).unwrap();
                assert_eq!(keeps(&mut stage, soon), 0, "{clock}, {ticked_before}, {with_a_game}");
            }
        }
        // The time that a clock really ran counts.
        assert!(keeps(&mut stage, at("2026-12-31T00:00:00Z")) > 0, "{ticked_before}, {with_a_game}");
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}
