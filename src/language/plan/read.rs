//! Reads a plan, by recursive descent.

use crate::language::plan::{Branch, Plan};

const BRANCHES_AT_MOST: usize = 100;
const DEPTH_AT_MOST: usize = 40;

impl Plan {
    /// The error is a sentence that says what was expected.
    pub(crate) fn parse(text: &str) -> Result<Plan, String> {
        let mut parser = PlanParser { words: words(&without_semicolons(text, 0)), next: 0, branches: 0 };
        let plan = parser.plan(0)?;
        match parser.peek() {
            None => Ok(plan),
            Some(_) => Err("nothing more is expected after this queue; a comma separates your turns".into()),
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
}

/// Words, with commas and parentheses as words of their own. The number in `6/off(2)` belongs to its word.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        if c == '(' && !word.is_empty() && is_a_number(letters.as_str()) {
            word.push(c);
            word.extend(letters.by_ref().take(2));
        } else if c.is_whitespace() || matches!(c, ',' | '(' | ')') {
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

/// True for a text that begins with a digit and `)`.
fn is_a_number(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_ascii_digit()) && letters.next() == Some(')')
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
    fn a_turn_has_blanks_and_a_move_its_count() {
        assert_eq!(
            lines("if 8/5 6/5 then (13/11(2) 6/5, 6/off(2)) (if double then take)"),
            ["if 8/5 6/5 then 13/11(2) 6/5", "  6/off(2)", "if double then take"]
        );
        let plan = Plan::parse("if 6/off(2) then bar/22* 6/5(2)").unwrap();
        assert_eq!(Plan::parse(&plan.to_string()), Ok(plan));
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

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "([(),]| |if|then|A1|\\PC){0,40}") {
            let _ = Plan::parse(&text);
        }
    }
}
