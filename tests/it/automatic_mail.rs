//! Automatic mail that only its address or its Subject betrays is not answered, and no person's letter is lost for it:
//! `tests/data/automatic-mail.txt`.

use crate::support::data::DataFile;
use crate::support::{ANN, LetterOutcome, Stage, letter};

/// Prose as programs send it, in which nothing is a command.
const PROSE: &str = "Dear customer,\n\nhelp is on its way. We resign from nothing.\n\nThe team\n";

/// The entries of a section.
fn all(section: &str) -> Vec<String> {
    DataFile::read("automatic-mail.txt").entries(section)
}

fn aside(stage: &Stage) -> Option<&str> {
    match &stage.outcome {
        LetterOutcome::Ignored(why) => Some(why),
        LetterOutcome::Acted | LetterOutcome::Again => None,
    }
}

#[test]
fn an_address_with_a_robots_word_gets_no_answer_and_the_log_says_why() {
    let mut stage = Stage::new();
    for robot in all("addresses of programs") {
        let mails = stage.receive(&letter(&robot, "This week", PROSE, 1));
        assert_eq!(
            (mails.len(), aside(&stage)),
            (0, Some("automatic mail: its sender is a program")),
            "{robot}"
        );
    }
    for person in all("addresses of people") {
        assert_eq!(stage.receive(&letter(&person, "help", "", 1)).len(), 1, "{person}");
    }
}

#[test]
fn a_subject_of_a_report_or_an_absence_gets_no_answer_and_no_persons_subject_is_taken_for_one() {
    let mut stage = Stage::with_players();
    for subject in all("Subjects of reports and absences") {
        for from in ["stranger@example.com", "ann@example.org"] {
            let mails = stage.mail(from, &subject, "I am away until Monday.\n\nAnn\n");
            assert!(mails.is_empty(), "{subject}: {}", mails[0].text);
            let why = aside(&stage).unwrap_or_else(|| panic!("not set aside: {subject}"));
            assert!(why.contains("its Subject") || why.contains("automatic reply"), "{subject}: {why}");
        }
    }
    for subject in all("Subjects of people") {
        let mails = stage.mail("ann@example.org", &subject, "Hello, how does this work?\n");
        assert_eq!((mails.len(), aside(&stage)), (1, None), "{subject}");
        stage.wait(1);
    }
}

#[test]
fn a_players_address_is_a_persons_whatever_it_is_called() {
    let mut stage = Stage::new();
    // Nobody plays from a mail server's own address.
    let robots = all("addresses of programs").into_iter();
    for (n, address) in robots.filter(|address| !address.to_lowercase().starts_with("mail")).enumerate() {
        let signup = format!("signup player{n} plover-42 {address}");
        let (said, done, _) = stage.submit(turnpost::mail::Operator::Nobody, &signup);
        assert!(done, "{said}");
        let mails = stage.mail(&address, "who", "");
        assert!(mails.iter().any(|mail| mail.to == address), "{address}: {:?}", stage.outcome);
        let mails = stage.mail(&address, "a question", "What shall I write?\n");
        assert!(!mails.is_empty(), "{address}: {:?}", stage.outcome);
        // What tells of a mail that came back is no letter, even from there.
        let report = "Your message to bob@example.net could not be delivered:\n550 5.1.1 user unknown\n";
        let news =
            "{\"type\":\"Delivery\"}\n\nPlease do not reply to this mail. To unsubscribe, visit our site.\n";
        for text in [report, news] {
            assert_eq!(stage.mail(&address, &format!("Notice {n}"), text), [], "{address}: {text}");
        }
    }
}

#[test]
fn a_command_is_a_persons_whatever_its_subject_says_and_an_absence_that_quotes_one_is_none() {
    let mut stage = Stage::with_players();
    // `message` is a command, which these Subjects would be.
    let subjects = all("Subjects of reports and absences").into_iter();
    for subject in subjects.filter(|subject| !subject.starts_with("Message ")) {
        let mails = stage.mail("ann@example.org", &subject, &format!("set ann {ANN} digest on\n"));
        assert_eq!((mails.len(), aside(&stage)), (1, None), "{subject}");
        stage.wait(1);
        // A note that quotes our help below its own words, and one whose first word is a command's.
        for note in [
            format!("I am away.\n\nYou wrote:\ndvonn resign 1 ann {ANN}\n"),
            "help desk closed\nresign\n".to_owned(),
            "resign\n".to_owned(),
        ] {
            let mails = stage.mail("ann@example.org", &subject, &note);
            assert_eq!((mails.len(), aside(&stage).is_some()), (0, true), "{subject}: {note}");
        }
    }
}

#[test]
fn an_absence_note_to_a_reply_address_plays_nothing() {
    let mut stage = Stage::with_a_game();
    let board = stage.left.iter().find(|mail| mail.to == "ann@example.org" && mail.raw().contains("+b1."));
    let raw = board.unwrap().raw();
    let to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap().to_owned();
    let to = to.rsplit_once('<').map_or(to.as_str(), |(_, to)| to.trim_end_matches('>')).to_owned();
    for (n, subject) in all("Subjects of reports and absences").iter().enumerate() {
        let note = format!(
            "Return-Path: <ann@example.org>\r\nDelivered-To: {to}\r\nFrom: ann@example.org\r\nTo: {to}\r\n\
             Subject: {subject}\r\nMessage-ID: <away.{n}@example.org>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
             D1-E1\r\nresign\r\n"
        );
        let mails = stage.receive(note.as_bytes());
        assert!(mails.is_empty(), "{subject}: {}", mails[0].text);
        assert!(aside(&stage).is_some(), "{subject}");
    }
    assert_eq!(stage.store.board("1".parse().unwrap()).unwrap().unwrap().plies.0, 0);
}
