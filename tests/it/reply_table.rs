//! What people write in a reply, and what becomes of it: it plays, is asked back, reaches the opponent, or is explained.

use crate::reply_meaning::{Game, flat};
use crate::support::Mail;

/// What became of a reply of ann's, on whose turn it is.
fn outcome(game: &mut Game, text: &str) -> String {
    let mails: Vec<Mail> = game.reply("ann", text);
    let said = flat(&mails.iter().find(|mail| mail.to == "ann@example.org").unwrap().text);
    let plies = game.plies();
    if !plies.is_empty() {
        return format!("plays {}", plies.join(" "));
    }
    if let Some((_, asked)) = said.split_once("Reply `yes` to play ") {
        return format!("asks {}", asked.split(" on board").next().unwrap());
    }
    let bobs = mails.iter().find(|mail| mail.to == "bob@example.net");
    match bobs {
        Some(mail) if mail.text.contains("ann says:") => "chat".to_owned(),
        Some(mail) => format!("tells {}", mail.text),
        None => format!("explains {said}"),
    }
}

const STACKING: &str = "dvonn challenge -symmetry -seed=7 ann bob";
const PLACING: &str = "dvonn challenge ann bob";
/// The last placement and the first move are one turn.
const LAST_PLACEMENT: &str = "dvonn challenge \"-position=w,w,b,b,D,b,b,b,b/b,w,w,b,b,b,b,w,b,w/w,w,w,b,b,D,w,w,b,b,b/\
    b,w,b,w,w,w,w,b,b,w/.,w,w,w,D,w,w,b,b w place 49\" ann bob";
const DROPPING: &str = "hexmeister challenge ann bob";
/// d8-c9 captures c10, which earns a bonus.
const CAPTURING: &str = "hexmeister challenge \"-position=....../.wbw.../......../...w...../........../.........../\
    ........../........./......../......./...... w 15,17\" ann bob";

/// Checks each text on a board of its own. What is expected is how the outcome begins.
fn check(challenge: &str, table: &[(&str, &str)]) {
    for (text, expected) in table {
        let outcome = outcome(&mut Game::new(challenge), text);
        assert!(outcome.starts_with(expected), "{text:?}: {outcome}");
    }
}

#[test]
fn a_stack_moves_in_every_dress_and_in_no_prose() {
    check(
        STACKING,
        &[
            ("D1 \u{D7} E1", "plays D1-E1"),
            ("D1>E1", "plays D1-E1"),
            ("D1 > E1", "plays D1-E1"),
            ("D1\u{301C}E1", "plays D1-E1"),
            ("D1-E1 :]", "plays D1-E1"),
            ("D1-E1 (:", "plays D1-E1"),
            ("D1-E1 <3", "plays D1-E1"),
            ("1) D1-E1", "plays D1-E1"),
            ("\u{201A}D1-E1\u{2018}", "plays D1-E1"),
            ("Hello bob!\n\nD1-E1\n\ncheers\nAnn", "plays D1-E1"),
            ("I would like to play:\n\n    D1-E1\n\nGood luck", "plays D1-E1"),
            ("1\n2\n3\n4\n5\n6\n7\n8\n9\nD1-E1", "plays D1-E1"),
            ("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nD1-E1", "asks D1-E1"),
            ("D1-E1 if K3-J2 then E1-G1", "plays D1-E1"),
            ("D1-E1 if you like", "asks D1-E1"),
            ("D1-E1?", "asks D1-E1"),
            ("D1-E1:", "asks D1-E1"),
            ("D1-E1 :\nwould that be good?", "asks D1-E1"),
            ("~~D1-E1~~", "asks D1-E1"),
            ("D1 onto E1", "asks D1-E1"),
            ("I put D1 on E1", "asks D1-E1"),
            ("D1 captures E1!", "asks D1-E1"),
            ("I won't play D1-E1", "asks D1-E1"),
            ("No D1-E1 today", "asks D1-E1"),
            ("don't play D1-E1", "asks D1-E1"),
            ("What about D1-E1?", "asks D1-E1"),
            ("Is D1-E1 legal?", "asks D1-E1"),
            ("If you play K3-J2 then I play D1-E1", "asks D1-E1"),
            ("Hello, I play D1-E1", "asks D1-E1"),
            ("D1-E1. Well played!", "asks D1-E1"),
            ("D1-E1 or A3-B3?", "explains Your reply names D1-E1, A3-B3, which can all be played."),
            ("D1-E1\nB1-C1", "explains Your reply holds D1-E1, B1-C1, which is more than one turn."),
            ("D1-E1 B1-C1", "explains Your reply holds D1-E1 B1-C1, which is more than one turn."),
            ("D1-E1, D1-E1", "explains Your reply holds D1-E1, D1-E1, which is more than one turn."),
            ("E1-D1", "explains E1 holds a single DVONN piece"),
            (
                "A4 paper",
                "explains There is no move of yours in this reply, and it went to nobody: `A4 paper` names A4.",
            ),
            ("resign\nD1-E1", "explains Your reply says `resign` and D1-E1."),
            ("Help!", "explains Turnpost plays board games by mail."),
            (
                "if K3-J2 then E1-G1",
                "explains Your reply holds conditions and no move, so it did nothing. Put your move",
            ),
            ("see you at 5-6 pm", "chat"),
            ("Is it 3-2 or 2-3?", "chat"),
            ("thanks bob!", "chat"),
        ],
    );
}

#[test]
fn a_piece_is_placed_in_every_dress_and_in_no_prose() {
    check(
        PLACING,
        &[
            ("\u{FF26}\u{FF13}\u{FF01}", "plays F3"),
            ("\u{2022} F3", "plays F3"),
            ("My move: F3", "plays F3"),
            ("hi\nF3\nthx", "plays F3"),
            ("F3?", "asks F3"),
            ("F3 it is", "asks F3"),
            ("Maybe F3", "asks F3"),
            ("not F3", "asks F3"),
            ("My flat is F3", "asks F3"),
            ("F3 or F4?", "explains Your reply names F3, F4, which can all be played."),
            ("F3 F4", "explains Your reply holds F3 F4, which is more than one turn."),
            ("D1-E1", "explains Nothing moves before all 49 pieces are on the board."),
            ("B12 is a vitamin", "explains There is no move of yours"),
        ],
    );
    check(
        LAST_PLACEMENT,
        &[
            ("A1", "plays A1"),
            ("A1 D1-E1", "plays A1 D1-E1"),
            ("A1; d1e1", "plays A1 D1-E1"),
            ("- A1\n- D1-E1", "plays A1 D1-E1"),
            ("A1\n\nD1 to E1\nhave fun", "plays A1 D1-E1"),
            ("My moves: A1, D1-E1", "plays A1 D1-E1"),
            ("A1 and then D1-E1", "asks A1 D1-E1"),
            ("A1\nthen\nD1-E1", "explains Your reply holds A1, D1-E1, which is more than one turn."),
            ("A1 D1-E1 F1-G1", "explains Your reply holds A1 D1-E1 F1-G1, which is more than one turn."),
            ("A1 B1", "explains Nothing was played: A1 can be played, but not what follows it."),
        ],
    );
}

#[test]
fn hexmeisters_turns_are_read_in_every_dress() {
    check(
        DROPPING,
        &[
            ("\u{201C}C1\u{201D}", "plays c1"),
            ("I drop c1", "asks c1"),
            ("c1, done", "explains Your reply holds c1, done, which is more than one turn."),
            ("done", "explains There is no bonus to decline."),
        ],
    );
    check(
        CAPTURING,
        &[
            ("d8-c9", "plays d8-c9"),
            ("d8-c9+", "plays d8-c9 done"),
            ("d8-c9, done", "plays d8-c9 done"),
            ("d8-c9\nc9-f8", "plays d8-c9 c9-f8"),
            ("\u{201C}d8\u{2192}c9 + c9\u{2192}f8\u{201D}", "plays d8-c9 c9-f8"),
            ("1. D8-C9\n2. C9-F8", "plays d8-c9 c9-f8"),
            ("d8-c9 and c9-f8", "asks d8-c9 c9-f8"),
            ("d8-c9\n\nand\n\nc9-f8", "explains Your reply holds d8-c9, c9-f8, which is more than one turn."),
        ],
    );
}

#[test]
fn a_word_with_more_behind_it_is_shown_alone() {
    for (text, word) in
        [("propose a draw", "propose"), ("decline, sorry", "decline"), ("Resign? Never!", "resign")]
    {
        let mut game = Game::new(STACKING);
        let mails = game.reply("ann", text);
        assert_eq!(mails.len(), 1, "{text}");
        assert!(mails[0].text.contains(&format!("\n\n    {word}\n\n")), "{text}: {}", mails[0].text);
    }
}

#[test]
fn who_waits_is_told_what_keeps_a_move() {
    let mut game = Game::new(STACKING);
    let said = &game.reply("bob", "K3-J2 is what I will play")[0].text;
    assert!(flat(said).contains("names K3-J2, and it is ann's turn."), "{said}");
    let said = &game.reply("bob", "if D1\u{2192}E1 then K3-J2")[0].text;
    assert!(said.contains("\n\n    queue if D1-E1 then K3-J2\n"), "{said}");
    let said = &game.reply("bob", "queue if D1-E1 then K3-J2")[0].text;
    assert!(said.contains("Your queue waits for its turn."), "{said}");
    game.reply("ann", "D1-E1");
    assert_eq!(game.plies(), ["D1-E1", "K3-J2"]);
}
