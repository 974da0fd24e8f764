//! The tutorial: a first game by mail, with a lesson for each of the pupil's first turns.

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
fn five_mails_have_a_lesson_each_and_then_the_game_goes_on() {
    let mut stage = newcomer();
    let mut mails = vec![send(&mut stage, "tutorial")];
    for _ in 0..7 {
        let ply = legal(&stage, 1);
        mails.push(reply(&mut stage, &ply));
    }
    let lessons: Vec<Option<usize>> = mails.iter().map(|text| lesson(text)).collect();
    assert_eq!(lessons, [Some(1), Some(2), Some(3), Some(4), Some(5), None, None, None]);
    for text in &mails[..5] {
        assert_eq!(text.matches("\nNext: ").count(), 1, "{text}");
        assert!(text.contains("\\__/"), "{text}");
        assert!(text.lines().count() <= 40, "{} lines\n{text}", text.lines().count());
        assert!(text.lines().all(|line| line.len() <= 78), "{text}");
    }
    let row = stage.store.board(BoardId(1)).unwrap().unwrap();
    assert!(!row.rated && row.state == BoardState::Running);
    assert_eq!(stage.wrong(), Vec::<String>::new());
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

#[test]
fn each_lesson_names_a_move_that_can_be_played() {
    let mut stage = newcomer();
    let mut text = send(&mut stage, "dvonn tutorial");
    for number in 1..=4 {
        let next = text.split("\nNext: ").nth(1).unwrap().split("\n\n").next().unwrap();
        let ply = next.split_whitespace().last().unwrap().trim_end_matches('.').to_owned();
        text = reply(&mut stage, &ply);
        assert_eq!(lesson(&text), Some(number + 1), "{ply}\n{text}");
    }
    // The words that lessons give do what they say.
    assert!(text.contains("Next: reply with this word"), "{text}");
    let seeks = reply(&mut stage, "seeks");
    assert!(seeks.contains("Open seeks"), "{seeks}");
}

#[test]
fn a_lesson_is_not_lost_by_what_plays_nothing() {
    let mut stage = newcomer();
    send(&mut stage, "tutorial");
    for line in ["what shall I do?", "F3-F9", "preview"] {
        let text = reply(&mut stage, line);
        assert!(text.contains("\n\nNext: reply with this line, or"), "{line}\n{text}");
    }
    let ply = legal(&stage, 1);
    let preview = reply(&mut stage, &format!("preview {ply}"));
    assert!(preview.contains("nothing was played") && lesson(&preview).is_none(), "{preview}");
    assert_eq!(lesson(&reply(&mut stage, &ply)), Some(2));
    // Taken back, the pupil goes on where they were.
    let undone = reply(&mut stage, "undo");
    assert_eq!((lesson(&undone), undone.contains("as at the start")), (Some(2), true), "{undone}");
    assert_eq!(lesson(&reply(&mut stage, &ply)), Some(3));
}

#[test]
fn a_game_that_is_over_has_no_lessons() {
    let mut stage = newcomer();
    send(&mut stage, "tutorial");
    let text = reply(&mut stage, "resign");
    assert!(text.contains("Game over") && lesson(&text).is_none(), "{text}");
    // A rematch is a plain game; the word begins another tutorial.
    let text = reply(&mut stage, "rematch");
    assert!(text.contains("you are black") && lesson(&text).is_none(), "{text}");
    let text = send(&mut stage, "tutorial");
    assert_eq!(lesson(&text), Some(1), "{text}");
    assert!(stage.store.board(BoardId(3)).unwrap().is_some());
}

#[test]
fn a_second_tutorial_is_the_first_again() {
    let mut stage = newcomer();
    send(&mut stage, "tutorial");
    let ply = legal(&stage, 1);
    reply(&mut stage, &ply);
    for command in ["tutorial", "tutorial eve", "dvonn tutorial eve hunter2-x"] {
        let text = send(&mut stage, command);
        assert!(text.contains("tutorial is in play") && lesson(&text) == Some(2), "{command}\n{text}");
    }
    assert!(stage.store.board(BoardId(2)).unwrap().is_none());
    // It is answered like the mail that it repeats.
    let ply = legal(&stage, 1);
    assert_eq!(lesson(&reply(&mut stage, &ply)), Some(3));
}

/// An address alone is no proof, so what it asks for is held back like any answer.
#[test]
fn a_forged_sender_brings_no_more_mails_than_the_budget_of_answers() {
    let mut stage = newcomer();
    let mails = (0..60).map(|_| stage.mail("eve@example.com", "tutorial", "").len()).sum::<usize>();
    assert!(mails < 30, "{mails}");
}

#[test]
fn nobody_begins_a_tutorial_for_somebody_else() {
    let mut stage = newcomer().peopled();
    for command in ["tutorial eve", "tutorial eve wrong-1", "dvonn tutorial eve", "tutorial robot-1"] {
        let mails = stage.mail("ann@example.org", command, "");
        let letter = &stage.store.letters(1).unwrap()[0];
        assert_eq!((letter.tally.done, letter.tally.refused), (0, 1), "{command}\n{mails:?}");
    }
    let text = only(stage.mail("zoe@example.org", "tutorial", ""));
    assert!(text.contains("signup NAME PASSWORD"), "{text}");
    assert!(stage.store.board(BoardId(1)).unwrap().is_none());
}

#[test]
fn another_address_takes_the_password() {
    let mut stage = newcomer();
    let mails = stage.mail("eve@example.net", "tutorial eve hunter2-x", "");
    assert_eq!((mails[0].to.as_str(), lesson(&mails[0].text)), ("eve@example.com", Some(1)), "{mails:?}");
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
