//! All SQL of the program.
//!
//! One SQLite file in WAL mode. With `synchronous=FULL`, a letter that was acknowledged to the mail server survives a
//! power failure. Every write transaction is IMMEDIATE. A transaction that reads first and writes later would fail at
//! once if another process wrote in between.

mod acts;
mod addresses;
mod admin_lists;
mod archive;
mod backup;
mod bans;
mod board_filter;
mod boards;
mod bounces;
mod clocks;
mod columns;
mod contest_boards;
mod contest_news;
mod contests;
mod dice_key;
mod erase;
mod export;
mod health;
mod holds;
mod identity;
mod invitations;
mod leases;
mod letters;
mod limits;
mod messages;
mod notes;
mod open;
mod outbox;
mod plans;
mod players;
mod pushes;
pub mod questions;
mod rating_range;
mod ratings;
mod records;
mod restore;
mod robots;
mod search;
mod senders;
mod serving;
mod sessions;
mod settings;
mod sql;
mod time_control;
mod transactions;
mod vacations;
mod watchers;
mod weekends;
mod words;

use std::fs::Metadata;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use senders::Sending;

use crate::private_files;

pub use acts::{ActKind, ActOnContest, NO_RESULT, NewAct, OutgoingState, REPLACED};
pub use addresses::{AddressRow, PlayerAddresses};
pub use admin_lists::{BoardOrder, Choice, PlayerOrder, RowFilter};
pub(crate) use admin_lists::{bounces, letters, mails, mails_aside, players};
pub use archive::ReachedRow;
pub use board_filter::{BoardFilter, Narrowing, OwnResult};
pub use bounces::{BounceRow, CameBack, MailToPlayer};
pub use clocks::{ClockRow, StopRow};
pub use contest_boards::ContestBoardRow;
pub use contest_news::{ContestNewsKind, ContestNewsRow};
pub use contests::{
    ContestEventKind, ContestEventRow, ContestForm, ContestId, ContestRow, ContestState, OfContest,
};
pub use dice_key::DICE_KEY;
pub use erase::Met;
pub use identity::{IdentityRow, NO_ADDRESS};
pub use invitations::InvitationRow;
pub use leases::{Leased, Pictured, SendOutcome};
pub use letters::{
    ClosedLetter, CommandCounts, Entrance, LetterId, LetterRow, LetterStanding, NewLetter, ProvenBy,
    ThreadRow,
};
pub use limits::LimitHits;
pub use messages::{AboutBoard, AnnouncedRow, MESSAGE_SECONDS, MessageId, MessageRow, SaidRow};
pub use notes::NoteRow;
pub use open::{LATEST, TooNew, TooOld, migrate_to};
pub use outbox::{
    Keep, LastMail, MailAsideRow, MailRow, MailState, NewMail, NewMailAside, OutboxCounts, StoredMail,
};
pub use plans::{SeekRow, SeekState, Unconfirmed};
pub use players::{Account, AccountState, CodeHash, PlayerId, mailbox_key};
pub use pushes::PushRow;
pub use rating_range::RatingRange;
pub use ratings::{FinishRow, MovedRating, RatedGame, RatingRow};
pub use records::{
    BoardRow, BoardState, Ending, EventKind, EventRow, LiveState, PlyRow, Proposal, ResultRow, Ruling,
};
pub use restore::Replacement;
pub use robots::{RobotTurn, WantedAnalysis};
pub use search::PersonWords;
pub use serving::{ServingRow, Takeover};
pub use sessions::SessionRow;
pub use settings::{AccountRole, GameResults, GameSettings, PreferencesRow};
pub use time_control::{Bank, TimeControl};
pub use transactions::WriteLock;
pub use vacations::VacationRow;
pub use weekends::FreeWeekends;
pub use words::UnknownWord;

/// An error of the store. Only `Banned` is a player's mistake.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("database: {0}")]
    Sqlite(rusqlite::Error),
    #[error(transparent)]
    TooNew(#[from] TooNew),
    #[error(transparent)]
    TooOld(#[from] TooOld),
    /// Another program's SQLite file.
    #[error("{0} is not a Turnpost database")]
    NotOurs(String),
    /// A copy with something that Turnpost never writes.
    #[error("{0} {1}, which no database of Turnpost does")]
    Foreign(String, String),
    #[error("{0} is in use: stop `turnpost serve`, Litestream and what else has it open, and try again")]
    InUse(String),
    /// A row has a value that this program never writes.
    #[error("the database holds something damaged: {0}")]
    Damaged(String),
    /// An address that no account can have.
    #[error("the host has banned {0}")]
    Banned(String),
    /// The opened file is no longer the database: writes to it are lost.
    #[error("{0} was removed or replaced while this process had it open")]
    Gone(String),
    /// A file cannot be made.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
}

impl StoreError {
    /// True if another writer holds the database, so that a later try can succeed.
    pub fn is_busy(&self) -> bool {
        matches!(self, StoreError::Sqlite(why) if is_busy(why))
    }

    /// True if the content of the file cannot be read.
    pub fn is_damage(&self) -> bool {
        match self {
            StoreError::Sqlite(why) => is_damage(why),
            StoreError::Damaged(_) | StoreError::Gone(_) => true,
            _ => false,
        }
    }

    /// The error for the host, with advice about damage.
    pub fn for_host(&self) -> String {
        let is_told = matches!(self, StoreError::Sqlite(_) | StoreError::Damaged(_)) && self.is_damage();
        format!("{self}{}", if is_told { "; `turnpost doctor` says what to do" } else { "" })
    }

    /// True if a later try can succeed without an act of the host.
    pub fn may_pass(&self) -> bool {
        use ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull, OutOfMemory, ReadOnly, SystemIoFailure};
        match self {
            StoreError::Sqlite(why) => matches!(
                why.sqlite_error_code(),
                Some(DatabaseBusy | DatabaseLocked | DiskFull | OutOfMemory | ReadOnly | SystemIoFailure)
            ),
            StoreError::File(_, why) => private_files::may_pass(why),
            _ => false,
        }
    }

    /// True if the file or its disk cannot be written.
    pub fn is_read_only(&self) -> bool {
        matches!(self, StoreError::Sqlite(why) if why.sqlite_error_code() == Some(ErrorCode::ReadOnly))
    }
}

fn is_busy(why: &rusqlite::Error) -> bool {
    matches!(why.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// True if a query failed because of the content of the file, or because the disk cannot be read.
fn is_damage(why: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType, Utf8Error};
    let code = why.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure))
        || matches!(why, FromSqlConversionFailure(..) | InvalidColumnType(..) | Utf8Error(..))
}

impl From<rusqlite::Error> for StoreError {
    fn from(why: rusqlite::Error) -> StoreError {
        match why {
            rusqlite::Error::FromSqlConversionFailure(_, _, why) => StoreError::Damaged(why.to_string()),
            why => StoreError::Sqlite(why),
        }
    }
}

pub type Result<T> = std::result::Result<T, StoreError>;

/// An open database.
pub struct Store {
    conn: Connection,
    /// The opened file; `None` in memory.
    opened: Option<Metadata>,
    patience: Duration,
    /// Shared with the other stores of this process.
    write_lock: Option<Arc<WriteLock>>,
    sending: Sending,
    /// The name of the machine that uses this store; empty in tests and previews.
    machine: String,
}

#[cfg(test)]
mod tests;
