//! The moves in the lines of a reply, read on a position. Nothing here plays or stores anything.

use turnpost_games::Table;

use crate::command::dress::{blanks_joined, holds_moves_only, named, plain_signs, undressed};

/// A move stands in one of the first lines; what comes later is a letter to somebody.
const LINES_OF_MOVES: usize = 10;

/// What the lines of a reply that are moves, and nothing else, mean together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyMoves {
    /// No line is a move.
    None,
    /// One way to play them all; the rules may forbid it.
    Plies(ReplyPlies),
    /// Lines that no turn holds together.
    TooMany { moves: String },
    /// Two ways to play them.
    TwoReadings { moves: String },
}

/// Plies with the conditions behind them, and the lines beside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyPlies {
    pub plies: String,
    pub conditions: String,
    pub words: String,
}

/// A line of moves without its dress, and its number among the lines of the reply.
struct MoveLine {
    number: usize,
    text: String,
}

/// The lines of a reply that are not empty, and how many of them greet.
pub(super) struct ReplyLines<'t> {
    pub lines: Vec<&'t str>,
    pub greeted: usize,
}

impl<'t> ReplyLines<'t> {
    pub(super) fn of(text: &'t str) -> ReplyLines<'t> {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let greeted = usize::from(lines.len() > 1 && lines.first().is_some_and(|line| is_greeting(line)));
        ReplyLines { lines, greeted }
    }
}

/// Reads the moves of a reply on `table`: the position in which its writer is to move, `None` where they are not.
pub fn read(table: Option<&dyn Table>, text: &str) -> ReplyMoves {
    let ReplyLines { lines, greeted } = ReplyLines::of(text);
    let moves: Vec<MoveLine> = lines
        .iter()
        .enumerate()
        .take(greeted + LINES_OF_MOVES)
        .map(|(number, line)| MoveLine { number, text: undressed(move_and_conditions(line).0) })
        .filter(|line| holds_moves_only(&line.text))
        .collect();
    let Some(last) = moves.last() else { return ReplyMoves::None };
    let plies = match plies_of(table, &moves) {
        Ok(plies) => plies,
        Err(unclear) => return unclear,
    };
    let (conditions, end) = conditions_behind(&lines, last);
    let is_move = |number: &usize| {
        moves.iter().any(|line| line.number == *number) || (last.number..end).contains(number)
    };
    let words = lines.iter().enumerate().filter(|(number, _)| !is_move(number)).map(|(_, line)| *line);
    let words = words.collect::<Vec<_>>().join("\n");
    ReplyMoves::Plies(ReplyPlies { plies, conditions, words })
}

/// A line as its move and the conditions behind it: `A3-B4; if K5-K4 then B4-C4`.
fn move_and_conditions(line: &str) -> (&str, &str) {
    match line.split_once(';') {
        Some((plies, conditions)) if is_condition(conditions) => (plies, conditions),
        _ => (line, ""),
    }
}

fn is_condition(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    ["if", "else"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// The conditions in the line of the last move and in those below it, and the number of the first line that is none.
fn conditions_behind(lines: &[&str], last: &MoveLine) -> (String, usize) {
    let in_line = lines.get(last.number).map(|line| move_and_conditions(line).1).unwrap_or_default();
    let below = lines.get(last.number + 1..).unwrap_or_default();
    let below: Vec<&str> = below.iter().copied().take_while(|line| is_condition(line)).collect();
    let end = last.number + 1 + below.len();
    let all = std::iter::once(in_line).chain(below).map(plain_signs).filter(|line| !line.is_empty());
    (all.collect::<Vec<_>>().join("; "), end)
}

/// The plies that the lines with moves mean together.
fn plies_of(table: Option<&dyn Table>, moves: &[MoveLine]) -> Result<String, ReplyMoves> {
    let listed =
        |separator: &str| moves.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(separator);
    let together = moves.windows(2).all(|two| matches!(two, [one, next] if one.number + 1 == next.number));
    // A list of plies has commas, which the games do not read.
    let line = listed(" ").replace([',', ';'], " ");
    let readings = [line.clone(), blanks_joined(&line)];
    let mut legal: Vec<Vec<String>> = readings.iter().filter_map(|text| legal_plies(table?, text)).collect();
    legal.dedup();
    match legal.as_slice() {
        _ if moves.len() > 1 && (!together || legal.is_empty()) => {
            Err(ReplyMoves::TooMany { moves: listed(", ") })
        }
        // Which rule forbids it is for the command to say.
        [] => Ok(line),
        [plies] => Ok(plies.join(" ")),
        several => {
            let moves = several.iter().map(|plies| plies.join(", ")).collect::<Vec<_>>().join(" or ");
            Err(ReplyMoves::TwoReadings { moves })
        }
    }
}

/// The plies of a text, where all of it can be played in one turn.
pub(super) fn legal_plies(position: &dyn Table, text: &str) -> Option<Vec<String>> {
    let mut table = position.copy();
    let mut rest = text.trim();
    let mut plies = Vec::new();
    while !rest.is_empty() {
        if table.ended().is_some() || table.turn() != position.turn() {
            return None;
        }
        let played = table.play_text(rest).ok()?;
        let behind = played.rest.trim_start_matches(|c: char| c == '#' || c.is_ascii_digit());
        // The number of the ply goes with it, for the command to check.
        let mark = played.rest.get(..played.rest.len() - behind.len()).unwrap_or_default();
        let mark = if mark.starts_with('#') { mark } else { "" };
        plies.push(format!("{}{mark}", played.ply));
        rest = if mark.is_empty() { played.rest } else { behind }.trim_start();
        while let Some(pass) = table.forced_ply() {
            table.play_text(&pass).ok()?;
        }
    }
    (!plies.is_empty()).then_some(plies)
}

/// A line that greets somebody: a few words, the first of them a greeting.
fn is_greeting(line: &str) -> bool {
    const GREETINGS: &[&str] = &[
        "hi",
        "hello",
        "hey",
        "hallo",
        "hullo",
        "dear",
        "good",
        "morning",
        "greetings",
        "moin",
        "servus",
        "liebe",
        "lieber",
        "guten",
        "salut",
        "bonjour",
        "bonsoir",
        "cher",
        "ch\u{E8}re",
        "hola",
        "buenos",
        "buenas",
        "estimado",
        "querido",
        "ciao",
        "buongiorno",
        "caro",
        "cara",
        "ol\u{E1}",
        "oi",
        "bom",
        "hoi",
        "beste",
        "dag",
        "hej",
        "hei",
        "kjære",
        "cze\u{15B}\u{107}",
        "dzie\u{144}",
        "witaj",
        "ahoj",
        "szia",
        "merhaba",
        "selam",
        "shalom",
        "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}",
    ];
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    GREETINGS.contains(&first.as_str()) && words.count() <= 3 && named(line).is_empty()
}
