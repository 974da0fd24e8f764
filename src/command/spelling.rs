//! What somebody meant who misspelt a word.

use crate::clock::work;

/// The one of `words` nearest to `word`: at most one slip in three letters.
pub fn closest<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let length = word.chars().count();
    let allowed = length.min(30).div_ceil(3);
    words
        // A distance costs the product of both lengths, and is no smaller than their difference.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .inspect(|candidate| work::count(candidate.len()))
        .map(|candidate| (strsim::damerau_levenshtein(word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
