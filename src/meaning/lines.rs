//! Splits a reply into lines and finds its greeting, its moves, and the lines that begin like a command.

use turnpost_games::{GameKind, Table};

use crate::commands::LANGUAGE;
use crate::language::dress::plain_signs;
use crate::language::move_finder::MoveFinder;
use crate::language::phrasebook::{closes_a_move, goes_on, is_courtesy, is_farewell, is_linked};
use crate::language::{InReply, account_change, greeting};
use crate::play::marked;

/// Lines after the greeting that are searched for moves; later lines are words for a player.
const LINES_OF_MOVES: usize = 10;

/// The new text of a reply as trimmed lines, without blank ones.
pub(crate) struct ReplyLines<'t> {
    pub all: Vec<&'t str>,
    /// Number of greeting lines at the start (0 or 1).
    pub greeted: usize,
    /// Finds the moves of the game that the reply is about.
    pub finder: MoveFinder,
    /// The userids of the players. A line with a move can name them.
    names: [&'t str; 2],
}

/// A line that is a move, with or without a greeting, a name or a closing remark.
pub(crate) struct MoveLine {
    pub number: usize,
    /// The move without its marks.
    pub plies: String,
    /// The greeting and the remark.
    pub words: String,
}

impl<'t> ReplyLines<'t> {
    pub fn about(game: &'static GameKind, text: &'t str) -> ReplyLines<'t> {
        ReplyLines::new(MoveFinder::of(game), text)
    }

    pub fn new(finder: MoveFinder, text: &'t str) -> ReplyLines<'t> {
        let all: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let greeted = usize::from(all.len() > 1 && all.first().is_some_and(|line| is_greeting(finder, line)));
        ReplyLines { all, greeted, finder, names: [""; 2] }
    }

    /// The same lines in a game of these players.
    pub fn between(self, names: [&'t str; 2]) -> ReplyLines<'t> {
        ReplyLines { names, ..self }
    }

    /// The first line after the greeting.
    pub fn first(&self) -> &'t str {
        self.all.get(self.greeted).copied().unwrap_or_default()
    }

    /// All lines below the first line after the greeting.
    pub fn below(&self) -> String {
        self.all.get(self.greeted + 1..).unwrap_or_default().join("\n")
    }

    /// The whole text after the first word.
    pub fn behind_first_word(&self) -> String {
        format!("{}\n{}", first_word(self.first()).1, self.below()).trim().to_owned()
    }

    /// The arguments of the first word: the rest of its line, else the moves and conditions below, else the next line.
    pub fn rest(&self) -> String {
        let behind = first_word(self.first()).1;
        if !behind.is_empty() {
            return behind.to_owned();
        }
        let below = self.all.get(self.greeted + 1..).unwrap_or_default();
        let moves = below.iter().map(|line| match is_condition(line) {
            true => plain_signs(line),
            false => self.finder.undressed(line),
        });
        let moves: Vec<String> =
            moves.take_while(|line| is_condition(line) || self.finder.holds_moves_only(line)).collect();
        match moves.as_slice() {
            [] => below.first().copied().unwrap_or_default().to_owned(),
            moves => moves.join(", ").replace(", if ", " if "),
        }
    }

    /// The words for the opponent after a word such as `chat`; `None` if the reply does not begin with one.
    pub fn words(&self) -> Option<String> {
        let entry = LANGUAGE.of_reply(&first_word(self.first()).0)?;
        matches!(entry.in_reply, InReply::BeginsWords(_)).then(|| self.behind_first_word())
    }

    /// The first line that names a space or begins like a command.
    pub fn meant_for_us(&self) -> Option<&'t str> {
        let is_meant = |line: &&&str| self.space_named(line).is_some() || begins_like_a_command(line);
        self.all.iter().find(is_meant).copied()
    }

    fn space_named(&self, line: &str) -> Option<String> {
        self.finder.named(line).into_iter().next().or_else(|| self.finder.at_end_of_a_word(line))
    }

    /// Why a line may be meant for the server: it names a space, or begins like a command.
    pub fn why_ours(&self, line: &str) -> String {
        let why = match self.space_named(line) {
            Some(name) => format!("names {name}"),
            None => "begins like a command".to_owned(),
        };
        format!("`{}` {why}", quoted(line))
    }

    /// The lines that are moves, without their conditions.
    pub fn moves(&self) -> Vec<MoveLine> {
        self.moves_of(|line| move_and_conditions(self.finder, line).0)
    }

    /// The lines that are moves after `cut`.
    pub fn moves_of(&self, cut: impl Fn(&'t str) -> &'t str) -> Vec<MoveLine> {
        let first = self.all.iter().enumerate().take(self.greeted + LINES_OF_MOVES);
        let found = first.filter_map(|(number, line)| {
            let (plies, words) = self.move_in(cut(line))?;
            Some(MoveLine { number, plies, words })
        });
        found.collect()
    }

    /// The move of a line, and the greeting and the remark around it; `None` if the line says anything else.
    fn move_in(&self, line: &str) -> Option<(String, String)> {
        let moves =
            |text: &str| Some(self.finder.undressed(text)).filter(|text| self.finder.holds_moves_only(text));
        if let Some(plies) = moves(line) {
            return Some((plies, String::new()));
        }
        let (greeting, line) = match line.split_once([',', '!', ':', '.', '\u{2013}']) {
            Some((first, rest)) if is_greeting(self.finder, first) || is_farewell(first, &self.names) => {
                (first, rest)
            }
            _ => ("", line),
        };
        let splits = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        splits.filter_map(|at| line.split_at_checked(at)).find_map(|(head, tail)| {
            let is_greeted = !greeting.is_empty() && tail.is_empty();
            let plies = moves(head).filter(|_| is_greeted || self.is_remark(head, tail))?;
            let tail = tail.trim_start_matches(|c: char| MARKS.contains(&c) || c.is_whitespace());
            let tail = if tail.contains('(') { tail } else { tail.trim_end_matches(')') };
            let words = [greeting.trim(), tail].into_iter().filter(|words| !words.is_empty());
            Some((plies, words.collect::<Vec<_>>().join(", ")))
        })
    }

    /// True if `tail` is a closing remark after the move `head`.
    fn is_remark(&self, head: &str, tail: &str) -> bool {
        let is_apart = head.ends_with(MARKS) || tail.trim_start().starts_with(MARKS) || is_linked(tail);
        let says_more = tail.contains(char::is_alphanumeric);
        let aside =
            tail.trim().trim_end_matches(MARKS).strip_prefix('(').and_then(|tail| tail.strip_suffix(')'));
        let is_aside = aside.is_some_and(|aside| !goes_on(aside) && self.finder.named(aside).is_empty());
        says_more
            && (is_aside || is_apart && is_courtesy(tail, &self.names) || closes_a_move(tail, &self.names))
    }
}

/// Marks between a move and a remark in one line.
const MARKS: &[char] = &[',', '.', '!', ';', ':', '-', '(', '\u{2013}', '\u{2014}'];

pub(crate) fn first_word(line: &str) -> (String, &str) {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (bare(first).trim_end_matches(':').to_owned(), rest.trim())
}

/// The text in lower case, without punctuation at both ends.
pub(crate) fn bare(text: &str) -> String {
    text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// The plies of a text, if all of it can be played in one turn. Each ply keeps its mark; the command checks the mark.
pub(crate) fn legal_plies(position: &dyn Table, asks: bool, text: &str) -> Option<Vec<String>> {
    let turn = marked::turn(position, asks, text).ok()?;
    turn.rest.is_empty().then_some(turn.plies)
}

/// Splits a line into its move and the conditions after it: `A3-B4; if K5-K4 then B4-C4`. The `;` is optional.
pub(crate) fn move_and_conditions(finder: MoveFinder, line: &str) -> (&str, &str) {
    if let Some((plies, conditions)) = line.split_once(';')
        && is_condition(conditions)
    {
        return (plies, conditions);
    }
    // `D1-E1 if you like` is prose.
    let at = line.to_ascii_lowercase().find(" if ");
    match at.and_then(|at| line.split_at_checked(at)) {
        Some((plies, conditions)) if !finder.named(conditions).is_empty() => {
            // `D1-E1, and then if ...`
            let is_link = |word: &str| ["then", "and"].iter().any(|link| word.eq_ignore_ascii_case(link));
            let mut plies = plies.trim_end_matches([' ', ',']);
            while let Some((before, _)) = plies.rsplit_once([' ', ',']).filter(|(_, word)| is_link(word)) {
                plies = before.trim_end_matches([' ', ',']);
            }
            (plies, conditions)
        }
        _ => (line, ""),
    }
}

/// True if the line begins with `if` or `else`, as conditions of a move do.
pub(crate) fn is_condition(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    ["if", "else"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// True if the line begins with a greeting, has at most four words, and names no move.
fn is_greeting(finder: MoveFinder, line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = bare(words.next().unwrap_or_default());
    greeting::is_greeting(&first) && words.count() <= 3 && finder.named(line).is_empty()
}

/// Most characters of a line that an answer quotes.
const QUOTED: usize = 60;

/// Shortens a line of a reply to quote it in the answer. Masks a line that begins like a command, which can hold a
/// password. The text of a private note holds none.
pub(crate) fn quoted(line: &str) -> String {
    let is_command = begins_like_a_command(line) && !is_text_of_note(line);
    let line = match is_command || account_change(line).is_some() {
        true => LANGUAGE.quoted(line),
        false => line.replace('`', "'"),
    };
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default().trim_end()),
        None => line,
    }
}

/// True for a private note that cannot be the command with board, userid and password.
fn is_text_of_note(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let is_number = |word: &&str| word.bytes().all(|octet| octet.is_ascii_digit());
    is_kept(line) && words.len() != 2 && !words.iter().take(2).any(is_number)
}

/// True for a text that its writer keeps, such as a private note. "Note that I am away" is for the opponent.
pub(crate) fn is_kept(line: &str) -> bool {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let entry = LANGUAGE.of_reply(&first.trim_end_matches(':').to_ascii_lowercase());
    entry.is_some_and(|entry| matches!(entry.in_reply, InReply::Keeps(_)))
        && first_word(rest.trim()).0 != "that"
}

/// True if the line begins like a command, a game or a condition, so it is possibly meant for the server.
pub(crate) fn begins_like_a_command(line: &str) -> bool {
    let mut words = line.split_whitespace().map(bare);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let keeps = || LANGUAGE.of_reply(&first).is_some_and(|entry| matches!(entry.in_reply, InReply::Keeps(_)));
    match LANGUAGE.begins_a_command(&first) {
        true if keeps() => is_kept(line),
        true => !LANGUAGE.is_everyday(&first, &second),
        false => first == "if" || LANGUAGE.with_its_word_first(line).is_some(),
    }
}
