//! Ladders: who may challenge whom, and how results, rulings and days without a move change places.

use crate::support::{Mail, Stage};
use jiff::Timestamp;
use turnpost::contest::events::Ruling;
use turnpost::contest::ladder_games::Ladder;
use turnpost::contest::record::Contest;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::{BoardState, ContestBoardRow, Store};
use turnpost::timer::host_acts::{Act, BoardAct, ContestAct, GameEnd, GamesOfTwo};

/// A server whose players `p01` and on are on the ladder of DVONN, in the order of their numbers.
fn stage(players: usize) -> Stage {
    let mut stage = Stage::new();
    // A newcomer enters in the middle: below the upper half of those who are there.
    let mut order: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (1..=players).collect();
    while !left.is_empty() {
        order.push(left.remove((left.len() - 1) / 2));
    }
    for number in order.into_iter().rev() {
        submit(&mut stage, &format!("signup p{number:02} plover-9 p{number:02}@example.org"));
        submit(&mut stage, &format!("dvonn ladder join p{number:02} plover-9"));
    }
    let names: Vec<String> = (1..=players).map(|number| format!("p{number:02}")).collect();
    assert_eq!(places(&stage), names.join(" "));
    stage
}

fn submit(stage: &mut Stage, text: &str) -> (String, Vec<Mail>) {
    let (said, _, mails) = stage.submit(Operator::AsAnyone, text);
    (said.split_whitespace().collect::<Vec<_>>().join(" "), mails)
}

fn contest(stage: &Stage) -> Contest {
    let row = stage.store.contest_named("dvonn-ladder").unwrap().unwrap();
    Contest::load(&stage.store, &row).unwrap()
}

fn boards(stage: &Stage) -> Vec<ContestBoardRow> {
    stage.store.contest_boards(contest(stage).row.id).unwrap()
}

/// The userids from the top down, as the ladder has noted them.
fn places(stage: &Stage) -> String {
    let places = contest(stage).ladder.places(&boards(stage));
    let name = |player| stage.store.player_by_id(player).unwrap().userid.to_string();
    places.into_iter().map(name).collect::<Vec<_>>().join(" ")
}

/// `p05` challenges `p03`, and the board is the last.
fn challenge(stage: &mut Stage, challenger: &str, other: &str) -> BoardId {
    let before = boards(stage).len();
    let said = submit(stage, &format!("dvonn ladder challenge {other} {challenger} plover-9")).0;
    assert_eq!(boards(stage).len(), before + 1, "{said}");
    boards(stage)[before].board
}

fn resign(stage: &mut Stage, board: BoardId, loser: &str) {
    submit(stage, &format!("dvonn resign {board} {loser} plover-9"));
    stage.tick();
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

fn refused(stage: &mut Stage, line: &str, why: &str) {
    let said = submit(stage, line).0;
    assert!(said.contains(why), "{line}: {said}");
}

#[test]
fn reach_room_and_rest_bound_who_may_be_challenged() {
    let mut stage = stage(14);
    submit(&mut stage, "vacation p06 plover-9 2026-11-16 2026-12-10");
    refused(&mut stage, "dvonn ladder challenge p03 p14 plover-9", "you may challenge numbers 4 to 13");
    refused(&mut stage, "dvonn ladder challenge p14 p13 plover-9", "p14 is number 14");
    refused(&mut stage, "dvonn ladder challenge p02 p01 plover-9", "You are at the top");
    refused(&mut stage, "dvonn ladder challenge p01 plover-9", "You are at the top");
    refused(&mut stage, "dvonn ladder challenge nobody p14 plover-9", "There is no player nobody");
    refused(&mut stage, "dvonn ladder join p14 plover-9", "You are on the DVONN ladder already");
    submit(&mut stage, "signup guest plover-9 guest@example.org\nsignup twin plover-9 p01@example.org");
    refused(&mut stage, "dvonn ladder challenge p02 guest plover-9", "You are not on the DVONN ladder");
    refused(&mut stage, "dvonn ladder challenge guest p14 plover-9", "guest is not on the DVONN ladder");
    refused(&mut stage, "dvonn ladder join twin plover-9", "A mailbox has one entry");
    let first = challenge(&mut stage, "p14", "p13");
    refused(&mut stage, "dvonn ladder challenge p13 p14 plover-9", "within the last seven days");
    refused(&mut stage, &format!("dvonn decline {first} p13 plover-9"), "games of it are not declined");
    resign(&mut stage, first, "p14");
    refused(&mut stage, "dvonn ladder challenge p13 p14 plover-9", "within the last seven days");
    // The nearest who is free: p13 has just played.
    submit(&mut stage, "dvonn ladder challenge p14 plover-9");
    challenge(&mut stage, "p14", "p11");
    challenge(&mut stage, "p14", "p10");
    let rows = boards(&stage);
    let other = rows[1].players.map(|player| stage.store.player_by_id(player).unwrap().userid.to_string());
    assert!(other.contains(&"p12".to_owned()), "{other:?}");
    refused(&mut stage, "dvonn ladder challenge p09 p14 plover-9", "You have asked for 3 games");
    challenge(&mut stage, "p13", "p11");
    challenge(&mut stage, "p12", "p11");
    refused(&mut stage, "dvonn ladder challenge p11 p13 plover-9", "p11 has 3 games in play that");
    refused(&mut stage, "dvonn ladder challenge p06 p13 plover-9", "p06 is on vacation");
    stage.wait(8 * 24);
    challenge(&mut stage, "p13", "p09");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// The players above can be challenged and paired in spite of blocks.
#[test]
fn the_top_cannot_block_its_challengers() {
    let mut stage = stage(3);
    submit(&mut stage, "set p01 plover-9 block p02 block p03");
    refused(&mut stage, "dvonn challenge p02 p01", "There is a block between");
    let first = challenge(&mut stage, "p02", "p01");
    let said = submit(&mut stage, "dvonn ladder challenge p01 p03 plover-9").0;
    assert_eq!(boards(&stage).len(), 2, "{said}");
    resign(&mut stage, first, "p01");
    let said = submit(&mut stage, "dvonn ladder leave p01 plover-9\ndvonn ladder join p01 plover-9").0;
    assert!(said.replace('\n', " ").contains("There is a block between you and p03 and p02"), "{said}");
}

#[test]
fn a_win_stands_above_a_draw_below_and_rulings_move_places_back() {
    let mut stage = stage(6);
    let board = challenge(&mut stage, "p05", "p02");
    let host = |stage: &mut Stage, act| {
        stage.host(Act::OnBoard(board, act), "A test of places.").unwrap();
        stage.tick();
        assert_eq!(stage.wrong(), Vec::<String>::new());
    };
    host(&mut stage, BoardAct::End(GameEnd::Won("p05".parse().unwrap())));
    assert_eq!(places(&stage), "p01 p05 p02 p03 p04 p06");
    host(&mut stage, BoardAct::End(GameEnd::Draw));
    assert_eq!(places(&stage), "p01 p02 p05 p03 p04 p06");
    host(&mut stage, BoardAct::End(GameEnd::Won("p02".parse().unwrap())));
    assert_eq!(places(&stage), "p01 p02 p03 p04 p05 p06");
    host(&mut stage, BoardAct::Resume);
    assert_eq!(places(&stage), "p01 p02 p03 p04 p05 p06");
    // What ends later counts later.
    let other = challenge(&mut stage, "p06", "p02");
    resign(&mut stage, other, "p02");
    assert_eq!(places(&stage), "p01 p06 p02 p03 p04 p05");
    resign(&mut stage, board, "p02");
    assert_eq!(places(&stage), "p01 p06 p05 p02 p03 p04");
    // A winner may give the game back, which moves both back before the timer has seen it.
    submit(&mut stage, &format!("dvonn resume {board} p05 plover-9"));
    assert_eq!(places(&stage), "p01 p06 p02 p03 p04 p05");
}

/// Neither player moves, so the bank of the first runs out.
#[test]
fn a_loss_on_time_moves_one_below_or_to_the_bottom() {
    for (earlier, expected) in [(false, "p01 p03 p02 p04 p05"), (true, "p01 p02 p03 p05 p04")] {
        let mut stage = stage(5);
        if earlier {
            // Then the challenger begins, as the other began before.
            let board = challenge(&mut stage, "p03", "p02");
            resign(&mut stage, board, "p03");
        }
        challenge(&mut stage, "p04", "p02");
        submit(&mut stage, "dvonn ladder auto off p01 plover-9\ndvonn ladder auto off p02 plover-9");
        submit(&mut stage, "dvonn ladder auto off p03 plover-9\ndvonn ladder auto off p05 plover-9");
        while boards(&stage).iter().any(|board| board.state == BoardState::Running) {
            stage.wait(12);
            stage.tick();
        }
        assert_eq!(places(&stage), expected, "{earlier}");
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}

#[test]
fn who_leaves_ends_nothing_and_gains_nothing() {
    let mut stage = stage(6);
    let board = challenge(&mut stage, "p05", "p02");
    submit(&mut stage, "dvonn ladder leave p02 plover-9");
    assert_eq!(places(&stage), "p01 p03 p04 p05 p06");
    assert!(boards(&stage).iter().all(|board| board.state == BoardState::Running));
    resign(&mut stage, board, "p02");
    assert_eq!(places(&stage), "p01 p03 p04 p05 p06");
    // From the middle down, one comes back no higher than one left.
    submit(&mut stage, "dvonn ladder leave p06 plover-9\ndvonn ladder join p06 plover-9");
    assert_eq!(places(&stage), "p01 p03 p04 p05 p06");
    // Nor does it save the place that a running game would have cost.
    submit(&mut stage, "dvonn ladder join p02 plover-9");
    assert_eq!(places(&stage), "p01 p03 p04 p05 p06 p02");
    // Who has none in play is a newcomer again.
    submit(&mut stage, "dvonn ladder leave p01 plover-9\ndvonn ladder join p01 plover-9");
    assert_eq!(places(&stage), "p03 p04 p01 p05 p06 p02");
    assert_eq!(stage.wrong(), Vec::<String>::new());
    let ladder = Ladder::follow(&stage.store, contest(&stage), stage.now).unwrap();
    assert_eq!(ladder.games_of(ladder.places[0]), Default::default());
}

/// Whoever has won has the place before the host takes the loser off.
#[test]
fn a_game_that_has_ended_counts_before_the_host_takes_somebody_off() {
    let mut stage = stage(6);
    let board = challenge(&mut stage, "p05", "p02");
    submit(&mut stage, &format!("dvonn resign {board} p02 plover-9"));
    let withdraw = ContestAct::Withdraw("p02".parse().unwrap());
    stage.host(Act::OnContest("dvonn-ladder".to_owned(), withdraw), "A test.").unwrap();
    assert_eq!(places(&stage), "p01 p05 p03 p04 p06");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Lets hours go by until a time, with a tick every six of them; gives the mails about the ladder, each with its time.
fn until(stage: &mut Stage, end: &str) -> Vec<(Timestamp, Mail)> {
    let mut mails = Vec::new();
    let end: Timestamp = end.parse().unwrap();
    while stage.now < end {
        stage.wait(6);
        let told = stage.tick().1.into_iter();
        mails.extend(
            told.filter(|mail| {
                mail.subject.contains("the DVONN ladder") || mail.subject.contains("The DVONN ladder")
            })
            .map(|mail| (stage.now, mail)),
        );
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
    mails
}

#[test]
fn mondays_pair_who_has_no_game() {
    let mut stage = stage(8);
    submit(&mut stage, "vacation p03 plover-9 2026-11-16 2026-12-12\ndvonn ladder auto off p04 plover-9");
    submit(&mut stage, "set p08 plover-9 block p07");
    challenge(&mut stage, "p02", "p01");
    let before = until(&mut stage, "2026-11-22T21:00:00Z");
    assert!(before.is_empty() && boards(&stage).len() == 1);
    let mails = until(&mut stage, "2026-11-23T09:00:00Z");
    let played = boards(&stage);
    let players = |board: &ContestBoardRow| {
        let mut names =
            board.players.map(|player| stage.store.player_by_id(player).unwrap().userid.to_string());
        names.sort();
        names.join(" ")
    };
    let mut pairs: Vec<String> = played.iter().map(players).collect();
    pairs.sort();
    // The lowest first: p08 with the nearest to the middle above who waits, so p05; p07 with p06.
    assert_eq!(pairs, ["p01 p02", "p05 p08", "p06 p07"]);
    let mut told: Vec<&str> = mails.iter().map(|(_, mail)| mail.to.as_str()).collect();
    told.sort_unstable();
    assert_eq!(told, ["p05", "p06", "p07", "p08"].map(|name| format!("{name}@example.org")).as_slice());
    let mail = &mails[0].1;
    assert_eq!(mail.subject, "Your game on the DVONN ladder");
    assert!(mail.text.contains("you are number"), "{}", mail.text);
    // Who is paired already has no other game, and nobody hears of it again.
    let mails = until(&mut stage, "2026-11-30T09:00:00Z");
    assert_eq!((mails.len(), boards(&stage).len()), (0, 3));
}

#[test]
fn who_does_not_move_is_told_and_leaves_a_week_later() {
    let mut stage = stage(4);
    submit(&mut stage, "vacation p01 plover-9 2026-11-20 2026-12-10\ndvonn ladder auto off p02 plover-9");
    let mails = until(&mut stage, "2027-02-10T00:00:00Z");
    let events = stage.store.contest_events(contest(&stage).row.id).unwrap();
    let joined = events[0].at;
    let at = |text: &str, name: &str| {
        let player = stage.store.player(&name.parse().unwrap()).unwrap().unwrap().id;
        events.iter().find(|event| event.text == text && event.player == Some(player)).map(|event| event.at)
    };
    const WARNED: &str = r#""warned""#;
    const LEFT: &str = "no move";
    let days = |text, name| at(text, name).map(|at| at.duration_since(joined).as_hours() / 24);
    // On Mondays. They have no game by their own wish.
    assert_eq!(days(WARNED, "p02"), Some(28));
    assert_eq!(days(LEFT, "p02"), Some(35));
    // A game waits for p01, and the three weeks away do not count.
    assert_eq!(days(LEFT, "p01"), Some(56));
    for name in ["p01", "p02", "p03", "p04"] {
        let Some(left) = days(LEFT, name) else { continue };
        assert!(left >= 30 && left - days(WARNED, name).unwrap() >= 7, "{name} {left}");
    }
    let to = |name: &str, tail: &str| {
        mails.iter().filter(|(_, mail)| mail.to.starts_with(name) && mail.subject.ends_with(tail)).count()
    };
    assert_eq!((to("p02", "waits for you"), to("p02", "You have left the DVONN ladder")), (1, 1));
    // December's places came on the seventh, before p02 left; nobody gets two mails a day.
    let places =
        mails.iter().filter(|(_, mail)| mail.to.starts_with("p02") && mail.text.contains("this month"));
    assert_eq!(places.map(|(at, _)| at.strftime("%F").to_string()).collect::<Vec<_>>(), ["2026-12-07"]);
    for name in ["p01", "p02", "p03", "p04"] {
        let own: Vec<_> = mails.iter().filter(|(_, mail)| mail.to.starts_with(name)).collect();
        assert!(own.windows(2).all(|two| two[1].0.duration_since(two[0].0).as_hours() >= 20), "{name}");
    }
    // Who alone is left has nothing to play, and stays.
    assert_eq!(contest(&stage).joined.len(), 1);
    submit(&mut stage, "dvonn ladder join p02 plover-9");
    assert_eq!(contest(&stage).joined.len(), 2);
    submit(&mut stage, "signoff p02 plover-9");
    until(&mut stage, "2027-02-16T00:00:00Z");
    assert_eq!(contest(&stage).joined.len(), 1);
}

#[test]
fn a_look_shows_the_top_and_the_readers_neighbourhood() {
    let mut stage = Stage::new();
    let said = submit(&mut stage, "dvonn ladder").0;
    assert!(said.contains("The DVONN ladder has no players yet."), "{said}");
    let mut stage = self::stage(20);
    submit(&mut stage, "vacation p18 plover-9 2026-11-16 2026-12-10");
    challenge(&mut stage, "p19", "p17");
    let said = submit(&mut stage, "dvonn ladder").0;
    assert!(said.contains("20 players, and you are not one of them") && said.contains(" 15 p15 "), "{said}");
    let said = submit(&mut stage, "dvonn ladder auto off p19 plover-9").0;
    for part in [
        "you are number 19. You may challenge numbers 9 to 18,",
        "You are not paired on Mondays",
        "5 p05 0 ... ... 9 p09 0 free",
        "16 p16 0 free 17 p17 1 18 p18 0 away 19 p19 1 20 p20 0",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// A game without its board, and a board that no game made.
#[test]
fn verify_compares_the_games_with_their_boards() {
    for damage in ["UPDATE boards SET contest = NULL, pair = NULL", "UPDATE boards SET pair = 7"] {
        let mut stage = stage(3);
        challenge(&mut stage, "p03", "p02");
        stage.database().execute_batch(damage).unwrap();
        let wrong = stage.wrong().join(" ");
        assert!(wrong.contains("contest dvonn-ladder: its record makes 1 boards"), "{damage}: {wrong}");
    }
}

/// A long record is read from its snapshot, which rulings on older games undo.
#[test]
fn a_snapshot_says_what_the_record_says() {
    let mut stage = stage(6);
    let board = challenge(&mut stage, "p05", "p02");
    resign(&mut stage, board, "p02");
    let snapshot = |stage: &Stage| stage.store.contest_snapshot(contest(stage).row.id).unwrap();
    let grow = |stage: &mut Stage| {
        let (mut ladder, now) = (contest(stage), stage.now);
        let player = ladder.joined[0];
        let note = |store: &Store, ladder: &mut Contest| {
            (0..1_000).try_for_each(|_| ladder.rule(store, Some(player), &Ruling::Auto(true), now))
        };
        stage.store.write(|store| note(store, &mut ladder)).unwrap();
        submit(stage, "dvonn ladder");
        assert_eq!(stage.wrong(), Vec::<String>::new());
    };
    grow(&mut stage);
    assert!(snapshot(&stage).is_some());
    assert_eq!(places(&stage), "p01 p05 p02 p03 p04 p06");
    refused(&mut stage, "dvonn ladder challenge p02 p05 plover-9", "you may challenge number");
    let second = challenge(&mut stage, "p06", "p01");
    resign(&mut stage, second, "p01");
    assert_eq!(places(&stage), "p06 p01 p05 p02 p03 p04");
    // The first game is older than the week in which two do not meet again, and the snapshot has forgotten it.
    stage.wait(8 * 24);
    grow(&mut stage);
    stage.host(Act::OnBoard(board, BoardAct::End(GameEnd::Won("p02".parse().unwrap()))), "A test.").unwrap();
    assert_eq!(snapshot(&stage), None);
    assert_eq!(places(&stage), "p06 p01 p02 p03 p04 p05");
    grow(&mut stage);
    stage.change("UPDATE contest_snapshots SET text = json_set(text, '$.ladder.places[0]', 4)");
    assert!(stage.wrong().join(" ").contains("its snapshot has other places"), "{:?}", stage.wrong());
}

#[test]
fn merged_players_are_one_on_the_ladder() {
    let mut stage = stage(4);
    let merge =
        Act::Merge { from: "p02".parse().unwrap(), into: "p04".parse().unwrap(), games: GamesOfTwo::None };
    stage.host(merge, "One person.").unwrap();
    assert_eq!(contest(&stage).joined.len(), 3);
    assert_eq!(places(&stage).split(' ').count(), 3);
    assert_eq!(stage.wrong(), Vec::<String>::new());
    // Two who play there leave with one of the two.
    challenge(&mut stage, "p04", "p01");
    let [from, into] = ["p04", "p01"].map(|userid| userid.parse().unwrap());
    stage.host(Act::Merge { from, into, games: GamesOfTwo::Void }, "One person.").unwrap();
    stage.tick();
    assert_eq!(places(&stage).split(' ').count(), 2);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}
