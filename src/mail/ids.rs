//! Message-IDs in header fields (RFC 5322 3.6.4).

/// Longer ids are dropped: a header line has at most 998 characters (RFC 5322 2.1.1).
const MAX_LENGTH: usize = 250;

/// Every `<left@right>` of visible ASCII, in order. mailparse gives up a whole field for one stray word.
pub fn scan(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // An id contains neither `<` nor `>`.
    for piece in text.split('<').skip(1) {
        let Some((id, _)) = piece.split_once('>') else { continue };
        let sound = id.bytes().all(|b| b.is_ascii_graphic()) && id.len() <= MAX_LENGTH - 2;
        let sides = id.split_once('@').is_some_and(|(left, right)| !left.is_empty() && !right.is_empty());
        if sound && sides {
            found.push(format!("<{id}>"));
        }
    }
    found
}

/// Keeps the first and the last ten ids of a thread, which is enough for every mail program.
pub fn shorten(mut ids: Vec<String>) -> Vec<String> {
    if ids.len() > 11 {
        ids.drain(1..ids.len() - 10);
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::{scan, shorten};

    #[test]
    fn odd_fields() {
        assert_eq!(scan("<a@b> (x) junk <c@d><e@f>,<g@h"), ["<a@b>", "<c@d>", "<e@f>"]);
        assert_eq!(scan("<a b@c> <@c> <a@> <é@c> a@b <> >x@y<"), Vec::<String>::new());
        assert_eq!(scan(&format!("<{}@b>", "a".repeat(246))).len(), 1);
        assert_eq!(scan(&format!("<{}@b>", "a".repeat(247))).len(), 0);
        let ids: Vec<String> = (0..40).map(|n| format!("<{n}@b>")).collect();
        let short = shorten(ids);
        assert_eq!((short.len(), short[0].as_str(), short[1].as_str()), (11, "<0@b>", "<30@b>"));
    }
}
