//! The laws of a friendly letter, over every game: it plays no move that its writer did not write, its answer tells whose
//! turn it is, and its words arrive.

use super::made::Parts;
use super::positions::{Chance, Position};
use crate::scenes::phone_reply;
use crate::support::data::DataFile;
use crate::support::{Mail, Stage, rounds};
use turnpost::commands::LANGUAGE;
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::Operator;
use turnpost::meaning::{Meaning, meaning};
use turnpost::store::BoardState;

/// Phrases and friendly lines, in every language of the data.
struct Words {
    leads: Vec<String>,
    between: Vec<String>,
    closings: Vec<String>,
    friendly: Vec<String>,
}

impl Words {
    fn read() -> Words {
        let (phrases, friendly) =
            (DataFile::read("../../data/replies.txt"), DataFile::read("doubtful-replies.txt"));
        let of = |name: &str| -> Vec<String> {
            let words = phrases.entries(name).into_iter().filter(|word| !word.starts_with('#'));
            words.filter(|word| word.contains(char::is_alphabetic)).collect()
        };
        let friendly = friendly.entries("speaks for nothing").into_iter().filter(|line| !line.is_empty());
        Words {
            leads: of("leads to a move"),
            between: of("between two spaces"),
            closings: of("after a move"),
            friendly: friendly.collect(),
        }
    }

    /// A ply in a notation and among words that people use for it.
    fn written(&self, chance: &mut Chance, position: &Position, ply: &str) -> String {
        let is_space = ply.starts_with(|c: char| c.is_ascii_alphabetic())
            && ply.chars().skip(1).all(|c| c.is_ascii_digit());
        let is_chess = position.kind.letters.is_some();
        let (letter, number) = ply.split_at(1);
        let ply = match chance.below(8) {
            0 if is_space => format!("{letter} {number}"),
            1 if is_space => format!("{letter}-{number}"),
            2 if is_space => format!("{number}{letter}"),
            3 if !is_chess => ply.replace('-', &format!(" {} ", chance.text(&self.between))),
            4 if ply.len() == 5 && ply.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {
                ply.replace('-', "")
            }
            5 if ply.contains(|c: char| c.is_ascii_digit()) => ply.chars().map(alike(ply)).collect(),
            6 if !is_chess => ply.to_uppercase(),
            _ => ply.to_owned(),
        };
        match chance.below(6) {
            0 => format!("{} {ply}", chance.text(&self.leads)),
            1 => format!("{}: {ply}!", capital(chance.text(&self.leads))),
            2 => format!("{ply} {}", chance.text(&self.closings)),
            3 => format!("{ply} (the weather is fine)"),
            4 => format!("{ply}."),
            _ => ply,
        }
    }
}

/// Letters of spaces in Cyrillic, but not those of words, and digits of full width or Arabic.
fn alike(ply: &str) -> impl Fn(char) -> char {
    let wide = ply.len().is_multiple_of(2);
    let has_a_word = ply.contains("bar");
    move |c| match c {
        c if has_a_word && c.is_alphabetic() => c,
        'a' => '\u{430}',
        'c' => '\u{441}',
        'e' => '\u{435}',
        'A' => '\u{410}',
        'E' => '\u{415}',
        '0'..='9' => char::from_u32(u32::from(c) - 0x30 + if wide { 0xFF10 } else { 0x660 }).unwrap_or(c),
        c => c,
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest.as_str().chars()).collect()
}

fn after(position: &Position, plies: &str) -> Option<String> {
    let mut table = position.table.copy();
    let played = table.play_turn(plies).ok()?;
    played.rest.is_empty().then(|| table.position())
}

#[test]
fn a_letter_plays_the_move_that_it_says_or_none_and_takes_its_words_along() {
    let (words, parts) = (Words::read(), Parts::read());
    let (mut played, mut asked, mut wrong) = (0, 0, Vec::new());
    for seed in 0..rounds(300, 5_000) {
        let mut chance = Chance::of(seed);
        let (position, other) = (Position::random(&mut chance), Position::random(&mut chance));
        let board = position.reply_board();
        for round in 0..12 {
            // Every third move is one of another position, legal here or not.
            let from = if round % 3 == 0 && other.kind.key == position.kind.key { &other } else { &position };
            let legal = from.table.legal_plies();
            let ply = chance.pick(&legal).clone();
            let line = words.written(&mut chance, &position, &ply);
            let below: Vec<&str> = (0..chance.below(3)).map(|_| chance.text(&words.friendly)).collect();
            let text =
                std::iter::once(line.as_str()).chain(below.iter().copied()).collect::<Vec<_>>().join("\n");
            let (plies, said) = match meaning(&text, &board) {
                Ok(Meaning::Play { turn, words }) => (turn.plies, words),
                Ok(Meaning::Ask(submit)) => (submit.plies, submit.words),
                Err(_) => (String::new(), String::new()),
                Ok(other) => {
                    wrong.push(format!("{} {text:?}: {other:?}", position.kind.key));
                    continue;
                }
            };
            let Some(reached) = after(&position, &plies) else {
                asked += 1;
                continue;
            };
            played += 1;
            let is_same = after(&position, &ply) == Some(reached);
            let is_said = below.iter().all(|line| said.contains(line));
            if !is_same || !is_said {
                wrong.push(format!("{} {ply}: {text:?} plays {plies}, says {said:?}", position.kind.key));
            }
        }
        let talk = parts.reply(&mut chance).replace(|c: char| c.is_ascii_digit(), "");
        if let Ok(Meaning::Play { turn, .. }) = meaning(&talk, &board)
            && turn.plies != "pass"
            && after(&position, &turn.plies).is_some()
        {
            wrong.push(format!("{} {talk:?} plays {turn:?}", position.kind.key));
        }
    }
    println!("{played} play or would, {asked} asked or refused");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    assert!(asked * 4 < played, "{played} {asked}");
}

/// A board in a random position, with the mail to the player to move.
struct Turn {
    board: BoardId,
    mail: Mail,
    opponent: &'static str,
    position: Position,
}

impl Turn {
    fn begin(stage: &mut Stage, chance: &mut Chance) -> Turn {
        loop {
            let position = Position::random(chance);
            let (kind, text) = (position.kind.key, position.table.position());
            let (said, done, mails) =
                stage.submit(Operator::AsAnyone, &format!("{kind} challenge \"-position={text}\" ann bob"));
            if said.contains("or its mirror") {
                continue;
            }
            assert!(done, "{kind} {text}: {said}");
            let addresses = ["ann@example.org", "bob@example.net"];
            let [mover, opponent] = match position.table.turn() {
                Seat::First => addresses,
                Seat::Second => [addresses[1], addresses[0]],
            };
            let mail = mails.into_iter().find(|mail| mail.to == mover).unwrap();
            let board = BoardId(stage.store.next_board().unwrap().0 - 1);
            return Turn { board, mail, opponent, position };
        }
    }

    fn plies(&self, stage: &Stage) -> Vec<String> {
        let events = stage.store.events(self.board).unwrap();
        events.into_iter().filter(|e| e.ply.is_some() && e.player.is_some()).map(|e| e.text).collect()
    }
}

#[test]
fn an_answer_to_a_letter_that_plays_nothing_tells_whose_turn_it_is() {
    let (words, parts) = (Words::read(), Parts::read());
    let own = "z99|Sf3|xx9y|swap|tauschen|pass|e4 or d4?|1-2-3|yes|no|board|hint|draw?|resign?|P-K4|3228|undo|chat hello";
    let (mut stage, mut answers) = (Stage::with_players(), 0);
    for seed in 0..rounds(60, 600) {
        let mut chance = Chance::of(seed);
        let turn = Turn::begin(&mut stage, &mut chance);
        let texts: Vec<&str> = own.split('|').collect();
        for number in 0..3 {
            let text = match chance.below(4) {
                0 => parts.reply(&mut chance),
                1 => chance.text(&words.friendly).to_owned(),
                2 => {
                    let other = Position::random(&mut chance);
                    let legal = other.table.legal_plies();
                    words.written(&mut chance, &other, chance_of(&legal, seed))
                }
                _ => (*chance.pick(&texts)).to_owned(),
            };
            stage.wait(30);
            let mails = stage.receive(&phone_reply(&turn.mail, &text, seed as usize * 10 + number));
            let row = stage.store.board(turn.board).unwrap().unwrap();
            if !turn.plies(&stage).is_empty() || row.result.is_some() || row.swapped {
                break;
            }
            let answer = mails.iter().find(|mail| mail.to == turn.mail.to);
            let answer = answer.unwrap_or_else(|| panic!("{text:?} is not answered: {mails:#?}"));
            let said = answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let begins = "Nothing was played. It is still your turn (until ";
            assert!(said.starts_with(begins), "{} {text:?}: {said:.400}", turn.position.kind.key);
            answers += 1;
        }
    }
    println!("{answers} answers");
    assert!(answers > 80, "{answers}");
}

/// Each command, as its help shows it and as its word alone, in reply to the mail of a board.
#[test]
fn the_answer_to_each_command_in_reply_to_a_board_tells_whose_turn_it_is() {
    let mut answers = 0;
    for entry in LANGUAGE.entries() {
        let example = entry.example.replace("GAME", "dvonn").replace(" ann plover-42", "");
        // An example of bob's is answered to bob.
        for text in [entry.word, &example].into_iter().filter(|text| !text.contains(" bob dunlin-7")) {
            let mut stage = Stage::with_players();
            let (_, _, mails) = stage.submit(Operator::AsAnyone, "dvonn challenge -symmetry -seed=7 ann bob");
            let mail = mails.into_iter().find(|mail| mail.to == "ann@example.org").unwrap();
            let next = stage.store.next_board().unwrap();
            let mails = stage.receive(&phone_reply(&mail, text, 1));
            let row = stage.store.board(BoardId(1)).unwrap().unwrap();
            let begins_another = stage.store.next_board().unwrap() != next;
            if begins_another || row.result.is_some() || row.state != BoardState::Running {
                continue;
            }
            let begins = "Nothing was played. It is still your turn (until ";
            let to_ann = mails.iter().filter(|mail| mail.to == "ann@example.org");
            let to_ann: Vec<&str> = to_ann.map(|mail| mail.text.trim_start()).collect();
            // A mail that is sent again says it too.
            let tells = |text: &&str| text.starts_with(begins) || text.contains("It is your move");
            assert!(to_ann.iter().any(tells), "{text:?}: {to_ann:#?}");
            answers += 1;
        }
    }
    println!("{answers} answers");
    assert!(answers > 80, "{answers}");
}

fn chance_of(plies: &[String], seed: u64) -> &str {
    &plies[seed as usize % plies.len()]
}

/// Words go with a move that plays at once, with one that is asked about before a `yes` plays it, and beside the `yes`.
#[test]
fn words_reach_the_opponent_also_through_a_question() {
    let (words, mut stage, mut ways) = (Words::read(), Stage::with_players(), [0; 2]);
    for seed in 0..rounds(60, 600) {
        let mut chance = Chance::of(seed);
        let turn = Turn::begin(&mut stage, &mut chance);
        let ply = chance.pick(&turn.position.table.legal_plies()).clone();
        let [first, second] = [0, 1].map(|_| chance.text(&words.friendly).to_owned());
        let is_asked = chance.once_in(2);
        let text = match is_asked {
            true => format!("{ply}\n{first}\nOops, wrong move perhaps"),
            false => format!("{ply}\n{first}\n{second}"),
        };
        stage.wait(30);
        let number = seed as usize * 10;
        let mut mails = stage.receive(&phone_reply(&turn.mail, &text, number));
        if is_asked {
            assert!(turn.plies(&stage).is_empty(), "{text:?}: {mails:#?}");
            let question = mails.iter().find(|mail| mail.to == turn.mail.to).unwrap();
            assert!(question.text.contains("`yes`"), "{text:?}: {}", question.text);
            let reply = phone_reply(question, &format!("yes\n{second}"), number + 1);
            stage.wait(30);
            mails = stage.receive(&reply);
        }
        let played = turn.plies(&stage);
        assert!(!played.is_empty(), "{} {text:?}: {mails:#?}", turn.position.kind.key);
        let heard = mails.iter().filter(|mail| mail.to == turn.opponent).map(|mail| mail.text.as_str());
        let heard =
            heard.collect::<String>().replace("\n| ", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        for line in [&first, &second] {
            assert!(
                heard.contains(line.as_str()),
                "{} {text:?}: {line:?} in {heard}",
                turn.position.kind.key
            );
        }
        ways[usize::from(is_asked)] += 1;
    }
    println!("{ways:?} at once and through a question");
    assert!(ways.iter().all(|count| *count > 10), "{ways:?}");
}
