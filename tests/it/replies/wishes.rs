//! What is meant for the server, or speaks against the opponent, never reaches the opponent: the phrases of
//! `data/wishes.txt` in dresses, and the sentences of `tests/data/wishes.txt` through the whole server.

use super::positions::{Chance, Position};
use crate::scenes::phone_reply;
use crate::support::data::DataFile;
use crate::support::{Mail, Stage};
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::meaning::{Meaning, meaning};

const DRESSES: [&str; 4] = ["WISH", "Hi bob,\n\nWISH", "WISH\n\nBest regards,\nAnn Miller", "WISH?"];

/// A text in which each word of a phrase is the first one that it can be.
fn written(phrase: &str) -> String {
    let words = phrase.trim_start_matches('=').split(' ');
    let first = |word: &str| word.split('/').next().unwrap().replace("<game>", "chess").replace('*', "");
    words.map(first).collect::<Vec<_>>().join(" ")
}

#[test]
fn no_phrase_of_a_wish_reaches_the_opponent() {
    let file = include_str!("../../../data/wishes.txt");
    let wishes = file.split("\n== ").skip(1).take_while(|section| !section.starts_with("around"));
    let phrases = wishes.flat_map(|section| {
        let lines = section.lines().skip(1).filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.flat_map(|line| line.split_once(' ').unwrap().1.split(" | "))
    });
    let mut chance = Chance::of(12);
    let boards: Vec<_> = (0..20).map(|_| Position::random(&mut chance).reply_board()).collect();
    let (mut said, mut leaks) = (0, Vec::new());
    for phrase in phrases {
        for dress in DRESSES {
            said += 1;
            let text = dress.replace("WISH", &written(phrase));
            if let Ok(Meaning::Tell { refused: None, .. }) = meaning(&text, chance.pick(&boards)) {
                leaks.push(text);
            }
        }
    }
    assert!(said > 3_000, "{said}");
    assert!(leaks.is_empty(), "{} of {said} reach the opponent: {leaks:#?}", leaks.len());
}

/// The mails after ann's reply to the first mail of a new board, by their address.
fn mails_after(stage: &mut Stage, number: usize, text: &str) -> [Option<String>; 2] {
    stage.wait(5);
    let (said, begun, mails) = stage.submit(Operator::AsAnyone, "dvonn challenge -symmetry -seed=7 ann bob");
    assert!(begun, "{said}");
    let board = BoardId(stage.store.next_board().unwrap().0 - 1);
    let anns = mails.iter().rev().find(|mail| mail.to == "ann@example.org").unwrap();
    let mails = stage.receive(&phone_reply(anns, text, number));
    let folded = |mail: &Mail| mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let to = |address: &str| {
        let texts: Vec<String> = mails.iter().filter(|mail| mail.to == address).map(folded).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    };
    let after = [to("ann@example.org"), to("bob@example.net")];
    stage.submit(Operator::AsAnyone, &format!("dvonn resign {} ann -", board.0));
    after
}

#[test]
fn what_people_ask_is_answered_and_the_opponent_hears_none_of_it() {
    let file = DataFile::read("wishes.txt");
    let mut stage = Stage::with_players();
    let (mut number, mut wrong) = (0, Vec::new());
    for section in ["for the server", "against the opponent", "for both"] {
        for row in file.lines(section).filter(|row| !row.is_empty() && !row.starts_with('#')) {
            let (text, answer) = row.rsplit_once(" | ").unwrap();
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for dress in ["WISH", "Hi Bob,\n\nWISH\n\nCheers,\nAnn", "D1-E1\n\nWISH"] {
                number += 1;
                let [ann, bob] = mails_after(&mut stage, number, &dress.replace("WISH", text));
                let ann = ann.unwrap_or_default();
                let is_heard = bob.as_ref().is_some_and(|bob| bob.contains(&words));
                let has_move = dress.starts_with("D1");
                // Where the answer asks whether the move is meant, nothing has gone to bob yet.
                let is_right = match has_move {
                    true => is_heard == (section == "for both" && bob.is_some()),
                    false => !is_heard && ann.contains(answer),
                };
                if !is_right {
                    wrong.push(format!("{dress:?} {text}: bob {bob:?}; ann {ann:.300}"));
                }
            }
        }
    }
    for (section, dress) in
        [("for the opponent", "WISH"), ("for the opponent beside a move", "D1-E1\n\nWISH")]
    {
        for text in file.lines(section).filter(|row| !row.is_empty() && !row.starts_with('#')) {
            number += 1;
            let [ann, bob] = mails_after(&mut stage, number, &dress.replace("WISH", text));
            if !bob.as_ref().is_some_and(|bob| bob.contains(text)) {
                wrong.push(format!("{dress:?} {text} is not passed on: {:.300}", ann.unwrap_or_default()));
            }
        }
    }
    assert!(number > 200, "{number}");
    assert!(wrong.is_empty(), "{} wrong of {number}:\n{}", wrong.len(), wrong.join("\n"));
}
