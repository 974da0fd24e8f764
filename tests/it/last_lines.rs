//! The last line of every mail about a board says what a reply can do now; and what is no command is talked to kindly.

use crate::support::mails::reply;
use crate::support::{Mail, Stage};

const ANN_AT: &str = "ann@example.org";
const BOB_AT: &str = "bob@example.net";

fn last_mail(stage: &Stage, to: &str) -> Mail {
    stage.left.iter().rev().find(|mail| mail.to == to).unwrap().clone()
}

/// A reply to the last mail of that address, and the answer to it.
fn answer(stage: &mut Stage, from: &str, text: &str) -> Mail {
    let asked = last_mail(stage, from);
    let mails = stage.receive(&reply(&asked, text, stage.left.len()));
    mails.iter().find(|mail| mail.to == from).unwrap_or_else(|| panic!("no answer to {text:?}")).clone()
}

/// The paragraph above the signature, on one line.
fn last_paragraph(mail: &Mail) -> String {
    let text = mail.text.split("\n-- \n").next().unwrap_or_default().trim_end();
    text.rsplit("\n\n").next().unwrap_or_default().replace('\n', " ")
}

#[test]
fn every_answer_about_a_board_ends_in_what_a_reply_can_do_now() {
    let to_move = "Reply with a move, or: decline, propose, resign, queue, preview, chat.";
    let asked = "Reply with another move, or: yes, no, decline, propose, resign, queue, preview, chat.";
    let waits = "Reply with words for ann, or: decline, propose, resign, queue, preview, chat.";
    let mut stage = Stage::with_a_game();
    for (from, text, expected) in [
        (ANN_AT, "show", to_move),
        (ANN_AT, "preview D1-E1", to_move),
        (ANN_AT, "no", to_move),
        (ANN_AT, "D1-E1 looks good", asked),
        (ANN_AT, "no", to_move),
        (ANN_AT, "D1-E9", to_move),
        (ANN_AT, "queue D1-E1 K3-J2", to_move),
        (ANN_AT, "chat Shall I?", to_move),
        (ANN_AT, "record", to_move),
        (BOB_AT, "show", waits),
        (BOB_AT, "K3-J2", waits),
    ] {
        // Bob's last mail may be a chat.
        if from == BOB_AT {
            stage.mail(BOB_AT, "show 1", "");
        }
        let mail = answer(&mut stage, from, text);
        assert_eq!(last_paragraph(&mail), expected, "{text}\n{}", mail.text);
    }
    // Whoever asks by a Subject gets it too; watchers and several boards in one answer have no board to reply to.
    stage.mail(ANN_AT, "dvonn show 1", "");
    assert_eq!(last_paragraph(&last_mail(&stage, ANN_AT)), to_move);
    stage.sign_up("cleo@example.com", "cleo", "gannet-33");
    stage.mail("cleo@example.com", "dvonn show 1", "");
    assert!(!last_mail(&stage, "cleo@example.com").text.contains("Reply with"));
    stage.mail(ANN_AT, "multiple", "dvonn show 1\ndvonn preview new\n");
    assert!(!last_mail(&stage, ANN_AT).text.contains("Reply with"));
    // Once it is over, the words are others.
    stage.mail(ANN_AT, "dvonn show 1", "");
    answer(&mut stage, ANN_AT, "resign");
    let over = "Reply `rematch` for another game, `analyse` for the robot's view, `record` to keep it, or `chat` and your words.";
    for text in ["show", "record", "D1-E1"] {
        stage.mail(ANN_AT, "dvonn show 1", "");
        let mail = answer(&mut stage, ANN_AT, text);
        assert_eq!(last_paragraph(&mail), over, "{text}\n{}", mail.text);
    }
}

#[test]
fn who_may_change_seats_is_told_the_word() {
    let mut stage = Stage::with_players();
    stage.mail(ANN_AT, "dvonn challenge -symmetry -seed=7 --swap ann bob", "");
    answer(&mut stage, ANN_AT, "D1-E1");
    let bobs = last_paragraph(&last_mail(&stage, BOB_AT));
    assert_eq!(bobs, "Reply with a move, or: swap, decline, propose, resign, queue, preview, chat.");
    answer(&mut stage, BOB_AT, "swap");
    assert!(!last_paragraph(&last_mail(&stage, BOB_AT)).contains("swap"));
}

#[test]
fn no_says_what_was_dropped_and_yes_what_a_preview_is() {
    let mut stage = Stage::with_a_game();
    answer(&mut stage, ANN_AT, "D1-E1 looks good");
    let mail = answer(&mut stage, ANN_AT, "no");
    assert!(mail.text.starts_with("ann, your move D1-E1 is dropped: it was not played.\n"), "{}", mail.text);
    assert!(mail.text.contains("White controls 23 pieces"), "{}", mail.text);
    // Nothing is left that a `yes` could play.
    for word in ["yes", "no"] {
        answer(&mut stage, ANN_AT, "preview D1-E1");
        let mail = answer(&mut stage, ANN_AT, word);
        let told = mail.text.replace('\n', " ");
        assert!(told.starts_with(&format!("Nothing on this board waits for a `{word}`.")), "{told}");
        assert!(told.contains("a preview plays nothing"), "{told}");
    }
    let plies = stage.store.events(turnpost::ids::BoardId(1)).unwrap();
    assert!(plies.iter().all(|event| event.ply.is_none()));
}

/// What people write who want to know whether anybody is there.
const GREETINGS: &[&str] = &[
    "hello",
    "Hello",
    "hello!",
    "Hello?",
    "Hello there",
    "hi",
    "Hi all",
    "hey",
    "hey!",
    "Hallo",
    "hallo",
    "hola",
    "Good morning",
    "good evening",
    "Dear Turnpost",
    "Guten Tag",
    "Bonjour",
    "Salut",
    "hej",
    "Ciao",
    "Re: hello",
    "test",
    "Test",
    "testing",
    "thanks",
    "Thank you",
    "bye",
    "yo",
    "sup",
    "ping",
];

#[test]
fn a_greeting_is_no_mistyped_command() {
    let mut stage = Stage::with_players();
    for (n, greeting) in GREETINGS.iter().enumerate() {
        for (m, body) in ["", "Is anybody there?\n\nEve\n", greeting].into_iter().enumerate() {
            stage.wait(2);
            let mails = stage.mail(&format!("eve{m}@host{n}.example"), greeting, body);
            assert!(!mails[0].text.contains("This was not done"), "{greeting}\n{}", mails[0].text);
            assert!(mails[0].text.contains("    signup NAME PASSWORD\n"), "{greeting}\n{}", mails[0].text);
            let mails = stage.mail(ANN_AT, greeting, body);
            let told = &mails[0].text;
            assert!(told.starts_with("ann, there is no command in your mail"), "{greeting}: {body}\n{told}");
            assert!(told.contains("\n    games ") && told.contains("\n    help "), "{greeting}\n{told}");
            assert!(!told.contains("Did you mean") && !told.contains("***"), "{greeting}: {body}\n{told}");
        }
    }
}

#[test]
fn a_slip_is_still_told_the_command() {
    let mut stage = Stage::with_players();
    for (slip, meant) in
        [("hepl", "help"), ("singup", "signup"), ("lsit", "list"), ("dvonn chalenge", "dvonn challenge")]
    {
        let mails = stage.mail(ANN_AT, slip, "");
        assert!(mails[0].text.contains(&format!("Did you mean `{meant}`?")), "{slip}\n{}", mails[0].text);
    }
    // A letter in which one line is a command keeps its answers apart.
    let mails = stage.mail(ANN_AT, "", "Hello\ndvonn show me\nwho ann\n");
    assert!(
        mails[0].text.contains("This is no command") && mails[0].text.contains("> who ann"),
        "{}",
        mails[0].text
    );
}

#[test]
fn what_is_said_of_the_words_beside_a_move_stands_above_the_last_line() {
    let mut stage = Stage::with_a_game();
    let mail = answer(&mut stage, ANN_AT, "D1-E1\nHave fun!");
    assert!(mail.text.contains("\nYour text went to bob as well.\n"), "{}", mail.text);
    let waits = "Reply with words for bob, or: decline, undo, propose, resign, queue, preview, chat.";
    assert_eq!(last_paragraph(&mail), waits, "{}", mail.text);
}
