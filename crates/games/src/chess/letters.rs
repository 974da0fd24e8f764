//! The letters and names of pieces in each language, from `data/pieces.txt`.

use std::sync::LazyLock;

use cozy_chess::Piece;

const TEXT: &str = include_str!("../../data/pieces.txt");

/// The pieces of the signs U+2654 to U+2659, and of U+265A to U+265F.
const SIGNS: [Piece; 6] = [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// The languages of the file. English comes first.
pub(super) static LANGUAGES: LazyLock<Vec<Tongue>> = LazyLock::new(|| {
    let pieces = |fields: &str| -> Vec<Vec<&'static str>> {
        let line = TEXT.lines().find(|line| line.starts_with(fields)).unwrap_or_default();
        line.split(" | ").skip(1).map(|field| field.split_whitespace().collect()).collect()
    };
    let keys = TEXT.lines().filter(|line| line.matches(" | ").count() == Piece::NUM);
    let keys = keys.filter_map(|line| line.split_once(" | ")).map(|(key, _)| key);
    keys.map(|key| Tongue { key, pieces: pieces(&format!("{key} |")) }).collect()
});

/// The lines of words about moves. In the file, `-` means a blank.
static WORDS: LazyLock<Vec<(&str, Vec<String>)>> = LazyLock::new(|| {
    let lines =
        TEXT.lines().filter_map(|line| line.split_once(" | ")).filter(|(_, rest)| !rest.contains('|'));
    lines
        .map(|(key, rest)| (key, rest.split_whitespace().map(|word| word.replace('-', " ")).collect()))
        .collect()
});

/// A language in which a player writes moves.
pub(super) struct Tongue {
    /// Its code, such as `de`.
    pub key: &'static str,
    /// The words for each piece, in the order of [`Piece`]. For all but the pawn, the first is the letter.
    pieces: Vec<Vec<&'static str>>,
}

impl Tongue {
    /// The piece whose sign, letter or name begins `text`, and the text after it.
    pub fn piece<'t>(&self, text: &'t str) -> Option<(Piece, &'t str)> {
        let first = text.chars().next()?;
        if let Some(at) = u32::from(first).checked_sub(0x2654).filter(|at| *at < 12) {
            return Some((*SIGNS.get(at as usize % 6)?, text.get(first.len_utf8()..)?.trim_start()));
        }
        self.named(text).or_else(|| self.letter(text))
    }

    /// The piece whose name begins `text`, and the text after the name.
    pub fn name<'t>(&self, text: &'t str) -> Option<(Piece, &'t str)> {
        let (name, rest) = text.split_at(text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len()));
        let name = Some(name.to_lowercase()).filter(|name| name.chars().count() > 2)?;
        let is_named = |words: &Vec<&str>| words.iter().any(|word| word.to_lowercase() == name);
        Some((self.pieces.iter().position(is_named).and_then(Piece::try_index)?, rest))
    }

    /// The piece whose name begins `text`, and the text after the name and a word such as `to`.
    fn named<'t>(&self, text: &'t str) -> Option<(Piece, &'t str)> {
        let (piece, rest) = self.name(text).filter(|(_, rest)| rest.starts_with(' '))?;
        let target = rest.trim_start();
        Some((piece, said("to", target).map_or(target, str::trim_start)))
    }

    /// The piece whose letter begins `text`. A small letter counts if it is not a file as well.
    fn letter<'t>(&self, text: &'t str) -> Option<(Piece, &'t str)> {
        let is_file = text.starts_with(|c| matches!(c, 'a'..='h'));
        let behind = |letter: &str| {
            let (head, rest) = text.split_at_checked(letter.len())?;
            let is_small = || !is_file && letter.chars().flat_map(char::to_lowercase).eq(head.chars());
            (head == letter || is_small()).then_some(rest)
        };
        let letters = self
            .pieces
            .iter()
            .enumerate()
            .skip(1)
            .filter_map(|(at, words)| Some((Piece::try_index(at)?, behind(words.first()?)?)));
        letters.min_by_key(|(_, rest)| rest.len())
    }
}

/// If `text` begins with a word of the file's line `key`, in any case, returns the text after it.
pub(super) fn said<'t>(key: &str, text: &'t str) -> Option<&'t str> {
    if !text.starts_with(char::is_alphabetic) {
        return None;
    }
    let (_, words) = WORDS.iter().find(|(known, _)| *known == key)?;
    words.iter().find_map(|word| {
        let length: usize = text.chars().take(word.chars().count()).map(char::len_utf8).sum();
        let (head, rest) = text.split_at_checked(length)?;
        let is_same = head.chars().flat_map(char::to_lowercase).eq(word.chars());
        (is_same && !rest.starts_with(char::is_alphanumeric)).then_some(rest)
    })
}
