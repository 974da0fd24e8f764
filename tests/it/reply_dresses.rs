//! The law of moves by reply: any legal turn of either game, in any dress, under any mail program's quoting, plays
//! exactly that turn.

use crate::reply_programs::{Board, LANGUAGES, WORDS, letter, replies_with};
use crate::support::{Stage, rounds};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::ids::{BoardId, Seat};
use turnpost::letter::reply_moves::{self, ReplyMoves};
use turnpost::mail::Operator;
use turnpost_games::registry::GAMES;
use turnpost_games::{GameKind, Setup, Table};

/// Chance from a seed.
pub struct Chance(ChaCha12Rng);

impl Chance {
    pub fn of(seed: u64) -> Chance {
        Chance(ChaCha12Rng::seed_from_u64(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }
}

/// A position of a random game in which somebody can move.
pub struct Position {
    pub kind: &'static GameKind,
    pub table: Box<dyn Table>,
}

impl Position {
    /// Half of DVONN's are of the placement, some with a turn of two plies; Hexmeister's have bonuses open.
    pub fn random(chance: &mut Chance) -> Position {
        loop {
            let kind = *chance.pick(GAMES);
            let placed = vec![("random".to_owned(), None)];
            let straight = vec![("straight".to_owned(), None)];
            let bonus_drop = vec![("bonusdrop".to_owned(), None)];
            let options = match (kind.key, chance.below(4)) {
                ("dvonn", 0 | 1) => placed,
                ("hexmeister", 0) => straight,
                ("hexmeister", 1) => bonus_drop,
                _ => Vec::new(),
            };
            let seed = chance.below(1_000) as u64;
            let mut table = (kind.start)(&Setup { options: &options, seed }).unwrap();
            // A third of the placements end a ply or two before the first move.
            let length = if kind.key == "dvonn" && options.is_empty() && chance.once_in(3) {
                47 + chance.below(2)
            } else {
                chance.below(70)
            };
            for _ in 0..length {
                let plies = table.legal_plies();
                if plies.is_empty() || table.ended().is_some() {
                    break;
                }
                table.play_text(chance.pick::<String>(&plies)).unwrap();
            }
            table.play_passes();
            if table.ended().is_none() {
                return Position { kind, table };
            }
        }
    }

    /// A legal turn: as many plies as the seat may play before the other, or fewer.
    pub fn turn(&self, chance: &mut Chance) -> Vec<String> {
        let mut table = self.table.copy();
        let mut plies = Vec::new();
        while table.ended().is_none() && table.turn() == self.table.turn() {
            if !plies.is_empty() && chance.once_in(4) {
                break;
            }
            let legal = table.legal_plies();
            plies.push(chance.pick(&legal).clone());
            table.play_text(plies.last().unwrap()).unwrap();
            table.play_passes();
        }
        plies
    }
}

/// What people write between two spaces.
const JOINTS: &[&str] = &[
    "-",
    "-",
    "->",
    " -> ",
    "\u{2192}",
    " \u{2192} ",
    "\u{21D2}",
    "\u{27A1}",
    "\u{27A1}\u{FE0F}",
    "\u{2794}",
    "=>",
    "-->",
    "\u{2010}",
    "\u{2011}",
    "\u{2012}",
    "\u{2013}",
    "\u{2014}",
    "\u{2015}",
    "\u{2212}",
    " \u{2013} ",
    " \u{2014} ",
    " \u{2212} ",
    " - ",
    "--",
    " to ",
    " To ",
    "x",
    " x ",
    ":",
    " ",
    "",
    "\u{FF0D}",
    "-\u{200B}",
    "\u{A0}-\u{A0}",
];

/// What they write before and behind a move.
const MARKS: &[[&str; 2]] = &[
    ["", ""],
    ["\"", "\""],
    ["\u{201C}", "\u{201D}"],
    ["\u{201E}", "\u{201C}"],
    ["'", "'"],
    ["\u{2018}", "\u{2019}"],
    ["\u{AB}\u{A0}", "\u{A0}\u{BB}"],
    ["\u{2039}", "\u{203A}"],
    ["`", "`"],
    ["*", "*"],
    ["**", "**"],
    ["_", "_"],
    ["(", ")"],
    ["[", "]"],
    ["- ", ""],
    ["* ", ""],
    ["\u{2022} ", ""],
    ["1. ", ""],
    ["", "."],
    ["", "!"],
    ["", "!!"],
    ["", "\u{FF01}"],
    ["", "\u{3002}"],
    ["", " :)"],
    ["", " :-)"],
    ["", " ;-)"],
    ["", ". :D"],
    ["", " \u{263A}\u{FE0F}"],
    ["", " \u{1F600}"],
    ["", " \u{1F44D}\u{1F3FD}"],
    ["  ", "\u{200B}"],
    ["", "\u{A0}"],
];

/// The words that lead to a move.
const LEADS: &[&str] = &[
    "",
    "",
    "",
    "move ",
    "Move: ",
    "move: ",
    "My move: ",
    "My move is ",
    "my move ",
    "I play ",
    "I play: ",
    "play ",
    "Play ",
];

const GREETINGS: &[&str] =
    &["", "", "Hi Bob,", "Hello!", "Moin Bob,", "Good evening", "Dear Ann,", "Bonjour,"];

/// A turn as somebody wrote it, and how.
pub struct Dressed {
    pub lines: Vec<String>,
    /// True where two spaces are joined, or two plies parted, by blanks alone.
    pub blanks: bool,
}

/// A turn in a random dress.
pub fn dressed(chance: &mut Chance, kind: &GameKind, plies: &[String]) -> Dressed {
    let joint = *chance.pick(JOINTS);
    // A turn of Hexmeister may be one word, in which a + stands before each bonus and alone for `done`.
    let one_word = kind.key == "hexmeister" && plies[0] != "done" && chance.once_in(3);
    let joint = if one_word && joint.eq_ignore_ascii_case(" to ") { "-" } else { joint };
    let joint = if one_word { joint.trim() } else { joint };
    let moves: Vec<String> = plies.iter().map(|ply| ply.replacen('-', joint, 1)).collect();
    let own_lines = !one_word && plies.len() > 1 && chance.once_in(2);
    let parts: Vec<String> = if one_word {
        vec![moves.iter().map(|ply| if ply == "done" { "" } else { ply }).collect::<Vec<_>>().join("+")]
    } else if own_lines {
        moves
    } else {
        vec![moves.join(chance.pick::<&str>(&[" ", ", ", "; ", "  "]))]
    };
    let case = chance.below(4);
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let part = match case {
            0 => part.to_uppercase(),
            1 => part.to_lowercase(),
            2 => part,
            _ => wide(&part),
        };
        let [before, behind] = *chance.pick(MARKS);
        // In all dresses at once nobody writes.
        let lead = if before.is_empty() || chance.once_in(2) { *chance.pick(LEADS) } else { "" };
        lines.push(match chance.below(2) {
            0 => format!("{before}{lead}{part}{behind}"),
            _ if before.ends_with(' ') => format!("{before}{lead}{part}{behind}"),
            _ => format!("{lead}{before}{part}{behind}"),
        });
    }
    let greeting = *chance.pick(GREETINGS);
    if !greeting.is_empty() {
        lines.insert(0, greeting.to_owned());
    }
    Dressed { lines, blanks: joint.trim().is_empty() }
}

/// In letters and digits of full width.
fn wide(text: &str) -> String {
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(u32::from(c) + 0xFEE0).unwrap(),
        c => c,
    };
    text.chars().map(wide).collect()
}

#[test]
fn any_turn_in_any_dress_is_read_as_that_turn() {
    let (mut read, mut asked, mut wrong) = (0, 0, Vec::new());
    let mut longer = 0;
    for seed in 0..rounds(400, 4_000) {
        let mut chance = Chance::of(seed);
        let position = Position::random(&mut chance);
        for _ in 0..20 {
            let plies = position.turn(&mut chance);
            let dressed = dressed(&mut chance, position.kind, &plies);
            let below = *chance.pick(&["", "\nWell played!", "\n\nGood luck,\nAnn", "\nSee you at 5"]);
            let text = format!("{}{below}", dressed.lines.join("\n"));
            match reply_moves::read(Some(&*position.table), &text) {
                ReplyMoves::Plies(found) if found.plies == plies.join(" ") => {
                    read += 1;
                    longer += usize::from(plies.len() > 1);
                }
                // Blanks can mean one move or two plies; then both are named.
                ReplyMoves::TwoReadings { moves } if moves.contains(&plies.join(", ")) => asked += 1,
                other => wrong.push(format!("{} {plies:?}: {text:?}: {other:?}", position.kind.key)),
            }
        }
    }
    println!("{read} turns read, {longer} of them of several plies; {asked} asked back");
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        read + wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    assert!(asked * 50 < read && longer * 30 > read, "{read} {longer} {asked}");
}

#[test]
fn any_turn_in_any_dress_plays_under_any_programs_quoting() {
    let (mut played, mut longer, mut asked) = (0, 0, 0);
    let mut stage = Stage::with(|config| config.extensions = false).peopled();
    for seed in 0..rounds(100, 600) {
        // A database that grows slows its own test.
        if seed % 100 == 99 {
            stage = Stage::with(|config| config.extensions = false).peopled();
        }
        let mut chance = Chance::of(seed);
        let position = Position::random(&mut chance);
        let plies = position.turn(&mut chance);
        let begin =
            format!("{} challenge \"-position={}\" ann bob", position.kind.key, position.table.position());
        let (said, done, mails) = stage.submit(Operator::AsAnyone, &begin);
        if said.contains("stands on a board") {
            continue;
        }
        assert!(done, "{begin}: {said}");
        let address = match position.table.turn() {
            Seat::First => "ann@example.org",
            Seat::Second => "bob@example.net",
        };
        let mail = mails.iter().find(|mail| mail.to == address).unwrap();
        let board = BoardId(stage.store.next_board().unwrap().0 - 1);
        let dressed = dressed(&mut chance, position.kind, &plies);
        let lines: Vec<&str> = dressed.lines.iter().map(String::as_str).collect();
        let replies = replies_with(chance.pick(&LANGUAGES), &Board::of(mail), &lines);
        let reply = chance.pick(&replies);
        let written = letter(reply, seed as usize);
        let mails = stage.receive(&written);
        let events = stage.store.events(board).unwrap();
        let found: Vec<&str> = events
            .iter()
            .filter(|event| event.ply.is_some() && event.player.is_some())
            .map(|event| event.text.as_str())
            .collect();
        if found.is_empty() && dressed.blanks && mails.iter().any(|mail| mail.text.contains("can mean")) {
            asked += 1;
            continue;
        }
        assert_eq!(found, plies, "{} {:?}\n{begin}\n{mails:#?}", reply.what, dressed.lines);
        assert!(
            mails.iter().any(|mail| mail.to != address && mail.text.contains(WORDS[0])),
            "{}",
            reply.what
        );
        played += 1;
        longer += usize::from(plies.len() > 1);
    }
    println!("{played} replies played, {longer} turns of several plies; {asked} asked back");
    assert!(longer * 40 > played && asked * 20 < played, "{played} {longer} {asked}");
}
