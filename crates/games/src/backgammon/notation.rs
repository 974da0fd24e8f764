//! Turns in their standard form, which is that of GNU Backgammon, and as players write them.

use super::board::{BAR, Board, CheckerStep, CheckerTurn, Dice, OFF};
use crate::Unreadable;
use crate::notation::{is_dash, unreadable};

/// The name of a point.
pub(super) fn point_name(point: u8) -> String {
    match point {
        OFF => "off".to_owned(),
        BAR => "bar".to_owned(),
        point => point.to_string(),
    }
}

/// The standard form of a turn: `24/18*/13`, `bar/22 6/5`, `6/off(2)`; `pass` for the turn without a step.
pub(super) fn write(mut board: Board, turn: &CheckerTurn) -> String {
    let mut steps: Vec<CheckerStep> = turn.steps().collect();
    if steps.is_empty() {
        return "pass".to_owned();
    }
    steps.sort_by(|one, other| other.cmp(one));
    // The way of a checker: its first point, then each point that it reaches, and whether it hits there.
    let mut ways: Vec<(u8, Vec<(u8, bool)>)> = Vec::new();
    for step in steps {
        let reached = (step.to, board.step(step));
        let is_continued =
            |way: &&mut (u8, Vec<(u8, bool)>)| way.1.last().is_some_and(|end| end.0 == step.from);
        match ways.iter_mut().find(is_continued) {
            Some((_, way)) => way.push(reached),
            None => ways.push((step.from, vec![reached])),
        }
    }
    // Checkers that go the same way are written together. The first of them hits.
    let mut words: Vec<((u8, u8), String, u8)> = Vec::new();
    for (from, way) in ways {
        let end = way.last().map_or(from, |end| end.0);
        if let Some((.., count)) = words.iter_mut().find(|(ends, ..)| *ends == (from, end)) {
            *count += 1;
            continue;
        }
        let mut word = point_name(from);
        for (point, hits) in way.into_iter().filter(|(point, hits)| *point == end || *hits) {
            word.push_str(&format!("/{}{}", point_name(point), if hits { "*" } else { "" }));
        }
        words.push(((from, end), word, 1));
    }
    let words = words.into_iter().map(|(_, word, n)| if n > 1 { format!("{word}({n})") } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// A turn as it is typed: in any order, by steps or by the whole ways of checkers.
#[derive(Default)]
pub(super) struct TypedTurn {
    /// The first and the last point of each checker's way.
    pub ways: Vec<CheckerStep>,
    /// The points with a star.
    stars: Vec<u8>,
    /// The points on which a checker is said to land.
    landings: Vec<u8>,
}

impl TypedTurn {
    /// Reads the turn at the start of `text`; it is empty if none is there.
    pub fn read(text: &str) -> Result<(TypedTurn, &str), Unreadable> {
        let (mut typed, mut rest) = (TypedTurn::default(), text);
        loop {
            let next = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            let end = next.find(|c: char| c.is_whitespace() || c == ',' || c == '#').unwrap_or(next.len());
            let (word, behind) = next.split_at(end);
            if !is_way(word) {
                return Ok((typed, rest));
            }
            typed.read_way(word).ok_or_else(|| {
                unreadable(word, "The move of a checker is written as 8/5, bar/22, 6/off or 13/11(2).")
            })?;
            if typed.ways.len() > 4 {
                return Err(unreadable(word, "A turn moves four checkers at most."));
            }
            rest = behind;
        }
    }

    /// Adds the way `24/18*/13` or `13-11(2)`; `None` if the word is none.
    fn read_way(&mut self, word: &str) -> Option<()> {
        let (way, times) = match word.split_once('(') {
            // The last `)` of a line can be lost with the punctuation around a move.
            Some((way, times)) => (way, times.trim_end_matches(['*', ')']).parse().ok()?),
            None => (word, 1),
        };
        let mut points = Vec::new();
        for part in way.split(joins_points) {
            let point = read_point(part.trim_end_matches('*'))?;
            if part.ends_with('*') || word.ends_with(")*") {
                self.stars.push(point);
            }
            points.push(point);
        }
        let (&[from, .., to], true) = (points.as_slice(), points.is_sorted_by(|one, next| one > next)) else {
            return None;
        };
        self.landings.extend(points.get(1..)?);
        (1..=4).contains(&times).then(|| (0..times).for_each(|_| self.ways.push(CheckerStep { from, to })))
    }

    /// The points on which a checker hits according to this text: those with stars, and blots on which it lands.
    fn hits(&self, board: &Board) -> Vec<u8> {
        let lands = |point: &u8| self.landings.contains(point) && board.theirs_at(*point) == 1;
        (1..=24).filter(|point| self.stars.contains(point) || lands(point)).collect()
    }

    /// The legal turn that is meant, or else an illegal turn of the same ways.
    ///
    /// # Errors
    /// Several turns can be meant, or the only one does not hit where a star is: the standard forms of these turns.
    pub fn meant(&self, board: &Board, dice: Dice) -> Result<CheckerTurn, Vec<CheckerTurn>> {
        let mut mine = board.mine;
        for CheckerStep { from, to } in &self.ways {
            let [from, to] = [*from, *to].map(usize::from);
            mine[from] = mine[from].wrapping_sub(1);
            mine[to] = mine[to].wrapping_add(1);
        }
        let hits = |after: &Board| -> Vec<u8> {
            (1..=24).filter(|point| board.theirs_at(*point) == 1 && after.theirs_at(*point) == 0).collect()
        };
        let turns = board.turns(dice);
        let same: Vec<_> = turns.into_iter().filter(|(after, _)| after.mine == mine).collect();
        let fits = |after: &Board| self.stars.iter().all(|star| hits(after).contains(star));
        match same.as_slice() {
            [] => Ok(self.as_typed()),
            // Players who leave out a star mean the hit too.
            [(after, turn)] if fits(after) => Ok(*turn),
            several => several
                .iter()
                .find(|(after, _)| hits(after) == self.hits(board))
                .map(|(_, turn)| *turn)
                .ok_or_else(|| several.iter().map(|(_, turn)| *turn).collect()),
        }
    }

    /// The turn with a step for each way.
    pub fn as_typed(&self) -> CheckerTurn {
        self.ways.iter().fold(CheckerTurn::PASS, |turn, way| turn.with(*way))
    }
}

fn joins_points(c: char) -> bool {
    c == '/' || is_dash(c)
}

/// True if a word is meant as the way of a checker: two points, or numbers in their place.
fn is_way(word: &str) -> bool {
    let mut parts = word.split(joins_points);
    let is_point = |part: &str| {
        let end = part.find(['*', '(']).unwrap_or(part.len());
        part.starts_with(|c: char| c.is_ascii_digit()) || part.get(..end).and_then(read_point).is_some()
    };
    parts.next().is_some_and(is_point) && parts.next().is_some_and(is_point)
}

/// A point by its number or its name. 25 is the bar, and 0 is off.
fn read_point(word: &str) -> Option<u8> {
    match word.to_ascii_lowercase().as_str() {
        "bar" | "b" => Some(BAR),
        "off" | "o" => Some(OFF),
        number if number.starts_with('+') => None,
        number => number.parse().ok().filter(|point| *point <= BAR),
    }
}

/// The length of the way of a checker, such as `bar/22*`, `6/off(2)` or `6-0`, at the start of a text. Ways with dashes
/// between two points are left to others: they can be scores.
pub(super) fn length_of_way(text: &str) -> Option<usize> {
    let end = text.find(|c: char| c.is_whitespace() || ",;#".contains(c)).unwrap_or(text.len());
    let word = text.get(..end)?;
    let mut typed = TypedTurn::default();
    typed.read_way(word)?;
    let bears_off = typed.ways.iter().any(|way| way.to == OFF);
    (bears_off || word.contains(|c: char| c == '/' || c.is_ascii_alphabetic())).then_some(end)
}
