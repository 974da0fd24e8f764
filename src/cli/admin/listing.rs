//! The shared parts of listings: options, a table of 80 columns for people, JSON for programs.
//!
//! JSON is an array with an object a line, printed as the rows are read. Only a whole list ends with `]`.

use std::ops::ControlFlow;
use std::str::FromStr;

use comfy_table::presets::NOTHING;
use comfy_table::{ColumnConstraint, ContentArrangement, Table};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use turnpost_games::registry;

use super::tables::Whom;
use crate::cli::{complain, print, print_piece};
use crate::clock;
use crate::error::HostError;
use crate::ids::BoardId;
use crate::store::{Choice, PlayerId, RowFilter, Store};

/// The width of everything that people read.
pub(super) const WIDTH: usize = 80;

/// The most rows of a table without `--limit`.
const ROWS: u32 = 50;

/// The size of the pieces in which JSON is written, in bytes.
const PIECE: usize = 64 * 1024;

/// Options of every listing.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// For programs: a JSON array of all rows, one object a line
    #[arg(long)]
    pub(super) json: bool,
    /// Print at most ROWS rows (default: 50; all with --json)
    #[arg(long, value_name = "ROWS")]
    limit: Option<u32>,
    /// Only rows newer than a day (2026-11-16), a time (2026-11-16T09:00:00Z), or an age (2d, 12h)
    #[arg(long, value_name = "WHEN")]
    since: Option<Since>,
}

impl Output {
    pub fn since(&self) -> Option<Timestamp> {
        Some(match self.since? {
            Since::At(at) => at,
            Since::Ago(age) => age.before_now(),
        })
    }

    pub fn limit(&self) -> u32 {
        self.limit.unwrap_or(if self.json { u32::MAX } else { ROWS })
    }
}

/// Options of listings that a player or a board narrows.
#[derive(Debug, clap::Args)]
pub(crate) struct Listing {
    #[command(flatten)]
    pub(super) whose: ListFilter,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListFilter {
    /// Only rows about this player
    #[arg(long, value_name = "USERID")]
    user: Option<Whom>,
    /// Only rows about this board
    #[arg(long, value_name = "NUMBER")]
    pub(super) board: Option<BoardId>,
}

/// Options that narrow lists of players and of boards.
#[derive(Debug, clap::Args)]
pub(crate) struct Narrowed {
    /// Only this game, or players of it
    #[arg(long, value_name = "GAME", value_parser = game)]
    game: Option<String>,
    /// Only players who wrote no letter within AGE (90d), or boards in play without an event since
    #[arg(long, value_name = "AGE")]
    pub(super) dormant: Option<AgeLimit>,
    /// Only suspended players, or their boards
    #[arg(long)]
    suspended: bool,
}

fn game(key: &str) -> Result<String, String> {
    registry::find(key)
        .map(|game| game.key.to_owned())
        .ok_or_else(|| "this server has no such game".to_owned())
}

impl Narrowed {
    pub fn choice(&self) -> Choice<'_> {
        let dormant_since = self.dormant.map(AgeLimit::before_now);
        Choice { game: self.game.as_deref(), dormant_since, suspended: self.suspended.then_some(true) }
    }
}

impl ListFilter {
    pub fn about(&self, store: &Store) -> Result<RowFilter, HostError> {
        let player = self.player(store)?;
        if let Some(board) = self.board
            && store.board(board)?.is_none()
        {
            return Err(HostError::Asked(format!("there is no board {board}")));
        }
        Ok(RowFilter { player, board: self.board })
    }

    pub fn player(&self, store: &Store) -> Result<Option<PlayerId>, HostError> {
        Ok(self.user.as_ref().map(|whom| whom.account(store)).transpose()?.map(|account| account.id))
    }
}

/// A moment, or a time before now.
#[derive(Debug, Clone, Copy)]
enum Since {
    At(Timestamp),
    Ago(AgeLimit),
}

impl FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Since, String> {
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(Since::At(at));
        }
        if let Some(day) = text.parse::<Date>().ok().and_then(|day| day.to_zoned(TimeZone::UTC).ok()) {
            return Ok(Since::At(day.timestamp()));
        }
        text.parse().map(Since::Ago).map_err(|_| {
            "a day such as 2026-11-16, a time such as 2026-11-16T09:00:00Z, or an age such as 2d".to_owned()
        })
    }
}

/// A length of time: `90m`, `12h`, `2d`, `3w`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AgeLimit(pub(super) SignedDuration);

impl AgeLimit {
    pub fn before_now(self) -> Timestamp {
        clock::now().checked_sub(self.0).unwrap_or(Timestamp::MIN)
    }
}

impl FromStr for AgeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<AgeLimit, String> {
        let wrong =
            || "a number of minutes, hours, days or weeks is expected, such as 90m, 12h, 2d, 3w".to_owned();
        let unit = text.chars().last().ok_or_else(wrong)?;
        let count: u32 = text.strip_suffix(unit).and_then(|count| count.parse().ok()).ok_or_else(wrong)?;
        let minutes = match unit {
            'm' => 1,
            'h' => 60,
            'd' => 24 * 60,
            'w' => 7 * 24 * 60,
            _ => return Err(wrong()),
        };
        Ok(AgeLimit(SignedDuration::from_mins(i64::from(count) * minutes)))
    }
}

/// A column: its name, and the most characters of a value. Longer values are cut.
pub(super) struct Column(pub &'static str, pub usize);

/// Prints the rows of a listing.
pub(super) struct Rows {
    columns: &'static [Column],
    table: Vec<Vec<String>>,
    json: Option<JsonList>,
    limit: u32,
    pub since: Option<Timestamp>,
    count: u32,
    is_cut: bool,
}

/// The end of the JSON array that is not printed yet.
struct JsonList {
    piece: String,
    begins: bool,
}

/// A row in both forms.
pub(super) struct ListLine {
    /// The time that `--since` compares; `None` if the list is not in order of time.
    pub at: Option<Timestamp>,
    pub cells: Vec<String>,
    pub json: Value,
}

impl Rows {
    pub fn new(output: &Output, columns: &'static [Column]) -> Result<Rows, HostError> {
        let json = output.json.then(|| JsonList { piece: "[".to_owned(), begins: true });
        let since = output.since();
        Ok(Rows { columns, table: Vec::new(), json, limit: output.limit(), since, count: 0, is_cut: false })
    }

    /// How many rows to read: one more than are shown, which tells whether the list is cut.
    pub fn wanted(&self) -> u32 {
        self.limit.saturating_add(1)
    }

    /// Adds the next row. Breaks at the limit, and at the first row that is too old.
    pub fn add(&mut self, line: ListLine) -> Result<ControlFlow<()>, HostError> {
        if line.at.zip(self.since).is_some_and(|(at, since)| at < since) {
            return Ok(ControlFlow::Break(()));
        }
        if self.count >= self.limit {
            self.is_cut = true;
            return Ok(ControlFlow::Break(()));
        }
        self.count += 1;
        match &mut self.json {
            None => self.table.push(line.cells),
            Some(json) => {
                json.piece.push_str(if json.begins { "\n" } else { ",\n" });
                json.begins = false;
                json.piece.push_str(&line.json.to_string());
                if json.piece.len() >= PIECE {
                    // The comma of the next row goes in front of it.
                    let next = std::mem::take(&mut json.piece);
                    print_piece(&next)?;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Prints the rest.
    pub fn end(self, nothing: &str) -> Result<(), HostError> {
        let more = more_than(self.count);
        if let Some(json) = self.json {
            print(&format!("{}\n]", json.piece))?;
            if self.is_cut {
                complain(&more);
            }
            return Ok(());
        }
        if self.table.is_empty() {
            return print(if self.is_cut { &more } else { nothing });
        }
        print(&table(self.columns, self.table))?;
        if self.is_cut {
            print(&format!("\n{more}"))?;
        }
        Ok(())
    }
}

pub(super) fn more_than(rows: u32) -> String {
    let (s, more) = (if rows == 1 { "" } else { "s" }, rows.saturating_mul(2).max(1));
    format!("the list is cut after {rows} row{s}; --limit {more} shows more")
}

/// A table of at most [`WIDTH`] columns. It folds the last column.
pub(super) fn table(columns: &[Column], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table
        .set_width(u16::try_from(WIDTH).unwrap_or(u16::MAX))
        .set_header(columns.iter().map(|column| column.0));
    for cells in rows {
        table.add_row(cells.into_iter().zip(columns).map(|(cell, column)| cut(&cell, column.1)));
    }
    let last = columns.len().saturating_sub(1);
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if at == last { 0 } else { 2 }));
        if at != last {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>().trim_end().to_owned()
}

/// At most `most` characters; `…` replaces the rest.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Adds a field to a page. Its folded lines are indented. An empty value adds nothing.
pub(super) fn field(page: &mut String, name: &str, value: &str) {
    const NAME: usize = 12;
    let (name, below) = (format!("{name:<NAME$}"), " ".repeat(NAME));
    for (number, line) in value.lines().enumerate() {
        let first = if number == 0 { &name } else { &below };
        let options = textwrap::Options::new(WIDTH).initial_indent(first).subsequent_indent(&below);
        page.push_str(&textwrap::fill(line, options));
        page.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_moments() {
        let age = |text: &str| text.parse::<AgeLimit>().ok().map(|AgeLimit(age)| age.as_hours());
        assert_eq!([age("2d"), age("12h"), age("90m"), age("3w")], [Some(48), Some(12), Some(1), Some(504)]);
        assert_eq!([age("2"), age("d"), age("-2d"), age("2 d"), age(""), age("9999999999d")], [None; 6]);
        let since = |text: &str| match text.parse::<Since>() {
            Ok(Since::At(at)) => at.to_string(),
            Ok(Since::Ago(_)) => "ago".to_owned(),
            Err(why) => why,
        };
        assert_eq!(since("2026-11-16"), "2026-11-16T00:00:00Z");
        assert_eq!(since("2026-11-16T09:00:00+01:00"), "2026-11-16T08:00:00Z");
        assert_eq!(since("2d"), "ago");
        assert!(since("yesterday").starts_with("a day such as"));
    }

    #[test]
    fn a_table_fits_and_shows_where_it_cuts() {
        const COLUMNS: &[Column] = &[Column("number", 9), Column("to", 24), Column("what", 400)];
        let long = format!("{}@example.org", "a".repeat(64));
        let rows = vec![vec!["1".to_owned(), long, "550 no such user here ".repeat(9) + &"x".repeat(100)]];
        let table = table(COLUMNS, rows);
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        assert!(table.contains(&format!("{}…", "a".repeat(23))), "{table}");
        assert_eq!(table.matches('x').count(), 100, "{table}");
    }
}
