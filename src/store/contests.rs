//! Contests, their records and their boards.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::{stored_newtype, stored_row};
use super::sql::{Select, Write};
use super::words::stored_enum;
use super::{PlayerId, Result, Store};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct ContestId(pub i64);

stored_newtype!(ContestId(i64));

impl ContestId {
    /// The id in the reply token of a mail about several contests; the reply names the contest that it means.
    pub const SEVERAL: ContestId = ContestId(0);
}

stored_enum! {
    ContestForm {
        /// Each player plays every other player once.
        Event = "event",
        /// Its members play one season after another.
        League = "league",
        Season = "season",
        Ladder = "ladder",
    }
}

stored_enum! {
    ContestState {
        /// Players may join.
        Open = "open",
        Running = "running",
        Closed = "closed",
    }
}

stored_enum! {
    ContestEventKind {
        /// The player made the contest; the text is its terms.
        Made = "made",
        /// The text is an [`Entered`](crate::contest::events::Entered), in JSON.
        Entered = "entered",
        Left = "left",
        /// Games begin: one game between `player` and `other`, or the games in the text, which is an
        /// [`Opened`](crate::contest::events::Opened) in JSON.
        Opened = "opened",
        /// The player loses all running games of the contest. The text says why.
        Withdrawn = "withdrawn",
        /// A decision; the text is a [`Ruling`](crate::contest::events::Ruling), in JSON.
        Ruled = "ruled",
        /// The contest is over, and the text says why; or one of its games is over.
        Closed = "closed",
        /// A game is in play again.
        Reopened = "reopened",
    }
}

stored_row! {
    /// The contest that a board belongs to.
    #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub struct OfContest {
        pub contest: ContestId,
        /// The number of its pair in the contest, from 0.
        pub pair: u32,
        pub name: String,
    }
}

stored_row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ContestRow from "contests" {
        pub id: ContestId = "id",
        pub form: ContestForm = "form",
        /// The key of the game.
        pub game: String = "game",
        pub name: String = "name",
        pub state: ContestState = "state",
        /// The number of players who joined and did not leave.
        pub entrants: u32 = "entrants",
        /// The number of events.
        pub events: u32 = "events",
        pub changed_at: Timestamp = "changed_at",
    }
}

stored_row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ContestEventRow from "contest_events" {
        /// The number of the event in its contest, from 1.
        pub number: u32 = "number",
        pub kind: ContestEventKind = "kind",
        pub at: Timestamp = "at",
        pub player: Option<PlayerId> = "player",
        /// The player's opponent, who moves second in their game.
        pub other: Option<PlayerId> = "other",
        /// The number of a game.
        pub pair: Option<u32> = "pair",
        pub text: String = "text",
    }
}

impl Store {
    pub fn contest(&self, id: ContestId) -> Result<Option<ContestRow>> {
        Select::rows().and_with("id = ?", id).first(self)
    }

    pub fn contest_named(&self, name: &str) -> Result<Option<ContestRow>> {
        Select::rows().and_with("name_key = ?", name.to_lowercase()).first(self)
    }

    /// The contests of a form, of one game or of all, newest first, without private events. A closed contest is listed
    /// only if it had started, and changed at `since` or later.
    pub fn contests(
        &self,
        form: ContestForm,
        game: Option<&str>,
        since: Timestamp,
    ) -> Result<Vec<ContestRow>> {
        Select::rows()
            .and_with("form = ?", form)
            .and_if("game = ?", game)
            .and(
                "NOT EXISTS (SELECT 1 FROM contest_events WHERE contest = id AND number = 1
                 AND CASE WHEN json_valid(text) THEN text ->> '$.entry.private' END = 1)",
            )
            .and_with(
                "(state <> 'closed' OR changed_at >= ?
                 AND EXISTS (SELECT 1 FROM contest_events WHERE contest = id AND kind = 'ruled' AND text LIKE '_started_'))",
                since.as_second(),
            )
            .order("id DESC")
            .all(self)
    }

    /// Events and seasons that began and are over, of one game or of all, and of one player or of all; the last in front.
    pub fn past_contests(&self, game: Option<&str>, player: Option<PlayerId>) -> Result<Vec<ContestRow>> {
        Select::rows()
            .and("form IN ('event', 'season') AND state = 'closed'")
            .and("EXISTS (SELECT 1 FROM contest_events WHERE contest = id AND kind = 'ruled' AND text LIKE '_started_')")
            .and_if("game = ?", game)
            .and_if("id IN (SELECT contest FROM contest_events WHERE player = ?)", player)
            .order("changed_at DESC, id DESC")
            .all(self)
    }

    /// The contests whose record names a player, open ones first, then newest first.
    pub fn contests_of(&self, player: PlayerId, limit: u32) -> Result<Vec<ContestRow>> {
        Select::rows()
            .and_with("id IN (SELECT contest FROM contest_events WHERE player = ?)", player)
            .order("state = 'closed', id DESC")
            .limit(limit)
            .all(self)
    }

    /// The contests in play that a player is in, newest first.
    pub fn contests_with(&self, player: PlayerId, limit: u32) -> Result<Vec<ContestRow>> {
        Select::rows()
            .and("state <> 'closed'")
            .and_with(
                "id IN (SELECT contest FROM contest_events WHERE player = ?)
                 AND CASE form WHEN 'event' THEN
                    (SELECT iif(player = ?, kind, 'entered') FROM contest_events WHERE contest = id
                     AND (player = ? AND (kind IN ('entered', 'left', 'withdrawn') OR text = '\"replaced\"')
                        OR other = ? AND text = '\"replaced\"') ORDER BY number DESC LIMIT 1)
                 ELSE (SELECT kind FROM contest_events WHERE player = ? AND contest = id
                     AND kind IN ('entered', 'left', 'withdrawn') ORDER BY number DESC LIMIT 1)
                 END = 'entered'",
                player,
            )
            .order("id DESC")
            .limit(limit)
            .all(self)
    }

    /// The group of a contest in which a player plays, from 0.
    pub fn group_with(&self, id: ContestId, player: PlayerId) -> Result<Option<u32>> {
        self.find(
            "SELECT text ->> '$.seat.group' FROM contest_events WHERE player = ?1 AND contest = ?2
             AND kind = 'entered' AND text LIKE '{_seat_:%'",
            params![player, id],
        )
    }

    /// The number of a new contest, which no contest had before: mails name contests by it.
    pub fn next_contest(&self) -> Result<ContestId> {
        self.one("UPDATE contest_numbers SET last = last + 1 RETURNING last", [])
    }

    /// True for an event that no player but its maker has joined.
    pub fn is_of_one(&self, id: ContestId) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM contest_events m JOIN contests ON id = m.contest
             WHERE id = ?1 AND form = 'event' AND m.number = 1 AND NOT EXISTS (SELECT 1 FROM contest_events e
                WHERE e.contest = id AND e.kind = 'entered' AND e.player <> m.player)",
            [id],
        )
    }

    /// Deletes a contest and its record, which frees its name; false while a player has unread news of it.
    pub fn forget_contest(&self, id: ContestId) -> Result<bool> {
        if self.exists("SELECT 1 FROM contest_news WHERE contest = ?1", [id])? {
            return Ok(false);
        }
        self.execute("DELETE FROM contest_events WHERE contest = ?1", [id])?;
        Ok(self.execute("DELETE FROM contests WHERE id = ?1", [id])? > 0)
    }

    /// Writes the row of a contest and its newest event.
    pub fn keep_contest(&self, row: &ContestRow, event: &ContestEventRow) -> Result<()> {
        Write::row(row).with("name_key", row.name.to_lowercase()).upsert("id", self)?;
        Write::row(event).with("contest", row.id).insert(self).map(drop)
    }

    /// Writes the number of entrants after the accounts of two entrants were merged.
    pub fn update_entrants(&self, row: &ContestRow) -> Result<()> {
        self.run("UPDATE contests SET entrants = ?2 WHERE id = ?1", params![row.id, row.entrants])
    }

    /// The record of a contest, in order.
    pub fn contest_events(&self, id: ContestId) -> Result<Vec<ContestEventRow>> {
        self.contest_events_after(id, 0)
    }

    /// The first event of a contest, and all events after number `number`.
    pub fn contest_events_after(&self, id: ContestId, number: u32) -> Result<Vec<ContestEventRow>> {
        let select = Select::rows().and_with("contest = ?", id);
        select.and_with("(number = 1 OR number > ?)", number).order("number").all(self)
    }

    /// The stored snapshot: the state after the first events.
    pub fn contest_snapshot(&self, id: ContestId) -> Result<Option<String>> {
        self.find("SELECT text FROM contest_snapshots WHERE contest = ?1", [id])
    }

    pub fn keep_contest_snapshot(&self, id: ContestId, text: &str) -> Result<()> {
        self.run(
            "INSERT OR REPLACE INTO contest_snapshots (contest, text) VALUES (?1, ?2)",
            params![id, text],
        )
    }

    /// Sets when the timer looks at a contest; `None`: when something happens in it.
    pub fn set_contest_due(&self, id: ContestId, due: Option<Timestamp>) -> Result<()> {
        self.run("UPDATE contests SET due_at = ?2 WHERE id = ?1", params![id, due.map(Timestamp::as_second)])
    }

    /// Makes a contest due for the timer, because one of its boards has ended or is resumed. Always changes
    /// `due_at`, so that a process that is reading the contest notices.
    pub(super) fn wake_contest(&self, id: ContestId, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE contests SET due_at = iif(due_at <= ?2, due_at - 1, ?2) WHERE id = ?1",
            params![id, at.as_second()],
        )
    }

    /// The number of the last event of a contest, and its due time. At least one of the two changes with
    /// every event in the contest or on its boards, and with its name.
    pub fn contest_stamp(&self, id: ContestId) -> Result<Option<(u32, Option<i64>)>> {
        self.find("SELECT events, due_at FROM contests WHERE id = ?1", [id])
    }

    /// The contests that are due for the timer.
    pub fn due_contests(&self, now: Timestamp) -> Result<Vec<ContestId>> {
        self.all("SELECT id FROM contests WHERE due_at <= ?1 ORDER BY due_at, id", [now.as_second()])
    }

    /// The names of contests that were due before then, the longest due first.
    pub fn stalled_contests(&self, before: Timestamp) -> Result<Vec<String>> {
        self.all("SELECT name FROM contests WHERE due_at <= ?1 ORDER BY due_at, id", [before.as_second()])
    }

    /// Every contest, oldest first.
    pub fn all_contests(&self) -> Result<Vec<ContestRow>> {
        Select::rows().order("id").all(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_changes_the_stamp() {
        let (store, at) = (Store::in_memory().unwrap(), Timestamp::UNIX_EPOCH);
        let player = store.add_player(&"ann".parse().unwrap(), None, &[1; 32], at).unwrap();
        let id = store.next_contest().unwrap();
        let (form, state, name) = (ContestForm::Event, ContestState::Open, "ann-cup".to_owned());
        let row = ContestRow {
            id,
            form,
            game: "dvonn".into(),
            name,
            state,
            entrants: 0,
            events: 1,
            changed_at: at,
        };
        let (kind, text) = (ContestEventKind::Made, "{}".to_owned());
        store
            .keep_contest(
                &row,
                &ContestEventRow { number: 1, kind, at, player: Some(player), other: None, pair: None, text },
            )
            .unwrap();
        store.set_contest_due(id, Some(at)).unwrap();
        let before = store.contest_stamp(id).unwrap();
        assert_eq!(store.take_names(player).unwrap(), ["ann-cup"]);
        assert_ne!(store.contest_stamp(id).unwrap(), before);
    }
}
