//! Reads the moves in the lines of a reply, given a position. Plays and stores nothing.

use turnpost_games::{GameKind, Table};

use crate::ids::BoardId;
use crate::language::dress::plain_signs;
use crate::language::move_finder::MoveFinder;
use crate::language::phrasebook::{asks, only_takes_back, speaks_against};
use crate::meaning::doubt;
use crate::meaning::lines::{MoveLine, ReplyLines, is_condition, legal_plies, move_and_conditions};
use crate::play::marked;

/// What the lines that hold only moves mean together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyMoves {
    /// No line is a move.
    None,
    /// There is one way to play the lines, legal or not.
    Plies(ReplyPlies),
    /// The lines hold more than one turn.
    TooMany { moves: String },
    /// There are two ways to play the lines.
    TwoReadings { moves: String },
}

/// Plies with the conditions after them, and the other lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyPlies {
    pub plies: String,
    pub conditions: String,
    pub words: String,
    /// The first line that takes the plies back or questions them.
    pub doubt: Option<String>,
}

/// Reads the moves of a reply about a board of `game`. `table` is the position, if the writer is to move.
pub fn read(game: &'static GameKind, table: Option<&dyn Table>, text: &str) -> ReplyMoves {
    read_lines(&ReplyLines::about(game, text), table, None)
}

/// Reads the moves of a reply that is already split into lines. `board` is the number of its board.
pub(crate) fn read_lines(
    read: &ReplyLines<'_>,
    table: Option<&dyn Table>,
    board: Option<BoardId>,
) -> ReplyMoves {
    let finder = read.finder;
    let lines = &read.all;
    let moves = read.moves();
    let (Some(MoveLine { number: first, .. }), Some(MoveLine { number: last, .. })) =
        (moves.first(), moves.last())
    else {
        return ReplyMoves::None;
    };
    let plies = match plies_of(finder, table, &moves) {
        Ok(plies) => plies,
        Err(unclear) => return unclear,
    };
    let (conditions, end) = conditions_behind(finder, lines, *last);
    let doubts = doubt::of_move(read, &doubt::MovePlace { board, first: *first, end });
    let doubt = doubts.first().and_then(|number| lines.get(*number)).map(|line| (*line).to_owned());
    let words = lines.iter().enumerate().filter_map(|(number, line)| {
        let beside = moves.iter().find(|line| line.number == number).map(|line| line.words.as_str());
        let is_condition = || (*last + 1..end).contains(&number);
        let said = beside.unwrap_or(if is_condition() { "" } else { line });
        let is_against = || doubts.contains(&number) && doubt::is_an_instruction(read, line);
        (!said.is_empty() && !is_against()).then_some(said)
    });
    let words = words.collect::<Vec<_>>().join("\n");
    ReplyMoves::Plies(ReplyPlies { plies, conditions, words, doubt })
}

/// The words of a reply in which prose names the move: its lines without those that doubt the move or ask about it.
pub(super) fn words_around(lines: &ReplyLines<'_>) -> String {
    let names_a_space = |line: &str| !lines.finder.named(&lines.finder.with_spelt_spaces(line)).is_empty();
    let is_for_them = |line: &&&str| {
        !(only_takes_back(line) || (speaks_against(line) || asks(line)) && names_a_space(line))
    };
    lines.all.iter().filter(is_for_them).copied().collect::<Vec<_>>().join("\n")
}

/// The conditions in the line of the last move and in the lines below it, and the number of the next line after them.
fn conditions_behind(finder: MoveFinder, lines: &[&str], last: usize) -> (String, usize) {
    let in_line = lines.get(last).map(|line| move_and_conditions(finder, line).1).unwrap_or_default();
    let below = lines.get(last + 1..).unwrap_or_default();
    let below: Vec<&str> = below
        .iter()
        .copied()
        .take_while(|line| is_condition(line) && !finder.named(line).is_empty())
        .collect();
    let end = last + 1 + below.len();
    let all = std::iter::once(in_line).chain(below).map(plain_signs).filter(|line| !line.is_empty());
    (all.collect::<Vec<_>>().join("; "), end)
}

/// The plies that the lines with moves mean together.
fn plies_of(finder: MoveFinder, table: Option<&dyn Table>, moves: &[MoveLine]) -> Result<String, ReplyMoves> {
    let listed =
        |separator: &str| moves.iter().map(|line| line.plies.as_str()).collect::<Vec<_>>().join(separator);
    let together = moves.windows(2).all(|two| matches!(two, [one, next] if one.number + 1 == next.number));
    // A list of plies has commas, which the games do not read.
    let line = listed(" ").replace([',', ';'], " ");
    let readings = [line.clone(), finder.blanks_joined(&line)];
    let mut legal: Vec<Vec<String>> =
        readings.iter().filter_map(|text| legal_plies(table?, finder.asks(), text)).collect();
    legal.dedup();
    match legal.as_slice() {
        _ if moves.len() > 1 && (!together || legal.is_empty()) => {
            Err(ReplyMoves::TooMany { moves: listed(", ") })
        }
        [] if readings
            .iter()
            .any(|text| table.is_some_and(|table| holds_more_than_a_turn(finder, table, text))) =>
        {
            Err(ReplyMoves::TooMany { moves: listed(", ") })
        }
        // The move is illegal; the command reports which rule forbids it.
        [] => Ok(line),
        [plies] => {
            let standard = plies.join(" ");
            // The command reads letters of another language once more, as its writer's own.
            let bare = |text: &str| text.trim_end_matches(['+', '#']).to_lowercase();
            let as_written = finder.has_letters()
                && line.chars().nth(1).is_some_and(|second| !second.is_ascii_digit())
                && bare(&line) != bare(&standard);
            Ok(if as_written { line } else { standard })
        }
        several => {
            let moves = several.iter().map(|plies| plies.join(", ")).collect::<Vec<_>>().join(" or ");
            Err(ReplyMoves::TwoReadings { moves })
        }
    }
}

/// True if more moves follow a whole turn.
fn holds_more_than_a_turn(finder: MoveFinder, table: &dyn Table, text: &str) -> bool {
    marked::turn(table, finder.asks(), text).is_ok_and(|turn| finder.holds_moves_only(turn.rest))
}
