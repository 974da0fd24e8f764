//! The law of replies without a move: whatever the phase, they play nothing, and none of their words is lost.
//!
//! The replies are made from parts that people write (`tests/data/made-replies.txt`); nobody wrote them. They hold what
//! looks like a move and is none: squares of chess, paper, times, scores, vitamins. [`is_move_line`] judges a line
//! without the program's help, so a reply plays where it holds such a line and nowhere else.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use super::made::Parts;
use super::positions::{Chance, Position};
use crate::support::data::DataFile;
use crate::support::{Stage, files_below, real_mails, rounds};
use turnpost::commands::Command;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::reply_text::new_text;
use turnpost::meaning::moves::{self, ReplyMoves};
use turnpost::meaning::{Meaning, meaning};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Letters and digits of other scripts, each with the Latin one that it looks like.
static LOOK_ALIKES: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    let file = DataFile::read("../../data/look-alikes.txt");
    for line in file.lines("look-alikes").filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [from, to] = [0, 1].map(|at| words[at].chars().next().unwrap() as u32);
        for n in 0..words.get(2).map_or(1, |count| count.parse().unwrap()) {
            let [from, to] = [from + n, to + n].map(|c| char::from_u32(c).unwrap());
            table.extend(from.to_uppercase().chain([from]).map(|c| (c, to)));
        }
    }
    table
});

/// The spaces and keywords of a line that holds nothing else but dress; `None` for any other line. It is wider than the
/// program: what is `None` here must not play.
fn is_move_line(line: &str) -> Option<Vec<String>> {
    let plain = |c: char| match c.nfkd().find(|c| !is_combining_mark(*c)) {
        _ if LOOK_ALIKES.contains_key(&c) => LOOK_ALIKES[&c],
        Some(shown) => LOOK_ALIKES.get(&shown).copied().unwrap_or(shown),
        None => c,
    };
    let line: String =
        line.chars().map(plain).filter(|c| !"\u{200B}\u{200E}\u{200F}\u{FEFF}\u{AD}".contains(*c)).collect();
    let mut line = line.to_lowercase();
    for smiley in [":-d", ":-p", ":d", ":p", "xd"] {
        line = line.trim_end_matches(smiley).to_owned();
    }
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut spaces = Vec::new();
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let is_column = word.len() == 1 && ("a"..="s").contains(&word);
        if let Some(number) = words.next_if(|next| is_column && is_number(next)) {
            spaces.push(format!("{word}{number}"));
            continue;
        }
        let number = word.get(..word.len() - 1).filter(|number| !number.is_empty() && is_number(number));
        if let Some(number) = number.filter(|_| !is_number(word)) {
            spaces.push(format!("{}{number}", &word[word.len() - 1..]));
            continue;
        }
        let mut rest = word;
        while !rest.is_empty() {
            let keyword = ["pass", "done"].into_iter().find(|word| rest == *word);
            let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
            rest = if let Some(keyword) = keyword {
                spaces.push(keyword.to_owned());
                ""
            } else if rest.starts_with(|c| ('a'..='s').contains(&c)) && (1..=2).contains(&digits) {
                spaces.push(rest[..=digits].to_owned());
                &rest[1 + digits..]
            } else if let Some(behind) = rest.strip_prefix('x').filter(|_| !spaces.is_empty()) {
                behind
            } else if ["move", "my", "is", "i", "play", "ll", "will", "to"].contains(&rest)
                || ["a", "and", "the", "good", "luck"].contains(&rest)
                || rest.bytes().all(|b| b.is_ascii_digit())
            {
                ""
            } else {
                return None;
            };
        }
    }
    (!spaces.is_empty()).then_some(spaces)
}

/// The spaces that the lines of a text name, where they are moves and nothing else; conditions end a line.
fn move_lines(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().map(|line| {
        line.split_once(';').map_or(line, |(plies, rest)| {
            let is_condition =
                ["if", "else"].iter().any(|word| rest.trim_start().to_lowercase().starts_with(word));
            if is_condition { plies } else { line }
        })
    });
    lines.filter_map(is_move_line).collect()
}

/// The numbers of each line, in games whose spaces have numbers.
fn number_lines(text: &str) -> Vec<Vec<String>> {
    let numbers = |line: &str| {
        let words = line.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    text.lines().map(numbers).filter(|numbers| numbers.len() > 1).collect()
}

/// What of a reading could be played, if it is legal: the spaces in their order.
fn spaces_of(plies: &str) -> Vec<String> {
    let lettered = plies.contains(char::is_alphabetic);
    let words = plies.split(|c: char| !c.is_alphanumeric());
    let spaces =
        words.filter(|word| !word.is_empty() && (!lettered || word.starts_with(char::is_alphabetic)));
    spaces.map(str::to_lowercase).collect()
}

/// Reads a text, and fails where it would play what no line of it says.
fn judge(position: &Position, text: &str) -> bool {
    let ReplyMoves::Plies(found) = moves::read(position.kind, Some(&*position.table), text) else {
        return false;
    };
    if !position.plays(&found.plies) {
        return false;
    }
    // A line may be odder than the program takes.
    let plies = spaces_of(&found.plies);
    let lines = if found.plies.contains(char::is_alphabetic) { move_lines(text) } else { number_lines(text) };
    let after = |plies: &str| {
        let mut table = position.table.copy();
        let whole = table.play_text(plies).is_ok_and(|played| played.rest.is_empty());
        whole.then(|| table.position())
    };
    let is_one =
        text.lines().any(|line| after(line.trim()).is_some_and(|said| Some(said) == after(&found.plies)));
    let is_said = (0..lines.len()).any(|from| {
        (from..=lines.len()).any(|to| {
            let said = lines[from..to].concat();
            // Some games have shorter words for two spaces.
            said == plies
                || said.len() <= 2
                    && after(&said.join("-")).is_some_and(|said| Some(said) == after(&found.plies))
        })
    });
    assert!(is_one || is_said, "{text:?} as {found:?}");
    true
}

#[test]
fn no_text_plays_what_it_does_not_say() {
    let parts = Parts::read();
    let (mut played, mut texts) = (0, 0);
    for seed in 0..rounds(500, 5_000) {
        let mut chance = Chance::of(seed);
        let position = Position::random(&mut chance);
        for _ in 0..20 {
            texts += 1;
            played += usize::from(judge(&position, &parts.anything(&mut chance)));
        }
    }
    println!("{texts} random texts, {played} of them a move");
    assert!(played * 10 < texts && played * 1_000 > texts, "{played} of {texts}");

    let mut chance = Chance::of(5);
    let replies: Vec<String> = (0..5_000).map(|_| parts.reply(&mut chance)).collect();
    let positions: Vec<Position> = (0..200).map(|_| Position::random(&mut chance)).collect();
    let (mut played, mut moves) = (0, 0);
    for text in &replies {
        moves += usize::from(!move_lines(text).is_empty());
        for _ in 0..4 {
            played += usize::from(judge(chance.pick(&positions), text));
        }
    }
    println!("{} made replies on four positions, {moves} with a move's line: {played} play", replies.len());
    assert!(moves * 20 > replies.len() && moves * 3 < replies.len() && played > 50, "{moves} {played}");
}

#[test]
fn no_real_mail_plays_what_it_does_not_say() {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let folders = [Some(own), real_mails()].into_iter().flatten();
    let site = Stage::new().site();
    let mut chance = Chance::of(6);
    let positions: Vec<Position> = (0..20).map(|_| Position::random(&mut chance)).collect();
    let (mut texts, mut played) = (0, 0);
    for (_, mail) in folders.flat_map(|folder| files_below(&folder)) {
        let text = match read(&mail, &Envelope::default(), &site) {
            Incoming::Letter(letter) => new_text(&letter.text).new,
            _ => new_text(&String::from_utf8_lossy(&mail)).new,
        };
        texts += 1;
        played += positions.iter().filter(|position| judge(position, &text)).count();
    }
    println!("{texts} real mails on {} positions each: {played} play", positions.len());
}

#[test]
fn a_made_reply_without_a_move_is_passed_on_asked_back_or_explained() {
    const EXPLAINS: [&str; 4] =
        ["There is no move of yours", "it begins with the word", "can all be played", "Reply with"];
    let (parts, mut chance) = (Parts::read(), Chance::of(8));
    let positions: Vec<Position> = (0..20).map(|_| Position::random(&mut chance)).collect();
    let (mut passed_on, mut asked, mut explained) = (0, 0, 0);
    for _ in 0..rounds(1_000, 10_000) {
        let text = parts.reply(&mut chance);
        // `10:30` alone in its line could be a capture where spaces have numbers.
        let is_numbers = |line: &str| !line.is_empty() && !line.contains(char::is_alphabetic);
        let position = chance.pick(&positions);
        // A game can have moves of other forms, such as `O-O`.
        let plays = |line: &str| {
            let read = moves::read(position.kind, Some(&*position.table), line);
            matches!(read, ReplyMoves::Plies(_))
        };
        if !move_lines(&text).is_empty() || text.lines().any(|line| is_numbers(line) || plays(line)) {
            continue;
        }
        match meaning(&text, &position.reply_board()) {
            Ok(Meaning::Tell { refused: None, .. }) => passed_on += 1,
            Ok(Meaning::Ask(_)) => asked += 1,
            Err(why) if EXPLAINS.iter().any(|words| why.to_string().contains(words)) => explained += 1,
            other => panic!("{text:?}: {other:?}"),
        }
    }
    println!("{passed_on} passed on, {asked} asked back, {explained} explained");
    assert!(passed_on > 200 && asked > 20 && explained > 200, "{passed_on} {asked} {explained}");
}

#[test]
fn a_random_text_without_a_move_changes_no_board() {
    let (parts, mut chance, mut sent) = (Parts::read(), Chance::of(9), 0);
    let positions: Vec<Position> = (0..20).map(|_| Position::random(&mut chance)).collect();
    for _ in 0..rounds(1_000, 10_000) {
        let (text, position) = (parts.anything(&mut chance), chance.pick(&positions));
        if move_lines(&text).is_empty() {
            sent += 1;
            match meaning(&text, &position.reply_board()) {
                Ok(Meaning::Play { turn, .. }) => {
                    assert!(!position.plays(&turn.plies), "{text:?} plays {turn:?}")
                }
                Ok(Meaning::Do { command, .. }) => {
                    assert!(!matches!(command, Command::Resign(_)), "{text:?}")
                }
                _ => {}
            }
        }
    }
    println!("{sent} random texts");
    assert!(sent > 500, "{sent}");
}
