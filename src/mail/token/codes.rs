//! Finds codes in a text without its dress.

use super::dress::{Gap, Seen};
use super::{CODE, TAG};

/// A code in prose is broken at most so often.
const GAPS: usize = 3;

/// No shorter part of a code is looked for.
const HALF: usize = 8;

/// What is left of a code without so much of it cannot be completed.
const PART: usize = 12;
const NEARLY: usize = 20;

/// The most digits of a board's or account's number.
const NUMBER: usize = 20;

pub(super) struct Codes<'s> {
    seen: &'s [Seen],
    /// How many gaps stand before each character, and how many of them within a line.
    gaps: Vec<[usize; 2]>,
    /// How many characters of base32 stand in a row from each on.
    runs: Vec<usize>,
}

impl<'s> Codes<'s> {
    pub fn new(seen: &'s [Seen]) -> Codes<'s> {
        let mut gaps = Vec::with_capacity(seen.len() + 1);
        let [mut all, mut blanks] = [0, 0];
        for seen in seen {
            all += usize::from(seen.gap != Gap::None);
            blanks += usize::from(seen.gap == Gap::Blanks);
            gaps.push([all, blanks]);
        }
        let mut runs: Vec<usize> = Vec::with_capacity(seen.len());
        let mut run = 0;
        for seen in seen.iter().rev() {
            run = if matches!(seen.c, 'a'..='z' | '2'..='7') { run + 1 } else { 0 };
            runs.push(run);
        }
        runs.reverse();
        Codes { seen, gaps, runs }
    }

    /// The length of a token with its number that begins here: `b42.CODE`, `c7.CODE`, `u7.CODE`, or the tag of a return path,
    /// `bounce-42.TAG`.
    pub fn written_out(&self, at: usize, is_ours: &mut impl FnMut(&str) -> bool) -> Option<usize> {
        let (letters, code) = match self.char(at)? {
            'b' if self.is(at + 1, "ounce-") => (7, TAG),
            'b' | 'c' | 'm' | 'u' | 'w' => (1, CODE),
            _ => return None,
        };
        let digits = (0..NUMBER).take_while(|n| self.char(at + letters + n).is_some_and(is_digit)).count();
        let dot = at + letters + digits;
        if digits == 0 || self.char(dot) != Some('.') {
            return None;
        }
        let (before, start) = (dot + 1 - at, dot + 1);
        let [gaps, blanks] = self.gaps(at, before + code);
        let is_whole = *self.runs.get(start)? >= code
            && (gaps == 0
                || self.stands_alone(start, code, gaps, blanks)
                || is_ours(&self.text(start, code)));
        let length = if is_whole { Some(code) } else { self.half(start, is_ours) };
        length.map(|length| before + length)
    }

    /// The length of the first part of a code, whose other part was left out with a quote.
    fn half(&self, start: usize, is_ours: &mut impl FnMut(&str) -> bool) -> Option<usize> {
        let run = (*self.runs.get(start)?).min(CODE);
        let length = (1..run).find(|n| self.gap(start + n) != Gap::None).unwrap_or(run);
        let ends = self.gap(start + length) != Gap::None && self.gap(start) == Gap::None;
        let text = || self.text(start, length);
        (ends && length >= HALF && (text().contains(is_digit) || is_ours(&text()))).then_some(length)
    }

    /// True for a broken code that prose does not look like: a word ends with it, and either it has a figure, or it
    /// was broken at the ends of lines, and not behind its dot.
    fn stands_alone(&self, code: usize, length: usize, gaps: usize, blanks: usize) -> bool {
        let end = code + length;
        let ends = *self.runs.get(end).unwrap_or(&0) == 0 || self.gap(end) != Gap::None;
        let figure = self.text(code, length).contains(is_digit);
        ends && gaps <= GAPS && (figure || blanks == 0 && self.gap(code) == Gap::None)
    }

    /// The length of a code without its number, which may be an ordinary word.
    pub fn bare(&self, at: usize, is_ours: &mut impl FnMut(&str) -> bool) -> Option<usize> {
        if *self.runs.get(at)? < CODE {
            return None;
        }
        let [gaps, _] = self.gaps(at, CODE);
        let text = || self.text(at, CODE);
        let likely = gaps <= 1 || gaps <= GAPS && text().contains(is_digit);
        (likely && is_ours(&text())).then_some(CODE)
    }

    /// The length of the first or last part of a code, which somebody can complete by trying.
    pub fn part(&self, at: usize, is_ours: &mut impl FnMut(&str) -> bool) -> Option<usize> {
        let starts = at == 0 || self.gap(at) != Gap::None || *self.runs.get(at - 1)? == 0;
        let run = (*self.runs.get(at)?).min(CODE);
        let length = (1..run).find(|n| self.gap(at + n) != Gap::None).unwrap_or(run);
        // To know our codes takes long, so a word of plain letters is none of ours, unless it is nearly a whole code.
        let likely = || length >= NEARLY || self.text(at, length).contains(is_digit);
        (starts && length >= PART && likely() && is_ours(&self.text(at, length))).then_some(length)
    }

    fn char(&self, at: usize) -> Option<char> {
        self.seen.get(at).map(|seen| seen.c)
    }

    fn gap(&self, at: usize) -> Gap {
        self.seen.get(at).map_or(Gap::Line, |seen| seen.gap)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        word.chars().enumerate().all(|(n, c)| self.char(at + n) == Some(c))
    }

    /// The gaps within a stretch, and how many of them stand within a line.
    fn gaps(&self, at: usize, length: usize) -> [usize; 2] {
        let of = |at: usize| self.gaps.get(at).copied().unwrap_or_default();
        let ([all, blanks], [all_before, blanks_before]) = (of(at + length - 1), of(at));
        [all.saturating_sub(all_before), blanks.saturating_sub(blanks_before)]
    }

    fn text(&self, at: usize, length: usize) -> String {
        self.seen.iter().skip(at).take(length).map(|seen| seen.c).collect()
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}
