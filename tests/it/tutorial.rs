//! The tutorial, as far as no scene tells of it (`tests/scenes/tutorial.txt`).

use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::BoardState;
use turnpost_games::registry::GAMES;

use crate::support::{Mail, Stage, reply as reply_to};

/// Eve has just confirmed her address.
fn newcomer() -> Stage {
    let mut stage = Stage::new();
    stage.sign_up("eve@example.com", "eve", "hunter2-x");
    stage
}

fn send(stage: &mut Stage, subject: &str) -> String {
    only(stage.mail("eve@example.com", subject, ""))
}

fn only(mails: Vec<Mail>) -> String {
    assert_eq!(mails.len(), 1, "{mails:?}");
    mails[0].text.clone()
}

/// Replies to the last mail about a board.
fn reply(stage: &mut Stage, line: &str) -> String {
    let mail = stage.left.iter().rev().find(|mail| mail.raw().contains("Reply-To: play+b")).unwrap().clone();
    let number = stage.left.len();
    only(stage.receive(&reply_to(&mail, line, number)))
}

/// A move that can be played on a board.
fn legal(stage: &Stage, board: u32) -> String {
    let row = stage.store.board(BoardId(board)).unwrap().unwrap();
    let game = GAMES.iter().find(|game| game.key == row.game).unwrap();
    (game.read)(&row.position).unwrap().legal_plies()[0].clone()
}

/// The number of the lesson in a mail.
fn lesson(text: &str) -> Option<usize> {
    let (_, behind) = text.split_once("\nLesson ")?;
    behind.split(' ').next()?.parse().ok()
}

#[test]
fn a_tutorial_is_played_to_its_end_and_its_words_work_there() {
    let mut stage = newcomer();
    let mut last = send(&mut stage, "tutorial");
    while stage.store.board(BoardId(1)).unwrap().unwrap().state == BoardState::Running {
        let ply = legal(&stage, 1);
        last = reply(&mut stage, &ply);
    }
    let words =
        "\nReply `rematch` for another game, `analyse` for the robot's view or `record`\nto keep it.\n";
    assert!(last.starts_with("eve, the game is over: ") && last.contains(words), "{last}");
    assert!(reply(&mut stage, "record").contains("\nend\n\nReply `rematch`"));
    reply(&mut stage, "analyse");
    stage.think();
    let analysis = only(stage.post());
    assert!(analysis.contains("in pieces ahead of") && analysis.contains(words), "{analysis}");
    let rematch = reply(&mut stage, "rematch");
    assert!(rematch.starts_with("eve, your move (ply 2): a new game"), "{rematch}");
    assert_eq!(lesson(&send(&mut stage, "tutorial")), Some(1), "and another one begins");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// An address alone is no proof, so what it asks for is held back like any answer.
#[test]
fn a_forged_sender_brings_no_more_mails_than_the_budget_of_answers() {
    let mut stage = newcomer();
    let mails = (0..60).map(|_| stage.mail("eve@example.com", "tutorial", "").len()).sum::<usize>();
    assert!(mails < 30, "{mails}");
}

#[test]
fn a_game_without_lessons_says_so() {
    let mut stage = newcomer();
    let without: Vec<_> = GAMES.iter().filter(|game| game.tutorial.is_none()).collect();
    assert!(!without.is_empty());
    for game in without {
        let text = send(&mut stage, &format!("{} tutorial", game.key));
        assert!(text.contains(&format!("{} has no tutorial", game.name)), "{text}");
    }
    assert!(stage.store.board(BoardId(1)).unwrap().is_none());
}

#[test]
fn every_tutorial_is_a_board_that_can_be_set_up() {
    let mut found = 0;
    for game in GAMES.iter() {
        let Some(tutorial) = game.tutorial else { continue };
        found += 1;
        let options: Vec<_> = tutorial.options.iter().map(|option| ((*option).to_owned(), None)).collect();
        let table = (game.start)(&turnpost_games::Setup { options: &options, seed: 7 }).unwrap();
        let lessons: Vec<String> =
            (1..).map_while(|number| tutorial.lesson(number, table.as_ref())).collect();
        assert_eq!(lessons.len(), 5, "{}", game.key);
        for lesson in &lessons {
            assert!(!lesson.contains(['{', '}']), "{lesson}");
        }
        assert_eq!(tutorial.lesson(0, table.as_ref()), None);
    }
    assert!(found > 0);
}

#[test]
fn without_the_robot_there_is_no_tutorial() {
    let mut stage = Stage::with(|config| config.robot.enabled = false);
    let asked = stage.mail("eve@example.com", "signup eve hunter2-x", "");
    let welcome = only(stage.confirm(&asked));
    assert!(!welcome.contains("tutorial\n    dvonn"), "{welcome}");
    let (answer, ends_well, _) = stage.submit(Operator::As("eve".parse().unwrap()), "tutorial");
    assert!(!ends_well && answer.contains("switched off"), "{answer}");
}

#[test]
fn a_long_name_or_a_token_in_the_text_leaves_a_mail_of_forty_lines() {
    for (userid, extensions) in [("eve-of-the-long-name", true), ("eve", false)] {
        let mut stage = Stage::with(|config| config.extensions = extensions);
        stage.sign_up("eve@example.com", userid, "hunter2-x");
        let mut text = send(&mut stage, "tutorial");
        for number in 1..=5 {
            assert_eq!(lesson(&text), Some(number), "{text}");
            assert!(text.lines().count() <= 40, "{} lines\n{text}", text.lines().count());
            assert_eq!(text.contains("the one in brackets"), !extensions, "{text}");
            let command = format!("dvonn move 1 {userid} hunter2-x {}", legal(&stage, 1));
            text = send(&mut stage, &command);
        }
    }
}
