//! Phrases of people in a text, whatever its case, accents and marks: those of `data/replies.txt`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::dress::narrow;
use crate::mail::phrases::{REPLIES, section};

/// The phrases of some sections.
#[derive(Default)]
struct Phrasebook {
    /// What stands behind the first word of a phrase, by that word.
    of_words: HashMap<String, Vec<Vec<String>>>,
    /// How words begin.
    stems: Vec<String>,
    /// Found anywhere in a text.
    anywhere: Vec<String>,
}

/// A section of `data/replies.txt`.
type Book = LazyLock<Phrasebook>;

static AGAINST: Book = LazyLock::new(|| Phrasebook::of("against"));
static HARMLESS: Book = LazyLock::new(|| Phrasebook::of("harmless"));
static NAMES_A_BOARD: Book = LazyLock::new(|| Phrasebook::of("names a board"));
static BESIDE_A_WORD: Book = LazyLock::new(|| Phrasebook::of("beside a word"));
static LEADS_TO_A_MOVE: Book = LazyLock::new(|| Phrasebook::of("leads to a move"));
static FAREWELLS: Book = LazyLock::new(|| Phrasebook::of("farewells"));
static GOES_ON: Book = LazyLock::new(|| Phrasebook::of("goes on"));
static LEADS_ON: Book = LazyLock::new(|| Phrasebook::of("leads on"));
static AROUND: Book = LazyLock::new(|| Phrasebook::of("around a question"));
static ACTS: LazyLock<Vec<(&str, Phrasebook)>> = LazyLock::new(|| {
    let words = REPLIES.lines().filter_map(|line| line.strip_prefix("== means "));
    words.map(|word| (word, Phrasebook::of(&format!("means {word}")))).collect()
});
static WISHES: LazyLock<[(Wish, Phrasebook); 4]> = LazyLock::new(|| {
    let all = [
        (Wish::Stop, "to stop"),
        (Wish::Moves, "for moves"),
        (Wish::Hint, "for a hint"),
        (Wish::Time, "for time"),
    ];
    all.map(|(wish, name)| (wish, Phrasebook::of(&format!("asks {name}"))))
});

/// What people ask the server for in plain words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Hint,
    Moves,
    Time,
    Stop,
}

static CLEAR_YES: Book = LazyLock::new(|| Phrasebook::of("yes"));
static YES: Book = LazyLock::new(|| Phrasebook::of("yes").with("agrees"));
static POLITE_YES: Book = LazyLock::new(|| Phrasebook::of("yes").with("agrees").with("beside a word"));
static NO: Book = LazyLock::new(|| Phrasebook::of("no"));

impl Phrasebook {
    fn of(name: &str) -> Phrasebook {
        Phrasebook::default().with(name)
    }

    fn with(mut self, name: &str) -> Phrasebook {
        for phrase in section(REPLIES, name) {
            let phrase = plain(phrase);
            if let Some(stem) = phrase.strip_suffix('*') {
                self.stems.push(stem.to_owned());
                continue;
            }
            let mut words = words(&phrase).into_iter().map(str::to_owned);
            match words.next() {
                Some(first) if phrase.chars().all(|c| c < '\u{E00}') => {
                    self.of_words.entry(first).or_default().push(words.collect());
                }
                _ => self.anywhere.push(phrase),
            }
        }
        self
    }

    /// How many words the longest phrase has that begins `words`; 0 for none.
    fn length_at(&self, words: &[&str]) -> usize {
        let Some((first, rest)) = words.split_first() else { return 0 };
        let begins = |phrase: &&Vec<String>| {
            phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(one, other)| one == other)
        };
        let phrases = self.of_words.get(*first).into_iter().flatten();
        let longest = phrases.filter(begins).map(|phrase| phrase.len() + 1).max();
        longest.unwrap_or_else(|| usize::from(self.stems.iter().any(|stem| first.starts_with(stem))))
    }

    /// True where a phrase stands in a plain text.
    fn is_in(&self, plain: &str) -> bool {
        let words = words(plain);
        self.anywhere.iter().any(|phrase| plain.contains(phrase))
            || (0..words.len()).any(|at| self.length_at(words.get(at..).unwrap_or_default()) > 0)
    }

    /// True where all words of a text are phrases or `names`, and there are some.
    fn makes(&self, text: &str, names: &[&str]) -> bool {
        let mut plain = plain(text);
        let signs = plain.len();
        self.anywhere.iter().for_each(|phrase| plain = plain.replace(phrase, " "));
        let has_signs = plain.len() < signs;
        let words = words(&plain);
        let is_name = |rest: &[&str]| {
            rest.first().is_some_and(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
        };
        (has_signs || !words.is_empty())
            && is_covered(&words, |rest| self.length_at(rest).max(usize::from(is_name(rest))))
    }
}

/// True where all words belong to phrases; `length_at` says of the words from somewhere on how many make one.
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

/// True for a word that stands in the file of phrases.
pub(super) fn is_of_a_phrase(word: &str) -> bool {
    static FILE: LazyLock<String> = LazyLock::new(|| plain(REPLIES));
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| words(&FILE).into_iter().collect());
    matches!(words(&plain(word)).as_slice(), [word] if WORDS.contains(word))
}

/// True where a sign of a text asks or says no.
pub(crate) fn asks(text: &str) -> bool {
    let text = plain(text);
    text.contains('?') || AGAINST.anywhere.iter().any(|phrase| text.contains(phrase))
}

/// True where words or signs of a text speak against what it says beside them, or ask.
pub(crate) fn speaks_against(text: &str) -> bool {
    let mut text = plain(text);
    if text.contains('?') {
        return true;
    }
    HARMLESS.anywhere.iter().for_each(|phrase| text = text.replace(phrase, " "));
    if AGAINST.anywhere.iter().any(|phrase| text.contains(phrase)) {
        return true;
    }
    !is_covered(&words(&text), |rest| match HARMLESS.length_at(rest) {
        0 => usize::from(AGAINST.length_at(rest) == 0),
        harmless => harmless,
    })
}

/// The act that a text speaks of in plain words, by the word that does it: `resign` for `I give up`.
pub(crate) fn act_meant(text: &str) -> Option<&'static str> {
    let text = plain(text);
    ACTS.iter().find(|(_, book)| book.is_in(&text)).map(|(word, _)| *word)
}

/// What a text asks the server for, and nothing else.
pub(crate) fn wish_meant(text: &str) -> Option<Wish> {
    let text = plain(text);
    let is_all = |book: &Phrasebook| {
        is_covered(&words(&text), |rest| book.length_at(rest).max(AROUND.length_at(rest)))
    };
    WISHES.iter().find(|(_, book)| book.is_in(&text) && is_all(book)).map(|(wish, _)| *wish)
}

/// The numbers of boards that a text names: `board 12`, `Partie Nr. 7`.
pub(crate) fn boards_named(text: &str) -> HashSet<u32> {
    let text = plain(text);
    let words = words(&text);
    let number = |at: usize| {
        let length = NAMES_A_BOARD.length_at(words.get(at..)?);
        words.get(at + length).filter(|_| length > 0)?.parse().ok()
    };
    (0..words.len()).filter_map(number).collect()
}

/// True for a line that leads on to the one below, as `You should have played` does and `Here is my move:` does not.
pub(crate) fn leads_on(line: &str) -> bool {
    if LEADS_TO_A_MOVE.makes(line, &[]) || BESIDE_A_WORD.makes(line, &[]) {
        return false;
    }
    let plain = plain(line);
    let is_open = plain.trim_end().ends_with([':', '\u{2026}']) || plain.trim_end().ends_with("...");
    let ended = plain.trim_end().ends_with(['.', '!', ')']);
    is_open || !ended && words(&plain).last().is_some_and(|last| LEADS_ON.length_at(&[last]) > 0)
}

/// True for a line that goes on with the one above: `or the other one`.
pub(crate) fn goes_on(line: &str) -> bool {
    GOES_ON.length_at(&words(&plain(line))) > 0
}

/// True for a line that says `yes` in some language, and no more.
pub(crate) fn is_yes(line: &str) -> bool {
    YES.makes(line, &[])
}

/// True for a line that says so clearly, whatever is polite beside it: `Ja, danke`, but no `OK`.
pub(crate) fn is_clear_yes(line: &str) -> bool {
    CLEAR_YES.is_in(&plain(line)) && POLITE_YES.makes(line, &[]) && !asks(line)
}

/// True for a line that says `no` in some language, and no more.
pub(crate) fn is_no(line: &str) -> bool {
    NO.makes(line, &[])
}

/// True for thanks, good wishes and farewells, in which these names may stand.
pub(crate) fn is_courtesy(line: &str, names: &[&str]) -> bool {
    BESIDE_A_WORD.makes(line, names) || words(&plain(line)).is_empty()
}

/// True for a whole line behind which a name stands, as below a letter.
pub(crate) fn is_farewell(line: &str) -> bool {
    FAREWELLS.makes(line, &[])
}

/// The words of a plain text. An apostrophe may stand in one.
fn words(plain: &str) -> Vec<&str> {
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.map(|word| word.trim_matches('\'')).filter(|word| !word.is_empty()).collect()
}

/// A text in lower case without accents and addresses, its apostrophes alike.
fn plain(text: &str) -> String {
    let lines = text.lines().map(|line| narrow(&without_addresses(line)).to_lowercase());
    lines.collect::<Vec<_>>().join("\n").chars().filter_map(without_accent).collect()
}

/// A line without addresses of the web and of mail: what stands in them says nothing.
pub(crate) fn without_addresses(line: &str) -> String {
    let is_address = |word: &&str| word.contains("://") || word.starts_with("www.") || word.contains('@');
    line.split(' ').filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ")
}

fn without_accent(c: char) -> Option<char> {
    const PLAIN: [(&str, char); 17] = [
        ("àáâãäåāăąά", 'a'),
        ("çćč", 'c'),
        ("ďđ", 'd'),
        ("èéêëēęě", 'e'),
        ("ğ", 'g'),
        ("ìíîïı", 'i'),
        ("ł", 'l'),
        ("ñńň", 'n'),
        ("òóôõöøő", 'o'),
        ("řŕ", 'r'),
        ("śšşș", 's'),
        ("ťțţ", 't'),
        ("ùúûüűů", 'u'),
        ("ýÿ", 'y'),
        ("źżž", 'z'),
        ("\u{2019}\u{2018}\u{B4}`\u{2BC}", '\''),
        ("ё", 'е'),
    ];
    match c {
        '\u{300}'..='\u{36F}' => None,
        c if c.is_ascii() => Some(if c == '`' { '\'' } else { c }),
        c => Some(PLAIN.iter().find(|(all, _)| all.contains(c)).map_or(c, |(_, plain)| *plain)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speaks_against_a_move_in_any_spelling() {
        for text in "Don\u{2019}t play this|nao jogues|na\u{303}o|NICHT|je n'ai pas|これは違います|really?|ｎｏ|wait\u{A0}for me|\
            What\nabout this|❓|anteeksi, tarkoitin"
            .split('|')
        {
            assert!(speaks_against(text), "{text}");
        }
        for text in "Not bad!|Sorry for the delay.|Nicht schlecht|Notable|See https://x.example/a?b=not|Nothing\u{301}s|\
            It rains at the moment|pas mal|お待たせしました。|No hurry"
            .split('|')
        {
            assert!(!speaks_against(text), "{text}");
        }
        assert_eq!(boards_named("on board 12, or Partie Nr. 7, not in room 5"), HashSet::from([12, 7]));
    }
}
