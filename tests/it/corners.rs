//! Where two commands meet, and what a player meant then.

use crate::support::{ANN, BOB, Mail, Stage};
use jiff::SignedDuration;
use turnpost::ids::{BoardId, Seat, Which};
use turnpost::mail::Operator;
use turnpost::store::BoardState;

/// A stage with board 1 between ann and bob, set up by a challenge with these options, and the mails about it.
fn begun(options: &str) -> (Stage, Vec<Mail>) {
    let mut stage = Stage::with_players();
    stage.tick();
    let mails =
        stage.mail("ann@example.org", &format!("dvonn challenge -symmetry -seed=7 {options} ann bob"), "");
    (stage, mails)
}

/// Something a player does on the machine itself.
fn does(stage: &mut Stage, userid: &str, line: &str) -> (String, bool, Vec<Mail>) {
    stage.submit(Operator::As(userid.parse().unwrap()), line)
}

fn done(stage: &mut Stage, userid: &str, line: &str) -> Vec<Mail> {
    let (answer, well, mails) = does(stage, userid, line);
    assert!(well, "{line}: {answer}");
    mails
}

fn refused(stage: &mut Stage, userid: &str, line: &str) -> String {
    let before = stage.dump();
    let (answer, well, mails) = does(stage, userid, line);
    assert!(!well && mails.is_empty(), "{line}: {answer}");
    assert_eq!(stage.dump(), before, "{line}");
    answer
}

/// A reply of one line to a mail of ours.
fn reply(stage: &mut Stage, to: &Mail, text: &str) -> Vec<Mail> {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let raw = to.raw().replace("\n ", "");
    let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    let letter = format!(
        "Return-Path: <{0}>\r\nFrom: {0}\r\nTo: {reply_to}\r\nDelivered-To: {reply_to}\r\nSubject: Re: {1}\r\n\
         Message-ID: <corner.{number}@phone.example>\r\n\r\n{text}\r\n",
        to.to, to.subject
    );
    stage.receive(letter.as_bytes())
}

fn about<'m>(mails: &'m [Mail], address: &str) -> Vec<&'m Mail> {
    mails.iter().filter(|mail| mail.to == address).collect()
}

fn row(stage: &Stage) -> turnpost::store::BoardRow {
    stage.store.board(BoardId(1)).unwrap().unwrap()
}

#[test]
fn a_reply_plays_into_the_position_its_mail_shows_and_into_no_other() {
    let (mut stage, _) = begun("");
    done(&mut stage, "bob", "dvonn queue 1 bob - K3-J2");
    done(&mut stage, "ann", "dvonn queue 1 ann - D1-E1, E1-G1");
    // Three plies came of one letter: the mail before it shows a position that is gone.
    let mails: Vec<Mail> = about(&stage.left, "bob@example.net").into_iter().cloned().collect();
    let first = mails.iter().find(|mail| mail.first_line().contains("it is ann's move (ply 1)")).unwrap();
    let last = mails.iter().find(|mail| mail.first_line().contains("your move (ply 4)")).unwrap();
    let answer = reply(&mut stage, first, "I1-H1");
    assert!(answer[0].text.starts_with("The mail you answered is out of date"), "{}", answer[0].text);
    assert_eq!(row(&stage).plies.0, 3);
    reply(&mut stage, last, "I1-H1");
    assert_eq!(row(&stage).plies.0, 4);
}

#[test]
fn yes_is_said_to_what_the_mail_asks() {
    let (mut stage, mails) = begun("");
    let begun = about(&mails, "ann@example.org")[0].clone();
    done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    let undo = done(&mut stage, "ann", "dvonn undo 1 ann -");
    let draw = done(&mut stage, "ann", "dvonn propose 1 ann -");
    let answer = reply(&mut stage, about(&undo, "bob@example.net")[0], "Accept");
    assert!(answer[0].text.starts_with("The mail you answered is out of date"), "{}", answer[0].text);
    assert_eq!((row(&stage).state, row(&stage).plies.0), (BoardState::Running, 1));
    // A move in reply to an older mail of the same position plays all the same.
    let mut other = stage;
    reply(&mut other, about(&draw, "bob@example.net")[0], "accept");
    assert_eq!(row(&other).state, BoardState::Finished);
    assert!(reply(&mut other, &begun, "D1-E1")[0].text.contains("Board 1 is over"));
}

#[test]
fn a_challenge_is_declined_by_reply_as_its_mail_says() {
    let (mut stage, mails) = begun("");
    let bobs = about(&mails, "bob@example.net")[0].clone();
    assert!(bobs.text.contains("until your first move: reply with \"decline\""), "{}", bobs.text);
    reply(&mut stage, &bobs, "decline");
    assert_eq!(row(&stage).state, BoardState::Declined);
}

#[test]
fn a_proposal_is_answered_before_another_is_made() {
    let (mut stage, _) = begun("");
    done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    done(&mut stage, "bob", "dvonn move 1 bob - K3-J2");
    done(&mut stage, "ann", "dvonn undo 1 ann -");
    for word in ["undo", "propose"] {
        let why = refused(&mut stage, "bob", &format!("dvonn {word} 1 bob -"));
        assert!(why.contains("ann has proposed to take back a ply: answer that with `accept`"), "{why}");
    }
    done(&mut stage, "bob", "dvonn reject 1 bob -");
    done(&mut stage, "bob", "dvonn propose 1 bob -");
    done(&mut stage, "ann", "dvonn propose 1 ann -");
    assert_eq!(row(&stage).state, BoardState::Finished, "two who both propose a draw have agreed");
}

#[test]
fn a_swap_and_what_is_taken_back() {
    let (mut stage, _) = begun("--swap");
    done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    done(&mut stage, "bob", "dvonn move 1 bob - K3-J2");
    // Bob would rather have swapped: with his ply taken back he still may.
    done(&mut stage, "bob", "dvonn undo 1 bob -");
    done(&mut stage, "ann", "dvonn accept 1 ann -");
    refused(&mut stage, "bob", "dvonn decline 1 bob -");
    done(&mut stage, "bob", "dvonn swap 1 bob -");
    // Ply 1 was ann's, and is answered for good: neither has anything to take back.
    for userid in ["bob", "ann"] {
        refused(&mut stage, userid, &format!("dvonn undo 1 {userid} -"));
    }
    refused(&mut stage, "ann", "dvonn swap 1 ann -");
    done(&mut stage, "ann", "dvonn move 1 ann - K3-J2");
    done(&mut stage, "ann", "dvonn undo 1 ann -");
    done(&mut stage, "bob", "dvonn accept 1 bob -");
    assert_eq!((row(&stage).plies.0, row(&stage).may_swap), (1, false));
    refused(&mut stage, "ann", "dvonn swap 1 ann -");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_swap_is_no_answer_to_an_open_seat() {
    let (mut stage, _) = begun("--swap");
    done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    done(&mut stage, "bob", "dvonn swap 1 bob -");
    for userid in ["ann", "bob"] {
        refused(&mut stage, userid, &format!("dvonn decline 1 {userid} -"));
    }
}

#[test]
fn the_time_for_all_moves_is_a_players_and_changes_seats_with_them() {
    let (mut stage, _) = begun("--swap --nagtime=0 --forfeittime=0 --totaltime=2");
    let hours = |stage: &Stage, hours| stage.now.checked_add(SignedDuration::from_hours(hours)).unwrap();
    let until = hours(&stage, 36);
    stage.ticks(until);
    done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    done(&mut stage, "bob", "dvonn swap 1 bob -");
    // Ann has used 36 hours of her 48.
    assert_eq!(row(&stage).deadline_at, Some(hours(&stage, 12)));
    done(&mut stage, "ann", "dvonn move 1 ann - K3-J2");
    assert_eq!(row(&stage).deadline_at, Some(hours(&stage, 48)));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn every_mail_tells_the_hour_that_counts() {
    let (mut stage, mails) = begun("--forfeittime=20 --totaltime=2");
    let bobs = about(&mails, "bob@example.net")[0];
    assert!(bobs.text.contains("until Wed 2026-11-18"), "{}", bobs.text);
    done(&mut stage, "bob", "vacation bob - 2026-11-17 2026-11-20");
    let mails = done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    assert!(mails[0].text.contains("until Sun 2026-11-22"), "{}", mails[0].text);
    let told = row(&stage).deadline_at;
    stage.tick();
    assert_eq!(row(&stage).deadline_at, told, "the timer has nothing to put right");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_digest_holds_back_moves_and_nothing_else() {
    let (mut stage, _) = begun("");
    done(&mut stage, "ann", "dvonn challenge -symmetry -seed=7 ann bob");
    done(&mut stage, "bob", "set bob - digest on");
    assert_eq!(done(&mut stage, "ann", "dvonn move 1 ann - D1-E1").len(), 1);
    assert_eq!(done(&mut stage, "ann", "dvonn move 2 ann - D1-E1").len(), 0, "one at a time");
    stage.wait(48);
    assert_eq!(done(&mut stage, "ann", "dvonn undo 2 ann -").len(), 1, "a question does not wait");
    assert_eq!(done(&mut stage, "ann", "dvonn nudge 1 ann -").len(), 1, "nor does a nudge");
    let mails = stage.mail("bob@example.net", &format!("dvonn move 1 bob {BOB} K3-J2"), "");
    let next = about(&mails, "bob@example.net");
    assert_eq!(next.len(), 2, "{mails:?}");
    assert!(next[1].first_line().contains("your move (ply 2): ann played D1-E1"), "{}", next[1].text);
}

#[test]
fn a_word_about_a_queue_does_not_wait_in_a_digest() {
    let (mut stage, _) = begun("");
    done(&mut stage, "ann", "dvonn challenge -symmetry -seed=7 ann bob");
    done(&mut stage, "bob", "set bob - digest on");
    done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    done(&mut stage, "bob", "dvonn queue 2 bob - if A3-B3 then K3-J2");
    let mails = done(&mut stage, "ann", "dvonn move 2 ann - D1-E1");
    let told = about(&mails, "bob@example.net");
    assert!(told[0].text.contains("Your queue held no answer to this and was dropped."), "{}", told[0].text);
}

#[test]
fn a_queue_that_cannot_play_now_is_refused_with_its_reason() {
    let (mut stage, _) = begun("");
    let why = refused(&mut stage, "ann", "dvonn queue 1 ann - D1-A1");
    assert!(why.contains("It is your turn, and the queue cannot play: "), "{why}");
    let why = refused(&mut stage, "ann", "dvonn queue 1 ann - if K3-J2 then D1-E1");
    assert!(why.contains("it holds no answer"), "{why}");
}

#[test]
fn words_beside_a_move_are_heard_once() {
    let (mut stage, _) = begun("");
    done(&mut stage, "bob", "dvonn queue 1 bob - K3-J2");
    let mails =
        stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "Good luck, old friend.");
    let heard = about(&mails, "bob@example.net");
    assert_eq!(heard.len(), 1);
    assert_eq!(heard.iter().filter(|mail| mail.text.contains("Good luck")).count(), 1);
}

#[test]
fn a_draft_outlives_a_clock_and_dies_with_a_move() {
    let (mut stage, _) = begun("--forfeittime=5");
    done(&mut stage, "ann", "dvonn submit 1 ann - D1-E1");
    done(&mut stage, "bob", "vacation bob - 2026-11-18 2026-11-20");
    stage.tick();
    assert_eq!(row(&stage).events, 2, "the deadline moved");
    done(&mut stage, "ann", "dvonn confirm 1 ann -");
    assert_eq!(row(&stage).plies.0, 1);
}

#[test]
fn time_ends_queues_and_drafts_with_the_board() {
    let (mut stage, _) = begun("--nagtime=0 --forfeittime=1");
    done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    done(&mut stage, "bob", "dvonn move 1 bob - K3-J2");
    done(&mut stage, "ann", "dvonn submit 1 ann - E1-G1");
    done(&mut stage, "bob", "dvonn queue 1 bob - I1-H1");
    let until = stage.now.checked_add(SignedDuration::from_hours(25)).unwrap();
    stage.ticks(until);
    assert_eq!(row(&stage).state, BoardState::Finished);
    assert_eq!(stage.store.plans_left_over().unwrap(), []);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn watchers_hear_of_every_ply_of_a_letter() {
    let (mut stage, _) = begun("");
    done(&mut stage, "bob", "dvonn queue 1 bob - K3-J2");
    rusqlite::Connection::open(stage.folder.path().join(turnpost::data_dir::DATABASE))
        .unwrap()
        .execute_batch(
            "INSERT INTO watchers (board, address, address_key, asked_at, confirmed_at, told)
             VALUES (1, 'dora@example.com', 'dora@example.com', 0, 0, 1)",
        )
        .unwrap();
    let mails = done(&mut stage, "ann", "dvonn move 1 ann - D1-E1");
    let doras = about(&mails, "dora@example.com");
    assert_eq!(doras.len(), 1, "{doras:?}");
    let text = &doras[0].text;
    assert!(text.contains("ann played D1-E1.") && text.contains("bob played K3-J2."), "{text}");
}

#[test]
fn seeks_take_what_stands_in_the_passwords_place() {
    let mut stage = Stage::with_players();
    stage.mail("cleo@example.com", "signup cleo -gannet-33", "");
    done(&mut stage, "ann", "dvonn seek -symmetry ann - --unrated");
    let (answer, well, _) = stage.submit(Operator::Nobody, "dvonn seek --lots cleo -gannet-33");
    assert!(well, "{answer}");
    assert!(does(&mut stage, "bob", "dvonn seeks").0.contains("cleo"));
    // Whoever seeks wants to play, whatever they have set against challenges; whoever has signed off does not.
    done(&mut stage, "ann", "set ann - reject dvonn");
    done(&mut stage, "bob", "dvonn accept seek 1 bob -");
    done(&mut stage, "cleo", "signoff cleo -");
    let why = refused(&mut stage, "cleo", "dvonn seek cleo -");
    assert!(why.contains("cleo has signed off"), "{why}");
    let (seeks, _, _) = does(&mut stage, "bob", "dvonn seeks");
    assert!(!seeks.contains("cleo"), "{seeks}");
}

#[test]
fn lists_go_on_where_they_ended() {
    let mut stage = Stage::with_players();
    let lines = "dvonn challenge ann bob\n".repeat(40);
    done(&mut stage, "ann", &lines);
    done(&mut stage, "ann", &lines);
    let (list, _, _) = does(&mut stage, "bob", "dvonn games ann");
    assert!(list.contains("`dvonn games ann --before=31` goes on"), "{list}");
    let (list, _, _) = does(&mut stage, "bob", "dvonn games ann --before=31");
    let numbers: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(numbers.contains(&"30") && numbers.contains(&"1") && !numbers.contains(&"31"), "{list}");
    assert!(!list.contains("--before"), "{list}");
    let (shown, _, _) = does(&mut stage, "bob", "dvonn show ann");
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
    let (answer, well, _) = does(&mut stage, "ann", &"dvonn games ann\n".repeat(54));
    assert!(well && answer.matches("DVONN games of ann").count() == 54, "{answer}");
    let (answer, _, _) = does(&mut stage, "ann", &format!("{}\ndvonn games ann", "x".repeat(20_000)));
    assert!(answer.starts_with("> ***"), "{}", answer.chars().take(200).collect::<String>());
}

#[test]
fn a_replay_begins_where_somebody_has_a_choice() {
    let (mut stage, _) = begun("");
    done(&mut stage, "ann", "dvonn resign 1 ann -");
    done(&mut stage, "ann", "dvonn replay 1#0 ann bob");
    assert_eq!(stage.store.board(BoardId(2)).unwrap().unwrap().to_move, Some(Seat::First));
}

#[test]
fn a_chat_over_a_finished_game_reaches_nobody_who_signed_off() {
    let (mut stage, _) = begun("");
    done(&mut stage, "ann", "dvonn resign 1 ann -");
    done(&mut stage, "bob", "signoff bob -");
    let mails = stage.mail("ann@example.org", &format!("dvonn chat 1 ann {ANN}"), "Well played.");
    assert_eq!(about(&mails, "bob@example.net").len(), 0);
    let mails = stage.mail("ann@example.org", &format!("message ann {ANN} ann"), "To whom it may concern.");
    assert!(mails[0].text.contains("You are among those you write to"), "{}", mails[0].text);
}

#[test]
fn a_record_names_nobodys_zone() {
    let (mut stage, _) = begun("");
    done(&mut stage, "ann", "set ann - zone Pacific/Auckland");
    done(&mut stage, "ann", "vacation ann - 2026-11-20 2026-11-22");
    stage.tick();
    let (record, _, _) = does(&mut stage, "bob", "dvonn record 1");
    assert!(record.contains("* deadline") && !record.contains("Auckland"), "{record}");
}
