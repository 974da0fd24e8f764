//! What people write in a reply and what becomes of it: `tests/data/replies.txt`.

use super::positions::Position;
use crate::scenes::phone_reply;
use crate::support::data::{DataFile, decoded_entry};
use crate::support::{Mail, Stage};
use turnpost::board::Board;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::mail::reply_text::new_text;
use turnpost::meaning::{Meaning, meaning};

/// What becomes of a reply of ann's on a new board, on which it is her turn.
fn outcome(stage: &mut Stage, challenge: &str, number: usize, text: &str) -> String {
    let (said, begun, mails) = stage.submit(Operator::AsAnyone, challenge);
    assert!(begun, "{challenge}: {said}");
    let board = BoardId(stage.store.next_board().unwrap().0 - 1);
    let anns = mails.iter().rev().find(|mail| mail.to == "ann@example.org").unwrap();
    let mails = stage.receive(&phone_reply(anns, text, number));
    let events = stage.store.events(board).unwrap();
    let plies: Vec<&str> =
        events.iter().filter(|event| event.ply.is_some()).map(|event| event.text.as_str()).collect();
    if stage.store.board(board).unwrap().unwrap().result.is_some() {
        return "ends the game".to_owned();
    }
    let (kind, _) = challenge.split_once(' ').unwrap();
    let (said, ended, _) = stage.submit(Operator::AsAnyone, &format!("{kind} resign {} ann -", board.0));
    assert!(ended, "{said}");
    if !plies.is_empty() {
        return format!("plays {}", plies.join(" "));
    }
    let to = |address: &str| mails.iter().find(|mail| mail.to == address);
    let answer = to("ann@example.org").unwrap_or_else(|| panic!("{text:?} is not answered"));
    let said = answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
    match (said.split_once("this is the board after "), to("bob@example.net")) {
        (Some((_, asked)), None) => {
            format!("asks {}", asked.split(", which you have not played yet").next().unwrap())
        }
        (None, Some(chat)) if is_passed_on(text, chat) => "chat".to_owned(),
        (None, None) => format!("says {}", said.split_once("). ").map_or(&*said, |(_, said)| said)),
        (_, Some(mail)) => format!("tells {}", mail.text.replace('\n', "\\n")),
    }
}

fn is_passed_on(text: &str, chat: &Mail) -> bool {
    let text = text.strip_prefix("chat ").unwrap_or(text);
    let words: String = text.lines().map(|line| format!("| {line}\n")).collect();
    chat.text.contains(&format!("ann writes:\n\n{words}"))
}

/// What the text means, where that alone decides what becomes of it.
fn meant(position: &Position, text: &str) -> Option<String> {
    let new = new_text(text).new;
    if new.trim().is_empty() {
        return None;
    }
    match meaning(&new, &position.reply_board()) {
        // The command reads letters of pieces as its writer's own.
        Ok(Meaning::Play { .. }) if position.kind.letters.is_some() => None,
        Ok(Meaning::Play { turn, .. }) if turn.conditions.is_empty() && !turn.plies.contains('#') => {
            position.plays(&turn.plies).then(|| format!("plays {}", turn.plies))
        }
        Ok(Meaning::Ask(submit)) => Some(format!("asks {}", submit.plies)),
        Ok(Meaning::Tell { refused: None, .. }) => Some("chat".to_owned()),
        Err(refusal) => {
            Some(format!("says {}", refusal.to_string().split_whitespace().collect::<Vec<_>>().join(" ")))
        }
        Ok(_) => None,
    }
}

/// A text in so many goes through the whole server too.
const WHOLE: usize = 12;

#[test]
fn each_reply_does_what_the_table_says() {
    let file = DataFile::read("replies.txt");
    let mut wrong = Vec::new();
    for (challenge, table) in file.sections() {
        let mut stage = Stage::with_players();
        let (said, begun, _) = stage.submit(Operator::AsAnyone, challenge);
        assert!(begun, "{challenge}: {said}");
        let Board { kind, table: start, .. } = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
        let position = Position { kind, table: start };
        stage.submit(Operator::AsAnyone, &format!("{} resign 1 ann -", kind.key));
        for (number, line) in table.lines().enumerate() {
            let (text, expected) = line.rsplit_once(" | ").unwrap_or_else(|| panic!("{line}"));
            let decoded = decoded_entry(text);
            let mut found: Vec<String> = meant(&position, &decoded).into_iter().collect();
            if found.is_empty() || number % WHOLE == 0 {
                stage.wait(5);
                found.push(outcome(&mut stage, challenge, number, &decoded));
            }
            // Of what is said the beginning stands here.
            let is_expected = |found: &String| {
                found == expected
                    || ["says ", "tells "].iter().any(|begins| expected.starts_with(begins))
                        && found.starts_with(expected)
            };
            wrong.extend(
                found
                    .into_iter()
                    .filter(|found| !is_expected(found))
                    .map(|found| format!("{text} | {found}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
