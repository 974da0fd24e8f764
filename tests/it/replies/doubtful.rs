//! A reply in which anything speaks against its move or its word does nothing before its writer says so.

use super::made::Dresses;
use super::positions::{Chance, Position};
use super::programs::{Board, FORMS, MailPrograms};
use crate::support::data::DataFile;
use crate::support::{Mail, Stage, rounds};
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::meaning::moves::{self, ReplyMoves};

const X: &str = "D1-E1";
const Y: &str = "A3-B3";

/// What is wrong with what became of a row's reply; `None` for nothing.
fn wrong(expected: &str, text: &str, (stage, board): (&Stage, BoardId), mails: &[Mail]) -> Option<String> {
    let to = |address: &str| mails.iter().find(|mail| mail.to == address);
    let said = |mail: &Mail| mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (answer, heard) =
        (to("ann@example.org").map(said).unwrap_or_default(), to("bob@example.net").map(said));
    let events = stage.store.events(board).unwrap();
    let plies: Vec<&str> =
        events.iter().filter(|event| event.ply.is_some()).map(|event| event.text.as_str()).collect();
    let is_over = stage.store.board(board).unwrap().unwrap().result.is_some();
    let asks =
        ["Reply `yes` to ", "alone in the first line", "can all be played", "Nothing needs to be accepted"]
            .into_iter()
            .chain([
                "Nothing on this board waits",
                "is still in play",
                "It is your turn",
                "cannot be read",
                "own turn",
            ])
            .chain(["nothing to undo", "may not be swapped", "cannot swap", "swap"])
            .any(|words| answer.contains(words));
    let holds = match expected {
        "ask" => plies.is_empty() && heard.is_none() && asks,
        "X" => plies == [X],
        "Y" => plies == [Y],
        "pass" => {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            heard.as_ref().is_some_and(|heard| heard.contains(&words)) && answer.contains(" did not ")
        }
        "draw" => heard.as_ref().is_some_and(|heard| heard.contains("proposed a draw")),
        "own" => heard.is_none() && !answer.contains("went to nobody") && !answer.is_empty(),
        other => panic!("{other}"),
    };
    let is_sound = holds && !is_over && (matches!(expected, "X" | "Y") || plies.is_empty());
    (!is_sound).then(|| format!("{expected}\t{text:?} {plies:?} {is_over} {answer:.300} || {heard:.200?}"))
}

#[test]
fn a_doubtful_reply_is_asked_about_under_any_programs_quoting() {
    let file = DataFile::read("doubtful-replies.txt");
    let mut programs = MailPrograms::read();
    programs.words = &[];
    let mut chance = Chance::of(11);
    let (mut number, mut bad) = (0, Vec::new());
    let rows = ["replies", "more replies"].into_iter().flat_map(|name| file.lines(name).collect::<Vec<_>>());
    let mut stage = Stage::with(|config| config.extensions = false).peopled();
    for row in rows.filter(|row| !row.is_empty()) {
        let (expected, text) = row.split_once('\t').unwrap_or_else(|| panic!("{row}"));
        let mut text = text.to_owned();
        for (sign, ply) in [("X", X), ("Y", Y)] {
            let words = text.split_inclusive(|c: char| !c.is_alphanumeric());
            let named = |word: &str| {
                word.strip_prefix(sign)
                    .filter(|rest| !rest.starts_with(char::is_alphanumeric))
                    .map(|rest| format!("{ply}{rest}"))
            };
            text = words.map(|word| named(word).unwrap_or_else(|| word.to_owned())).collect();
        }
        for _ in 0..rounds(2, 22) {
            let (said, done, mails) =
                stage.submit(Operator::AsAnyone, "dvonn challenge -symmetry -seed=7 ann bob");
            assert!(done, "{said}");
            let board = BoardId(stage.store.next_board().unwrap().0 - 1);
            let mail = mails.iter().find(|mail| mail.to == "ann@example.org").unwrap();
            let program = &programs.programs[number % programs.programs.len()];
            let (language, form) = (chance.pick(&programs.languages), chance.pick(&FORMS));
            number += 1;
            stage.wait(5);
            let lines: Vec<&str> = text.split('/').collect();
            let reply = programs.reply((program, language, *form), &Board::of(mail), &lines, number);
            let mails = stage.receive(&reply);
            let found = wrong(expected, &lines.join("\n"), (&stage, board), &mails);
            bad.extend(found.map(|found| format!("{found} ({} {} {form:?})", program.name, language.name)));
            stage.submit(Operator::AsAnyone, &format!("dvonn resign {} ann -", board.0));
            if number % 60 == 0 {
                stage = Stage::with(|config| config.extensions = false).peopled();
            }
        }
    }
    assert!(bad.is_empty(), "{} wrong:\n{}", bad.len(), bad.join("\n"));
}

/// A move and below it one to three friendly lines: plays with all its words. With a line that takes the move back or
/// doubts it, anywhere or in the next line: asks, and keeps the friendly lines.
#[test]
fn friendly_words_go_with_a_move_and_doubts_stop_it() {
    let (file, dresses) = (DataFile::read("doubtful-replies.txt"), Dresses::read());
    let [anywhere, next, neutral] =
        ["speaks against a move, in any line", "takes a move back, in the next line", "speaks for nothing"]
            .map(|name| file.entries(name).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>());
    let (mut asked, mut played, mut bad) = (0, 0, Vec::new());
    for seed in 0..rounds(300, 4_000) {
        let mut chance = Chance::of(seed);
        let position = Position::random(&mut chance);
        let plies = position.turn(&mut chance);
        for round in 0..20 {
            let dressed = dresses.dressed(&mut chance, &position, &plies);
            let (mut lines, mut words) = (dressed.lines(), Vec::new());
            let end = lines.len();
            words.extend(dressed.greeting.clone());
            for _ in 0..=chance.below(3) {
                let line = chance.pick(&neutral).clone();
                words.push(line.clone());
                lines.push(line);
            }
            let speaks = round % 2 == 0;
            if speaks {
                let other = || {
                    // A ply that can follow in the same turn doubts nothing.
                    let follows = |ply: &String| {
                        let both = format!("{} {ply}", plies.join(" "));
                        position.table.copy().play_turn(&both).is_ok_and(|turn| turn.rest.is_empty())
                    };
                    let is_other = |ply: &String| !plies.contains(ply) && ply.len() > 3 && ply.contains('-');
                    position.table.legal_plies().into_iter().find(|ply| is_other(ply) && !follows(ply))
                };
                let line = match chance.below(5) {
                    0 => other().map_or("no, the other one. Oops".to_owned(), |ply| format!("... {ply} ...")),
                    1 => chance.pick(&anywhere).to_uppercase(),
                    2 => chance.pick(&next).to_uppercase(),
                    3 => chance.pick(&next).clone(),
                    _ => chance.pick(&anywhere).clone(),
                };
                let is_anywhere = anywhere.iter().any(|other| other.eq_ignore_ascii_case(&line));
                let at = if is_anywhere && chance.once_in(3) { 0 } else { end };
                lines.insert(at, line);
            }
            let text = lines.join(*chance.pick(&["\n", "\n\n"]));
            match (moves::read(position.kind, Some(&*position.table), &text), speaks) {
                (ReplyMoves::Plies(found), _) if found.doubt.is_some() != speaks => {
                    bad.push(format!("{text:?}: {:?}", found.doubt));
                }
                (ReplyMoves::Plies(found), _) if found.words != words.join("\n") => {
                    bad.push(format!("{text:?} says {:?}", found.words));
                }
                (_, true) => asked += 1,
                (_, false) => played += 1,
            }
        }
    }
    println!("{asked} asked about or refused, {played} read");
    bad.sort_unstable();
    assert!(bad.is_empty(), "{} wrong:\n{}", bad.len(), bad[..bad.len().min(60)].join("\n"));
}
