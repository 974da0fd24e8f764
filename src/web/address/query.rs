//! Reads the words of a path and the parameters of a query.

use std::collections::BTreeMap;

use turnpost_games::{GameKind, registry};

/// Finds a game by its key and by no other spelling, so that each page has one address.
pub fn game_of(word: &str) -> Option<&'static GameKind> {
    registry::find(word).filter(|game| game.key == word)
}

/// Reads digits without a sign or a leading zero.
pub fn number_of(text: &str) -> Option<u32> {
    let plain = !text.starts_with('0') || text == "0";
    let digits = text.bytes().all(|octet| octet.is_ascii_digit());
    (plain && digits).then(|| text.parse().ok())?
}

/// Plies or other words, separated by dots.
pub fn words(text: &str) -> Vec<String> {
    text.split('.').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The value of a parameter that can contain any character, because it comes from a text field. `None` if the query has
/// none; an error if it has several.
pub fn typed(query: &str, name: &str) -> Result<Option<String>, ()> {
    let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(given, _)| given == name);
    let value = values.next().map(|(_, value)| value.into_owned());
    if values.next().is_some() { Err(()) } else { Ok(value) }
}

/// The parameters of a query that the page knows. Others are ignored: people and mail programs append some to a link,
/// to learn who followed it.
pub struct Query<'a> {
    pairs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Query<'a> {
    /// `None` if a name occurs twice, or if a value contains other characters than `a-z`, `0-9`, `.`, `-` and `_`.
    pub fn read(text: &'a str, names: &[&str]) -> Option<Query<'a>> {
        let plain =
            |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || b".-_".contains(&octet);
        let mut pairs = BTreeMap::new();
        for pair in text.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if names.contains(&name) && (!value.bytes().all(plain) || pairs.insert(name, value).is_some()) {
                return None;
            }
        }
        Some(Query { pairs })
    }

    pub fn take(&self, name: &str) -> Option<&'a str> {
        self.pairs.get(name).copied()
    }

    pub fn take_words(&self, name: &str) -> Vec<String> {
        words(self.take(name).unwrap_or_default())
    }

    /// A parameter that can be left out; `None` if it is there and `read` finds nothing in it.
    pub fn optional<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
        match self.take(name) {
            None => Some(None),
            Some(text) => read(text).map(Some),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.pairs.contains_key(name)
    }
}
