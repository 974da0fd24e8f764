//! Finds the phrases of `data/replies.txt` in a text, without regard to case, accents and marks.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::plain::{all_words, plain, words};
use crate::mail::phrases::{Haystack, REPLIES, section};

/// The phrases of one or more sections of `data/replies.txt`.
#[derive(Default)]
struct Phrasebook {
    /// Phrases by their first words.
    of_words: HashMap<Phrase, Vec<Phrase>>,
    /// Beginnings of words.
    stems: Vec<Phrase>,
    /// Signs, and phrases of scripts without spaces: they can be anywhere in a text.
    anywhere: Vec<Phrase>,
}

/// Borrowed from the file if the phrase is plain there, as most are: a process that takes one letter makes
/// many books.
type Phrase = Cow<'static, str>;

/// A section of `data/replies.txt`.
type Book = LazyLock<Phrasebook>;

static AGAINST: Book = LazyLock::new(|| Phrasebook::of("against"));
static HARMLESS: Book = LazyLock::new(|| Phrasebook::of("harmless"));
static NAMES_A_BOARD: Book = LazyLock::new(|| Phrasebook::of("names a board"));
static BESIDE_A_WORD: Book = LazyLock::new(|| Phrasebook::of("beside a word"));
static LEADS_TO_A_MOVE: Book = LazyLock::new(|| Phrasebook::of("leads to a move"));
static BETWEEN_SPACES: Book = LazyLock::new(|| Phrasebook::of("between two spaces"));
static FAREWELLS: Book = LazyLock::new(|| Phrasebook::of("farewells"));
static AFTER_A_MOVE: Book = LazyLock::new(|| Phrasebook::of("farewells").with("after a move"));
static OF_MOVES: Book = LazyLock::new(|| Phrasebook::of("of moves"));
static LINKS: Book = LazyLock::new(|| Phrasebook::of("links a remark"));
static GOES_ON: Book = LazyLock::new(|| Phrasebook::of("goes on"));
static SIGHS: Book = LazyLock::new(|| Phrasebook::of("sighs"));
static LEADS_ON: Book = LazyLock::new(|| Phrasebook::of("leads on"));
static ACTS: LazyLock<Vec<(&str, Phrasebook)>> = LazyLock::new(|| {
    let words = REPLIES.lines().filter_map(|line| line.strip_prefix("== means "));
    words.map(|word| (word, Phrasebook::of(&format!("means {word}")))).collect()
});
/// Reply words with the phrases that say them. The phrases that mean the word in any line say it too.
static SAID: LazyLock<Vec<(&str, Phrasebook)>> = LazyLock::new(|| {
    let words = REPLIES.lines().filter_map(|line| line.strip_prefix("== says "));
    let book = |word| Phrasebook::of(&format!("says {word}")).with(&format!("means {word}"));
    words.map(|word| (word, book(word))).collect()
});
static AROUND_AN_ACT: Book = LazyLock::new(|| Phrasebook::of("beside a word").with("around an act"));
static CLEAR_YES: Book = LazyLock::new(|| Phrasebook::of("yes"));
static YES: Book = LazyLock::new(|| Phrasebook::of("yes").with("agrees"));
static POLITE_YES: Book = LazyLock::new(|| Phrasebook::of("yes").with("agrees").with("beside a word"));
static PASSES: Book = LazyLock::new(|| Phrasebook::of("passes"));
static NO: Book = LazyLock::new(|| Phrasebook::of("no"));
static NEVER: Book = LazyLock::new(|| Phrasebook::of("never"));

impl Phrasebook {
    fn of(name: &str) -> Phrasebook {
        Phrasebook::default().with(name)
    }

    fn with(mut self, name: &str) -> Phrasebook {
        for phrase in section(REPLIES, name) {
            let phrase = plain(phrase);
            if let Some(stem) = phrase.strip_suffix('*') {
                self.stems.push(stem.to_owned().into());
            } else if !phrase.chars().all(|c| c < '\u{E00}') {
                self.anywhere.push(phrase);
            } else {
                let first = match &phrase {
                    Cow::Borrowed(phrase) => words(phrase).next().map(Cow::Borrowed),
                    Cow::Owned(phrase) => words(phrase).next().map(|word| Cow::Owned(word.to_owned())),
                };
                match first {
                    Some(first) => self.of_words.entry(first).or_default().push(phrase),
                    None => self.anywhere.push(phrase),
                }
            }
        }
        self
    }

    /// The number of words in the longest phrase at the beginning of `text`; 0 for none.
    fn length_at(&self, text: &[&str]) -> usize {
        let Some(first) = text.first() else { return 0 };
        let begun = |phrase: &Phrase| {
            let mut rest = text.iter();
            words(phrase).all(|word| rest.next() == Some(&word)).then(|| text.len() - rest.len())
        };
        let phrases = self.of_words.get(*first).into_iter().flatten();
        let longest = phrases.filter_map(begun).max();
        longest.unwrap_or_else(|| usize::from(self.stems.iter().any(|stem| first.starts_with(stem.as_ref()))))
    }

    /// True if a plain text contains a sign, or a phrase of a script without spaces.
    fn has_sign_in(&self, plain: &str) -> bool {
        let plain = Haystack::new(plain);
        self.anywhere.iter().any(|phrase| plain.contains(phrase))
    }

    /// Replaces each phrase of `anywhere` in a plain text with a space.
    fn without_signs<'t>(&self, plain: Cow<'t, str>) -> Cow<'t, str> {
        if !self.has_sign_in(&plain) {
            return plain;
        }
        self.anywhere.iter().fold(plain.into_owned(), |text, phrase| text.replace(&**phrase, " ")).into()
    }

    /// True if a plain text contains a phrase.
    fn is_in(&self, plain: &str) -> bool {
        let words = all_words(plain);
        self.has_sign_in(plain)
            || (0..words.len()).any(|at| self.length_at(words.get(at..).unwrap_or_default()) > 0)
    }

    /// True if a plain text contains a phrase outside the harmless ones.
    fn is_meant_in(&self, plain: &str) -> bool {
        let is_harmless = |rest: &[&str]| match HARMLESS.length_at(rest) {
            0 => usize::from(self.length_at(rest) == 0),
            harmless => harmless,
        };
        self.has_sign_in(plain) || !is_covered(&all_words(plain), is_harmless)
    }

    /// True if a text consists of phrases and `names` only, and is not empty.
    fn makes(&self, text: &str, names: &[&str]) -> bool {
        make(&[self], text, |word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
    }
}

/// True if a text consists only of phrases of the books and of words that are `more`, and is not empty.
fn make(books: &[&Phrasebook], text: &str, is_more: impl Fn(&str) -> bool) -> bool {
    let plain = plain(text);
    let has_signs = books.iter().any(|book| book.has_sign_in(&plain));
    let plain = books.iter().fold(plain, |plain, book| book.without_signs(plain));
    let words = all_words(&plain);
    let length_at = |rest: &[&str]| {
        let more = usize::from(rest.first().is_some_and(|word| is_more(word)));
        books.iter().fold(more, |longest, book| longest.max(book.length_at(rest)))
    };
    (has_signs || !words.is_empty()) && is_covered(&words, length_at)
}

/// True if phrases cover all words. `length_at` gives the number of words in the phrase at the beginning of
/// its argument.
fn is_covered(words: &[&str], length_at: impl Fn(&[&str]) -> usize) -> bool {
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        match length_at(rest) {
            0 => return false,
            length => at += length,
        }
    }
    true
}

/// True for a word in `data/replies.txt`.
pub(crate) fn is_of_a_phrase(word: &str) -> bool {
    static FILE: LazyLock<Phrase> = LazyLock::new(|| plain(REPLIES));
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| words(&FILE).collect());
    matches!(all_words(&plain(word)).as_slice(), [word] if WORDS.contains(word))
}

/// True if a text contains a question mark.
pub(crate) fn asks(text: &str) -> bool {
    const MARKS: &[char] = &['?', '\u{2753}', '\u{2754}', '\u{2047}', '\u{2048}', '\u{2049}', '\u{61F}'];
    plain(text).contains(MARKS)
}

/// True if a text asks about a move, or is a question mark and no words.
pub(crate) fn asks_about_a_move(text: &str) -> bool {
    let plain = plain(text);
    asks(text) && (OF_MOVES.is_meant_in(&plain) || words(&plain).next().is_none())
}

/// True for a line that says in some language that its writer passes, and no more.
pub(super) fn is_pass(line: &str) -> bool {
    let plain = plain(line);
    let words = all_words(&plain);
    let is_sign = |phrase: &Phrase| *phrase == plain.trim();
    !asks(line)
        && (!words.is_empty() && PASSES.length_at(&words) == words.len()
            || PASSES.anywhere.iter().any(is_sign))
}

/// True if a text takes back or doubts the move or the word next to it.
pub(crate) fn speaks_against(text: &str) -> bool {
    AGAINST.is_meant_in(&HARMLESS.without_signs(plain(text)))
}

/// The act that a text describes in plain words, as the word of its command: `resign` for `I give up`.
pub(crate) fn act_meant(text: &str) -> Option<&'static str> {
    let text = plain(text);
    let words = all_words(&text);
    let rest = |at: usize| words.get(at..).unwrap_or_default();
    // `I never give up` is none, nor is `no me rindo nunca`, nor `you won the last one`.
    let is_none = |at: usize, length: usize| {
        (0..at).any(|at| NEVER.length_at(rest(at)) > 0)
            || NEVER.length_at(rest(at + length)) > 0
            || HARMLESS.length_at(rest(at)) > length
    };
    let is_said = |book: &Phrasebook| {
        let mut found = (0..words.len()).map(|at| (at, book.length_at(rest(at))));
        book.has_sign_in(&text) || found.any(|(at, length)| length > 0 && !is_none(at, length))
    };
    ACTS.iter().find(|(_, book)| is_said(book)).map(|(word, _)| *word)
}

/// The reply word that a line says in other words, as `change sides, please` says `swap`.
pub(crate) fn word_said(line: &str, names: &[&str]) -> Option<&'static str> {
    alone(&SAID, line, |word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

/// The act that a text describes in plain words, if it says nothing else but `is_more` of the words around it.
pub(crate) fn act_alone(text: &str, is_more: impl Fn(&str) -> bool) -> Option<&'static str> {
    alone(&ACTS, text, is_more)
}

/// The word that a text says, with polite words and those of `is_more` around it or without. A question says none.
fn alone(
    books: &[(&'static str, Phrasebook)],
    text: &str,
    is_more: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let says = |book: &Phrasebook| book.is_in(&plain(text)) && make(&[book, &AROUND_AN_ACT], text, &is_more);
    books.iter().find(|(_, book)| says(book)).filter(|_| !asks(text)).map(|(word, _)| *word)
}

/// True for words such as `to` between two spaces of a move.
pub(super) fn joins_spaces(between: &str) -> bool {
    BETWEEN_SPACES.makes(between, &[])
}

/// The text after words such as `my move:` that announce a move.
pub(super) fn behind_lead(line: &str) -> Option<&str> {
    let plain = plain(line);
    let words = all_words(&plain);
    let mut count = 0;
    while let length @ 1.. = LEADS_TO_A_MOVE.length_at(words.get(count..)?) {
        count += length;
    }
    let mut rest = line;
    for _ in 0..count {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '\'');
    }
    let is_parted = count > 0 && rest.starts_with([' ', ':', '=', '-', '.', ',']);
    is_parted.then(|| rest.trim_start_matches([' ', ':', '=', '.', ',']))
}

/// The number of polite words at the beginning of `text`: thanks, good wishes, farewells.
pub(super) fn polite(text: &[&str]) -> usize {
    BESIDE_A_WORD.length_at(text)
}

/// The numbers of boards that a text names: `board 12`, `Partie Nr. 7`.
pub(crate) fn boards_named(text: &str) -> HashSet<u32> {
    let text = plain(text);
    let words = all_words(&text);
    let number = |at: usize| {
        let length = NAMES_A_BOARD.length_at(words.get(at..)?);
        words.get(at + length).filter(|_| length > 0)?.parse().ok()
    };
    (0..words.len()).filter_map(number).collect()
}

/// True for a line that introduces the next one, as `You should have played` does and `Here is my move:` does
/// not.
pub(crate) fn leads_on(line: &str) -> bool {
    if LEADS_TO_A_MOVE.makes(line, &[]) || BESIDE_A_WORD.makes(line, &[]) {
        return false;
    }
    let plain = plain(line);
    let is_open = plain.trim_end().ends_with([':', '\u{2026}']) || plain.trim_end().ends_with("...");
    let ended = plain.trim_end().ends_with(['.', '!', ')']);
    is_open || !ended && words(&plain).last().is_some_and(|last| LEADS_ON.length_at(&[last]) > 0)
}

/// True for a line that continues the one above or takes it back: `or the other one`, `wait`, `No, not yet`.
pub(crate) fn goes_on(line: &str) -> bool {
    const MARKS: &[char] = &[',', '.', '!', ';', ':', '\u{2013}', '\u{2014}', '\u{3001}', '\u{3002}'];
    let plain = HARMLESS.without_signs(plain(line));
    let words = all_words(&plain);
    let says_no = plain.split(MARKS).next().is_some_and(|begins| NO.makes(begins, &[]));
    let sighs = words.iter().take_while(|word| SIGHS.length_at(&[word]) > 0).count();
    let begins = words.get(sighs..).unwrap_or_default();
    let does = |words: &[&str]| GOES_ON.length_at(words) > 0 && HARMLESS.length_at(words) == 0;
    says_no || does(&words) || does(begins)
}

/// The most other words in a line that only takes a move back, as in `no, the other one`.
const OTHER_WORDS: usize = 3;

/// True for a line that takes a move or a word back and says nothing else: `Oh wait`, `Sorry, wrong move!`
pub(crate) fn only_takes_back(line: &str) -> bool {
    let plain = plain(line);
    let words = all_words(&plain);
    let books = [&AGAINST, &GOES_ON, &NO, &SIGHS, &BESIDE_A_WORD, &OF_MOVES];
    let (mut at, mut others) = (0, 0);
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let length = books.iter().map(|book| book.length_at(rest)).max().unwrap_or_default();
        others += usize::from(length == 0);
        at += length.max(1);
    }
    others <= OTHER_WORDS && (speaks_against(line) || goes_on(line))
}

/// True for a line that says `yes` in some language, and no more.
pub(crate) fn is_yes(line: &str) -> bool {
    YES.makes(line, &[])
}

/// True for a line that clearly says `yes`, with polite words or without: `Ja, danke`, but not `OK`.
pub(crate) fn is_clear_yes(line: &str) -> bool {
    CLEAR_YES.is_in(&plain(line)) && POLITE_YES.makes(line, &[]) && !asks(line)
}

/// True for a line that says `no` in some language, and no more.
pub(crate) fn is_no(line: &str) -> bool {
    NO.makes(line, &[])
}

/// True for a line that says `never`, or `no`, and no more.
pub(crate) fn refuses(line: &str) -> bool {
    NEVER.makes(line, &[]) || is_no(line)
}

/// True for thanks, good wishes and farewells, which can contain these names.
pub(crate) fn is_courtesy(line: &str, names: &[&str]) -> bool {
    BESIDE_A_WORD.makes(line, names) || words(&plain(line)).next().is_none()
}

/// True for words after a move that begin with an "and".
pub(crate) fn is_linked(remark: &str) -> bool {
    let plain = plain(remark);
    let words = all_words(&plain);
    words.len() > 1 && LINKS.length_at(&words) > 0
}

/// True for words after a move in its line that need no mark before them. They can contain these names.
pub(crate) fn closes_a_move(tail: &str, names: &[&str]) -> bool {
    AFTER_A_MOVE.makes(tail, names)
}

/// True for a farewell that a name usually follows, as at the end of a letter. It can contain these names.
pub(crate) fn is_farewell(line: &str, names: &[&str]) -> bool {
    FAREWELLS.makes(line, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speaks_against_a_move_in_any_spelling() {
        for text in "Don\u{2019}t play this|nao jogues|na\u{303}o jogues|NICHT SPIELEN|これは違います|ｏｏｐｓ|anteeksi, tarkoitin\
            |by\naccident|❌"
            .split('|')
        {
            assert!(speaks_against(text), "{text}");
        }
        for text in
            "Not bad!|Sorry for the delay.|See https://x.example/a?b=oops|really?|I meant to write earlier.\
            |お待たせしました。|Never mind"
                .split('|')
        {
            assert!(!speaks_against(text), "{text}");
        }
        for text in "ｎｏ|No, the other|No!|いいえ、それ|wait\u{A0}for me|or this|Nein".split('|') {
            assert!(goes_on(text), "{text}");
        }
        for text in "No hurry|Wait till you see|Or so they say|Nie spiesz się.|Notable".split('|') {
            assert!(!goes_on(text), "{text}");
        }
        assert!(
            asks_about_a_move("Darf ich so spielen?")
                && asks_about_a_move("?")
                && !asks_about_a_move("How are you?")
        );
        assert_eq!(boards_named("on board 12, or Partie Nr. 7, not in room 5"), HashSet::from([12, 7]));
    }
}
