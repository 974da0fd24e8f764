//! Finds moves in what a person writes: spaces, and other forms of a ply of the game.
//!
//! The game says what its plies look like. Nothing here checks whether a move is legal on the board.

use turnpost_games::{GameKind, Plies, Spaces, registry};

use super::dress::{PUNCTUATION, peeled, plain_signs};
use super::phrasebook::{is_pass, joins_spaces};
use super::plain::without_addresses;

/// The most bytes between two spaces of one move.
const BETWEEN: usize = 24;

const PASS: &str = "pass";

/// Finds the moves of one game, or of every game, in a text. `2-1` is a move in some games and a score in
/// others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveFinder {
    game: Option<&'static GameKind>,
    spaces: Spaces,
}

impl MoveFinder {
    /// A finder for a text about a board of `game`.
    pub fn of(game: &'static GameKind) -> MoveFinder {
        MoveFinder { game: Some(game), spaces: game.plies.spaces }
    }

    /// A finder for a text about no board.
    pub fn of_any_game() -> MoveFinder {
        let column = |game: &&GameKind| match game.plies.spaces {
            Spaces::Lettered(last) => Some(last),
            Spaces::Numbered(_) => None,
        };
        let last = registry::games().iter().filter_map(column).max().unwrap_or_default();
        MoveFinder { game: None, spaces: Spaces::Lettered(last) }
    }

    /// Finders that also take names of spaces that the board does not have, such as `z9`.
    pub fn on_larger_boards(self) -> impl Iterator<Item = MoveFinder> {
        let more = matches!(self.spaces, Spaces::Numbered(_)).then_some(Spaces::Numbered(99));
        [Spaces::Lettered('z')].into_iter().chain(more).map(move |spaces| MoveFinder { spaces, ..self })
    }

    fn plies(self) -> impl Iterator<Item = &'static Plies> {
        let is_meant = move |game: &&&GameKind| self.game.is_none_or(|meant| meant.key == game.key);
        registry::games().iter().filter(is_meant).map(|game| &game.plies)
    }

    /// True if `ask` can follow a ply of the game.
    pub fn asks(self) -> bool {
        self.game.is_some_and(|game| game.asks())
    }

    /// True if players write the pieces of the game in the letters of their language.
    pub fn has_letters(self) -> bool {
        self.game.is_some_and(|game| game.letters.is_some())
    }

    /// A line without what people put around a move. Arrows, dashes, and words such as `to` between two spaces become
    /// `-`; `F 3`, `F-3` and `3F` become `F3`, and `3228` becomes `32-28`.
    pub fn undressed(self, line: &str) -> String {
        let line = peeled(line);
        if is_pass(&line) && self.game.is_some_and(|game| game.plies.words.contains(&PASS)) {
            return PASS.to_owned();
        }
        let line = self.joined(&line, |_, between| joins_spaces(between));
        let line = self
            .plies()
            .flat_map(|plies| plies.joints)
            .fold(line, |line, sign| line.replace(&format!(" {sign} "), &sign.to_string()));
        if self.holds_moves_only(&line) {
            return line;
        }
        let whole = match line.split_at_checked(2).filter(|_| line.bytes().all(|b| b.is_ascii_digit())) {
            Some((from, to)) if to.len() == 2 => format!("{from}-{to}"),
            _ => self.with_whole_spaces(&line),
        };
        if self.holds_moves_only(&whole) { whole } else { line }
    }

    /// Puts a dash between two spaces that only blanks separate in an undressed line: `D1 E1` can be one move
    /// or two.
    pub fn blanks_joined(self, undressed: &str) -> String {
        self.joined(undressed, |from, between| {
            !from.ends_with(['-', 'x', 'X', ':']) && between.trim().is_empty() && !between.is_empty()
        })
    }

    /// True for a line of moves in any dress, and nothing else.
    pub fn is_moves_only(self, line: &str) -> bool {
        self.holds_moves_only(&self.undressed(line))
    }

    /// True if an undressed line contains only spaces and what joins them to moves, so that it cannot be
    /// prose.
    pub fn holds_moves_only(self, undressed: &str) -> bool {
        // A line such as `D1-E1:` introduces what follows it.
        let mut rest = if undressed.ends_with(['-', ':']) { "" } else { undressed };
        let mut found = 0;
        while let Some(c) = rest.chars().next() {
            let (other, space) = (self.other(rest), self.space(rest));
            if let Some(length) = other.max(space) {
                // A ply that is a word is whole.
                found += if other >= space { self.least_of_a_move() } else { 1 };
                rest = rest.get(length..).unwrap_or_default();
            } else if matches!(c, 'x' | 'X') && found == 0 {
                // `Xe4` is a move in no game.
                return false;
            } else if c.is_whitespace() || matches!(c, ',' | ';' | '-' | ':' | 'x' | 'X') || self.is_joint(c)
            {
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            } else if c == '#' {
                rest = rest.get(1..).unwrap_or_default().trim_start_matches(|c: char| c.is_ascii_digit());
            } else {
                return false;
            }
        }
        found >= self.least_of_a_move()
    }

    /// The fewest spaces in a move: a number alone is no move.
    fn least_of_a_move(self) -> usize {
        match self.spaces {
            Spaces::Lettered(_) => 1,
            Spaces::Numbered(_) => 2,
        }
    }

    /// The moves and spaces that prose names, each as it could be played: `E5`, and `D1-E1` before `D1`.
    pub fn named(self, prose: &str) -> Vec<String> {
        let prose = plain_signs(prose);
        let mut named: Vec<String> = Vec::new();
        let mut at_word_start = true;
        let mut offset = 0;
        while let Some(c) = prose.get(offset..).and_then(|rest| rest.chars().next()) {
            let rest = prose.get(offset..).unwrap_or_default();
            let Some((name, taken)) = Some(rest).filter(|_| at_word_start).and_then(|rest| self.first(rest))
            else {
                at_word_start = !c.is_alphanumeric();
                offset += c.len_utf8();
                continue;
            };
            if !named.contains(&name) {
                named.push(name);
            }
            at_word_start = false;
            offset += taken;
        }
        named
    }

    /// The names of spaces in an undressed line, without those in plies of another form.
    pub fn spaces_in(self, undressed: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut rest = undressed;
        while let Some(c) = rest.chars().next() {
            let (other, space) = (self.other(rest), self.space(rest));
            let length = other.max(space).unwrap_or(c.len_utf8());
            found.extend(rest.get(..length).filter(|_| space > other).map(str::to_owned));
            rest = rest.get(length..).unwrap_or_default();
        }
        found
    }

    /// The space at the end of a word, as in `Sf3`: its writer meant a move in another notation.
    pub fn at_end_of_a_word(self, prose: &str) -> Option<String> {
        let prose = without_addresses(&plain_signs(prose));
        let space = |word: &str| {
            let column = word.trim_end_matches(|c: char| c.is_ascii_digit()).char_indices().next_back()?;
            let (letters, space) = word.split_at_checked(column.0)?;
            let is_word = !letters.is_empty() && letters.chars().all(char::is_alphabetic);
            (is_word && self.space(space) == Some(space.len())).then(|| space.to_owned())
        };
        prose.split(|c: char| !c.is_alphanumeric()).find_map(space)
    }

    /// Rewrites `D one`, `D-1` and `1D` in prose as `D1`.
    pub fn with_spelt_spaces(self, prose: &str) -> String {
        const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
            fifteen sixteen seventeen eighteen nineteen twenty";
        let prose = plain_signs(prose).replace('-', " - ");
        let words = prose.split_whitespace().map(|word| {
            let bare = word.trim_end_matches(PUNCTUATION);
            let number = NUMBERS.split(' ').position(|number| bare.eq_ignore_ascii_case(number));
            let number = number.filter(|_| self.least_of_a_move() == 1);
            number.map_or_else(|| word.to_owned(), |at| (at + 1).to_string())
        });
        self.with_whole_spaces(&words.collect::<Vec<_>>().join(" "))
    }

    /// A text in which spaces that are written apart or turned round, `D 1`, `D-1` and `1D`, are the plain ones.
    fn with_whole_spaces(self, text: &str) -> String {
        let is_letter = |word: &str| word.len() == 1 && word.starts_with(|letter| self.is_column(letter));
        let mut words: Vec<String> = Vec::new();
        for word in text.replace('-', " - ").split_whitespace() {
            let bare = word.trim_end_matches(PUNCTUATION);
            let digits = bare.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let column = bare.get(digits.len()..).unwrap_or_default();
            let is_number = digits.parse::<u8>().is_ok();
            match words.as_mut_slice() {
                [.., last] if is_number && column.is_empty() && is_letter(last) => last.push_str(bare),
                [.., last, dash] if is_number && column.is_empty() && dash == "-" && is_letter(last) => {
                    last.push_str(bare);
                    words.pop();
                }
                _ if is_number && is_letter(column) => words.push(format!("{column}{digits}")),
                _ => words.push(word.to_owned()),
            }
        }
        words.join(" ")
    }

    /// The move or space at the beginning of a text in prose, as it could be played, and its length in bytes.
    fn first(self, text: &str) -> Option<(String, usize)> {
        let split = |length| text.split_at_checked(length);
        let spaces = self.space(text).and_then(split);
        let two = spaces.and_then(|(from, behind)| Some((from, self.second(behind)?)));
        if let Some((from, (to, more))) = two {
            return Some((format!("{from}-{to}"), from.len() + more));
        }
        let ply = self.game.and_then(|game| game.plies.other?(text)).filter(|length| ends_at(text, *length));
        let (one, _) = ply.and_then(split).or(spaces.filter(|_| self.least_of_a_move() == 1))?;
        Some((one.to_owned(), one.len()))
    }

    /// The second space of a move in prose, and the number of bytes up to its end.
    fn second(self, behind: &str) -> Option<(&str, usize)> {
        let blanks = behind.len() - behind.trim_start().len();
        let text = behind.trim_start();
        // `12 to 14` and `10:30` are no moves.
        let signs: &[&str] = match self.spaces {
            Spaces::Lettered(_) => {
                &["-", "to ", "x", "X", ":", ">", "takes ", "captures ", "onto ", "on ", ""]
            }
            Spaces::Numbered(_) => &["-", "x", "X", ">"],
        };
        let sign = signs.iter().find(|sign| text.starts_with(**sign))?;
        let text_behind = text.get(sign.len()..).unwrap_or_default();
        let more = text_behind.len() - text_behind.trim_start().len();
        let text_behind = text_behind.trim_start();
        let length = self.space(text_behind)?;
        let touches = blanks + sign.len() + more == 0;
        (!touches)
            .then(|| (text_behind.get(..length).unwrap_or_default(), blanks + sign.len() + more + length))
    }

    /// The length in bytes of the name of a space at the beginning of a text: a letter, if the game has
    /// letters, and one or two digits.
    fn space(self, text: &str) -> Option<usize> {
        let (letters, last) = match self.spaces {
            Spaces::Lettered(_) => (1, 99),
            Spaces::Numbered(last) => (0, last),
        };
        if letters == 1 {
            text.chars().next().filter(|letter| self.is_column(*letter))?;
        }
        let behind = text.get(letters..)?;
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let number = behind.get(..digits).filter(|digits| !digits.starts_with('0'))?;
        number.parse::<u8>().ok().filter(|number| (1..=last).contains(number))?;
        // `D1st` is a word; `D1xE1` and `D1E1` are moves.
        let after = behind.get(digits..).unwrap_or_default();
        let ends = match after.chars().next() {
            Some('x' | 'X') => after.get(1..).is_some_and(|rest| self.space(rest.trim_start()).is_some()),
            Some(c) if c.is_alphanumeric() => self.space(after).is_some(),
            _ => true,
        };
        ends.then_some(letters + digits)
    }

    /// The length in bytes of a ply, or a part of one, at the beginning of a text, if it is no space for
    /// [`Self::space`].
    fn other(self, text: &str) -> Option<usize> {
        let is_word = |word: &str| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        self.plies().find_map(|plies| {
            let word = plies.words.iter().find(|word| is_word(word)).map(|word| word.len());
            word.filter(|length| ends_at(text, *length))
                .or_else(|| plies.other?(text).filter(|length| *length > 0))
        })
    }

    fn is_column(self, letter: char) -> bool {
        matches!(self.spaces, Spaces::Lettered(last) if ('a'..=last).contains(&letter.to_ascii_lowercase()))
    }

    /// True for a sign that joins the parts of a ply.
    fn is_joint(self, sign: char) -> bool {
        self.plies().any(|plies| plies.joints.contains(&sign))
    }

    /// Puts a dash between two spaces if `joins` accepts the text before the first one and the text between them.
    fn joined(self, line: &str, joins: impl Fn(&str, &str) -> bool) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        let mut at_word_start = true;
        while let Some(c) = rest.chars().next() {
            let Some(length) = at_word_start.then(|| self.space(rest)).flatten() else {
                at_word_start = !c.is_alphanumeric();
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
                continue;
            };
            let (from, behind) = rest.split_at(length);
            let to = behind
                .char_indices()
                .take_while(|(at, _)| *at <= BETWEEN)
                .find(|(at, _)| *at > 0 && self.space(behind.get(*at..).unwrap_or_default()).is_some());
            let between = to.and_then(|(at, _)| behind.split_at_checked(at));
            let between = between.filter(|(between, _)| joins(out.trim_end(), between));
            out.push_str(from);
            rest = behind;
            at_word_start = false;
            if let Some((_, to)) = between {
                out.push('-');
                rest = to;
                at_word_start = true;
            }
        }
        out
    }
}

/// True if no word continues after this number of bytes.
fn ends_at(text: &str, length: usize) -> bool {
    !text.get(length..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_found_in_any_dress() {
        let any = MoveFinder::of_any_game();
        // `replies.txt` plays the common ones.
        let dressed = "\u{2018}D1-E1\u{2019}|\u{AB} D1-E1 \u{BB}|\u{201E}D1-E1\u{201C}|**D1-E1**|[D1-E1]|* D1-E1\
            |\u{2022} D1-E1|1. D1-E1|D1-E1 ;-)|D1-E1!! :D|D1 -> E1|D1 \u{2192} E1|D1=>E1|D1--E1|Move: D1-E1\
            |\u{FF24}\u{FF11}-\u{FF25}\u{FF11}|My move is D1-E1.|I play: \"D1-E1\".|play D1-E1|  D1-E1\u{A0}\
            |D1-\u{200B}E1|D1\u{FF5E}E1|D1-E1 :-))";
        for dressed in dressed.split('|') {
            let plain = any.undressed(dressed);
            let bare: String = plain.chars().filter(|c| !c.is_whitespace()).collect();
            assert_eq!(bare, "D1-E1", "{dressed}");
            assert!(any.holds_moves_only(&plain), "{dressed}");
        }
        // The games themselves read these.
        for plain in "D1xE1|D1:E1|D1 E1|D1E1|d1e1|D1 x E1|F3|d8-c9+c9-f8|d8-c9+|+c9-f8|done".split('|') {
            assert_eq!(any.undressed(plain), plain);
            assert!(any.holds_moves_only(plain), "{plain}");
        }
        for (dressed, plain) in
            [("D1\u{D7}E1", "D1xE1"), ("d8-c9 + c9-f8", "d8-c9+c9-f8"), ("My moves: A1, D1-E1", "A1, D1-E1")]
        {
            assert_eq!(any.undressed(dressed), plain);
            assert!(any.holds_moves_only(plain), "{plain}");
        }
        assert_eq!(any.blanks_joined("c1 d4"), "c1-d4");
        assert_eq!(any.blanks_joined("c1-d4 d4-e5"), "c1-d4 d4-e5");
    }

    #[test]
    fn turns_of_checkers_are_moves() {
        let finder = MoveFinder::of(registry::find("backgammon").unwrap());
        let turns =
            "8/5 6/5|bar/22 13/11*/7|24/18*/13|6/off(2) 5/off|6/off(2)|13-11(2), 6-5|8-5 6-5|roll|take|pass";
        for turn in turns.split('|') {
            let plain = finder.undressed(turn);
            assert_eq!(plain, turn.trim_end_matches(')'));
            assert!(finder.holds_moves_only(&plain), "{turn}");
        }
        for prose in ["bar", "off", "off we go", "5", "take care", "5 off", "24/7 is long"] {
            assert!(!finder.is_moves_only(prose), "{prose}");
        }
    }

    #[test]
    fn prose_is_no_move_and_its_moves_are_named() {
        let any = MoveFinder::of_any_game();
        for (prose, expected) in [
            ("D1-E1 and good luck!", vec!["D1-E1"]),
            ("I think D1 to E1 or F3", vec!["D1-E1", "F3"]),
            ("Should I take a4 visas to D1st street?", vec!["a4"]),
            ("Well played!", vec![]),
            ("See you at 5, in room B12a", vec![]),
            ("e5 is nice", vec!["e5"]),
            ("D1xE1 wins", vec!["D1-E1"]),
            ("D1-E1:", vec!["D1-E1"]),
            ("D1-E1?", vec!["D1-E1"]),
            ("~~D1-E1~~", vec!["D1-E1"]),
            ("I put D1 onto E1, or A1 on B1", vec!["D1-E1", "A1-B1"]),
        ] {
            assert!(!any.holds_moves_only(&any.undressed(prose)), "{prose}");
            assert_eq!(any.named(prose), expected, "{prose}");
        }
    }
}
