//! Lists of letters, mails, players and boards for the administrator.
//!
//! Each list reads along an index, newest row first, one row at a time until the reader stops. It never holds
//! all rows in memory.

use std::ops::ControlFlow;

use jiff::Timestamp;

use super::board_filter::boards_of;
use super::columns::{Columns, StoredRow};
use super::letters::LetterRow;
use super::outbox::{MailAsideRow, MailRow, StoredMail};
use super::records::BoardRow;
use super::sql::Select;
use super::{Account, PlayerId, Result, Store, StoreError};
use crate::ids::{BoardId, Which};

/// The player and the board of a list; by default, all.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowFilter {
    pub player: Option<PlayerId>,
    pub board: Option<BoardId>,
}

/// The players or boards of a list; by default, all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choice<'a> {
    pub game: Option<&'a str>,
    /// Only players without a letter, and boards without an event, since then.
    pub dormant_since: Option<Timestamp>,
    /// Only suspended players and their boards.
    pub suspended: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum PlayerOrder {
    /// The newest first.
    Newest,
    /// The userid decides the order.
    Name,
    /// The latest letter first.
    Letter,
}

/// The time of a player's latest letter.
const LAST_LETTER: &str =
    "(SELECT received_at FROM letters WHERE player = players.id ORDER BY id DESC LIMIT 1)";

/// The accounts of people, each with the time of its latest letter.
pub(crate) fn players<'a>(
    choice: Choice<'a>,
    order: PlayerOrder,
) -> Select<'a, (Account, Option<Timestamp>)> {
    let dormant = format!("state <> 'deleted' AND coalesce({LAST_LETTER}, created_at) < ?");
    Select::columns(&format!("{}, {LAST_LETTER} AS last_letter", Account::COLUMNS), "players")
        .and("id > 0")
        .and_if(
            "id IN (SELECT player FROM seats JOIN boards b ON b.id = board WHERE b.game = ?)",
            choice.game,
        )
        .and_if(&dormant, choice.dormant_since.map(Timestamp::as_second))
        .and_if("(suspended IS NOT NULL) = ?", choice.suspended)
        .order(match order {
            PlayerOrder::Newest => "id DESC",
            PlayerOrder::Name => "userid_key",
            PlayerOrder::Letter => "last_letter DESC, id DESC",
        })
}

/// Narrows a list of boards.
fn chosen<'a, T: Columns>(boards: Select<'a, T>, choice: Choice<'a>) -> Select<'a, T> {
    const SUSPENDED: &str = "EXISTS (SELECT 1 FROM seats s JOIN players p ON p.id = s.player
        WHERE s.board = b.id AND p.suspended IS NOT NULL) = ?";
    boards
        .and_if("b.game = ?", choice.game)
        .and_if("b.changed_at < ?", choice.dormant_since.map(Timestamp::as_second))
        .and_if(SUSPENDED, choice.suspended)
}

/// Which boards a list shows, and in which order.
#[derive(Debug, Clone, Copy)]
pub enum BoardOrder {
    /// The newest first.
    Newest(Which),
    /// The boards in play, the longest without an event first.
    Waiting,
    /// The boards in play with a deadline before this time, the nearest deadline first.
    DueBefore(Timestamp),
}

/// The mails to a player, and to the player's unconfirmed addresses.
const TO_PLAYER: &str = "id IN (SELECT id FROM outbox WHERE player = ?
    UNION ALL SELECT id FROM outbox WHERE player IS NULL
    AND lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?))";

/// The letters that a player wrote, or that caused mail about a board; the newest first.
pub(crate) fn letters<'a>(about: RowFilter) -> Select<'a, LetterRow> {
    Select::rows()
        .and_if("player = ?", about.player)
        .and_if("id IN (SELECT letter FROM outbox WHERE board = ?)", about.board)
        .order("id DESC")
}

/// The mails to a player, or about a board; the newest first.
pub(crate) fn mails<'a>(about: RowFilter) -> Select<'a, MailRow> {
    Select::rows().and_if(TO_PLAYER, about.player).and_if("board = ?", about.board).order("id DESC")
}

/// The mails that came back for good, the latest first.
pub(crate) fn bounces<'a>(about: RowFilter) -> Select<'a, MailRow> {
    Select::from("outbox INDEXED BY outbox_bounced")
        .and("bounced_at IS NOT NULL")
        .and_if("player = ?", about.player)
        .and_if("board = ?", about.board)
        .order("bounced_at DESC")
}

/// The mails that can never be written, the newest first.
pub(crate) fn mails_aside<'a>(about: RowFilter) -> Select<'a, MailAsideRow> {
    Select::rows().and_if("player = ?", about.player).and_if("board = ?", about.board).order("id DESC")
}

fn newest_boards<'a>(about: RowFilter, choice: Choice<'a>, which: Which) -> Select<'a, BoardRow> {
    chosen(boards_of(which, about.player), choice).and_if("b.id = ?", about.board).order("b.id DESC")
}

/// The numbers of boards in play, read from a covering index.
fn boards_in_play<'a>(
    about: RowFilter,
    choice: Choice<'a>,
    due_before: Option<Timestamp>,
    since: Option<Timestamp>,
    most: u32,
) -> Select<'a, BoardId> {
    chosen(Select::columns("b.id", "boards b"), choice)
        .and("state = 'running'")
        .and_if("deadline_at < ?", due_before.map(Timestamp::as_second))
        .and_if("changed_at >= ?", since.map(Timestamp::as_second))
        .and_if("id = ?", about.board)
        .and_if("id IN (SELECT board FROM seats WHERE player = ?)", about.player)
        .order(if due_before.is_some() { "deadline_at, id" } else { "changed_at, id" })
        .limit(most)
}

impl Store {
    /// Visits up to `most` boards in play, in `order`, without those that had no event since `since`.
    /// [`BoardOrder::Newest`] ignores `most` and `since`: there, `visit` ends the list.
    pub fn each_board<E: From<StoreError>>(
        &self,
        (about, choice): (RowFilter, Choice<'_>),
        order: BoardOrder,
        since: Option<Timestamp>,
        most: u32,
        mut visit: impl FnMut(BoardRow) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        let due_before = match order {
            BoardOrder::Newest(which) => return newest_boards(about, choice, which).each(self, visit),
            BoardOrder::Waiting => None,
            BoardOrder::DueBefore(at) => Some(at),
        };
        for number in boards_in_play(about, choice, due_before, since, most).all(self)? {
            if let Some(row) = self.board(number)?
                && visit(row)?.is_break()
            {
                break;
            }
        }
        Ok(())
    }

    /// The latest letters, the newest first.
    pub fn letters(&self, limit: u32) -> Result<Vec<LetterRow>> {
        letters(RowFilter::default()).limit(limit).all(self)
    }

    /// The latest mails, the newest first.
    pub fn outbox(&self, limit: u32) -> Result<Vec<MailRow>> {
        mails(RowFilter::default()).limit(limit).all(self)
    }

    /// The latest mails that can never be written, the newest first.
    pub fn mails_aside(&self, limit: u32) -> Result<Vec<MailAsideRow>> {
        mails_aside(RowFilter::default()).limit(limit).all(self)
    }

    pub fn letter(&self, id: i64) -> Result<Option<LetterRow>> {
        Select::rows().and_with("id = ?", id).first(self)
    }

    /// The letters with a Message-ID, oldest first: one mail can arrive once for each of several reply
    /// tokens.
    pub fn letters_named(&self, message_id: &str) -> Result<Vec<LetterRow>> {
        letters_named(message_id).all(self)
    }

    pub fn mails_of_letter(&self, letter: i64) -> Result<Vec<MailRow>> {
        of_letter(letter).all(self)
    }

    /// The mails of a letter that can never be written.
    pub fn mails_aside_of_letter(&self, letter: i64) -> Result<Vec<MailAsideRow>> {
        of_letter(letter).all(self)
    }

    pub fn stored_mail(&self, id: i64) -> Result<Option<StoredMail>> {
        let columns = format!("{}, coalesce(bytes, x''), secret > 0", MailRow::COLUMNS);
        let found =
            Select::columns(&columns, "outbox LEFT JOIN mail_bytes ON mail = id").and_with("id = ?", id);
        Ok(found.first(self)?.map(|(row, bytes, secret)| StoredMail { row, bytes, secret }))
    }
}

fn letters_named(message_id: &str) -> Select<'_, LetterRow> {
    Select::rows().and_with("message_id = ?", message_id).order("id")
}

/// The rows that a letter caused.
fn of_letter<'a, T: StoredRow>(letter: i64) -> Select<'a, T> {
    Select::rows().and_with("letter = ?", letter).order("id")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of all rows can follow its table or its index and is never sorted; no other query does so.
    #[test]
    fn no_question_reads_a_whole_table() {
        let store = Store::in_memory().unwrap();
        let (player, board) = (Some(PlayerId(1)), Some(BoardId(1)));
        let abouts = [
            RowFilter::default(),
            RowFilter { player, board: None },
            RowFilter { player: None, board },
            RowFilter { player, board },
        ];
        let soon = Timestamp::from_second(1_800_000_000).unwrap();
        for about in abouts {
            let lists = [letters(about).plan(&store), mails(about).plan(&store), bounces(about).plan(&store)];
            let boards = [Which::All, Which::Active, Which::Inactive];
            let boards = boards.map(|which| newest_boards(about, Choice::default(), which).plan(&store));
            for plan in lists.into_iter().chain(boards) {
                let is_of_all = about.player.or(about.board.map(|_| PlayerId(0))).is_none();
                let scans = plan.lines().filter(|step| {
                    step.starts_with("SCAN") && !(is_of_all || step.ends_with("USING INDEX outbox_bounced"))
                });
                assert_eq!(scans.collect::<Vec<_>>(), [""; 0], "{about:?}\n{plan}");
                assert!(!is_of_all || !plan.contains("TEMP B-TREE"), "{plan}");
            }
        }
        for due_before in [None, Some(soon)] {
            let of_all = boards_in_play(RowFilter::default(), Choice::default(), due_before, Some(soon), 51)
                .plan(&store);
            assert!(of_all.starts_with("SCAN b USING COVERING INDEX boards_running\n"), "{of_all}");
            let of_one =
                boards_in_play(RowFilter { player, board: None }, Choice::default(), due_before, None, 51)
                    .plan(&store);
            assert!(!of_one.contains("SCAN"), "{of_one}");
        }
        for plan in [
            Select::<LetterRow>::rows().and_with("id = ?", 1).plan(&store),
            letters_named("x").plan(&store),
            of_letter::<MailRow>(1).plan(&store),
            of_letter::<MailAsideRow>(1).plan(&store),
            Select::<MailRow>::rows().and_with("id = ?", 1).plan(&store),
        ] {
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP"), "{plan}");
        }
    }
}
