//! The command line of GNU Backgammon: `set xgid`, then `hint`. Its socket for external players knows no doubles.

use std::time::Instant;

use super::process::EngineProcess;
use super::{Answer, EngineSetup, Fault, GameSoFar, table_after};

/// The bar, as a point.
const BAR: usize = 25;

#[derive(Debug)]
pub(super) struct GnubgTalk {
    pub name: String,
}

impl GnubgTalk {
    pub(super) fn begin(
        process: &mut EngineProcess,
        setup: &EngineSetup,
        deadline: Instant,
    ) -> Result<GnubgTalk, Fault> {
        let is_name = |line: &str| line.starts_with("GNU ").then(|| line.chars().take(80).collect());
        let name = process.hear(deadline, is_name)?;
        // It gives hints to people alone.
        process.say("set player 0 human")?;
        process.say("set player 1 human")?;
        for (setting, value) in &setup.options {
            process.say(&format!("set {setting} {value}"))?;
        }
        process.say("show seed")?;
        hear(process, deadline, |line| line.starts_with("The current seed").then_some(()))?;
        Ok(GnubgTalk { name })
    }

    pub(super) fn choose(
        &mut self,
        process: &mut EngineProcess,
        game: &GameSoFar<'_>,
        deadline: Instant,
    ) -> Result<Answer, Fault> {
        let table = table_after(game, |_, _| Ok(()))?;
        let plies = table.legal_plies();
        let can = |word: &str| plies.iter().any(|ply| ply == word);
        let play = |word: &str| Ok(Answer::Ply(word.to_owned()));
        let is_about_cube = can("double") || can("take");
        if can("roll") && !is_about_cube {
            return play("roll");
        }
        let xgid = xgid(&table.position()).ok_or_else(|| Fault::Untold("it has no XGID".to_owned()))?;
        process.say(&format!("set xgid {xgid}"))?;
        process.say("hint 1")?;
        if is_about_cube {
            let advice = hear(process, deadline, |line| {
                line.strip_prefix("Proper cube action: ").map(str::to_ascii_lowercase)
            })?;
            return play(match can("take") {
                true if advice.contains("pass") => "drop",
                true => "take",
                false if advice.starts_with("double") || advice.starts_with("redouble") => "double",
                false => "roll",
            });
        }
        let turn = hear(process, deadline, turn_of)?;
        let played = table.copy().play_text(&turn).map(|played| played.ply);
        played
            .map(Answer::Ply)
            .map_err(|_| Fault::Lied(format!("it played {turn:.40}, which is no legal move here")))
    }
}

/// Reads lines until `found` takes one, or one of them says that a command was wrong.
fn hear<T>(
    process: &mut EngineProcess,
    deadline: Instant,
    found: impl Fn(&str) -> Option<T>,
) -> Result<T, Fault> {
    let is_wrong =
        |line: &str| ["Unknown keyword", "Not a valid XGID"].iter().any(|says| line.starts_with(says));
    let wrong = |line: &str| Fault::Lied(format!("it says: {line:.80}"));
    process.hear(
        deadline,
        |line| {
            if is_wrong(line) { Some(Err(wrong(line))) } else { found(line).map(Ok) }
        },
    )?
}

/// The turn of the first hint: `    1. Cubeful 0-ply    8/5 6/5                      Eq.: +0.243`.
fn turn_of(line: &str) -> Option<String> {
    let (_, hint) = line.trim_start().strip_prefix("1. Cube")?.split_once("-ply ")?;
    Some(hint.split_once("Eq.:")?.0.trim().to_owned())
}

/// A position of ours as an XGID, which has the side on roll as its first player. See the module `text` of our Backgammon
/// for ours, and the manual of GNU Backgammon for the other.
fn xgid(position: &str) -> Option<String> {
    let words: Vec<&str> = position.split(' ').collect();
    let [sides, on_roll, stage, rest @ ..] = words.as_slice() else { return None };
    let (white, black) = sides.split_once('/')?;
    let is_white = *on_roll == "w";
    let in_order = |white, black| if is_white { [white, black] } else { [black, white] };
    let mut points = ['-'; BAR + 1];
    for (side, letter) in in_order(white, black).into_iter().zip([b'A', b'a']) {
        for point in side.split(',').filter(|_| side != "off") {
            let (point, count) = point.split_once(':')?;
            let point = if point == "bar" { BAR } else { point.parse().ok()? };
            let at = if letter == b'A' { point } else { BAR.checked_sub(point)? };
            *points.get_mut(at)? = char::from(count.parse::<u8>().ok()?.checked_add(letter - 1)?);
        }
    }
    let behind = |word: &str| rest.iter().position(|other| *other == word).map(|at| &rest[at + 1..]);
    let dice =
        rest.first().filter(|_| *stage == "move").map_or("00".to_owned(), |dice| dice.replace('-', ""));
    let (value, owner) = match behind("cube") {
        Some([value, owner, ..]) => (value.parse::<u16>().ok()?, *owner),
        _ => (1, "-"),
    };
    let owner = if owner == "-" {
        "0"
    } else if owner == *on_roll {
        "1"
    } else {
        "-1"
    };
    let (score, length) = match (behind("score"), behind("money")) {
        (Some([score, ..]), _) => score.split_once('/')?,
        (_, Some([score, ..])) => (*score, "0"),
        _ => ("0-0", "1"),
    };
    let (first, second) = score.split_once('-')?;
    let [own, other] = in_order(first, second);
    // The same field tells the Crawford game in a match, and Jacoby's rule without one.
    let rule = u8::from(rest.contains(&"crawford") || rest.contains(&"jacoby"));
    let points: String = points.iter().collect();
    Some(format!(
        "XGID={points}:{}:{owner}:1:{dice}:{own}:{other}:{rule}:{length}:10",
        value.checked_ilog2()?
    ))
}

#[cfg(test)]
mod tests {
    use super::xgid;

    /// Worked out by hand: capitals are the checkers of the side on roll, by its own points.
    #[test]
    fn a_position_is_written_as_its_xgid() {
        for (position, expected) in [
            (
                "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w move 3-1",
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:1:10",
            ),
            (
                "bar:1,6:2/24:1,1:2 b choice cube 2 w score 2-1/5",
                "XGID=aB-----------------b----A-:1:-1:1:00:1:2:0:5:10",
            ),
            (
                "6:1/bar:1 w doubled cube 4 b money 0-3 jacoby",
                "XGID=a-----A-------------------:2:-1:1:00:0:3:1:0:10",
            ),
            (
                "6:1/6:1 w choice cube 1 - score 2-0/3 crawford",
                "XGID=------A------------a------:0:0:1:00:2:0:1:3:10",
            ),
        ] {
            assert_eq!(xgid(position).as_deref(), Some(expected), "{position}");
        }
    }
}
