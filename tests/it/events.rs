//! Events: who may join, what the record keeps, and that no board is made and no letter sent twice.

use crate::conversations::phone_reply;
use crate::support::host::Host;
use crate::support::pages::{At, Visitor};
use crate::support::{Mail, Stage};
use jiff::SignedDuration;
use turnpost::board::Board;
use turnpost::contest::record::Contest;
use turnpost::contest::standing;
use turnpost::data_dir::DATABASE;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::{ContestBoardRow, ContestEventKind, ContestState, Store};
use turnpost::timer::host_acts::{Act, BoardAct, ContestAct, GameEnd, GamesOfTwo};

/// A server with so many players, `p1x` and on.
fn stage(players: usize) -> Stage {
    let mut stage = Stage::new();
    let signups = (1..=players).map(|number| format!("signup p{number}x plover-9 p{number}x@example.org\n"));
    submit(&mut stage, &signups.collect::<String>());
    stage
}

fn submit(stage: &mut Stage, text: &str) -> (String, Vec<Mail>) {
    let (said, _, mails) = stage.submit(Operator::AsAnyone, text);
    (said, mails)
}

/// Makes `cup` and has everybody join.
fn begun(stage: &mut Stage, players: usize, options: &str) -> Vec<Mail> {
    submit(stage, &format!("dvonn event new cup -size={players} {options} p1x plover-9"));
    for number in 2..=players {
        submit(stage, &format!("dvonn event join cup p{number}x plover-9"));
    }
    stage.tick().1
}

fn contest(stage: &Stage) -> Contest {
    let row = stage.store.contest_named("CUP").unwrap().unwrap();
    Contest::load(&stage.store, &row).unwrap()
}

/// `p1x 2, p2x 0`: the places in order, with half points.
fn table(stage: &Stage) -> String {
    let contest = contest(stage);
    let boards = stage.store.contest_boards(contest.row.id).unwrap();
    let groups = standing::all_groups(&contest, &boards);
    let line = |place: &turnpost::contest::table::Place<turnpost::store::PlayerId>| {
        format!("{} {}", stage.store.player_by_id(place.player).unwrap().userid, place.points)
    };
    groups[0].places().iter().map(line).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_mailbox_and_a_full_event_let_nobody_in() {
    let mut stage = stage(4);
    submit(&mut stage, "signup twin plover-9 P1X+games@example.org");
    submit(&mut stage, "dvonn event new cup -size=3 p1x plover-9");
    for (line, refusal) in [
        ("dvonn event join cup p1x plover-9", "You are in cup already."),
        ("dvonn event join cup twin plover-9", "A mailbox has one entry"),
        ("dvonn event new cup p4x plover-9", "There is or was an event called cup."),
        ("dvonn event new another p1x plover-9", "Your event cup has not begun."),
        ("hexmeister event join cup p2x plover-9", "cup is an event of dvonn"),
        ("dvonn event join mug p2x plover-9", "There is no event of that name."),
        ("dvonn event start cup p1x plover-9", "An event needs 3 players, and cup has 1."),
        ("dvonn event start cup p2x plover-9", "Who made cup organises it"),
        ("dvonn event withdraw cup p1x plover-9", "cup is not running with you in it"),
        ("dvonn event leave cup p2x plover-9", "You are not in cup."),
        ("dvonn event new mug -size=2 p4x plover-9", "a number from 3 to 16 is expected"),
        ("dvonn event new mug -start=2020-01-01 p4x plover-9", "within the next 90 days"),
        ("dvonn event new a/b p4x plover-9", "the name of an event has 3 to 24 letters"),
    ] {
        let said = submit(&mut stage, line).0.replace('\n', " ");
        assert!(said.contains(refusal), "{line}: {said}");
    }
    submit(
        &mut stage,
        "dvonn event join cup p2x plover-9\ndvonn event leave cup p2x plover-9\ndvonn event join cup p2x plover-9",
    );
    submit(&mut stage, "dvonn event join cup p4x plover-9");
    let said =
        submit(&mut stage, "signup late plover-9 late@example.org\ndvonn event join cup late plover-9").0;
    assert!(said.contains("cup is full. You are number 1"), "{said}");
    assert_eq!(contest(&stage).joined.len(), 3);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// A player who blocks all others after joining wins nothing. The answer to `join` tells of blocks.
#[test]
fn a_block_within_an_event_stops_words_and_no_board() {
    let mut stage = stage(4);
    submit(&mut stage, "set p3x plover-9 block p1x\nset p2x plover-9 block p3x");
    submit(&mut stage, "dvonn event new cup -size=4 p1x plover-9");
    let join = |stage: &mut Stage, player: &str| {
        submit(stage, &format!("dvonn event join cup {player} plover-9")).0.replace('\n', " ")
    };
    assert!(!join(&mut stage, "p2x").contains("block"));
    let told = join(&mut stage, "p3x");
    assert!(told.contains("There is a block between you and p1x of cup."), "{told}");
    assert!(told.contains("`leave` before the games begin"), "{told}");
    assert!(!told.contains("and p2x"), "who blocks is not told: {told}");
    assert!(!join(&mut stage, "p4x").contains("block"));
    let told = submit(&mut stage, "set p4x plover-9 block p1x block p2x block p3x").0.replace('\n', " ");
    assert!(told.contains("In cup you can still meet p3x on a board"), "{told}");
    let mails = stage.tick().1;
    assert_eq!(stage.store.contest_boards(contest(&stage).row.id).unwrap().len(), 6);
    assert_eq!(table(&stage).matches(" 0").count(), 4, "{}", table(&stage));
    assert!(mails.iter().all(|mail| ["p1x", "p2x", "p3x", "p4x"].iter().all(|one| mail.text.contains(one))));

    let board = stage.store.contest_boards_of(contest(&stage).row.id, player(&stage, "p4x")).unwrap();
    let board = board.iter().find(|board| board.players[0] != player(&stage, "p4x")).unwrap();
    let mover = stage.store.player_by_id(board.players[0]).unwrap().userid;
    let line = format!("dvonn move {} {mover} plover-9 f3", board.board);
    let mails = stage.mail(&format!("{mover}@example.org"), &line, "Ha, what a fool you are!");
    let to = |player: &str| {
        mails.iter().filter(|mail| mail.to == format!("{player}@example.org")).collect::<Vec<_>>()
    };
    assert!(to("p4x")[0].text.contains("your move") && !to("p4x")[0].text.contains("fool"), "{mails:?}");
    assert!(to(mover.as_str())[0].text.contains("was not passed on"), "{mails:?}");
    // The reminders of the server and the ends of games reach both.
    let mails = submit(&mut stage, &format!("dvonn resign {} p4x plover-9", board.board)).1;
    assert!(mails.iter().any(|mail| mail.to == format!("{mover}@example.org")), "{mails:?}");
    assert_eq!(table(&stage).matches(" 0").count(), 3);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// In old records a game between two with a block has no board, and each has half a point.
#[test]
fn games_without_a_board_count_as_before() {
    let mut stage = stage(3);
    begun(&mut stage, 3, "");
    stage.change(
        "UPDATE contest_events SET text = json_set(text, '$.without', json('[0]')) WHERE kind = 'opened'",
    );
    stage.change("UPDATE boards SET contest = NULL, pair = NULL WHERE id = 1");
    assert_eq!(table(&stage), "p1x 1, p2x 1, p3x 0");
}

fn player(stage: &Stage, userid: &str) -> turnpost::store::PlayerId {
    stage.store.player(&userid.parse().unwrap()).unwrap().unwrap().id
}

/// Nor can one who is in it confirm that mailbox, and who came in another way is out when it begins.
#[test]
fn a_mailbox_has_one_entry_when_an_address_is_added_and_at_the_start() {
    let mut stage = stage(4);
    submit(&mut stage, "dvonn event new cup -size=4 p1x plover-9");
    for player in ["p2x", "p3x"] {
        submit(&mut stage, &format!("dvonn event join cup {player} plover-9"));
    }
    let add = |stage: &mut Stage, player: &str| {
        submit(stage, &format!("add {player} plover-9 P1X+b@example.org")).0.replace('\n', " ")
    };
    assert!(add(&mut stage, "p2x").contains("a mailbox has one entry"));
    assert!(add(&mut stage, "p4x").contains("p1x+b@example.org") || add(&mut stage, "p4x").contains("P1X+b"));
    stage.change("UPDATE addresses SET address = 'p1x+c@example.org', address_key = 'p1x+c@example.org' WHERE player = 3");
    stage.change("DELETE FROM addresses WHERE address_key = 'p1x+b@example.org'");
    submit(&mut stage, "dvonn event join cup p4x plover-9");
    let mails = stage.tick().1;
    assert_eq!(table(&stage), "p1x 0, p2x 0, p4x 0");
    let told = mails.iter().find(|mail| mail.to == "p1x+c@example.org").unwrap();
    assert_eq!(told.subject, "You are not in cup any more");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn two_in_an_event_become_one_and_the_other_gives_up() {
    let mut stage = stage(4);
    begun(&mut stage, 3, "");
    let [from, into] = ["p2x", "p1x"].map(|userid| userid.parse().unwrap());
    let mails = stage.host(Act::Merge { from, into, games: GamesOfTwo::Void }, "One person.").unwrap().1;
    assert_eq!(mails.iter().filter(|mail| mail.to == "p3x@example.org").count(), 1);
    stage.tick();
    assert_eq!(table(&stage), "p3x 2, p1x 0, p2x 0");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// A player makes three events a day. One that nobody else joined is forgotten with its name.
#[test]
fn events_are_not_made_for_nothing() {
    let mut stage = stage(2);
    let mail = |stage: &mut Stage, text: &str| {
        let mails = stage.mail("p1x@example.org", text, "");
        mails[0].text.replace('\n', " ")
    };
    for name in ["alpha", "beta", "gamma"] {
        assert!(mail(&mut stage, &format!("dvonn event new {name} p1x plover-9")).contains(name));
        mail(&mut stage, &format!("dvonn event leave {name} p1x plover-9"));
    }
    assert!(mail(&mut stage, "dvonn event new delta p1x plover-9").contains("today's 3 events"));
    stage.tick();
    assert_eq!(stage.store.all_contests().unwrap(), []);
    stage.wait(25);
    mail(&mut stage, "dvonn event new alpha -start=2026-11-20 p1x plover-9");
    assert_eq!(stage.store.all_contests().unwrap()[0].id.0, 4, "mails name the numbers before");
    stage.wait(4 * 24);
    let told = stage.tick().1;
    assert_eq!((told.len(), told[0].subject.as_str()), (1, "alpha is called off"));
    assert!(!mail(&mut stage, "dvonn events").contains("alpha"));
    stage.wait(24);
    stage.tick();
    assert_eq!(stage.store.all_contests().unwrap(), []);
}

#[test]
fn what_the_host_decides_and_takes_back_changes_the_table() {
    let mut stage = stage(3);
    begun(&mut stage, 3, "");
    assert_eq!(table(&stage), "p1x 0, p2x 0, p3x 0");
    let act = |stage: &mut Stage, act| {
        stage.host(Act::OnBoard(BoardId(1), act), "A test of tables.").unwrap();
        assert_eq!(stage.wrong(), Vec::<String>::new());
    };
    act(&mut stage, BoardAct::End(GameEnd::Won("p2x".parse().unwrap())));
    assert_eq!(table(&stage), "p2x 2, p1x 0, p3x 0");
    act(&mut stage, BoardAct::End(GameEnd::Draw));
    assert_eq!(table(&stage), "p1x 1, p2x 1, p3x 0");
    act(&mut stage, BoardAct::Resume);
    assert_eq!(table(&stage), "p1x 0, p2x 0, p3x 0");
    // The seats of a board may go to somebody else, and the table counts for whom it was made.
    submit(&mut stage, "signup guest plover-9 guest@example.org");
    act(&mut stage, BoardAct::Reseat("1=guest".parse().unwrap()));
    act(&mut stage, BoardAct::End(GameEnd::Won("guest".parse().unwrap())));
    assert_eq!(table(&stage), "p1x 2, p2x 0, p3x 0");
}

/// Plays an event of four in which a move must come within two days. All lose their first games on time at once. One
/// board goes on for `days` more, and then its mover loses it on time too. Gives that player's userid and mails.
fn second_loss(stage: &mut Stage, days: i64) -> (String, Vec<Mail>) {
    begun(stage, 4, "--nagtime=0 --forfeittime=2");
    let boards = stage.store.contest_boards(contest(stage).row.id).unwrap();
    let mover = |board: &ContestBoardRow| *board.to_move.unwrap().of(&board.players);
    let begins_twice =
        |board: &&ContestBoardRow| boards.iter().filter(|other| mover(other) == mover(board)).count() > 1;
    let (id, player) = boards.iter().find(begins_twice).map(|board| (board.board, mover(board))).unwrap();
    let mut mails = Vec::new();
    for day in 0..days + 5 {
        // Two moves a day leave the same player to move.
        for _ in 0..if day < days + 2 { 2 } else { 0 } {
            move_on(stage, id);
        }
        for _ in 0..12 {
            stage.wait(2);
            mails.extend(stage.tick().1);
        }
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
    let userid = stage.store.player_by_id(player).unwrap().userid.to_string();
    mails.retain(|mail| mail.to.starts_with(&userid) && mail.subject.contains("cup"));
    (userid, mails)
}

/// Whoever is to move on a board moves.
fn move_on(stage: &mut Stage, id: BoardId) {
    let board = Board::load(&stage.store, id).unwrap().unwrap();
    let mover = *board.row.to_move.unwrap().of(&board.row.players);
    let userid = stage.store.player_by_id(mover).unwrap().userid;
    let ply = board.table.legal_plies()[0].clone();
    submit(stage, &format!("dvonn move {id} {userid} plover-9 {ply}"));
}

/// Games that run out together, or within a week of the letter about them, are one warning.
#[test]
fn a_second_loss_on_time_counts_a_week_after_the_first_was_told() {
    for (days, is_out) in [(0, false), (4, false), (8, true)] {
        let mut stage = stage(4);
        let (userid, mails) = second_loss(&mut stage, days);
        let contest = contest(&stage);
        let out = contest.withdrawn.iter().map(|player| stage.store.player_by_id(*player).unwrap().userid);
        let out: Vec<String> = out.map(|userid| userid.to_string()).collect();
        assert_eq!(out, if is_out { vec![userid] } else { Vec::new() }, "{days}");
        let texts: Vec<String> = mails.iter().map(|mail| mail.text.replace('\n', " ")).collect();
        let has = |words: &str| texts.iter().filter(|text| text.contains(words)).count();
        assert_eq!(has("on Wed 25 Nov 09:00 UTC or later, you are withdrawn"), 1, "{texts:?}");
        assert_eq!(has("a week or more after the letter about the first"), usize::from(is_out), "{texts:?}");
        assert_eq!(contest.row.state, ContestState::Closed);
    }
}

/// What happens in a day waits for the next letter, and so does the second chance.
#[test]
fn the_second_chance_begins_with_the_letter_about_the_first_loss() {
    let mut stage = stage(3);
    begun(&mut stage, 3, "--nagtime=0 --forfeittime=1");
    let player = contest(&stage).groups[0][0].player;
    stage.host(Act::OnBoard(BoardId(3), BoardAct::Adjourn), "It keeps the event running.").unwrap();
    stage.change(&format!("UPDATE players SET contests_told_at = {} + 80000", stage.now.as_second()));
    for (hours, told) in [(26, false), (14, false), (6, true)] {
        for _ in 0..hours / 2 {
            stage.wait(2);
            stage.tick();
        }
        assert_eq!(contest(&stage).warned.contains_key(&player), told, "{hours}");
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Equal players share their place, and the order of joining decides nothing.
#[test]
fn equal_players_share_a_place() {
    let mut stage = stage(4);
    begun(&mut stage, 4, "");
    let said = submit(&mut stage, "dvonn event table cup").0;
    assert!(said.contains("    1=     p1x") && said.contains("    1=     p4x"), "{said}");
    let rule = |stage: &mut Stage, board: u32, end: GameEnd| {
        stage.host(Act::OnBoard(BoardId(board), BoardAct::End(end)), "A test of tables.").unwrap();
    };
    let rows = stage.store.contest_boards(contest(&stage).row.id).unwrap();
    for board in &rows {
        let names = board.players.map(|player| stage.store.player_by_id(player).unwrap().userid);
        let end = match names.iter().position(|name| name.as_str() == "p3x") {
            Some(seat) => GameEnd::Won(names[1 - seat].clone()),
            None => GameEnd::Draw,
        };
        rule(&mut stage, board.board.0, end);
    }
    stage.tick();
    stage.wait(25);
    let mails = stage.tick().1;
    let text = |player: &str| {
        let over = mails.iter().find(|mail| mail.to == format!("{player}@example.org")).unwrap();
        assert!(over.subject.starts_with("cup is over: "), "{}", over.subject);
        over.text.replace('\n', " ")
    };
    assert!(
        text("p4x")
            .contains("you share place 1 of 4 with p1x and p2x. p1x, p2x and p4x share the first place.")
    );
    assert!(text("p3x").contains("you are number 4 of 4. p1x, p2x and p4x share"), "{}", text("p3x"));
    let table = mails[0].text.split("SB ").nth(1).unwrap();
    assert!(table.starts_with(" 1 2 3 4\n    1=     p1x "), "{table}");
}

/// An event is over a day after its last game, so that a resignation can be given back until then. What changes the
/// table later is told to all, once a day at most, and what changes nothing to nobody.
#[test]
fn a_closed_table_that_changes_is_corrected() {
    let mut stage = stage(3);
    begun(&mut stage, 3, "");
    let boards = stage.store.contest_boards(contest(&stage).row.id).unwrap();
    let rule = |stage: &mut Stage, end: GameEnd| {
        stage.host(Act::OnBoard(BoardId(1), BoardAct::End(end)), "A test of tables.").unwrap();
    };
    let to_all = |stage: &mut Stage, subject: &str| {
        let mails = stage.tick().1;
        assert_eq!(stage.wrong(), Vec::<String>::new());
        let told: Vec<Mail> = mails.into_iter().filter(|mail| mail.subject.contains("cup")).collect();
        assert!(told.iter().all(|mail| mail.subject.contains(subject)), "{told:?}");
        told
    };
    for board in &boards {
        let loser = stage.store.player_by_id(board.players[1]).unwrap().userid;
        submit(&mut stage, &format!("dvonn resign {} {loser} plover-9", board.board));
    }
    stage.wait(23);
    stage.tick();
    assert_eq!(contest(&stage).row.state, ContestState::Running);
    let winner = stage.store.player_by_id(boards[0].players[0]).unwrap().userid;
    submit(&mut stage, &format!("dvonn resume {} {winner} plover-9", boards[0].board));
    stage.wait(2);
    stage.tick();
    assert_eq!(contest(&stage).row.state, ContestState::Running);
    rule(&mut stage, GameEnd::Won("p1x".parse().unwrap()));
    stage.wait(25);
    assert_eq!(to_all(&mut stage, "cup is over").len(), 3);
    assert_eq!(contest(&stage).row.state, ContestState::Closed);
    let events = contest(&stage).row.events;

    stage.wait(48);
    rule(&mut stage, GameEnd::Won("p1x".parse().unwrap()));
    assert_eq!(to_all(&mut stage, "").len(), 0);
    assert_eq!(contest(&stage).row.events, events);
    stage.wait(1);
    rule(&mut stage, GameEnd::Won("p2x".parse().unwrap()));
    let told = to_all(&mut stage, "Correction: the table of cup");
    assert_eq!(told.len(), 3);
    let text = &told[0].text;
    assert!(text.contains("the table of cup has changed since it was over."), "{text}");
    assert!(text.contains("\n    dvonn 1  p1x v p2x  p2x won\n"), "{text}");
    assert!(text.contains("Place  player"), "{text}");

    // A game that is in play again changes the table too, and all that happens within a day is told at once.
    stage.wait(1);
    stage.host(Act::OnBoard(BoardId(1), BoardAct::Resume), "It was an error.").unwrap();
    assert_eq!(to_all(&mut stage, "").len(), 0);
    assert_eq!(contest(&stage).row.state, ContestState::Closed);
    stage.wait(1);
    rule(&mut stage, GameEnd::Draw);
    assert_eq!(to_all(&mut stage, "").len(), 0);
    stage.wait(20);
    let told = to_all(&mut stage, "Correction: the table of cup");
    assert_eq!(told.len(), 3);
    assert!(told[0].text.contains("p1x v p2x  a draw\n"), "{}", told[0].text);
}

/// Who is taken out loses their games, an end leaves the rest without a result, and all are told why.
#[test]
fn the_host_takes_out_begins_and_ends() {
    let mut stage = stage(5);
    submit(&mut stage, "dvonn event new cup p1x plover-9\ndvonn event join cup p2x plover-9");
    let act = |stage: &mut Stage, act| {
        let done = stage.host(Act::OnContest("Cup".to_owned(), act), "A test of events.");
        assert_eq!(stage.wrong(), Vec::<String>::new());
        done
    };
    let out = |name: &str| ContestAct::Withdraw(name.parse().unwrap());
    assert_eq!(act(&mut stage, ContestAct::Start).unwrap_err(), "an event needs 3 players, and cup has 2");
    assert_eq!(act(&mut stage, out("p3x")).unwrap_err(), "p3x does not play in cup");
    for number in 3..=5 {
        submit(&mut stage, &format!("dvonn event join cup p{number}x plover-9"));
    }
    let (said, mails) = act(&mut stage, out("p5x")).unwrap();
    assert_eq!(said, "p5x is taken out of cup.");
    assert!(mails[0].text.contains("You are taken out of cup.\n\nThe host's reason:\n\n| A test of events."));
    assert_eq!(act(&mut stage, ContestAct::Start).unwrap().0, "cup begins: the clocks make its boards.");
    assert_eq!(act(&mut stage, ContestAct::Start).unwrap_err(), "cup has begun");
    assert_eq!(stage.tick().1.iter().filter(|mail| mail.subject.ends_with(" games in cup")).count(), 4);

    let (_, mails) = act(&mut stage, out("p2x")).unwrap();
    assert_eq!((mails[0].to.as_str(), mails.len()), ("p2x@example.org", 1));
    assert!(mails[0].text.contains("You lose its games that still run"), "{}", mails[0].text);
    assert_eq!(act(&mut stage, out("p2x")).unwrap_err(), "p2x does not play in cup");
    stage.tick();
    assert_eq!(table(&stage), "p1x 2, p3x 2, p4x 2, p2x 0");

    let (said, mails) = act(&mut stage, ContestAct::End).unwrap();
    assert_eq!(said, "cup is over; 3 of its boards have no result.");
    assert_eq!(mails.iter().filter(|mail| mail.text.contains("A test of events.")).count(), 6);
    assert_eq!(contest(&stage).row.state, ContestState::Closed);
    assert_eq!(table(&stage), "p1x 2, p3x 2, p4x 2, p2x 0");
    assert_eq!(act(&mut stage, ContestAct::End).unwrap_err(), "cup is over");
    stage.wait(24);
    assert_eq!(stage.tick().1.iter().filter(|mail| mail.subject.starts_with("cup is over")).count(), 4);
}

#[test]
fn the_host_sees_contests_and_calls_one_off() {
    let host = Host::new();
    let admin = |words: &[&str]| host.run(&[&["admin"], words].concat(), b"");
    host.run(&["submit"], b"signup ann plover-42 ann@example.org").ok();
    assert_eq!(admin(&["contests"]).ok(), "no contests\n");
    host.run(&["submit"], b"dvonn event new spring-cup ann plover-42").ok();
    let list = admin(&["contests"]);
    assert!(list.ok().starts_with("name        game   form   state  joined  changed at\n"), "{}", list.out);
    let list: serde_json::Value = serde_json::from_str(admin(&["contests", "--json"]).ok()).unwrap();
    assert_eq!((list[0]["name"].as_str(), list[0]["joined"].as_u64()), (Some("spring-cup"), Some(1)));
    let shown = admin(&["contest", "spring-cup"]);
    assert!(shown.ok().starts_with("contest     spring-cup, event of dvonn, open\nmade by     ann\n"));
    assert!(shown.out.contains("spring-cup, DVONN, all play all: 1 of 8 have joined."), "{}", shown.out);
    assert_eq!(admin(&["contest", "mug"]).code, Some(1));
    assert_eq!(admin(&["contest", "spring-cup", "--end"]).code, Some(2));
    let ended = admin(&["contest", "spring-cup", "--end", "--reason", "Nobody came."]);
    assert_eq!(ended.ok(), "spring-cup is called off.\n1 mail tells of it.\n");
    let log = admin(&["log"]);
    assert!(
        log.ok().contains("end contest, spring-cup\n") && log.out.contains("Nobody came."),
        "{}",
        log.out
    );
    assert!(host.delivered().iter().any(|mail| mail.subject == "spring-cup is called off"));
    host.assert_verified();
}

/// Whose bank runs out before their first move has days of vacation spent for them, as on any board.
#[test]
fn a_silent_player_spends_days_of_vacation_first() {
    let mut stage = stage(3);
    begun(&mut stage, 3, "");
    let end = stage.now.checked_add(SignedDuration::from_hours(20 * 24 + 12)).unwrap();
    while stage.now < end {
        stage.wait(6);
        stage.tick();
    }
    let first = contest(&stage).groups[0][0].player;
    let days = stage.store.vacations(first).unwrap();
    assert!(!days.is_empty() && days.iter().all(|day| day.automatic), "{days:?}");
    assert_eq!(contest(&stage).withdrawn, []);
}

/// Who makes no move holds a group for three weeks. Only vacations that they set themselves make that longer.
#[test]
fn a_silent_player_is_withdrawn_after_three_weeks() {
    for (vacation, day) in [("", 21), ("2026-11-20 2026-11-23", 25)] {
        let mut stage = stage(3);
        begun(&mut stage, 3, "");
        let silent = contest(&stage).groups[0][0].player;
        let userid = stage.store.player_by_id(silent).unwrap().userid;
        if !vacation.is_empty() {
            submit(&mut stage, &format!("vacation {userid} plover-9 {vacation}"));
        }
        [2, 3].into_iter().for_each(|board| move_on(&mut stage, BoardId(board)));
        let begun = stage.now;
        let mut mails = Vec::new();
        while !contest(&stage).withdrawn.contains(&silent) {
            stage.wait(2);
            // The opponents' words and proposals do not begin a turn of the silent player.
            submit(&mut stage, "dvonn propose 1 p2x plover-9");
            mails.extend(stage.tick().1);
            assert!(stage.now.duration_since(begun) < SignedDuration::from_hours(40 * 24));
        }
        assert_eq!(stage.now.duration_since(begun).as_hours() / 24, day, "{vacation}");
        let mine = mails.iter().filter(|mail| mail.to.starts_with(userid.as_str()));
        let text: String = mine.map(|mail| mail.text.replace('\n', " ")).collect();
        assert!(text.contains("You made no move in three weeks"), "{text}");
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}

/// An event that too few joined is called off on its day, and one that nobody began after three months.
#[test]
fn an_event_without_players_is_called_off() {
    for (start, days) in [("-start=2026-11-20", 5), ("", 91)] {
        let mut stage = stage(2);
        submit(
            &mut stage,
            &format!("dvonn event new cup {start} p1x plover-9\ndvonn event join cup p2x plover-9"),
        );
        stage.wait(days * 24);
        let mails = stage.tick().1;
        let off = mails.iter().filter(|mail| mail.subject == "cup is called off");
        assert_eq!(off.count(), 2, "{start}");
        assert_eq!(contest(&stage).row.state, ContestState::Closed);
        assert!(submit(&mut stage, "dvonn events").0.contains("None."), "it is not listed");
    }
}

/// An event with a day waits for it even when it is full, unless it was made with `-when-full` or before that word was.
#[test]
fn a_full_event_waits_for_its_day() {
    for (options, old, waits) in [
        ("-start=2026-11-20", false, true),
        ("-start=2026-11-20", true, false),
        ("-start=2026-11-20 -when-full", false, false),
        ("-until=2026-11-20", false, false),
    ] {
        let mut stage = stage(3);
        submit(&mut stage, &format!("dvonn event new cup -size=3 {options} p1x plover-9"));
        if old {
            let made = "text = json_remove(text, '$.when_full', '$.until')";
            stage.change(&format!("UPDATE contest_events SET {made} WHERE kind = 'made'"));
        }
        submit(&mut stage, "dvonn event join cup p2x plover-9\ndvonn event join cup p3x plover-9");
        let list = submit(&mut stage, "dvonn events").0;
        assert!(list.contains("3 of 3 joined, begins Fri 20 Nov"), "{list}");
        stage.tick();
        let begun = |stage: &Stage| contest(stage).row.state == ContestState::Running;
        assert_ne!(begun(&stage), waits, "{options}");
        stage.wait(4 * 24);
        stage.tick();
        assert!(begun(&stage), "{options}");
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}

#[test]
fn joining_ends_on_its_day() {
    let mut stage = stage(4);
    let refused = |stage: &mut Stage, line: &str, why: &str| {
        let said = submit(stage, line).0.replace('\n', " ");
        assert!(said.contains(why), "{line}: {said}");
    };
    let new = "dvonn event new cup -start=2026-11-25";
    refused(&mut stage, &format!("{new} -until=2026-11-26 p1x plover-9"), "Joining would end after");
    refused(&mut stage, &format!("{new} -until=2026-11-01 p1x plover-9"), "within the next 90 days");
    refused(&mut stage, &format!("{new} -until=soon p1x plover-9"), "a day such as 2027-01-15");
    let said = submit(&mut stage, &format!("{new} -until=2026-11-20 p1x plover-9")).0.replace('\n', " ");
    let dates = "It begins on Wed 25 Nov 00:00 UTC. Players join until Fri 20 Nov 00:00 UTC.";
    assert!(said.contains(dates), "{said}");
    submit(&mut stage, "dvonn event join cup p2x plover-9\ndvonn event join cup p3x plover-9");
    stage.wait(4 * 24);
    stage.tick();
    refused(&mut stage, "dvonn event join cup p4x plover-9", "Joining cup ended on Fri 20 Nov 00:00 UTC.");
    // The organiser opens it again.
    submit(&mut stage, "dvonn event change cup -until=2026-11-25 p1x plover-9");
    submit(&mut stage, "dvonn event join cup p4x plover-9");
    stage.wait(5 * 24);
    stage.tick();
    assert_eq!(table(&stage).matches("x 0").count(), 4);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Who made an event, and an organiser, move its days until it begins. All who joined are told once.
#[test]
fn the_days_of_an_event_are_moved() {
    let mut stage = stage(4);
    submit(&mut stage, "dvonn event new cup -size=3 -start=2026-11-20 p1x plover-9");
    submit(&mut stage, "dvonn event join cup p2x plover-9\ndvonn event join cup p3x plover-9");
    for (line, refusal) in [
        (
            "dvonn event change cup -start=2026-11-22 p2x plover-9",
            "Who made cup organises it, and decides this.",
        ),
        ("dvonn event change cup p1x plover-9", "That changes nothing."),
        ("dvonn event change cup -start=2026-11-01 p1x plover-9", "within the next 90 days"),
        ("dvonn event change cup -until=2026-11-21 p1x plover-9", "Joining would end after"),
    ] {
        let said = submit(&mut stage, line).0.replace('\n', " ");
        assert!(said.contains(refusal), "{line}: {said}");
    }
    let said =
        submit(&mut stage, "dvonn event change cup -start=2026-11-22 -until=2026-11-21 p1x plover-9").0;
    assert!(said.contains("Players join until Sat 21 Nov 00:00 UTC."), "{said}");
    let mails = stage.tick().1;
    let to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(to, ["p2x@example.org", "p3x@example.org"]);
    assert_eq!(mails[0].subject, "cup has other days");
    let text = mails[0].text.replace('\n', " ");
    let dates = "It begins on Sun 22 Nov 00:00 UTC. Players join until Sat 21 Nov 00:00 UTC.";
    assert!(text.contains(dates), "{text}");
    stage.wait(6 * 24 + 1);
    stage.tick();
    assert_eq!(contest(&stage).row.state, ContestState::Running);
    let said = submit(&mut stage, "dvonn event change cup -start=2026-12-22 p1x plover-9").0;
    assert!(said.contains("cup has begun"), "{said}");
    // Without another day, `-when-full` begins a full event at once.
    submit(&mut stage, "dvonn event new mug -size=3 -start=2026-12-20 p1x plover-9");
    submit(&mut stage, "dvonn event join mug p2x plover-9\ndvonn event join mug p3x plover-9");
    stage.tick();
    submit(&mut stage, "dvonn event change mug -when-full p1x plover-9");
    stage.tick();
    let mug = stage.store.contest_named("mug").unwrap().unwrap();
    assert_eq!(mug.state, ContestState::Running);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_merged_and_an_erased_player_keep_their_place() {
    let mut stage = stage(4);
    begun(&mut stage, 3, "");
    stage
        .host(Act::OnBoard(BoardId(1), BoardAct::End(GameEnd::Won("p2x".parse().unwrap()))), "A test.")
        .unwrap();
    let merge =
        Act::Merge { from: "p2x".parse().unwrap(), into: "p4x".parse().unwrap(), games: GamesOfTwo::None };
    stage.host(merge, "One person.").unwrap();
    assert_eq!(table(&stage), "p4x 2, p1x 0, p3x 0");
    stage.host(Act::Erase("p4x".parse().unwrap()), "Asked for it.").unwrap();
    assert!(table(&stage).contains("deleted-"), "{}", table(&stage));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Several timers at once, and killed ones, make each board and send each letter once, and end a contest or begin its next
/// round once.
#[test]
fn killed_timers_begin_and_end_a_contest_once() {
    killed_timers("", "games in cup", 120);
    killed_timers("-form=swiss -rounds=2", "Round 1 of cup: your game", 8);
}

fn killed_timers(form: &str, subject: &str, boards: usize) {
    let host = Host::new();
    let players = 16;
    let mut commands = String::new();
    for number in 1..=players {
        commands.push_str(&format!("signup p{number}x plover-9 p{number}x@example.org\n"));
        let act = if number == 1 { &format!("new cup -size=16 {form}") } else { "join cup" };
        commands.push_str(&format!("dvonn event {act} p{number}x plover-9\n"));
    }
    host.run(&["submit"], commands.as_bytes()).ok();
    host.delivered();
    let kill_timers = || {
        for moment in [1, 2, 4, 7, 10, 14, 19, 25, 32, 40] {
            let mut children = [0, 1].map(|_| host.command(&["tick"]).spawn().unwrap());
            std::thread::sleep(std::time::Duration::from_millis(moment));
            for child in &mut children {
                let _ = child.kill();
                child.wait().unwrap();
            }
        }
        host.run(&["tick"], b"").ok();
        host.run(&["tick"], b"").ok();
    };
    kill_timers();
    let store = Store::open_read_only(&host.data().join(DATABASE)).unwrap();
    let row = store.contest_named("cup").unwrap().unwrap();
    assert_eq!(store.contest_boards(row.id).unwrap().len(), boards);
    let mut told: Vec<String> = host.delivered().iter().map(|mail| mail.to.clone()).collect();
    told.sort();
    told.dedup();
    assert_eq!(told.len(), players);
    assert_eq!(host.sent().iter().filter(|mail| mail.subject.ends_with(subject)).count(), players);

    let mut commands = String::new();
    for board in store.contest_boards(row.id).unwrap() {
        let loser = store.player_by_id(board.players[0]).unwrap().userid;
        commands.push_str(&format!("dvonn resign {} {loser} plover-9\n", board.board));
    }
    host.run(&["submit"], commands.as_bytes()).ok();
    // All that happened on the boards was a day ago.
    let database = rusqlite::Connection::open(host.database()).unwrap();
    for sql in ["events SET at = at", "boards SET started_at = started_at - 90000, changed_at = changed_at"] {
        database.execute(&format!("UPDATE {sql} - 90000"), []).unwrap();
    }
    kill_timers();
    let events = store.contest_events(row.id).unwrap();
    let count = |kind| events.iter().filter(|event| event.kind == kind).count();
    let next = if form.is_empty() { ContestEventKind::Closed } else { ContestEventKind::Opened };
    assert_eq!(count(next), if form.is_empty() { 1 } else { 2 });
    assert_eq!(
        store.contest_boards(row.id).unwrap().len(),
        if form.is_empty() { boards } else { 2 * boards }
    );
    // They had a letter of the contest today, and hear of this tomorrow.
    assert_eq!(store.players_with_contest_news(jiff::Timestamp::MAX).unwrap().len(), players);
    host.assert_verified();
}

/// A mail that tells of two contests asks which one a reply means.
#[test]
fn a_reply_to_news_of_two_contests_names_the_one_it_means() {
    let mut stage = stage(3);
    for cup in ["cup", "mug"] {
        submit(&mut stage, &format!("dvonn event new {cup} -size=3 p1x plover-9"));
        for number in 2..=3 {
            submit(&mut stage, &format!("dvonn event join {cup} p{number}x plover-9"));
        }
        if cup == "cup" {
            submit(&mut stage, "dvonn event start cup p1x plover-9");
        }
    }
    let mails = stage.tick().1;
    let told: Vec<&Mail> = mails.iter().filter(|mail| mail.to == "p2x@example.org").collect();
    assert_eq!(told.len(), 1, "one mail a day tells of both");
    assert!(told[0].text.contains("`withdraw mug`"), "{}", told[0].text);
    let mut mail = told[0].clone();
    for (words, answer) in [
        ("leave", "Reply with one of these lines:      leave mug     leave cup"),
        ("table mug", "mug, DVONN, all play all: 0 of 3 games are over."),
        ("withdraw surely mug", "p2x withdrew."),
        ("table vase", "There is no contest of that name."),
    ] {
        let letter = phone_reply(&mail, words, stage.left.len());
        let answers = stage.receive(&letter);
        let text = answers[0].text.replace('\n', " ");
        assert!(text.contains(answer), "{words}: {text}");
        mail = answers[0].clone();
    }
}

#[test]
fn the_boards_of_an_event_have_their_deadlines_at_once() {
    for options in ["--totaltime=5", "-clock=3d+12h"] {
        let mut stage = stage(3);
        submit(&mut stage, "vacation p2x plover-9 2026-11-18 2026-11-20");
        let mails = begun(&mut stage, 3, options);
        assert_eq!(stage.wrong(), Vec::<String>::new(), "{options}");
        let deadlines = |stage: &Stage| {
            let boards = stage.store.contest_boards(contest(stage).row.id).unwrap();
            let row = |board: BoardId| stage.store.board(board).unwrap().unwrap();
            boards.iter().map(|board| row(board.board).deadline_at).collect::<Vec<_>>()
        };
        let at_once = deadlines(&stage);
        stage.tick();
        assert_eq!(at_once, deadlines(&stage), "{options}: {}", mails[0].text);
    }
}

#[test]
fn pages_show_the_rounds_of_events() {
    let mut stage = stage(6);
    for (name, form, players) in [("open", "swiss -rounds=2", 5), ("pokal", "knock-out", 4)] {
        submit(&mut stage, &format!("dvonn event new {name} -size={players} -form={form} p1x plover-9"));
        for number in 2..=players {
            submit(&mut stage, &format!("dvonn event join {name} p{number}x plover-9"));
        }
        stage.tick();
    }
    submit(
        &mut stage,
        "dvonn event new later -form=swiss -size=40 p6x plover-9\ndvonn resign 1 p3x plover-9",
    );
    submit(&mut stage, "dvonn event withdraw open -surely p4x plover-9");
    let visitor = Visitor::new(At::database(&stage.folder.path().join(DATABASE)));
    let page = visitor.get("/events/open").text();
    for words in [
        "Swiss, 2 rounds",
        "1 of 2 games are over.",
        "<td><a href=\"/dvonn/1\">1</a><i>\u{2022}</i> <small title=\"against p3x\">4</small></td>",
        "<td>+ </td>",
        "p4x</a> <span class=\"quiet\">withdrew</span>",
        "the opponents' points without the least",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let row = &visitor.json("/events/open.json")["groups"][0]["rows"][3];
    let cell = serde_json::json!([[{ "result": "0", "against": 2, "board": 1, "first": false }]]);
    assert_eq!((&row["player"], &row["games"]), (&"p3x".into(), &cell));
    let page = visitor.get("/events/pokal").text();
    assert!(page.contains("knock-out") && page.contains("a third game decides"), "{page}");
    assert!(page.contains("<abbr title=\"matches won\">Won</abbr>"), "{page}");
    submit(&mut stage, "dvonn event new match -form=teams -boards=2 -size=2 -team=otters p1x plover-9");
    submit(&mut stage, "dvonn event join match herons p2x plover-9");
    submit(&mut stage, "dvonn event join match herons p3x plover-9");
    let page = visitor.get("/events/match").text();
    assert!(page.contains("<li>herons: <a href=\"/players/p2x\">p2x</a>, "), "{page}");
    submit(&mut stage, "dvonn event join match otters p4x plover-9");
    stage.tick();
    let page = visitor.get("/events/match").text();
    assert!(page.contains("<th scope=\"row\">otters</th><td>0</td><td>0</td><td class=\"own\">"), "{page}");
    let json = visitor.json("/events/match.json");
    assert_eq!(json["teams"][1]["players"][0], serde_json::json!({ "player": "p2x", "points": "0" }));
    let list = visitor.get("/events").text();
    assert!(list.contains("later</a>: DVONN, 1 of 40 have joined, Swiss, 6 rounds"), "{list}");
    assert!(list.contains("pokal</a>: DVONN, 4 players, knock-out"), "{list}");
}

#[test]
fn the_options_of_an_event_must_fit_its_form() {
    let mut stage = stage(1);
    for (options, refusal) in [
        ("-form=teams -boards=9 -team=otters", "a number from 2 to 8 is expected"),
        ("-form=teams -rounds=2", "teams meet once"),
        ("-boards=4", "`-boards=` and `-team=` are for `-form=teams`"),
        ("-form=ladder", "`swiss`, `knock-out`, `teams` or `all-play-all` is expected after the `=`"),
        ("-form=swiss -size=3", "a number from 4 to 256 is expected"),
        ("-form=swiss -size=6 -rounds=6", "a number from 2 to 5 is expected"),
        ("-form=swiss -weeks=0", "a number from 1 to 26 is expected"),
        ("-form=knock-out -rounds=3", "leave `-rounds=` out"),
        ("-weeks=3", "`-weeks=` is for the rounds of `-form=swiss`"),
        ("-rounds=3", "a number from 1 to 2 is expected"),
    ] {
        let said = submit(&mut stage, &format!("dvonn event new cup {options} p1x plover-9")).0;
        assert!(said.replace('\n', " ").contains(refusal), "{options}: {said}");
    }
}

/// The cells of each player of a tournament file, in the columns of the format.
fn rounds_of(file: &str) -> Vec<Vec<String>> {
    let players = file.lines().filter(|line| line.starts_with("001 "));
    let cells = |line: &str| {
        let rounds = line.as_bytes().get(89..).unwrap_or_default().chunks(10);
        rounds.map(|cell| String::from_utf8(cell.to_vec()).unwrap().trim().to_owned()).collect()
    };
    players.map(cells).collect()
}

#[test]
fn contests_that_are_over_are_remembered_and_written_for_other_programs() {
    let mut stage = stage(5);
    begun(&mut stage, 5, "-rounds=2");
    for board in 1..=20 {
        let row = stage.store.board(BoardId(board)).unwrap().unwrap();
        let names = row.players.map(|player| stage.store.player_by_id(player).unwrap().userid.to_string());
        let loser = names.iter().max().unwrap();
        submit(&mut stage, &format!("dvonn resign {board} {loser} plover-9"));
    }
    let url = At::database(&stage.folder.path().join(DATABASE));
    let visitor = Visitor::new(&url);
    assert!(visitor.get("/events/past").text().contains("None so far."));
    stage.wait(25);
    stage.tick();
    let said = submit(&mut stage, "events past").0;
    assert!(said.contains("dvonn  cup         5  p1x"), "{said}");
    assert!(submit(&mut stage, "hex events past").0.contains("None so far."));
    assert!(submit(&mut stage, "events past 2").0.contains("There is no page 2"));
    assert!(submit(&mut stage, "dvonn event new past p1x plover-9").0.contains("Choose another name"));
    let page = visitor.get("/events/past").text();
    assert!(page.contains("<a href=\"/events/cup\">cup</a>, DVONN"), "{page}");
    let json = visitor.json("/events/past.json");
    assert_eq!(json["contests"][0]["winners"], serde_json::json!(["p1x"]));
    assert!(visitor.get("/players/p1x").text().contains("<b>winner</b>"));
    assert!(visitor.get("/players/p3x").text().contains("<td>3 of 5</td>"));
    let table = visitor.get("/events/cup.csv").text();
    assert!(table.contains("1,p1x,8,,,24.00,8,0,0,0\r\n"), "{table}");

    let file = visitor.get("/events/cup.trf").text();
    let line = "001    1      p1x                               1500                             8.0    1               2 w 1     3 b 1";
    assert!(file.contains(line), "{file}");
    let players = rounds_of(&file);
    // Ten rounds, in each of which four of the five play and a pair says the same of itself.
    assert!(players.iter().all(|rounds| rounds.len() <= 10), "{file}");
    for round in 0..10 {
        let cells: Vec<&str> =
            players.iter().map(|cells| cells.get(round).map_or("", String::as_str)).collect();
        assert_eq!(cells.iter().filter(|cell| cell.is_empty()).count(), 1, "{file}");
        for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let other: usize = cell.split(' ').next().unwrap().parse().unwrap();
            assert!(cells[other - 1].starts_with(&format!("{} ", at + 1)), "{file}");
        }
    }
}
