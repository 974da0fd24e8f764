//! Conditional moves: a tree of answers, as players write it and as it is written back.
//!
//! ```text
//! A3-B4, B4-C4                            one of my turns, then the next
//! if K5-K4 then A3-B4, B4-C4              only in answer to that move
//! if K5-K4 then A3-B4 if K5-J4 then A3-A2 another answer to another move
//! A3-B4, (if K5-K4 then B4-C4) (if K5-J4 then B4-B3)
//! if K5-K4 then (A3-B4, if J4-J3 then B4-C4)
//! (if K5-K4 then A3-B4) A1-A2             an answer to that move, and another to all others
//! ```

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A player's answers to the opponent's next moves; the first that fits is played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plan(pub Vec<Branch>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// The opponent's turn it answers; `None`: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    pub play: String,
    /// What comes after it.
    #[serde(default, skip_serializing_if = "Plan::is_empty")]
    pub then: Plan,
}

const BRANCHES_AT_MOST: usize = 100;
const DEPTH_AT_MOST: usize = 40;

impl Plan {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The error is a sentence that says what was expected.
    pub(crate) fn parse(text: &str) -> Result<Plan, String> {
        let mut parser = PlanParser { words: words(&without_semicolons(text, 0)), next: 0, branches: 0 };
        let plan = parser.plan(0)?;
        match parser.peek() {
            None => Ok(plan),
            Some(_) => Err("behind this queue nothing more is expected; `,` parts your turns".into()),
        }
    }

    /// Reads the conditions after a move: `if K5-K4 then B4-C4; if J3-J2 then D1-D2; else ask`. The `else
    /// ask` adds nothing: if no answer fits, the player is asked anyway.
    pub(crate) fn behind_a_move(text: &str) -> Result<Plan, String> {
        let mut parts = Vec::new();
        let text = without_semicolons(text, 1);
        for part in text.split([';', '\n']).map(str::trim).filter(|part| !part.is_empty()) {
            let (first, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            match (first.to_ascii_lowercase().as_str(), rest.trim().trim_end_matches('.')) {
                ("else", rest) if rest.eq_ignore_ascii_case("ask") => {}
                ("else", rest) => parts.push(rest.to_owned()),
                _ => parts.push(format!("({part})")),
            }
        }
        if parts.is_empty() { Ok(Plan::default()) } else { Plan::parse(&parts.join(" ")) }
    }

    /// The plan as it is written after a move.
    pub(crate) fn behind(&self) -> String {
        let part = |branch: &Branch| {
            let part = Plan(vec![branch.clone()]).to_string();
            let bare = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')).unwrap_or(&part);
            if branch.on.is_some() { bare.to_owned() } else { format!("else {part}") }
        };
        self.0.iter().map(part).collect::<Vec<_>>().join("; ")
    }

    /// The plan without one of its [`Plan::lines`], counted from 0, and without what comes after that line.
    pub(crate) fn without(mut self, line: usize) -> Plan {
        self.remove(line, &mut 0);
        self
    }

    fn remove(&mut self, line: usize, seen: &mut usize) {
        self.0.retain_mut(|branch| {
            let own = *seen;
            *seen += 1;
            branch.then.remove(line, seen);
            own != line
        });
    }

    /// Every turn named in it, mine and the opponent's.
    pub(crate) fn turns(&self) -> Vec<&str> {
        let mut turns = Vec::new();
        for branch in &self.0 {
            turns.extend(branch.on.as_deref());
            turns.push(branch.play.as_str());
            turns.extend(branch.then.turns());
        }
        turns
    }

    /// The plan as a tree: one turn a line, indented under the turn that it follows.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.lines_into(0, &mut lines);
        lines
    }

    fn lines_into(&self, depth: usize, lines: &mut Vec<String>) {
        // Deep trees stop moving to the right, so that they stay within the width of a mail.
        let margin = "  ".repeat(depth.min(12));
        for branch in &self.0 {
            lines.push(match &branch.on {
                Some(on) => format!("{margin}if {on} then {}", branch.play),
                None => format!("{margin}{}", branch.play),
            });
            branch.then.lines_into(depth + 1, lines);
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, branch) in self.0.iter().enumerate() {
            let gap = if n > 0 { " " } else { "" };
            match &branch.on {
                Some(on) if branch.then.is_empty() => write!(f, "{gap}(if {on} then {})", branch.play)?,
                Some(on) => write!(f, "{gap}(if {on} then ({}, {}))", branch.play, branch.then)?,
                None if branch.then.is_empty() => write!(f, "{gap}{}", branch.play)?,
                None => write!(f, "{gap}{}, {}", branch.play, branch.then)?,
            }
        }
        Ok(())
    }
}

/// Words, with commas and parentheses as words of their own.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if c.is_whitespace() || matches!(c, ',' | '(' | ')') {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if !c.is_whitespace() {
                words.push(c.to_string());
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Replaces each `;` inside `depth` or more parentheses by the `,` after a turn or by the space between two
/// `if`.
fn without_semicolons(text: &str, depth: usize) -> String {
    let mut out = String::new();
    let mut word = String::new();
    // Whether an `if` was found so far: outside of all parentheses, and in each open one.
    let mut ifs = vec![false];
    for c in text.chars() {
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            let is_if = word.eq_ignore_ascii_case("if");
            ifs.last_mut().into_iter().for_each(|has_if| *has_if |= is_if);
            word.clear();
        }
        match c {
            '(' => ifs.push(false),
            ')' if ifs.len() > 1 => drop(ifs.pop()),
            _ => {}
        }
        out.push(match c {
            ';' if ifs.len() > depth => {
                if ifs.last() == Some(&true) {
                    ' '
                } else {
                    ','
                }
            }
            c => c,
        });
    }
    out
}

/// Reads a plan by recursive descent.
struct PlanParser {
    words: Vec<String>,
    next: usize,
    branches: usize,
}

impl PlanParser {
    fn peek(&self) -> Option<&str> {
        self.words.get(self.next).map(String::as_str)
    }

    fn at(&self, word: &str) -> bool {
        self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word))
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.at(word);
        self.next += usize::from(found);
        found
    }

    /// Answers to several moves, or one turn with what follows it.
    fn plan(&mut self, depth: usize) -> Result<Plan, String> {
        if depth > DEPTH_AT_MOST {
            return Err(format!("a queue looks at most {DEPTH_AT_MOST} turns ahead"));
        }
        let mut branches = Vec::new();
        loop {
            let parenthesis = self.take("(");
            if parenthesis {
                branches.extend(self.plan(depth + 1)?.0);
                self.close()?;
            } else if self.take("if") {
                let mut on = self.turn()?;
                // `if Nf3 Nc6` leaves the `then` out.
                if let [_, answer] = on.split(' ').collect::<Vec<_>>()[..]
                    && !self.at("then")
                {
                    on.truncate(on.len() - answer.len() - 1);
                    self.next -= 1;
                } else if !self.take("then") {
                    return Err("`then` and your answer are expected after the move of an `if`".into());
                }
                let Branch { play, then, .. } = self.answer(depth)?;
                branches.push(Branch { on: Some(on), play, then });
            } else {
                branches.push(self.turns(depth)?);
            }
            self.branches += 1;
            if self.branches > BRANCHES_AT_MOST {
                return Err(format!("a queue has at most {BRANCHES_AT_MOST} answers"));
            }
            let last_answers_all = branches.last().is_some_and(|branch| branch.on.is_none());
            // After a parenthesis the player's own move answers all that the `if` before it did not name.
            let more = self.at("if") || self.at("(") || (parenthesis && self.at_move());
            if last_answers_all || !more {
                return Ok(Plan(branches));
            }
        }
    }

    /// What follows `then`: the player's turns, in parentheses or not.
    fn answer(&mut self, depth: usize) -> Result<Branch, String> {
        if !self.take("(") {
            return self.turns(depth);
        }
        let plan = self.plan(depth + 1)?;
        self.close()?;
        match <[Branch; 1]>::try_from(plan.0) {
            Ok([branch]) if branch.on.is_none() => Ok(branch),
            _ => Err("after `then` your own move comes first".into()),
        }
    }

    /// The player's turns, separated by commas.
    fn turns(&mut self, depth: usize) -> Result<Branch, String> {
        let play = self.turn()?;
        let then = if self.take(",") { self.plan(depth + 1)? } else { Plan::default() };
        Ok(Branch { on: None, play, then })
    }

    /// The moves of one turn.
    fn turn(&mut self) -> Result<String, String> {
        let mut turn = Vec::new();
        while let Some(word) = self.peek() {
            if is_sign(word) {
                break;
            }
            turn.push(word.to_owned());
            self.next += 1;
        }
        if turn.is_empty() { Err("a move is missing in this queue".into()) } else { Ok(turn.join(" ")) }
    }

    fn at_move(&self) -> bool {
        self.peek().is_some_and(|word| !is_sign(word))
    }

    fn close(&mut self) -> Result<(), String> {
        if self.take(")") {
            Ok(())
        } else {
            Err("a parenthesis is opened and not closed in this queue".into())
        }
    }
}

/// True for a word that belongs to the queue and not to a move.
fn is_sign(word: &str) -> bool {
    ["if", "then", ",", "(", ")"].iter().any(|sign| word.eq_ignore_ascii_case(sign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str) -> Vec<String> {
        Plan::parse(text).unwrap().lines()
    }

    #[test]
    fn turns_follow_each_other_and_answers_stand_side_by_side() {
        assert_eq!(lines("A3-B4, B4-C4"), ["A3-B4", "  B4-C4"]);
        assert_eq!(lines("if K5-K4 then A3-B4, B4-C4"), ["if K5-K4 then A3-B4", "  B4-C4"]);
        assert_eq!(
            lines("IF K5-K4 THEN A3-B4 if K5-J4 then A3-A2"),
            ["if K5-K4 then A3-B4", "if K5-J4 then A3-A2"]
        );
        assert_eq!(
            lines("A3-B4,(if K5-K4 then B4-C4)(if K5-J4 then B4-B3)"),
            ["A3-B4", "  if K5-K4 then B4-C4", "  if K5-J4 then B4-B3"]
        );
        assert_eq!(
            lines("if K5-K4 then (A3-B4, if J4-J3 then B4-C4) if K5-J5 then A1-A2"),
            ["if K5-K4 then A3-B4", "  if J4-J3 then B4-C4", "if K5-J5 then A1-A2"]
        );
    }

    #[test]
    fn conditions_behind_a_move_are_a_queue() {
        let lines = |text: &str| Plan::behind_a_move(text).map(|plan| plan.lines());
        assert_eq!(
            lines("if K5-K4 then B4-C4, C4-C1; if J3-J2 then D1-D2; else ask"),
            Ok(vec!["if K5-K4 then B4-C4".into(), "  C4-C1".into(), "if J3-J2 then D1-D2".into()])
        );
        assert_eq!(
            lines("If K5-K4 then B4-C4\nelse A1-A2."),
            Ok(vec!["if K5-K4 then B4-C4".into(), "A1-A2".into()])
        );
        assert_eq!(
            lines("if K5-K4 then (B4-C4; if A1-A2 then C4-C1; if A1-B1 then C4-C2); if J3-J2 then D1-D2"),
            Ok(vec![
                "if K5-K4 then B4-C4".into(),
                "  if A1-A2 then C4-C1".into(),
                "  if A1-B1 then C4-C2".into(),
                "if J3-J2 then D1-D2".into()
            ])
        );
        assert!(lines("if K5-K4 then (B4-C4; if A1-A2 then C4-C1").is_err());
        assert_eq!(
            Plan::parse("A3-B4; if K5-K4 then (B4-C4; C4-C1); if J3-J2 then D1-D2").unwrap().lines(),
            ["A3-B4", "  if K5-K4 then B4-C4", "    C4-C1", "  if J3-J2 then D1-D2"]
        );
        assert_eq!(lines("else ask"), Ok(vec![]));
        assert!(lines("if K5-K4 then").is_err() && lines("B4-C4 B5-C5)").is_err());
    }

    #[test]
    fn what_is_no_queue_says_why() {
        for (text, why) in [
            ("", "a move is missing"),
            ("if", "a move is missing"),
            ("if A1-A2", "`then`"),
            ("if A1-A2 then", "a move is missing"),
            ("A1-A2,", "a move is missing"),
            ("(A1-A2", "not closed"),
            ("A1-A2)", "nothing more"),
            ("if A1-A2 then (if B1-B2 then C1-C2)", "your own move"),
        ] {
            let error = Plan::parse(text).unwrap_err();
            assert!(error.contains(why), "{text:?}: {error}");
        }
        assert!(Plan::parse(&"(".repeat(5000)).is_err());
        assert!(Plan::parse(&"A1-A2,".repeat(5000)).is_err());
    }

    fn plans() -> impl Strategy<Value = Plan> {
        let turn = || "[A-K][1-5]-[A-K][1-5]( [A-K][1-5])?";
        let leaf = turn().prop_map(|play| Plan(vec![Branch { on: None, play, then: Plan::default() }]));
        leaf.prop_recursive(4, 20, 3, move |inner| {
            let then = prop_oneof![Just(Plan::default()), inner];
            let answers = prop::collection::vec((turn(), turn(), then.clone()), 0..3);
            (answers, prop::option::of((turn(), then)))
                .prop_map(|(answers, last)| {
                    let mut branches: Vec<Branch> = answers
                        .into_iter()
                        .map(|(on, play, then)| Branch { on: Some(on), play, then })
                        .collect();
                    branches.extend(last.map(|(play, then)| Branch { on: None, play, then }));
                    Plan(branches)
                })
                .prop_filter("an answer", |plan| !plan.is_empty())
        })
    }

    proptest! {
        #[test]
        fn what_is_written_back_reads_as_the_same(plan in plans()) {
            prop_assert_eq!(Plan::parse(&plan.to_string()), Ok(plan.clone()));
            prop_assert_eq!(Plan::behind_a_move(&plan.behind()), Ok(plan));
        }

        #[test]
        fn no_text_is_too_strange(text in "([(),]| |if|then|A1|\\PC){0,40}") {
            let _ = Plan::parse(&text);
        }
    }
}
