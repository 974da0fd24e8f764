//! The law of replies without a move: whatever the phase, they play nothing, and none of their words is lost.
//!
//! The replies are made from parts that people write (`tests/data/made-replies.txt`); nobody wrote them. They hold what
//! looks like a move and is none: squares of chess, paper, times, scores, vitamins. [`is_move_line`] judges a line
//! without the program's help, so a reply plays where it holds such a line and nowhere else.

use std::path::PathBuf;

use super::made::Parts;
use super::positions::{Chance, Position};
use crate::support::{Mail, Stage, files_below, real_mails, rounds};
use turnpost::ids::{BoardId, Seat};
use turnpost::letter::reply_moves::{self, ReplyMoves};
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::reply_text::new_text;

/// The spaces and keywords of a line that holds nothing else but dress; `None` for any other line. It is wider than the
/// program: what is `None` here must not play.
fn is_move_line(line: &str) -> Option<Vec<String>> {
    let plain = |c: char| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap(),
        c => c,
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
    for word in words {
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

/// True where the plies of a reading can be played.
fn plays(position: &Position, plies: &str) -> bool {
    let mut table = position.table.copy();
    let mut rest = plies;
    while !rest.is_empty() {
        let Ok(played) = table.play_text(rest) else { return false };
        rest = played.rest.trim_start_matches(|c: char| c == '#' || c.is_ascii_digit()).trim_start();
    }
    true
}

/// Reads a text, and fails where it would play what no line of it says.
fn judge(position: &Position, text: &str) -> bool {
    let ReplyMoves::Plies(found) = reply_moves::read(position.kind, Some(&*position.table), text) else {
        return false;
    };
    if !plays(position, &found.plies) {
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
                || said.len() == 2
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

/// A board of each game and phase, on which ann is to move.
struct Hall {
    stage: Stage,
    boards: Vec<(BoardId, Mail)>,
    letters: usize,
}

impl Hall {
    fn new() -> Hall {
        let mut hall = Hall { stage: Stage::with_players(), boards: Vec::new(), letters: 0 };
        let mut chance = Chance::of(7);
        while hall.boards.len() < 8 {
            let position = Position::random(&mut chance);
            if position.table.turn() != Seat::First {
                continue;
            }
            let text = position.table.position();
            let begin = format!("{} challenge \"-position={text}\" ann bob", position.kind.key);
            let (said, done, mails) = hall.stage.submit(Operator::AsAnyone, &begin);
            assert!(done, "{said}");
            let number = hall.stage.store.next_board().unwrap().0 - 1;
            let mail = mails.iter().find(|mail| mail.to == "ann@example.org").unwrap();
            hall.boards.push((BoardId(number), mail.clone()));
        }
        hall
    }

    /// A reply of ann's about some board, which must play nothing; and the mails it causes.
    fn reply(&mut self, chance: &mut Chance, text: &str) -> Vec<Mail> {
        // Tokens are good for thirty days.
        if self.letters == 120 {
            *self = Hall::new();
        }
        self.letters += 1;
        let (board, mail) = chance.pick(&self.boards);
        let plies = |stage: &Stage| stage.store.events(*board).unwrap().len();
        let before = plies(&self.stage);
        let raw = mail.raw();
        let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
        let letter = format!(
            "Return-Path: <ann@example.org>\nFrom: ann@example.org\nTo: {reply_to}\nSubject: Re: a game\n\
             Message-ID: <chatter.{}@x.example>\nContent-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: 8bit\n\n{text}\n",
            self.letters
        );
        self.stage.wait(5);
        let mails = self.stage.receive(letter.replace('\n', "\r\n").as_bytes());
        assert_eq!(plies(&self.stage), before, "{text:?} plays");
        mails
    }
}

/// The letters of a text in their order: an answer folds lines and marks them.
fn letters(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches(['|', '>', ' ']));
    lines.flat_map(str::chars).filter(|c| c.is_alphanumeric()).collect()
}

#[test]
fn a_made_reply_without_a_move_is_passed_on_asked_back_or_explained() {
    const EXPLAINS: [&str; 5] = [
        "There is no move of yours",
        "it begins with the word",
        "can all be played",
        "this one went to nobody",
        "Nothing was played",
    ];
    let (parts, mut hall, mut chance) = (Parts::read(), Hall::new(), Chance::of(8));
    let (mut passed_on, mut asked, mut explained) = (0, 0, 0);
    for _ in 0..rounds(250, 2_000) {
        let text = parts.reply(&mut chance);
        // `10:30` alone in its line could be a capture where spaces have numbers.
        let is_numbers = |line: &str| !line.is_empty() && !line.contains(char::is_alphabetic);
        if !move_lines(&text).is_empty() || text.lines().any(is_numbers) {
            continue;
        }
        let mails = hall.reply(&mut chance, &text);
        let answer = mails.iter().find(|mail| mail.to == "ann@example.org");
        let answer = answer.unwrap_or_else(|| panic!("{text:?} is not answered"));
        let said = answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(chat) = mails.iter().find(|mail| mail.to == "bob@example.net") {
            assert!(letters(&chat.text).contains(&letters(&text)), "{text:?} becomes {}", chat.text);
            passed_on += 1;
        } else if said.contains("Reply `yes` to play") {
            asked += 1;
        } else {
            assert!(EXPLAINS.iter().any(|words| said.contains(words)), "{text:?}: {}", answer.text);
            explained += 1;
        }
    }
    println!("{passed_on} passed on, {asked} asked back, {explained} explained");
    assert_eq!(hall.stage.wrong(), Vec::<String>::new());
    assert!(passed_on > 50 && asked > 5 && explained > 50, "{passed_on} {asked} {explained}");
}

#[test]
fn a_random_text_without_a_move_changes_no_board() {
    let (parts, mut hall, mut chance) = (Parts::read(), Hall::new(), Chance::of(9));
    let (mut sent, mut answered) = (0, 0);
    for _ in 0..rounds(150, 2_000) {
        let text = parts.anything(&mut chance);
        if move_lines(&text).is_empty() {
            sent += 1;
            let mails = hall.reply(&mut chance, &text);
            answered += usize::from(mails.iter().any(|mail| mail.to == "ann@example.org"));
        }
    }
    println!("{sent} random texts sent, {answered} answered");
    assert!(sent > 100 && answered * 10 > sent * 8, "{answered} of {sent}");
}
