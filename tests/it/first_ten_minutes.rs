//! The first ten minutes: what a newcomer sends, and what comes back.

use turnpost::commands::{LANGUAGE, Reading};
use turnpost::mail::Operator;
use turnpost_games::registry::GAMES;

use crate::support::{ANN, Mail, Stage};

/// A mail whose sender the host's mail server vouches for.
fn vouched(stage: &mut Stage, from: &str, subject: &str, number: u32) -> Vec<Mail> {
    let domain = from.split_once('@').unwrap().1;
    let mail = format!(
        "Authentication-Results: mx.turnpost.example; dmarc=pass header.from={domain}\r\nReturn-Path: <{from}>\r\n\
         From: {from}\r\nTo: play@turnpost.example\r\nSubject: {subject}\r\nMessage-ID: <vouched.{number}@x.example>\r\n\r\n"
    );
    stage.receive(mail.as_bytes())
}

fn vouching() -> Stage {
    Stage::with(|config| config.authserv_id = "mx.turnpost.example".into()).peopled()
}

fn text(mails: &[Mail]) -> &str {
    mails.first().map(|mail| mail.text.as_str()).unwrap_or_default()
}

#[test]
fn a_registered_address_challenges_without_its_own_userid() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "dvonn challenge bob -symmetry", "");
    assert_eq!(mails.len(), 2, "{}", text(&mails));
    assert!(text(&mails).contains("It is ann's turn"), "{}", text(&mails));
    let mails = stage.mail("ann@example.org", "dvonn challenge robot --level=1", "");
    assert!(text(&mails).contains("robot-1"), "{}", text(&mails));
}

#[test]
fn a_stranger_who_leaves_the_userid_out_is_shown_the_full_form() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("eve@example.com", "dvonn challenge robot", "");
    assert!(text(&mails).contains("dvonn challenge USERID robot"), "{}", text(&mails));
    let (answer, ends_well, _) = stage.submit(Operator::Nobody, "dvonn challenge robot");
    assert!(!ends_well && answer.contains("dvonn challenge USERID robot"), "{answer}");
}

#[test]
fn a_proven_letter_leaves_out_userid_and_password() {
    let mut stage = Stage::with_players();
    let commands = [
        ("dvonn challenge bob -symmetry -seed=7", "ann"),
        ("dvonn move 1 D1-D2", "D1-D2"),
        ("dvonn show", "DVONN 1"),
        ("dvonn resign 1", "resign"),
        ("dvonn rematch 1", "bob"),
        ("dvonn seek --rating=1400-1800", "Your seek is number"),
        ("dvonn seek off", "seek 1 ended"),
        ("games", "DVONN games of ann"),
    ];
    let ann = || Operator::As("ann".parse().unwrap());
    for (command, expected) in commands {
        let (answer, ends_well, _) = stage.submit(ann(), command);
        assert!(ends_well && answer.contains(expected), "{command}\n{answer}");
    }
    stage.submit(Operator::As("bob".parse().unwrap()), "dvonn seek");
    let (answer, ends_well, _) = stage.submit(ann(), "dvonn accept seek 2");
    assert!(ends_well && answer.contains("bob"), "{answer}");
}

#[test]
fn a_password_anywhere_in_the_letter_names_the_writer_of_all_of_it() {
    let mut stage = Stage::with_players();
    let body =
        format!("dvonn challenge bob -symmetry -seed=7\ndvonn move 1 D1-D2\ndvonn showas ann {ANN} 1\n");
    let mails = stage.mail("elsewhere@example.com", "multiple", &body);
    let letter = &stage.store.letters(1).unwrap()[0];
    assert_eq!((letter.tally.done, letter.tally.refused), (3, 0), "{}", text(&mails));
    assert_eq!(stage.store.events(turnpost::ids::BoardId(1)).unwrap().len(), 2);
}

#[test]
fn two_players_passwords_name_nobody() {
    let mut stage = Stage::with_players();
    let body = "dvonn showas ann plover-42\ndvonn showas bob dunlin-7\ndvonn seek\n";
    let mails = stage.mail("ann@example.org", "multiple", body);
    assert!(text(&mails).contains("This letter is from ann or bob"), "{}", text(&mails));
    assert!(text(&mails).contains("    dvonn seek USERID PASSWORD\n"), "{}", text(&mails));
}

#[test]
fn an_address_alone_proves_no_move_and_the_full_form_is_ready_to_copy() {
    let mut stage = Stage::with_a_game();
    let before = stage.store.events(turnpost::ids::BoardId(1)).unwrap().len();
    for (command, full) in [
        ("dvonn move 1 D1-D2", "dvonn move 1 ann PASSWORD D1-D2"),
        ("dvonn resign 1", "dvonn resign 1 ann PASSWORD"),
        ("dvonn seek", "dvonn seek ann PASSWORD"),
        ("dvonn accept seek 3", "dvonn accept seek 3 ann PASSWORD"),
    ] {
        let mails = stage.mail("ann@example.org", command, "");
        assert!(text(&mails).contains(&format!("\n    {full}\n")), "{command}\n{}", text(&mails));
    }
    assert_eq!(stage.store.events(turnpost::ids::BoardId(1)).unwrap().len(), before);
}

#[test]
fn a_vouched_sender_needs_no_name() {
    let mut stage = vouching();
    for (number, command) in
        ["dvonn challenge bob -symmetry -seed=7", "dvonn move 1 D1-D2", "dvonn seek", "dvonn resign 1"]
            .iter()
            .enumerate()
    {
        let mails = vouched(&mut stage, "ann@example.org", command, number as u32);
        let letter = &stage.store.letters(1).unwrap()[0];
        assert_eq!(letter.tally.done, 1, "{command}\n{}", text(&mails));
    }
}

#[test]
fn what_can_be_read_in_full_is_read_in_full() {
    let mut stage = Stage::with_players();
    stage.sign_up("c1@example.com", "c1-d4", "a5-a6");
    stage.submit(Operator::AsAnyone, "hexmeister challenge c1-d4 bob");
    let ann = || Operator::As("ann".parse().unwrap());
    // The words are also three moves; c1-d4 is a player, and this is that player's password.
    let (answer, ..) = stage.submit(ann(), "hexmeister move 1 c1-d4 a5-a6 c1");
    assert!(!answer.contains("not ann's"), "{answer}");
    let (answer, ..) = stage.submit(ann(), "hexmeister move 1 d8-c9 a5-a6 c1");
    assert!(answer.contains("not ann's"), "{answer}");
}

#[test]
fn account_commands_never_leave_the_writer_out() {
    let mut stage = Stage::with_players();
    let ann = || Operator::As("ann".parse().unwrap());
    for command in ["delete", "signoff", "change password godwit-17", "message bob", "set"] {
        let (answer, ends_well, _) = stage.submit(ann(), command);
        assert!(!ends_well, "{command}\n{answer}");
    }
}

#[test]
fn lists_need_no_games_name_where_one_reading_is_possible() {
    let mut stage = Stage::with_a_game();
    stage.submit(Operator::AsAnyone, "dvonn seek ann -\nhexmeister seek bob -");
    for (subject, expected) in [
        ("games", "DVONN games of ann in play"),
        ("games bob", "DVONN games of bob in play"),
        ("seeks", "hexmeister  bob"),
        ("Seeks", "dvonn  ann"),
        ("show 1", "White controls"),
        ("show ann", "White controls"),
        ("show", "White controls"),
        ("rules", "help hexmeister"),
        ("dvonn rules", "STACKING"),
        ("players", "ann"),
        ("dvonn players", "DVONN standings"),
    ] {
        stage.wait(1);
        let mails = stage.mail("ann@example.org", subject, "");
        assert!(text(&mails).contains(expected), "{subject}\n{}", text(&mails));
    }
    // A Subject that is prose leaves the word to the body.
    let mails = stage.mail("ann@example.org", "games", "dvonn challenge bob\n");
    assert!(text(&mails).contains("ann v bob") || mails.len() == 2, "{}", text(&mails));
    for prose in ["show me the way", "games people play", "rules are rules", "players wanted"] {
        let reading = LANGUAGE.read_line(prose).reading;
        assert!(matches!(reading, Reading::Unknown { .. }), "{prose}");
    }
}

#[test]
fn a_typo_is_shown_and_a_password_is_not() {
    for (line, echo) in [
        ("dvonn challenge --unratd ann bob", "dvonn challenge --unratd ann bob"),
        ("dvonn challenge -symetry ann bob", "dvonn challenge -symetry ann bob"),
        ("dvonn challenge ann hunter2 bob", "dvonn challenge ann *** ***"),
        ("dvonn challenge ann pa$$word", "dvonn challenge ann ***"),
        ("dvonn challenge --level=x ann robot", "dvonn challenge *** ann robot"),
        ("dvonn chalenge ann bob", "dvonn chalenge *** ***"),
        ("singup ann hunter2", "singup *** ***"),
        ("dvonn seek --ratng=1400 ann hunter2 x", "dvonn seek --ratng=1400 *** *** ***"),
        ("dvonn move x1 ann hunter2 F3", "dvonn move *** *** *** ***"),
        ("hunter2 signup ann", "*** signup ***"),
    ] {
        assert_eq!(LANGUAGE.read_line(line).echo, echo, "{line}");
    }
}

#[test]
fn a_missing_password_is_called_that() {
    for line in ["dvonn move 1 ann F3", "dvonn submit 1 ann A3-B4", "dvonn move 1 ann"] {
        let Reading::Malformed(error) = LANGUAGE.read_line(line).reading else { panic!("{line}") };
        assert!(error.why.contains("the password is missing"), "{line}: {}", error.why);
    }
    let Reading::Malformed(error) = LANGUAGE.read_line("dvonn move 1 ann hunter2").reading else { panic!() };
    assert!(error.why.contains("the move is missing"), "{}", error.why);
    assert_eq!(GAMES.len(), 2);
}

#[test]
fn the_subjects_of_a_beginner_have_pages_of_their_own() {
    let mut stage = Stage::with_players();
    for subject in
        ["robot", "rules", "time", "rating", "reply", "vacation", "draw", "computer", "clock", "elo"]
    {
        stage.wait(1);
        let mails = stage.mail("ann@example.org", &format!("help {subject}"), "");
        let text = text(&mails);
        assert_eq!(stage.store.letters(1).unwrap()[0].tally.done, 1, "{subject}\n{text}");
        assert!((8..=40).contains(&text.lines().count()), "{subject}\n{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 78), "{subject}\n{text}");
    }
}

#[test]
fn an_unknown_subject_gets_the_three_nearest_pages() {
    let mut stage = Stage::with_players();
    for (subject, near) in
        [("ratigns", "rating"), ("chalenge", "challenge"), ("hexmaster", "hexmeister"), ("robbot", "robot")]
    {
        let mails = stage.mail("ann@example.org", &format!("help {subject}"), "");
        let offered: Vec<&str> =
            text(&mails).lines().filter_map(|line| line.strip_prefix("    help ")).collect();
        assert_eq!(offered.len(), 3, "{}", text(&mails));
        assert!(offered.contains(&near), "{}", text(&mails));
        assert!(!text(&mails).contains(subject), "{}", text(&mails));
    }
}

fn lines(mail: &Mail) -> usize {
    mail.text.lines().count()
}

#[test]
fn a_strangers_first_answer_is_a_page_one_wants_to_keep() {
    for (subject, body) in
        [("Hello?", ""), ("", ""), ("a question", "What is this?\n\nEve\n"), ("play", "chess\n")]
    {
        let mut stage = Stage::new();
        let mails = stage.mail("eve@example.com", subject, body);
        let mail = &mails[0];
        for wanted in [
            "server for board games by mail",
            "DVONN and Hexmeister",
            "    signup NAME PASSWORD\n",
            "    dvonn challenge NAME robot",
            "    dvonn seeks",
            "\\__/w \\__/b",
            "help tutorial",
        ] {
            assert!(mail.text.contains(wanted), "{subject}: {wanted}\n{}", mail.text);
        }
        assert!(lines(mail) <= 40, "{} lines\n{}", lines(mail), mail.text);
        assert!(mail.text.lines().all(|line| line.chars().count() <= 78), "{}", mail.text);
        assert!(!mail.text.contains("***"), "{}", mail.text);
    }
}

#[test]
fn a_stranger_may_read_every_page_five_a_day() {
    let mut stage = Stage::new();
    for (subject, expected) in [
        ("help", "signup NAME PASSWORD"),
        ("help dvonn", "STACKING"),
        ("help tutorial", "step by step"),
        ("dvonn rules", "STACKING"),
        ("help robot", "LEVELS"),
    ] {
        let mails = stage.mail("eve@example.com", subject, "");
        assert!(text(&mails).contains(expected), "{subject}\n{}", text(&mails));
        assert!(text(&mails).contains("signup NAME PASSWORD"), "{subject}\n{}", text(&mails));
        assert!(mails[0].raw().len() <= 64 * 1024);
    }
    assert_eq!(stage.mail("eve@example.com", "help time", ""), []);
    stage.wait(25);
    assert_eq!(stage.mail("eve@example.com", "help time", "").len(), 1);
}

#[test]
fn what_a_stranger_asks_beside_help_is_not_told() {
    let mut stage = Stage::with_a_game();
    let mails = stage.mail("eve@example.com", "multiple", "help time\ndvonn show 1\nwho ann\nsignup eve x\n");
    assert!(
        text(&mails).contains("TIME is counted") && text(&mails).contains("4 to 100 characters"),
        "{}",
        text(&mails)
    );
    assert!(!text(&mails).contains("White controls") && !text(&mails).contains("since"), "{}", text(&mails));
}

#[test]
fn every_failed_signup_is_told_what_was_wrong() {
    let mut stage = Stage::with_players();
    for (number, (subject, why)) in [
        ("signup eve", "the password is missing"),
        ("signup e hunter2", "a userid is a letter followed"),
        ("signup ann hunter2", "is taken"),
        ("signup eve abc", "from 4 to 100 characters"),
        ("sign up eve hunter2", "Did you mean `signup`?"),
        ("log in eve hunter2", "Did you mean `help signup`?"),
        ("signup move hunter2", "a word the server uses itself"),
    ]
    .into_iter()
    .enumerate()
    {
        let from = format!("eve{number}@example.com");
        stage.mail(&from, "hello", "");
        let mails = stage.mail(&from, subject, "");
        let told = text(&mails).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(why), "{subject}\n{}", text(&mails));
        assert!(!text(&mails).contains("hunter2"), "{subject}\n{}", text(&mails));
        assert!(lines(&mails[0]) <= 40, "{}", text(&mails));
    }
}

#[test]
fn who_has_not_confirmed_yet_gets_help_all_the_same() {
    let mut stage = Stage::new();
    stage.mail("eve@example.com", "signup eve hunter2", "");
    let mails = stage.mail("eve@example.com", "help tutorial", "");
    assert!(text(&mails).contains("step by step"), "{}", text(&mails));
    let mails = stage.mail("eve@example.com", "signup eve other-2", "");
    assert!(text(&mails).contains("is taken. If it is yours, reply with `yes`"), "{}", text(&mails));
}

#[test]
fn the_welcome_asks_for_one_word_and_the_next_mail_has_three_steps() {
    let mut stage = Stage::new();
    let asked = stage.mail("eve@example.com", "signup eve hunter2", "");
    assert!(asked[0].text.contains("\n    yes\n") && lines(&asked[0]) <= 40, "{}", asked[0].text);
    let welcome = stage.confirm(&asked);
    for step in [
        "    dvonn challenge robot --level=1\n",
        "    dvonn seek eve PASSWORD\n",
        "    dvonn challenge FRIEND\n",
    ] {
        assert!(text(&welcome).contains(step), "{step}\n{}", text(&welcome));
    }
    assert!(lines(&welcome[0]) <= 40);
    // Each step can be taken as it is written.
    let mails = stage.mail("eve@example.com", "dvonn challenge robot --level=1", "");
    assert!(text(&mails).contains("robot-1"), "{}", text(&mails));
    stage.mail("eve@example.com", "dvonn seek eve hunter2", "");
    stage.mail("eve@example.com", "hexmeister seek eve hunter2", "");
    let asked = stage.mail("zoe@example.org", "signup zoe hunter3", "");
    let welcome = stage.confirm(&asked);
    assert!(text(&welcome).contains("    dvonn accept seek 1 zoe PASSWORD\n"), "{}", text(&welcome));
    assert!(text(&welcome).contains("    hexmeister accept seek 2 zoe PASSWORD\n"), "{}", text(&welcome));
    assert!(lines(&welcome[0]) <= 40);
    let mails = stage.mail("zoe@example.org", "dvonn challenge eve", "");
    assert_eq!(mails.len(), 2, "{}", text(&mails));
}

#[test]
fn a_second_address_is_thanked_and_not_welcomed() {
    let mut stage = Stage::with_players();
    let asked = stage.mail("ann@example.org", "add ann plover-42 ann@example.net", "");
    let question: Vec<Mail> = asked.into_iter().filter(|mail| mail.to == "ann@example.net").collect();
    assert!(!question[0].text.contains("Welcome") && !question[0].subject.contains("welcome"));
    let answer = stage.confirm(&question);
    assert!(!text(&answer).contains("Welcome"), "{}", text(&answer));
    assert!(text(&answer).contains("ann@example.net"), "{}", text(&answer));
}

#[test]
fn help_takes_no_answers_from_a_player_up_to_twenty_pages_a_day() {
    let answers = |pages: usize| {
        let mut stage = Stage::with_players();
        for page in ["dvonn", "time", "robot", "draw"].iter().cycle().take(pages) {
            assert_eq!(stage.mail("ann@example.org", &format!("help {page}"), "").len(), 1);
        }
        let listed = |mails: Vec<Mail>| !mails.is_empty() && !text(&mails).contains("many answers");
        (0..30).filter(|_| listed(stage.mail("ann@example.org", "who", ""))).count()
    };
    assert_eq!(answers(20), answers(0));
    assert_eq!(answers(22), answers(0) - 2);
}

/// A reply to a mail about a board, as the last one to this address.
fn reply(stage: &mut Stage, from: &str, line: &str) -> Vec<Mail> {
    let mail = stage.left.iter().rev().find(|mail| mail.to == from && mail.raw().contains("+b")).unwrap();
    reply_to(&mail.clone(), stage, line)
}

fn reply_to(mail: &Mail, stage: &mut Stage, line: &str) -> Vec<Mail> {
    let raw = mail.raw();
    let to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    let (from, number) = (&mail.to, stage.left.len());
    let letter = format!(
        "Return-Path: <{from}>\r\nFrom: {from}\r\nTo: {to}\r\nSubject: Re: {}\r\nMessage-ID: <r{number}.{}@x.example>\r\n\r\n{line}\r\n",
        mail.subject,
        line.len()
    );
    stage.receive(letter.as_bytes())
}

fn plies(stage: &Stage, board: u32) -> usize {
    let events = stage.store.events(turnpost::ids::BoardId(board)).unwrap();
    events.iter().filter(|event| event.ply.is_some()).count()
}

#[test]
fn a_reply_names_its_writer_and_plays_on_its_own_board_alone() {
    let mut stage = Stage::with_a_game();
    let first = stage
        .left
        .iter()
        .find(|mail| mail.to == "ann@example.org" && mail.raw().contains("+b1."))
        .unwrap()
        .clone();
    stage.mail("ann@example.org", "dvonn challenge ann bob -symmetry -seed=7", "");
    let mails = reply_to(&first, &mut stage, "dvonn move 2 D1-E1");
    assert!(text(&mails).contains("    dvonn move 2 ann PASSWORD D1-E1"), "{}", text(&mails));
    assert_eq!((plies(&stage, 1), plies(&stage, 2)), (0, 0));
    reply_to(&first, &mut stage, "dvonn move 1 D1-E1");
    assert_eq!((plies(&stage, 1), plies(&stage, 2)), (1, 0));
    // Spent, it plays no more and gives nothing up.
    for line in ["dvonn move 1 D1-E1", "dvonn resign 1"] {
        let mails = reply_to(&first, &mut stage, line);
        assert!(
            text(&mails).contains("A reply speaks for its own board as that mail showed it"),
            "{}",
            text(&mails)
        );
    }
    assert_eq!(plies(&stage, 1), 1);
    let mails = reply_to(&first, &mut stage, "dvonn challenge robot --level=1");
    assert!(text(&mails).contains("robot-1"), "{}", text(&mails));
    let mails = reply_to(&first, &mut stage, "dvonn seek");
    assert!(text(&mails).contains("Your seek is number"), "{}", text(&mails));
    // A fresh one gives up its own board.
    let mails = reply(&mut stage, "bob@example.net", "show");
    assert!(text(&mails).contains("White controls"), "{}", text(&mails));
    stage.mail("bob@example.net", "show 1", "");
}

#[test]
fn the_words_that_stand_for_others_in_our_mails_are_not_taken_literally() {
    let mut stage = Stage::with_a_game();
    let mails = stage.mail("eve@example.com", "signup NAME PASSWORD", "");
    assert!(text(&mails).contains("the server uses itself"), "{}", text(&mails));
    let mails = stage.mail("eve@example.com", "signup eve PASSWORD", "");
    assert!(text(&mails).contains("stands for a password of your choice"), "{}", text(&mails));
    let mails = stage.mail("ann@example.org", "dvonn move 1 ann PASSWORD D1-E1", "");
    assert!(text(&mails).contains("stands for your own password"), "{}", text(&mails));
}

#[test]
fn one_quoted_argument_on_the_command_line_is_a_line() {
    let host = crate::support::host::Host::new();
    host.run(&["submit", "signup ann plover-42 ann@example.org"], b"").ok();
    host.run(&["submit", "who ann"], b"").ok();
    host.run(&["submit", "help"], b"").ok();
}

#[test]
fn no_mail_of_the_first_ten_minutes_is_longer_than_a_page() {
    let mut stage = Stage::new();
    let mut mails = stage.mail("eve@example.com", "Hello", "What is this?");
    mails.extend(stage.mail("eve@example.com", "signup eve", ""));
    for (from, userid, password) in [("eve@example.com", "eve", "hunter2-x"), ("ann@example.org", "ann", ANN)]
    {
        mails.extend(stage.mail(from, &format!("signup {userid} {password}"), ""));
        let asked = mails.last().cloned();
        mails.extend(stage.confirm(asked.as_slice()));
        mails.extend(stage.mail(from, &format!("dvonn seek -symmetry {userid} {password}"), ""));
    }
    for challenge in
        ["dvonn challenge robot --level=1", "dvonn challenge -symmetry --lots ann", "seeks", "help"]
    {
        mails.extend(stage.mail("eve@example.com", challenge, ""));
    }
    assert!(mails.len() >= 10, "{}", mails.len());
    for mail in mails {
        assert!(mail.text.lines().count() <= 40, "{} lines:\n{}", mail.text.lines().count(), mail.text);
    }
}
