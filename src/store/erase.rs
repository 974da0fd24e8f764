//! Erases people from the database, and merges two accounts.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{ErrorCode, params};
use serde_json::json;

use super::holds::StoredColumn;
use super::open::undo_in_memory;
use super::players::WAS;
use super::{ContestId, LetterId, PersonWords, PlayerId, Result, Store, is_busy};
use crate::ids::BoardId;
use crate::private_files;

impl Store {
    /// Puts back the addresses that were removed from the account, because other data to erase is found by
    /// address. These are the recipients of mails to the player that no account has now.
    pub fn restore_former_addresses(&self, player: PlayerId) -> Result<()> {
        self.run(
            "INSERT OR IGNORE INTO addresses (player, address, address_key, added_at)
             SELECT ?1, recipient, lower(recipient), 0 FROM outbox
             WHERE player = ?1 AND recipient <> '' AND lower(recipient) NOT IN (SELECT address_key FROM addresses)",
            [player],
        )
    }

    /// Empties the mails to a player, about the player's boards and caused by the player's letters, and every
    /// mail for whose bytes `is_about` is true. Of the latter, a mail that still waits for another reader is
    /// sent first. Gives the numbers of all these mails.
    pub fn erase_mails_about(
        &self,
        player: PlayerId,
        at: Timestamp,
        is_about: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<i64>> {
        let mut mails: Vec<i64> = self.all(
            "SELECT id FROM outbox WHERE player = ?1 OR board IN (SELECT board FROM seats WHERE player = ?1
                UNION SELECT board FROM acts WHERE other = ?1)
             OR letter IN (SELECT id FROM letters WHERE player = ?1
                OR lower(sender) IN (SELECT address_key FROM addresses WHERE player = ?1))
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1)",
            [player],
        )?;
        mails.iter().try_for_each(|mail| self.erase_mail(*mail, player, at))?;
        let mut others: Vec<(i64, bool)> = Vec::new();
        let mut statement = self.conn.prepare(
            "SELECT mail, state = 'waiting' AND (ifnull(player, board) IS NOT NULL
                OR lower(recipient) IS (SELECT lower(sender) FROM letters WHERE letters.id = letter)), bytes
             FROM mail_bytes JOIN outbox ON outbox.id = mail",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if is_about(&row.get::<_, Vec<u8>>(2)?) {
                others.push((row.get(0)?, row.get(1)?));
            }
        }
        for (mail, leaves) in others {
            match leaves {
                true => self.run("UPDATE outbox SET secret = 2 WHERE id = ?1", [mail])?,
                false => self.erase_mail(mail, player, at)?,
            }
            mails.push(mail);
        }
        Ok(mails)
    }

    /// Empties a mail. Its recipient stays, unless it is the erased player.
    fn erase_mail(&self, mail: i64, player: PlayerId, at: Timestamp) -> Result<()> {
        self.execute("DELETE FROM mail_bytes WHERE mail = ?1", [mail])?;
        self.run(
            "UPDATE outbox SET state = iif(state = 'waiting', 'failed', state), finished_at = ifnull(finished_at, ?3),
                lease_until = NULL, sender = NULL, last_error = NULL, came_back_with = NULL,
                recipient = iif(player = ?2 OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?2),
                    '', recipient)
             WHERE id = ?1",
            params![mail, player, at.as_second()],
        )
    }

    /// Records the userid that a player had until now.
    pub fn add_former_name(&self, player: PlayerId, name: &str) -> Result<()> {
        self.run("INSERT INTO former_names (player, name) VALUES (?1, ?2)", params![player, name])
    }

    /// Gives and deletes the former names of a player. Renames the contests that the player made, and gives
    /// their old names too.
    pub fn take_names(&self, player: PlayerId) -> Result<Vec<String>> {
        let mut names: Vec<String> = self.all("SELECT name FROM former_names WHERE player = ?1", [player])?;
        self.execute("DELETE FROM former_names WHERE player = ?1", [player])?;
        let made: Vec<(i64, String)> = self.all(
            "SELECT id, name FROM contests JOIN contest_events ON contest = id AND number = 1 WHERE player = ?1",
            [player],
        )?;
        for (contest, named) in made {
            let mut name = format!("event-{contest}");
            while self.contest_named(&name)?.is_some() {
                name.push('x');
            }
            for sql in [
                // The new `due_at` makes the timer read the contest again, so it does not write the old name
                // back.
                "UPDATE contests SET name = ?2, name_key = ?2, due_at = due_at - 1 WHERE id = ?1",
                "UPDATE contest_events SET text = json_set(text, '$.name', ?2) WHERE contest = ?1 AND number = 1",
                "UPDATE events SET text = json_set(text, '$.contest.name', ?2)
                 WHERE number = 1 AND board IN (SELECT id FROM boards WHERE contest = ?1)",
            ] {
                self.execute(sql, params![contest, name])?;
            }
            names.push(named);
        }
        Ok(names)
    }

    /// Records that the files still contain erased data. `in_free_pages`: an earlier version might have left
    /// some in free pages.
    pub(super) fn note_erasure(&self, at: Timestamp, in_free_pages: bool) -> Result<()> {
        self.run(
            "INSERT INTO erasures VALUES (1, 1, ?1, ?2)
             ON CONFLICT (only) DO UPDATE SET number = number + 1, rewrites = max(rewrites, ?2)",
            params![at.as_second(), in_free_pages],
        )
    }

    /// Since when the files contain erased data.
    pub fn held_in_files_since(&self) -> Result<Option<Timestamp>> {
        self.find("SELECT since FROM erasures", [])
    }

    /// Removes erased data from the files. False if they still contain it, because another process reads all
    /// the time or the disk is full.
    pub fn clean_files(&mut self, tries: u32) -> Result<bool> {
        let erasure = self.find::<(i64, bool)>("SELECT number, rewrites FROM erasures", [])?;
        let Some((number, rewrites)) = erasure else { return Ok(true) };
        if rewrites && !self.write_anew()? {
            return Ok(false);
        }
        self.write(|store| store.run("UPDATE erasures SET rewrites = 0 WHERE number = ?1", [number]))?;
        for _ in 0..tries {
            if self.empty_log()? {
                return self.write(|store| {
                    store.run("DELETE FROM erasures WHERE number = ?1", [number])?;
                    store.exists("SELECT 1 FROM erasures", []).map(|more| !more)
                });
            }
            self.yield_write_lock();
        }
        Ok(false)
    }

    /// Rewrites the file, so that no page contains what was deleted before. False if another process writes, or the
    /// disk has no room for a second file.
    fn write_anew(&mut self) -> Result<bool> {
        let pages: i64 =
            self.one("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", [])?;
        let folder = self.conn.path().and_then(|path| Path::new(path).parent());
        if folder.is_some_and(|folder| private_files::has_room(folder, pages.unsigned_abs()).is_err()) {
            return Ok(false);
        }
        let write_lock = self.write_lock.clone();
        let _guard = write_lock.as_ref().map(|write_lock| write_lock.take(self.patience));
        // VACUUM copies the whole database, which might not fit in memory.
        self.conn.pragma_update(None, "temp_store", "file")?;
        let written = self.conn.execute_batch("VACUUM");
        undo_in_memory(&self.conn)?;
        match written {
            Err(why) if is_busy(&why) || why.sqlite_error_code() == Some(ErrorCode::DiskFull) => Ok(false),
            written => Ok(written.map(|()| true)?),
        }
    }

    /// Erases all personal data of an account, and its addresses from every text. The userid and finished games stay.
    pub fn erase_account(&self, player: PlayerId, secret: &[u8; 32], at: Timestamp) -> Result<()> {
        // Texts keep an address that another player also has.
        let addresses: Vec<String> = self.all(
            "SELECT address_key FROM addresses WHERE player = ?1
             AND address_key NOT IN (SELECT address_key FROM addresses WHERE player <> ?1)",
            [player],
        )?;
        self.note_erasure(at, false)?;
        self.erase_rows(player, secret)?;
        self.erase_words(&PersonWords::new(addresses))
    }

    /// Erases a person: the account, the reasons of the host's acts on the account and its boards, and
    /// `words` from every text. An earlier version might have left some of this data in free pages of the
    /// file.
    pub fn erase_person(
        &self,
        player: PlayerId,
        words: &PersonWords,
        secret: &[u8; 32],
        at: Timestamp,
    ) -> Result<()> {
        self.note_erasure(at, true)?;
        self.erase_rows(player, secret)?;
        self.execute(
            &format!(
                "{WAS} UPDATE acts SET reason = '' WHERE reason <> ''
                 AND (player IN was OR other IN was OR board IN (SELECT board FROM seats WHERE player = ?1))"
            ),
            [player],
        )?;
        self.erase_words(words)
    }

    fn erase_rows(&self, player: PlayerId, secret: &[u8; 32]) -> Result<()> {
        for row in self.addresses(player)?.rows {
            self.forget_banned(&row.address)?;
        }
        self.set_secret(player, secret)?;
        self.forget_settings(player)?;
        self.execute(
            "UPDATE players SET state = 'deleted', password_hash = NULL, suspended = NULL WHERE id = ?1",
            [player],
        )?;
        for sql in [
            "UPDATE letters SET sender = NULL, message_id = NULL, commands = '', outcomes = ''
             WHERE player = ?1 OR lower(sender) IN (SELECT address_key FROM addresses WHERE player = ?1)",
            // Confirmation mails have an address and no player.
            "DELETE FROM mail_bytes WHERE mail IN (SELECT id FROM outbox WHERE state <> 'waiting' AND (player = ?1
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1)))",
            "UPDATE outbox SET recipient = '', came_back_with = NULL WHERE state <> 'waiting' AND (player = ?1
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1))",
            "UPDATE outbox SET secret = 2 WHERE state = 'waiting' AND (player = ?1
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1))",
            "DELETE FROM invitations WHERE lower(address) IN (SELECT address_key FROM addresses WHERE player = ?1)",
            "DELETE FROM limits WHERE key = (SELECT userid_key FROM players WHERE id = ?1)",
            "DELETE FROM mails_aside WHERE lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1)",
            // The reasons of these acts can name an address.
            "UPDATE acts SET reason = '' WHERE ?1 IN (player, other) AND reason <> ''
             AND act IN ('add address', 'stop address', 'resume address', 'ban', 'lift ban')",
        ] {
            self.execute(sql, [player])?;
        }
        self.delete_rows(StoredColumn::of("erased"), player)
    }

    /// Empties an account that has no proven owner, except for the address `key`, which is being confirmed.
    pub(super) fn forget_claims(&self, player: PlayerId, key: &str) -> Result<()> {
        self.execute("DELETE FROM addresses WHERE player = ?1 AND address_key <> ?2", params![player, key])?;
        self.forget_settings(player)
    }

    /// Resets everything about a player except games, letters, mails and addresses.
    fn forget_settings(&self, player: PlayerId) -> Result<()> {
        let settings = json!(StoredColumn::of("setting").map(|column| column.name).collect::<Vec<_>>());
        let defaults: String = self.one(
            "SELECT group_concat(name || ' = ' || ifnull(dflt_value, 'NULL')) FROM pragma_table_info('players')
             WHERE name IN (SELECT value FROM json_each(?1))",
            [settings.to_string()],
        )?;
        self.execute(&format!("UPDATE players SET {defaults} WHERE id = ?1"), [player])?;
        self.delete_rows(StoredColumn::of("owner"), player)
    }

    fn delete_rows(&self, columns: impl Iterator<Item = StoredColumn>, player: PlayerId) -> Result<()> {
        for StoredColumn { table, name, .. } in columns {
            self.execute(&format!("DELETE FROM {table} WHERE {name} = ?1"), [player])?;
        }
        Ok(())
    }

    /// Erases the sender and the commands of a letter.
    pub fn forget_letter(&self, letter: LetterId) -> Result<()> {
        self.run(
            "UPDATE letters SET sender = NULL, message_id = NULL, commands = '', outcomes = '' WHERE id = ?1",
            [letter],
        )
    }
}

/// The boards on which a player has or had a seat. The log of acts names a player who lost a seat by the
/// account at that time, which might have been merged since.
const SAT: &str = "SELECT board FROM seats WHERE player = ?1 UNION SELECT board FROM acts WHERE board IS NOT NULL
    AND other IN (WITH RECURSIVE was (id) AS (SELECT ?1 UNION SELECT player FROM acts JOIN was ON other = id AND act = 'merge')
        SELECT id FROM was)";

/// The boards and contests that two players have in common.
#[derive(Debug, Default)]
pub struct Met {
    /// The boards on which both have had a seat.
    pub boards: Vec<BoardId>,
    /// The contests in which both have a place, or to which one of `boards` belongs.
    pub contests: Vec<ContestId>,
}

impl Store {
    /// The boards and contests in which two have met.
    pub fn met(&self, one: PlayerId, other: PlayerId) -> Result<Met> {
        let (mine, theirs) = (SAT, SAT.replace("?1", "?2"));
        let boards = self.all(
            &format!("SELECT board FROM ({mine}) WHERE board IN ({theirs}) ORDER BY board"),
            params![one, other],
        )?;
        let contests = self.all(
            &format!(
                "SELECT c.contest FROM contest_events c JOIN contest_events o ON o.contest = c.contest AND o.player = ?2
                 WHERE c.player = ?1 AND c.kind = 'entered' AND c.text LIKE '{{_seat_:%'
                 AND o.kind = 'entered' AND o.text LIKE '{{_seat_:%'
                 UNION SELECT contest FROM boards WHERE contest IS NOT NULL AND id IN (SELECT board FROM ({mine}) WHERE board IN ({theirs}))"
            ),
            params![one, other],
        )?;
        Ok(Met { boards, contests })
    }

    /// Moves the boards, mails and addresses of `from` to `into`. `from` keeps the boards on which the two have met:
    /// no account plays against itself. The caller erases the rest of `from`, and computes the ratings.
    pub fn merge_players(&self, from: PlayerId, into: PlayerId, met: &Met) -> Result<()> {
        let (boards, contests) = (json!(met.boards).to_string(), json!(met.contests).to_string());
        let elsewhere = "board NOT IN (SELECT value FROM json_each(?3) UNION ALL
            SELECT id FROM boards WHERE contest IN (SELECT value FROM json_each(?4)))";
        for sql in [
            // The first event names the players in its terms, and the others name them in a column.
            format!(
                "UPDATE events SET text = json_set(text,
                 '$.players[0]', iif(json_extract(text, '$.players[0]') = ?1, ?2, json_extract(text, '$.players[0]')),
                 '$.players[1]', iif(json_extract(text, '$.players[1]') = ?1, ?2, json_extract(text, '$.players[1]')))
                 WHERE number = 1 AND ?1 IN (json_extract(text, '$.players[0]'), json_extract(text, '$.players[1]'))
                 AND board IN ({SAT}) AND {elsewhere}"
            ),
            format!("UPDATE events SET player = ?2 WHERE player = ?1 AND board IN ({SAT}) AND {elsewhere}"),
            format!("UPDATE seats SET player = ?2 WHERE player = ?1 AND {elsewhere}"),
            "UPDATE contest_events SET player = iif(player = ?1, ?2, player), other = iif(other = ?1, ?2, other)
             WHERE ?1 IN (player, other) AND contest NOT IN (SELECT value FROM json_each(?4))"
                .to_owned(),
        ] {
            self.execute(&sql, params![from, into, boards, contests])?;
        }
        self.execute(
            "DELETE FROM contest_snapshots WHERE contest IN
                (SELECT contest FROM contest_events WHERE player = ?1 OR player = ?2)",
            params![from, into],
        )?;
        for StoredColumn { table, name, .. } in StoredColumn::all().filter(StoredColumn::passes_in_merge) {
            let sql = format!("UPDATE OR IGNORE {table} SET {name} = ?2 WHERE {name} = ?1");
            self.execute(&sql, params![from, into])?;
        }
        self.execute("DELETE FROM blocks WHERE player = blocked", [])?;
        self.execute("DELETE FROM player_notes WHERE player = about", [])?;
        // Deletes the rows that `into` already has, such as a shared address.
        self.delete_rows(StoredColumn::all().filter(StoredColumn::passes_in_merge), from)?;
        // The timer compares vacations by player, so it must read the boards of `into` again.
        self.run(
            "UPDATE boards SET clock_at = 0 WHERE id IN (SELECT board FROM seats WHERE player = ?1)",
            [into],
        )
    }
}
