//! Lists of boards, by game, player, result, length and date. A line of a mail and the query of a page use the same words.

use std::cmp::Reverse;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::records::BoardRow;
use super::sql::Select;
use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Which};

/// Selects boards for a list.
#[derive(Debug, Clone, Default)]
pub struct BoardFilter {
    /// The key of a game.
    pub game: Option<String>,
    pub player: Option<PlayerId>,
    pub which: Which,
    pub limit: u32,
    /// Only boards with a smaller number.
    pub before: Option<BoardId>,
    pub narrowing: Narrowing,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Narrowing {
    pub result: Option<OwnResult>,
    /// The fewest and the most plies.
    pub moves: Option<[u32; 2]>,
    /// The first and the last day of the game's last event, in UTC.
    pub since: Option<Date>,
    pub until: Option<Date>,
}

/// The result of a finished game from the side of the player whose games are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnResult {
    /// Without a player: the game has a winner.
    Won,
    Lost,
    Drawn,
}

impl Narrowing {
    pub const WORDS: [&str; 4] = ["result", "moves", "since", "until"];

    /// Sets the option `name`; `None` if it is not one of [`WORDS`](Narrowing::WORDS).
    pub fn set(&mut self, name: &str, value: &str) -> Option<std::result::Result<(), String>> {
        let date = || value.parse::<Date>().map_err(|_| "a date is expected, such as 2027-07-01".to_owned());
        Some(match name.to_ascii_lowercase().as_str() {
            "result" => result(value).map(|result| self.result = Some(result)),
            "moves" => moves(value).map(|moves| self.moves = Some(moves)),
            "since" => date().map(|date| self.since = Some(date)),
            "until" => date().map(|date| self.until = Some(date)),
            _ => return None,
        })
    }

    /// Each option that is set, with its value.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, String)> {
        let result = self.result.map(|result| match result {
            OwnResult::Won => "won".to_owned(),
            OwnResult::Lost => "lost".to_owned(),
            OwnResult::Drawn => "drawn".to_owned(),
        });
        let moves = self.moves.map(|[least, most]| match most {
            u32::MAX => format!("{least}-"),
            most => format!("{least}-{most}"),
        });
        let values =
            [result, moves, self.since.map(|day| day.to_string()), self.until.map(|day| day.to_string())];
        Narrowing::WORDS.into_iter().zip(values).filter_map(|(name, value)| Some((name, value?)))
    }
}

fn result(word: &str) -> std::result::Result<OwnResult, String> {
    match word.to_ascii_lowercase().as_str() {
        "won" => Ok(OwnResult::Won),
        "lost" => Ok(OwnResult::Lost),
        "drawn" | "tied" => Ok(OwnResult::Drawn),
        _ => Err("won, lost or drawn is expected after the `=`".to_owned()),
    }
}

/// Reads `20-40`, `20-`, `-40` or `20`.
fn moves(text: &str) -> std::result::Result<[u32; 2], String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str, usual| if text.is_empty() { Some(usual) } else { text.parse().ok() };
    match (number(least, 0), number(most, u32::MAX)) {
        (Some(least), Some(most)) if !text.is_empty() && least <= most => Ok([least, most]),
        _ => Err("a number of moves is expected after the `=`, or two, such as 20-40".to_owned()),
    }
}

impl Store {
    /// The newest boards that match `filter`, newest first.
    pub fn boards(&self, filter: &BoardFilter) -> Result<Vec<BoardRow>> {
        let BoardFilter { player, which, .. } = *filter;
        // A list of a player begins with the seats. Any other asks for one state after the other, because SQLite would
        // sort all boards of the game by number.
        let (game, states): (_, &[&str]) = match which {
            _ if player.is_some() => ("+b.game = ?", &["true"]),
            Which::All => {
                ("b.game = ?", &["b.state = 'running'", "b.state = 'finished'", "b.state = 'declined'"])
            }
            Which::Inactive => ("b.game = ?", &["b.state = 'finished'", "b.state = 'declined'"]),
            Which::Active | Which::Next => ("b.game = ?", &["true"]),
        };
        let mut boards: Vec<BoardRow> = Vec::new();
        for state in states {
            boards.extend(
                narrowed(boards_of(which, player), &filter.narrowing, player)
                    .and(state)
                    .and_if(game, filter.game.as_deref())
                    .and_if("b.id < ?", filter.before)
                    .order("b.id DESC")
                    .limit(filter.limit)
                    .all(self)?,
            );
        }
        boards.sort_by_key(|row| Reverse(row.id));
        boards.truncate(filter.limit as usize);
        Ok(boards)
    }
}

pub(super) fn boards_of<'a>(which: Which, player: Option<PlayerId>) -> Select<'a, BoardRow> {
    let boards = Select::rows().and_if("b.id IN (SELECT board FROM seats WHERE player = ?)", player);
    let to_move =
        "EXISTS (SELECT 1 FROM seats n WHERE n.board = b.id AND n.player = ? AND n.seat = b.to_move)";
    match which {
        Which::All => boards,
        Which::Active => boards.and("b.state = 'running'"),
        Which::Inactive => boards.and("b.state <> 'running'"),
        Which::Next => boards.and("b.state = 'running'").and_if(to_move, player),
    }
}

fn narrowed<'a>(
    boards: Select<'a, BoardRow>,
    Narrowing { result, moves, since, until }: &Narrowing,
    player: Option<PlayerId>,
) -> Select<'a, BoardRow> {
    let begins = |day: Date| day.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp().as_second());
    let boards = boards
        .and_if("b.plies >= ?", moves.map(|[least, _]| least))
        .and_if("b.plies <= ?", moves.map(|[_, most]| most))
        .and_if("b.changed_at >= ?", since.and_then(begins))
        .and_if("b.changed_at < ?", until.and_then(|day| begins(day.tomorrow().ok()?)));
    let own = "EXISTS (SELECT 1 FROM seats o WHERE o.board = b.id AND o.player = ? AND o.seat";
    let sign = match result {
        None => return boards,
        Some(OwnResult::Drawn) => return boards.and("b.winner IS NULL").and("b.ending <> 'abandoned'"),
        Some(OwnResult::Won) => "=",
        Some(OwnResult::Lost) => "<>",
    };
    boards.and("b.winner IS NOT NULL").and_if(&format!("{own} {sign} b.winner)"), player)
}
