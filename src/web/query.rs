//! Queries of our own making: `name=value` pairs of few characters, in any order.

use std::collections::BTreeMap;

/// The pairs of a query that a page knows. What else stands there is not ours, since people and mail programs add to a
/// link what tells them who followed it.
pub(super) struct Query<'a> {
    pairs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Query<'a> {
    /// `None` for a name that stands there twice, and for characters that none of our links has.
    pub fn read(text: &'a str, names: &[&str]) -> Option<Query<'a>> {
        let plain =
            |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || b".-".contains(&octet);
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

    /// Plies or other words, parted by dots.
    pub fn take_words(&self, name: &str) -> Vec<String> {
        let words = self.take(name).unwrap_or_default();
        words.split('.').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }
}
