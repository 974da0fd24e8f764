//! A text in lower case, without accents, marks and addresses: the form in which phrases are found.

use std::borrow::Cow;

use super::token::narrowed;

/// The words of a plain text. A word can contain an apostrophe.
pub(super) fn words(plain: &str) -> impl DoubleEndedIterator<Item = &str> {
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.map(|word| word.trim_matches('\'')).filter(|word| !word.is_empty())
}

pub(super) fn all_words(plain: &str) -> Vec<&str> {
    words(plain).collect()
}

/// A text in lower case, without accents and addresses. Every kind of apostrophe becomes `'`.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let is_plain = |octet| matches!(octet, b'\n' | b' '..=b'?' | b'['..=b'_' | b'a'..=b'~');
    if text.bytes().all(is_plain) && !text.ends_with('\n') && !may_have_addresses(text) {
        return text.into();
    }
    made_plain(text).into()
}

pub(super) fn made_plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            plain.push('\n');
        }
        let line = if may_have_addresses(line) { Cow::Owned(without_addresses(line)) } else { line.into() };
        let letters = line.chars().filter_map(narrowed).flat_map(char::to_lowercase);
        plain.extend(letters.filter_map(without_accent));
    }
    plain
}

fn may_have_addresses(text: &str) -> bool {
    text.contains("://") || text.contains("www.") || text.contains('@')
}

/// A line without web and mail addresses, whose words mean nothing.
pub(crate) fn without_addresses(line: &str) -> String {
    let is_address = |word: &&str| word.contains("://") || word.starts_with("www.") || word.contains('@');
    line.split(' ').filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ")
}

fn without_accent(c: char) -> Option<char> {
    Some(match c {
        '\u{300}'..='\u{36F}' => return None,
        '`' | '\u{2019}' | '\u{2018}' | '\u{B4}' | '\u{2BC}' => '\'',
        c if c.is_ascii() => c,
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' | 'ά' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì' | 'í' | 'î' | 'ï' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ő' => 'o',
        'ř' | 'ŕ' => 'r',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ť' | 'ț' | 'ţ' => 't',
        'ù' | 'ú' | 'û' | 'ü' | 'ű' | 'ů' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ž' | 'ż' => 'z',
        'ё' => 'е',
        // The lower case of the capital letter at any place.
        'ς' => 'σ',
        c => c,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::phrases::REPLIES;

    #[test]
    fn a_text_that_is_plain_already_stays_as_it_is() {
        let own = [
            "",
            "\n",
            "no\n",
            "a\tb",
            "see www.x.example or ann@x.example, http://y",
            "I `can't'",
            "what\n\nabout [this]_?",
        ];
        for text in REPLIES.lines().chain(own) {
            assert_eq!(plain(text), made_plain(text), "{text}");
        }
        assert!(matches!(plain("don't wait"), Cow::Borrowed(_)));
    }
}
