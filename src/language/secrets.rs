//! Passwords that no text may show, wherever they stand in it.

use std::collections::HashMap;

use super::token::MASK;

/// Passwords that no text may show: one may have been repeated where none belongs.
///
/// A text and each password fall into pieces: a run of letters and digits, or one other character. The passwords make
/// a tree of pieces, so one pass over a text finds them all, however many there are.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    /// The first is the root. Each is where a password may go on.
    nodes: Vec<SecretNode>,
}

#[derive(Debug, Default)]
struct SecretNode {
    next: HashMap<String, usize>,
    /// A password ends here.
    ends: bool,
}

/// The most pieces of a password in one branch. A longer one is masked in stretches of so many.
const PIECES: usize = 64;

impl Secrets {
    pub fn add(&mut self, password: &str) {
        if self.nodes.is_empty() {
            self.nodes.push(SecretNode::default());
        }
        let (mut at, mut depth) = (0, 0);
        for piece in pieces(password) {
            if depth == PIECES {
                self.end(at);
                (at, depth) = (0, 0);
            }
            let new = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else { return };
            at = *node.next.entry(piece.to_owned()).or_insert(new);
            if at == new {
                self.nodes.push(SecretNode::default());
            }
            depth += 1;
        }
        if depth > 0 {
            self.end(at);
        }
    }

    fn end(&mut self, at: usize) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.ends = true;
        }
    }

    /// `text` with every password masked that stands in it as a word, the longest where several begin.
    pub fn mask(&self, text: &str) -> String {
        self.mask_up_to(text, usize::MAX)
    }

    /// The same, but of the masked text no more than `bytes` or a piece more.
    pub fn mask_up_to(&self, text: &str, bytes: usize) -> String {
        let mut masked = String::with_capacity(text.len().min(bytes));
        let mut rest = text;
        while masked.len() < bytes
            && let Some(piece) = pieces(rest).next()
        {
            let secret = self.longest(rest);
            masked.push_str(if secret > 0 { MASK } else { piece });
            rest = rest.get(secret.max(piece.len())..).unwrap_or_default();
        }
        masked
    }

    /// The length of the longest password at the beginning of `text`; zero for none.
    fn longest(&self, text: &str) -> usize {
        let (mut at, mut read, mut longest) = (0, 0, 0);
        for piece in pieces(text) {
            let Some(next) = self.nodes.get(at).and_then(|node| node.next.get(piece)) else { break };
            (at, read) = (*next, read + piece.len());
            if self.nodes.get(at).is_some_and(|node| node.ends) {
                longest = read;
            }
        }
        longest
    }
}

/// A run of letters and digits, or one other character, again and again.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match first.is_alphanumeric() {
            true => rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask_words(text: &str, passwords: &[&str]) -> String {
        let mut secrets = Secrets::default();
        passwords.iter().for_each(|password| secrets.add(password));
        secrets.mask(text)
    }

    #[test]
    fn a_password_is_masked_wherever_it_stands_as_a_word() {
        let passwords = ["plover", "x y"];
        assert_eq!(mask_words("plover F3, plover. plovers (x y)", &passwords), "*** F3, ***. plovers (***)");
        assert_eq!(mask_words("ploverplover", &passwords), "ploverplover");
        assert_eq!(mask_words("\u{e9}plover \u{e9} plover", &passwords), "\u{e9}plover \u{e9} ***");
        assert_eq!(mask_words("plover-4, plover-42", &["plover", "plover-4"]), "***, ***-42");
        assert_eq!(mask_words("anything", &["", "any"]), "anything");
        assert_eq!(mask_words("a plover", &[]), "a plover");
    }

    #[test]
    fn a_password_of_many_pieces_is_masked_in_stretches() {
        let long = "x-".repeat(100);
        assert!(!mask_words(&format!("it is {long}."), &[&long]).contains('x'));
    }
}
