//! The law of replies without a move: whatever the phase, they play nothing, and none of their words is lost.
//!
//! The 5,000 replies are made here, from parts that people write; nobody wrote them. They hold what looks like a move
//! and is none: squares of chess, paper, times, scores, vitamins. [`is_move_line`] judges a line without the program's
//! help, so a reply plays where it holds such a line and nowhere else.

use std::path::PathBuf;

use crate::reply_dresses::{Chance, Position};
use crate::support::{Mail, Stage, rounds};
use turnpost::ids::{BoardId, Seat};
use turnpost::letter::reply_moves::{self, ReplyMoves};
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::reply_text::new_text;

/// Sentences that name no space and no command.
const SENTENCES: &[&str] = &[
    "Well played!",
    "Thanks for the game so far.",
    "I did not see that coming :-)",
    "That was mean ;)",
    "LOL",
    "ok",
    "Hm.",
    "Sorry for the delay, I was ill.",
    "Let me think about it until tomorrow.",
    "How is the weather over there?",
    "My phone is +49 170 1234567, call me any time.",
    "We meet at 5-6 pm, or at 17:30.",
    "The match ended 3-2.",
    "I am away 9-11 May.",
    "It was 12 to 1 at half time.",
    "See https://example.org/2026/11/16?id=7.",
    "My address: Main Street 12, 10115 Berlin",
    "100 % agreed",
    "1.",
    "...",
    "???",
    "!!!",
    "<3",
    ":-(",
    "\u{1F600}\u{1F44D}",
    "2-1",
    "10:30",
    "3 x 4 = 12",
    "1-0",
    "0-0",
    "O-O",
    "O-O-O",
    "exd5",
    "Qxf7#",
    "Nf3",
    "Rook to the seventh",
    "+1",
    "-1",
    "Guten Zug!",
    "Das war stark.",
    "Ich melde mich am 9.11. wieder.",
    "Bis bald, liebe Gr\u{FC}\u{DF}e",
    "Bien jou\u{E9} !",
    "Je r\u{E9}fl\u{E9}chis encore.",
    "\u{C0} demain \u{E0} 5 h",
    "Bien jugado, amigo.",
    "Ma\u{F1}ana te contesto.",
    "Bella mossa!",
    "A domani",
    "Boa jogada!",
    "Mooie zet.",
    "Tot morgen",
    "Bra spelat!",
    "Fint spil",
    "Dobry ruch!",
    "\u{425}\u{43E}\u{440}\u{43E}\u{448}\u{438}\u{439} \u{445}\u{43E}\u{434}!",
    "\u{5F88}\u{597D}\u{7684}\u{4E00}\u{6B65}",
    "\u{3044}\u{3044}\u{624B}\u{3067}\u{3059}\u{306D}",
    "\u{C88B}\u{C740} \u{C218}\u{C608}\u{C694}",
    "\u{645}\u{631}\u{62D}\u{628}\u{627}",
    "Cheers,\nAnn",
    "I wonder what you are up to over there on the left side of the board, it looks dangerous for me.",
    "What a day! The train was late, then it rained, and the dog ate my homework.",
    "to be or not to be",
    "x",
    "to",
];

/// Sentences that name what could be a space, or begin like a command: they are nobody's chat.
const DOUBTFUL: &[&str] = &[
    "In chess I would play e4 now.",
    "1. e4 e5 2. Nf3 Nc6",
    "1.d4 d5",
    "Please print it on A4 paper.",
    "I passed C1 English!",
    "Take vitamin B12, it helps.",
    "The G7 summit is on TV.",
    "We live at B4 and work at C3.",
    "Is A4-A5 what you meant?",
    "I should have gone D2 to E2",
    "Gate B7, seat 12A.",
    "The A3 to Dover is closed",
    "Battery type C2, not D1.",
    "e4 is the best first move",
    "F3 and good luck!",
    "what about c1?",
    "My flat is D5",
    "E1 or E2?",
    "U2, B52s and A1",
    "My car is an Audi A6, hers an A3.",
    "H2O and CO2 and B2B",
    "resign? never",
    "show me your garden",
    "move along!",
    "Help, I am lost",
    "if only I knew",
    "dvonn is fun",
    "hexmeister is harder",
    "a4 or b4, a5 or b5",
    "\u{201C}e5\u{201D}, he said",
    "D1-E1 would be silly",
    "Ich fahre auf der A3 nach K\u{F6}ln.",
    "J'ai eu B2 en fran\u{E7}ais.",
    "Nivel C1 de ingl\u{E9}s",
    "Foglio A4, grazie",
    "play on, c1 is free",
    "My move: none yet, maybe B2",
    "I play guitar in A4 tuning",
    "K2 is a mountain",
];

/// Lines that are a move by themselves, in some phase of some game.
const MOVE_LINES: &[&str] = &[
    "A4",
    "e4",
    "F3.",
    "*c1*",
    "B2-B3",
    "D1 to E1",
    "e4 e5",
    "My move: a1",
    "\u{201C}E1\u{201D}",
    "done",
    "pass",
];

const GREETINGS: &[&str] =
    &["Hi Bob,", "Hello!", "Hallo Bob,", "Salut,", "Hola Bob", "Ciao!", "Dear opponent,", "Hej Bob"];

/// A reply somebody could write, of one to five parts.
fn reply(chance: &mut Chance) -> String {
    let mut parts: Vec<&str> = Vec::new();
    if chance.once_in(3) {
        parts.push(chance.pick::<&str>(GREETINGS));
    }
    for _ in 0..=chance.below(4) {
        parts.push(match chance.below(30) {
            0 => chance.pick::<&str>(MOVE_LINES),
            1..=10 => chance.pick::<&str>(DOUBTFUL),
            _ => chance.pick::<&str>(SENTENCES),
        });
    }
    parts.join(chance.pick::<&str>(&["\n", "\n\n"]))
}

/// A text of anything: letters, signs, blanks, Unicode, and pieces of moves.
fn anything(chance: &mut Chance) -> String {
    const PIECES: &[&str] = &[
        "a",
        "b4",
        "B12",
        "d1",
        "D1",
        "-",
        "e1",
        "to",
        "x",
        "X",
        ":",
        "+",
        "#",
        "#1",
        "\u{2192}",
        "->",
        "\u{2013}",
        "pass",
        "done",
        "F3",
        "k6",
        "a0",
        "A01",
        "1.",
        "*",
        "_",
        "\"",
        "\u{201C}",
        "(",
        ")",
        "!",
        ".",
        ",",
        ";",
        "?",
        "move",
        "play",
        "my move",
        ":)",
        "I play",
        "\u{FF24}\u{FF11}",
        "\u{200B}",
        "\u{A0}",
        "\u{301}",
        "\u{661}",
        "\u{FDFA}",
        "\u{202E}",
        "z9",
        "m2",
        "11",
        "0",
        "if",
        "then",
        "else",
        "and",
        "the",
        "\u{1F600}",
        "\u{2460}",
        "\u{2075}",
        "\u{430}1",
        "\u{410}1",
    ];
    let mut text = String::new();
    for _ in 0..1 + chance.below(8) {
        text.push_str(match chance.below(12) {
            0 | 1 => "\n",
            2..=4 => " ",
            _ => "",
        });
        match chance.below(8) {
            0 => text.extend(char::from_u32(32 + chance.below(95) as u32)),
            1 => text.extend(char::from_u32(chance.below(0x2_0000) as u32)),
            _ => text.push_str(chance.pick::<&str>(PIECES)),
        }
    }
    text
}

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
            } else if rest.starts_with(|c| ('a'..='k').contains(&c)) && (1..=2).contains(&digits) {
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

/// What of a reading could be played, if it is legal: the spaces in their order.
fn spaces_of(plies: &str) -> Vec<String> {
    let words =
        plies.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_alphabetic));
    words.map(str::to_lowercase).collect()
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
    let ReplyMoves::Plies(found) = reply_moves::read(Some(&*position.table), text) else { return false };
    if !plays(position, &found.plies) {
        return false;
    }
    // A line may be odder than the program takes.
    let (lines, plies) = (move_lines(text), spaces_of(&found.plies));
    let is_said =
        (0..lines.len()).any(|from| (from..=lines.len()).any(|to| lines[from..to].concat() == plies));
    assert!(is_said, "{text:?} as {found:?}");
    true
}

#[test]
fn no_random_text_plays_what_it_does_not_say() {
    let (mut played, mut texts) = (0, 0);
    for seed in 0..rounds(500, 5_000) {
        let mut chance = Chance::of(seed);
        let position = Position::random(&mut chance);
        for _ in 0..20 {
            texts += 1;
            played += usize::from(judge(&position, &anything(&mut chance)));
        }
    }
    println!("{texts} random texts, {played} of them a move");
    assert!(played * 10 < texts && played * 1_000 > texts, "{played} of {texts}");
}

#[test]
fn no_made_reply_plays_what_it_does_not_say() {
    let mut chance = Chance::of(5);
    let replies: Vec<String> = (0..5_000).map(|_| reply(&mut chance)).collect();
    let positions: Vec<Position> = (0..200).map(|_| Position::random(&mut chance)).collect();
    let (mut played, mut moves) = (0, 0);
    for text in &replies {
        moves += usize::from(!move_lines(text).is_empty());
        for _ in 0..4 {
            played += usize::from(judge(chance.pick(&positions), text));
        }
    }
    println!(
        "{} made replies on four positions each, {moves} with a move's line: {played} play",
        replies.len()
    );
    assert!(moves * 20 > replies.len() && moves * 3 < replies.len() && played > 50, "{moves} {played}");
}

#[test]
fn no_real_mail_plays_what_it_does_not_say() {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let given = std::env::var_os("TURNPOST_EMAILS").filter(|folder| !folder.is_empty());
    let mut folders: Vec<PathBuf> = [Some(own), given.map(PathBuf::from)].into_iter().flatten().collect();
    let site = Stage::new().site();
    let mut chance = Chance::of(6);
    let positions: Vec<Position> = (0..20).map(|_| Position::random(&mut chance)).collect();
    let (mut texts, mut played) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let text = match read(&bytes, &Envelope::default(), &site) {
                Incoming::Letter(letter) => new_text(&letter.text).new,
                _ => new_text(&String::from_utf8_lossy(&bytes)).new,
            };
            texts += 1;
            played += positions.iter().filter(|position| judge(position, &text)).count();
        }
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

    /// A reply of ann's about a board, and the mails it causes.
    fn reply(&mut self, board: usize, text: &str) -> Vec<Mail> {
        self.letters += 1;
        let raw = self.boards[board].1.raw();
        let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
        let letter = format!(
            "Return-Path: <ann@example.org>\nFrom: ann@example.org\nTo: {reply_to}\nSubject: Re: a game\n\
             Message-ID: <chatter.{}@x.example>\nContent-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: 8bit\n\n{text}\n",
            self.letters
        );
        self.stage.wait(5);
        self.stage.receive(letter.replace('\n', "\r\n").as_bytes())
    }

    fn plies(&self, board: usize) -> usize {
        self.stage.store.events(self.boards[board].0).unwrap().len()
    }
}

/// The letters of a text in their order: an answer folds lines and marks them.
fn letters(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches(['|', '>', ' ']));
    lines.flat_map(str::chars).filter(|c| c.is_alphanumeric()).collect()
}

#[test]
fn a_made_reply_without_a_move_is_passed_on_asked_back_or_explained() {
    let mut chance = Chance::of(8);
    let (mut passed_on, mut asked, mut explained, mut shut) = (0, 0, 0, 0);
    let mut hall = Hall::new();
    for number in 0..rounds(250, 2_000) {
        let text = reply(&mut chance);
        if !move_lines(&text).is_empty() {
            continue;
        }
        // Tokens are good for thirty days.
        if number % 120 == 119 {
            hall = Hall::new();
        }
        let board = chance.below(hall.boards.len());
        let before = hall.plies(board);
        let mails = hall.reply(board, &text);
        assert_eq!(hall.plies(board), before, "{text:?} plays");
        let answer = mails.iter().find(|mail| mail.to == "ann@example.org");
        let answer = answer.unwrap_or_else(|| panic!("{text:?} is not answered"));
        if let Some(chat) = mails.iter().find(|mail| mail.to == "bob@example.net") {
            assert!(letters(&chat.text).contains(&letters(&text)), "{text:?} becomes {}", chat.text);
            passed_on += 1;
        } else if answer.text.contains("Reply `yes` to play") || answer.text.contains("Reply `yes` to\nplay")
        {
            asked += 1;
        } else {
            let said = answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let known = [
                "There is no move of yours",
                "it begins with the word",
                "can all be played",
                "this one went to nobody",
                "Nothing was played",
            ];
            if said.contains("replies of yours") {
                shut += 1;
            }
            assert!(known.iter().any(|words| said.contains(words)), "{text:?}: {}", answer.text);
            explained += 1;
        }
    }
    println!("{passed_on} passed on, {asked} asked back, {explained} explained ({shut} as too many)");
    assert_eq!(hall.stage.wrong(), Vec::<String>::new());
    assert!(passed_on > 50 && asked > 5 && explained > 50, "{passed_on} {asked} {explained}");
}

#[test]
fn a_random_text_without_a_move_changes_no_board() {
    let mut chance = Chance::of(9);
    let (mut sent, mut answered) = (0, 0);
    let mut hall = Hall::new();
    for number in 0..rounds(150, 2_000) {
        let text = anything(&mut chance);
        if !move_lines(&text).is_empty() {
            continue;
        }
        if number % 120 == 119 {
            hall = Hall::new();
        }
        let board = chance.below(hall.boards.len());
        let before = hall.plies(board);
        answered += usize::from(hall.reply(board, &text).iter().any(|mail| mail.to == "ann@example.org"));
        assert_eq!(hall.plies(board), before, "{text:?} plays");
        sent += 1;
    }
    println!("{sent} random texts sent, {answered} answered");
    assert!(sent > 100 && answered * 10 > sent * 8, "{answered} of {sent}");
}
