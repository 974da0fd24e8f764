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

mod read;

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

impl Plan {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    }
}
