//! Queries of our own making: `name=value` pairs in one order, of few characters.

/// A query that is being read. Each name is taken in the order in which our links write it.
pub(super) struct Query<'a> {
    pairs: std::iter::Peekable<std::str::Split<'a, char>>,
}

impl<'a> Query<'a> {
    /// `None` for characters that no link of ours has.
    pub fn read(text: &'a str) -> Option<Query<'a>> {
        let plain =
            |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || b"=&.-".contains(&octet);
        text.bytes().all(plain).then(|| Query { pairs: text.split('&').peekable() })
    }

    /// The value of the next pair if it has this name.
    pub fn take(&mut self, name: &str) -> Option<&'a str> {
        let value_of = |pair: &&'a str| pair.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
        let value = self.pairs.peek().and_then(value_of)?;
        self.pairs.next();
        Some(value)
    }

    /// Plies or other words, parted by dots.
    pub fn take_words(&mut self, name: &str) -> Vec<String> {
        let words = self.take(name).unwrap_or_default();
        words.split('.').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// Nothing is left.
    pub fn ends(mut self) -> Option<()> {
        match self.pairs.next() {
            None | Some("") => Some(()),
            Some(_) => None,
        }
    }
}
