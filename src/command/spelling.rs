//! What somebody meant who misspelt a word.

/// The one of `words` nearest to `word`: at most one slip in three letters.
pub fn closest<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let allowed = word.chars().count().min(30).div_ceil(3);
    words
        .map(|candidate| (strsim::damerau_levenshtein(word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
