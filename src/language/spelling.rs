//! The word meant by a misspelt one.

/// The one of `words` nearest to `word`: at most one slip in three letters.
pub fn closest<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let length = word.chars().count();
    let allowed = length.min(30).div_ceil(3);
    words
        // A distance costs the product of both lengths, and is no smaller than their difference.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| (strsim::damerau_levenshtein(word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Every userid, in lower case, that one slip makes of `word`. A slip adds, drops or changes a letter, or swaps two.
pub fn one_slip_from(word: &str) -> Vec<String> {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut slips = Vec::new();
    for (at, _) in word.char_indices().chain([(word.len(), ' ')]) {
        let (before, behind) = word.split_at(at);
        let mut behind_it = behind.chars();
        let next = behind_it.next();
        let rest = behind_it.as_str();
        slips.extend(LETTERS.chars().map(|letter| format!("{before}{letter}{behind}")));
        let Some(next) = next else { break };
        slips.push(format!("{before}{rest}"));
        slips.extend(LETTERS.chars().map(|letter| format!("{before}{letter}{rest}")));
        if let Some(second) = rest.chars().next() {
            slips
                .push(format!("{before}{second}{next}{}", rest.get(second.len_utf8()..).unwrap_or_default()));
        }
    }
    slips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_single_slip_is_among_them() {
        let slips = one_slip_from("marge");
        for word in ["marg", "arge", "mrage", "marges", "amarge", "margo", "barge", "mar-ge"] {
            assert!(slips.iter().any(|slip| slip == word), "{word}");
        }
        for word in ["marg\u{e9}", "maggre", "margess"] {
            assert!(slips.iter().all(|slip| slip != word), "{word}");
        }
        assert!(one_slip_from("abcdefghijklmnopqrst").len() < 1_700);
    }
}
