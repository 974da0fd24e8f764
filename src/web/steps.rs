//! All positions of a board, for a page that steps through them. Each is stored as changes to the position before it.
//! The result is compressed once and kept.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{Answer, AnswerKind};
use crate::failure::Error;

/// The number of boards whose steps are kept.
const KEPT: usize = 32;

/// The compressed steps of boards, newest first. The name of an entry is made of everything that the steps depend on.
#[derive(Default)]
pub(super) struct KeptSteps(Mutex<VecDeque<(String, Answer)>>);

impl KeptSteps {
    /// The kept answer of this name. If there is none, makes and keeps one.
    pub fn get(&self, name: String, make: impl FnOnce() -> Result<Answer, Error>) -> Result<Answer, Error> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answer)) = kept().iter().find(|(known, _)| *known == name) {
            return Ok(answer.clone());
        }
        let made = make()?;
        let mut kept = kept();
        kept.truncate(KEPT - 1);
        kept.push_front((name, made.clone()));
        Ok(made)
    }
}

/// The answer with all pages of a board, compressed.
pub(super) fn packed(pages: &[String]) -> Answer {
    let mut before = Vec::new();
    let steps = pages.iter().map(|page| {
        let after = parts(page);
        changes(&std::mem::replace(&mut before, after.clone()), &after)
    });
    let text = serde_json::to_string(&steps.collect::<Vec<_>>()).unwrap_or_default();
    Answer::of(AnswerKind::Json, text).packed()
}

/// A number of parts that are kept, a number of parts that are then dropped, and the text in their place. Parts after
/// the last change are kept.
#[derive(Serialize, JsonSchema)]
pub(super) struct StepChange(usize, usize, String);

/// The parts of a page. Each ends with a tag or a line; the script splits pages in the same way.
fn parts(html: &str) -> Vec<&str> {
    html.split_inclusive(['>', '\n']).collect()
}

/// The changes from `before` to `after`. Parts after the last change are kept.
fn changes(mut before: &[&str], mut after: &[&str]) -> Vec<StepChange> {
    let mut changes = Vec::new();
    loop {
        let kept = before.iter().zip(after).take_while(|(old, new)| old == new).count();
        (before, after) = (before.get(kept..).unwrap_or_default(), after.get(kept..).unwrap_or_default());
        if before.is_empty() && after.is_empty() {
            return changes;
        }
        let (dropped, put) = next_same(before, after).unwrap_or((before.len(), after.len()));
        changes.push(StepChange(kept, dropped, after.iter().take(put).copied().collect()));
        (before, after) = (before.get(dropped..).unwrap_or_default(), after.get(put..).unwrap_or_default());
    }
}

/// Two pages match again if this many consecutive parts are equal.
const SAME: usize = 3;

/// The search for a match stops when the skipped parts of both pages together reach this number.
const AHEAD: usize = 80;

/// The numbers of parts to drop from `before` and to insert from `after` up to the next match.
fn next_same(before: &[&str], after: &[&str]) -> Option<(usize, usize)> {
    let places = (1..AHEAD).flat_map(|both| (0..=both).map(move |dropped| (dropped, both - dropped)));
    places.into_iter().find(|(dropped, put)| {
        let [old, new] = [(before, dropped), (after, put)].map(|(parts, at)| parts.get(*at..at + SAME));
        old.is_some() && old == new
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_steps_are_made_once() {
        let (kept, mut made) = (KeptSteps::default(), 0);
        // One more in the end, in the place of the oldest.
        for name in (0..KEPT).chain(0..=KEPT).chain([0]) {
            let make = || {
                made += 1;
                Ok(packed(&[]))
            };
            kept.get(name.to_string(), make).unwrap();
        }
        assert_eq!((made, kept.0.lock().unwrap().len()), (KEPT + 2, KEPT));
    }
}
