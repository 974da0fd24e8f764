//! Dates of an absence in plain words: `I am away from 5 to 12 December`.

use jiff::civil::{Date, Weekday};

use super::plain::{all_words, plain};
use super::wish::{FROM, MONTHS, UNTIL, WEEKDAYS, is_around, is_of_a_date, is_one_of};

/// The first and the last day of an absence that a text tells. The first is `today` if the text tells only the last.
/// `None` without a last day, and if any number of the text is not surely part of a date.
pub(crate) fn absence(text: &str, today: Date) -> Option<(Date, Date)> {
    let text = plain(text);
    let words = all_words(&text);
    let mut days: Vec<(bool, Date)> = Vec::new();
    // The last day is after the first, perhaps in the next year.
    let after = |days: &[(bool, Date)]| days.last().map_or(today, |(_, first)| *first);
    // A day without a month, as the first in `5 to 12 December`.
    let mut bare = None;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let is_first = before.is_some_and(|word| FROM.iter().any(|from| from == word));
        if let Some((date, length)) = date_at(words.get(at..).unwrap_or_default(), after(&days)) {
            if let Some(day) = bare.take() {
                days.push((true, date.with().day(day).build().ok()?.max(today)));
            }
            days.push((is_first, date));
            at += length;
            continue;
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let day = number_of(word).and_then(|day| i8::try_from(day).ok())?;
            match (days.last(), bare) {
                (None, None) => bare = Some(day),
                // `December 5 to 12`.
                (Some((_, first)), None) => days.push((false, first.with().day(day).build().ok()?)),
                _ => return None,
            }
        }
        at += 1;
    }
    match days.as_slice() {
        _ if bare.is_some() => None,
        [(false, last)] => Some((today, *last)),
        [(_, first), (_, last)] if first <= last => Some((*first, *last)),
        _ => None,
    }
}

/// True for words that tell an absence and nothing else: none of them can be a name or a password.
pub(crate) fn is_told(words: &[&str]) -> bool {
    let text = plain(&words.join(" ")).into_owned();
    let is_of_it = |word: &&str| {
        is_of_a_date(word) && is_short(word) || is_around(word) || UNTIL.iter().any(|until| until == word)
    };
    all_words(&text).iter().all(is_of_it) && absence(&text, Date::constant(2000, 1, 1)).is_some()
}

/// True for a number of a day or a year, and for letters.
fn is_short(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) || number_of(word).is_some()
}

/// The number of a day or a year: `5`, `5th`.
fn number_of(word: &str) -> Option<i16> {
    word.trim_end_matches(|c: char| c.is_ascii_lowercase()).parse().ok()
}

/// The date at the beginning of some words, and the number of its words. Without a year it is the next such day.
fn date_at(words: &[&str], today: Date) -> Option<(Date, usize)> {
    const OF: &[&str] = &["of", "de", "del", "di", "da", "do"];
    let number = |at: usize| number_of(words.get(at)?);
    let month = |at: usize| {
        let word = words.get(at)?;
        let is_it = |stems: &String| word.chars().count() > 2 && is_one_of(word, stems);
        i8::try_from(MONTHS.iter().position(is_it)? + 1).ok()
    };
    let of = |year: Option<i16>, month: i8, day: i16| {
        let date = |year| Date::new(year, month, i8::try_from(day).ok()?).ok();
        match year {
            Some(year) => date(year),
            None => date(today.year()).filter(|date| *date >= today).or_else(|| date(today.year() + 1)),
        }
    };
    if let (Some(year), Some(month), Some(day)) =
        (number(0).filter(|year| *year > 2000), number(1), number(2))
    {
        return Some((Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()?, 3));
    }
    for (day, named, length) in [(0, 1, 2), (0, 2, 3), (1, 0, 2)] {
        let is_joined = length < 3 || words.get(1).is_some_and(|word| OF.contains(word));
        if let (Some(day), Some(month), true) = (number(day), month(named), is_joined) {
            let year = number(length).filter(|year| *year > 2000);
            return Some((of(year, month, day)?, length + usize::from(year.is_some())));
        }
    }
    let weekday =
        WEEKDAYS.iter().position(|names| words.first().is_some_and(|word| is_one_of(word, names)))?;
    let weekday = Weekday::from_monday_zero_offset(i8::try_from(weekday).ok()?).ok()?;
    // `Saturday 5 December` is one day.
    match date_at(words.get(1..)?, today) {
        Some((date, length)) => Some((date, length + 1)),
        None => Some((today.nth_weekday(1, weekday).ok()?, 1)),
    }
}
