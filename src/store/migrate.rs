//! Migrations: numbered files, never changed, applied in order and counted by `PRAGMA user_version`.

use rusqlite::Connection;

use super::Result;

/// The n-th migration brings a database to version n.
const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_boards_and_mail.sql"),
    include_str!("../../migrations/0002_proposals_queues_seeks.sql"),
    include_str!("../../migrations/0003_accounts_and_talk.sql"),
    include_str!("../../migrations/0004_clocks_and_ratings.sql"),
    include_str!("../../migrations/0005_bounces_and_limits.sql"),
    include_str!("../../migrations/0006_robot.sql"),
    include_str!("../../migrations/0007_limits.sql"),
    include_str!("../../migrations/0008_conversation.sql"),
    include_str!("../../migrations/0009_keeping.sql"),
    include_str!("../../migrations/0010_checks.sql"),
];

/// The version this program writes.
pub const LATEST: u32 = MIGRATIONS.len() as u32;

/// A later program has written this database.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database is of version {found}, and this Turnpost knows versions up to {LATEST}: use a later Turnpost"
)]
pub struct TooNew {
    pub found: u32,
}

/// An earlier program has written this database, and whoever only reads cannot bring it up to date.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database is of version {found}, and this Turnpost reads version {LATEST}: `turnpost tick` brings it up"
)]
pub struct TooOld {
    pub found: u32,
}

/// Refuses a database that a reader would have to migrate first.
pub(super) fn must_be_latest(conn: &Connection) -> Result<()> {
    match user_version(conn)? {
        LATEST => Ok(()),
        found if found > LATEST => Err(TooNew { found }.into()),
        found => Err(TooOld { found }.into()),
    }
}

/// Brings a database up to `version`, one transaction for each migration. Tests use it to build earlier
/// versions.
pub fn migrate_to(conn: &mut Connection, version: u32) -> Result<()> {
    // Reading takes no lock, and the database is nearly always up to date.
    let found = user_version(conn)?;
    if found > LATEST {
        return Err(TooNew { found }.into());
    }
    for number in found + 1..=version {
        let transaction = conn.transaction()?;
        // Another process may have migrated in the meantime.
        if user_version(&transaction)? < number {
            if let Some(sql) = MIGRATIONS.get(number as usize - 1) {
                transaction.execute_batch(sql)?;
            }
            transaction.pragma_update(None, "user_version", number)?;
        }
        transaction.commit()?;
    }
    Ok(())
}

fn user_version(conn: &Connection) -> Result<u32> {
    Ok(conn.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
