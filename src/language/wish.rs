//! What people ask the server for in plain words: the phrases of `data/wishes.txt`.

use std::sync::LazyLock;

use turnpost_games::registry;

use super::greeting::is_greeting;
use super::phrasebook::polite;
use super::plain::{all_words, plain};
use super::told::{AccountChange, account_change};
use crate::mail::phrases::{WISHES, section};

/// Makes an enum of the wishes; each has a section of that name in `data/wishes.txt`.
macro_rules! wishes {
    ($($wish:ident = $name:literal,)*) => {
        /// What a player asks the server for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Wish {
            $($wish,)*
        }

        /// The sections in their order: the first wish that a text expresses counts.
        const NAMES: &[(Wish, &str)] = &[$((Wish::$wish, $name),)*];
    };
}

wishes! {
    Operator = "operator",
    Why = "why",
    Forgot = "forgot",
    Password = "password",
    Address = "address",
    Stop = "stop",
    Away = "away",
    HowToResign = "how resign",
    HowToPropose = "how propose",
    HowToSwap = "how swap",
    HowToUndo = "how undo",
    Mistake = "mistake",
    Nudge = "not moved",
    Hint = "hint",
    Moves = "moves",
    MoreTime = "more time",
    Clock = "clock",
    Time = "time",
    Rating = "rating",
    Games = "games",
    Robot = "robot",
    NewGame = "game",
    Cancel = "cancel",
    Rules = "rules",
    Picture = "picture",
    Turn = "turn",
    Help = "help",
}

impl Wish {
    /// True if the words can also be meant for the opponent, so that they travel with a move.
    pub fn is_for_both(self) -> bool {
        matches!(self, Wish::Away | Wish::MoreTime | Wish::Robot | Wish::NewGame | Wish::Mistake)
    }

    /// True if the wish is about the writer's account, whose commands can hold a password.
    pub fn is_of_account(self) -> bool {
        matches!(self, Wish::Forgot | Wish::Password | Wish::Address | Wish::Stop)
    }

    /// The most other words in a sentence that is this wish.
    fn others(self, place: WishPlace, words: &[&str]) -> usize {
        let of_them = || words.iter().any(|word| THEM.iter().any(|them| is_one_of(word, them)));
        match place {
            WishPlace::ToServer => usize::MAX,
            WishPlace::BesideMove => 0,
            WishPlace::Reply if self.is_of_account() || self == Wish::Operator && !of_them() => 0,
            WishPlace::Reply => OTHERS,
        }
    }
}

type Book = Vec<Vec<String>>;

static BOOKS: LazyLock<Vec<(Wish, Vec<String>)>> =
    LazyLock::new(|| NAMES.iter().map(|(wish, name)| (*wish, lines(name).concat())).collect());
static AROUND: LazyLock<Vec<String>> = LazyLock::new(|| lines("around").concat());
static INSIDE: LazyLock<Vec<String>> = LazyLock::new(|| lines("inside").concat());
static THEM: LazyLock<Vec<String>> = LazyLock::new(|| lines("them").concat());
static REPORT: LazyLock<Vec<String>> = LazyLock::new(|| lines("report").concat());
pub(super) static FROM: LazyLock<Vec<String>> = LazyLock::new(|| lines("from").concat());
pub(super) static UNTIL: LazyLock<Vec<String>> = LazyLock::new(|| lines("until").concat());
pub(super) static MONTHS: LazyLock<Vec<String>> = LazyLock::new(|| lines("months").concat());
pub(super) static WEEKDAYS: LazyLock<Vec<String>> = LazyLock::new(|| lines("weekdays").concat());

/// The phrases of each line of a section.
fn lines(name: &str) -> Book {
    let phrases = |line: &&str| {
        let (_, phrases) = line.split_once(' ').unwrap_or_default();
        phrases.split(" | ").map(|phrase| plain(phrase).into_owned()).collect()
    };
    section(WISHES, name).iter().map(phrases).collect()
}

/// At most this many words are between two words of a phrase.
const GAP: usize = 3;

/// The most words of a sentence that can be a wish.
const LONGEST: usize = 24;

/// The most sentences of a text that are searched.
const SENTENCES: usize = 20;

/// The most other words in a sentence of a reply that is a wish all the same.
const OTHERS: usize = 2;

/// The place of a text. It decides how much else a sentence with a wish can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WishPlace {
    /// In a mail that no player reads: anything.
    ToServer,
    /// In a reply, which the opponent reads: at most [`OTHERS`] words. None if the wish is about an account, or a
    /// complaint that does not name the opponent.
    Reply,
    /// In a line below a move, which is mostly for the opponent: nothing.
    BesideMove,
}

/// What a text asks the server for, in one of its sentences. It can greet, be signed, and name its writer and, last of the
/// names, the opponent.
pub(crate) fn wish_meant(text: &str, names: &[&str], place: WishPlace) -> Option<Wish> {
    match text.lines().find_map(account_change) {
        Some(AccountChange::Password) => return Some(Wish::Password),
        Some(AccountChange::Address) => return Some(Wish::Address),
        None => {}
    }
    const ENDS: &[char] = &['\n', '.', '!', '?', ';', '\u{3002}', '\u{FF1F}', '\u{FF01}'];
    let text = plain(text);
    // The stop of `5. Dezember` ends no sentence.
    let mut before = ' ';
    let text: String = text
        .chars()
        .map(|c| {
            let is_ordinal = c == '.' && before.is_ascii_digit();
            before = c;
            if is_ordinal { ' ' } else { c }
        })
        .collect();
    if text.trim() == "?" {
        return Some(Wish::Help);
    }
    let opponent = |word| {
        if names.len() > 1 && is_name(word, names.get(1..).unwrap_or_default()) { "opponent" } else { word }
    };
    let sentences =
        text.split(ENDS).map(|said| all_words(said).into_iter().map(opponent).collect::<Vec<_>>());
    let sentences: Vec<Vec<&str>> = sentences.filter(|words| !words.is_empty()).take(SENTENCES).collect();
    let first = sentences.iter().find(|words| {
        !words.iter().all(|word| is_greeting(word) || is_name(word, names) || *word == "opponent")
    });
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    let says = |words: &[&str], wish: Wish, phrase: &str| match phrase.strip_prefix('=') {
        Some(whole) => is_whole(words, whole, names),
        None => is_said(words, phrase, names, wish.others(place, words)),
    };
    let is_meant = |wish: Wish, phrase: &str| {
        if phrase.chars().any(|c| c >= '\u{E00}') && !phrase.starts_with('=') {
            let is_most = place != WishPlace::BesideMove || 2 * letters <= 3 * phrase.chars().count();
            return is_most && text.contains(phrase);
        }
        // `What a board!` asks for nothing.
        let can_ask = |words: &Vec<&str>| {
            words.len() <= LONGEST && !matches!(words.as_slice(), ["what", "a" | "an", ..])
        };
        let mut among = sentences.iter().filter(|words| can_ask(words));
        match phrase.starts_with('=') {
            true => first.filter(|words| can_ask(words)).is_some_and(|words| says(words, wish, phrase)),
            false => among.any(|words| says(words, wish, phrase)),
        }
    };
    let meant = BOOKS.iter().find(|(wish, book)| book.iter().any(|phrase| is_meant(*wish, phrase)));
    let is_all = |words: &Vec<&str>| {
        others(words, names) == 0
            || words.len() <= LONGEST
                && BOOKS.iter().any(|(wish, book)| book.iter().any(|phrase| says(words, *wish, phrase)))
    };
    let is_spaced = !text.chars().any(|c| c.is_alphanumeric() && c >= '\u{E00}');
    meant
        .map(|(wish, _)| *wish)
        .filter(|_| place != WishPlace::BesideMove || !is_spaced || sentences.iter().all(is_all))
}

/// True if a sentence holds a phrase and at most `most` other words.
fn is_said(words: &[&str], phrase: &str, names: &[&str], most: usize) -> bool {
    let beside = |at: usize| {
        let behind = follows(words, at, phrase, names)?;
        Some(behind + others(words.get(..at).unwrap_or_default(), names))
    };
    (0..words.len()).filter_map(beside).any(|others| others <= most)
}

/// The number of other words in the gaps of a phrase that begins at `at`, and after it. `None` if no phrase does.
fn follows(words: &[&str], at: usize, phrase: &str, names: &[&str]) -> Option<usize> {
    let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    words.get(at).filter(|word| is_one_of(word, first))?;
    if rest.is_empty() {
        return Some(others(words.get(at + 1..).unwrap_or_default(), names));
    }
    let with_gap = |next: usize| {
        let behind = follows(words, next, rest, names)?;
        Some(behind + others(words.get(at + 1..next).unwrap_or_default(), names))
    };
    (at + 1..=at + 1 + GAP).filter_map(with_gap).min()
}

/// The number of words that do not belong to a request: no filler, no word of `inside`, no date and no name.
fn others(words: &[&str], names: &[&str]) -> usize {
    let (mut rest, mut count) = (words, 0);
    while let Some(word) = rest.first() {
        // `I want to talk to a human again` is no request.
        let length = if *word == "again" { 0 } else { filler(rest, names).max(begun(&INSIDE, rest)) };
        let is_other = length == 0 && registry::find(word).is_none() && !is_of_a_date(word);
        count += usize::from(is_other);
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    count
}

/// True if a sentence is a phrase and the words around it.
fn is_whole(words: &[&str], phrase: &str, names: &[&str]) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let length = phrase.len();
    let is_phrase = |at: usize| {
        words
            .get(at..at + length)
            .is_some_and(|said| said.iter().zip(&phrase).all(|(word, one)| is_one_of(word, one)))
    };
    let beside = |at: usize| {
        words.get(..at).is_some_and(|before| is_filler(before, names))
            && words.get(at + length..).is_some_and(|behind| is_filler(behind, names))
    };
    (0..words.len()).any(|at| is_phrase(at) && beside(at))
}

/// True if words only surround a request, as in `please show me the board`.
fn is_filler(words: &[&str], names: &[&str]) -> bool {
    let mut rest = words;
    while !rest.is_empty() {
        let length = filler(rest, names);
        if length == 0 {
            return false;
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    true
}

/// The number of words at the beginning that only surround a request.
fn filler(words: &[&str], names: &[&str]) -> usize {
    let is_one = |word: &&str| is_greeting(word) || is_name(word, names) || **word == *"opponent";
    let one = usize::from(words.first().is_some_and(is_one));
    begun(&AROUND, words).max(polite(words)).max(one)
}

/// The number of words in the longest of some phrases at the beginning.
fn begun(phrases: &[String], words: &[&str]) -> usize {
    let begins = |phrase: &&String| {
        let mut said = words.iter();
        phrase.split(' ').all(|word| said.next() == Some(&word))
    };
    phrases.iter().filter(begins).map(|phrase| phrase.split(' ').count()).max().unwrap_or_default()
}

/// True if a text only surrounds a request; an empty one too.
pub(crate) fn only_surrounds(text: &str, names: &[&str]) -> bool {
    is_filler(&all_words(&plain(text)), names)
}

/// True for a word that stands around requests and is no argument of a command.
pub(crate) fn is_around(word: &str) -> bool {
    AROUND.iter().chain(FROM.iter()).any(|around| *around == plain(word))
}

/// The words that say what a question about the rules is about.
pub(crate) fn subjects(text: &str) -> Vec<String> {
    const OF_ANY: &[&str] = &["piece", "pieces", "stone", "stones", "pawn", "rule", "rules"];
    let is_one = |word: &&str| word.len() > 3 && others(&[word], &[]) > 0 && !OF_ANY.contains(word);
    let text = plain(text);
    all_words(&text).into_iter().filter(is_one).map(str::to_owned).collect()
}

fn is_name(word: &str, names: &[&str]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// True for a number, and for a word of a date.
pub(super) fn is_of_a_date(word: &str) -> bool {
    let mut stems = MONTHS.iter().chain(WEEKDAYS.iter()).chain(FROM.iter());
    word.starts_with(|c: char| c.is_ascii_digit()) || stems.any(|stems| is_one_of(word, stems))
}

/// True if a word is one of the alternatives of a phrase.
pub(super) fn is_one_of(word: &str, alternatives: &str) -> bool {
    alternatives.split('/').any(|one| match one.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None if one == "<game>" => registry::find(word).is_some(),
        None => word == one,
    })
}

/// The reason in `report REASON`.
pub(crate) fn reported(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (word, reason) = text.split_once(|c: char| !c.is_alphanumeric())?;
    let reason = reason.trim_matches(|c: char| c.is_whitespace() || c == ':');
    let is_one = REPORT.iter().any(|report| *report == plain(word)) && reason.contains(char::is_alphanumeric);
    is_one.then(|| reason.to_owned())
}
