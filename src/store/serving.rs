//! Which machine serves the database. Another machine to which the file is copied or shared neither serves
//! nor sends while the first one was seen recently. Processes of one machine do not block each other.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{Result, Store};

/// A machine that was not seen for this time no longer serves, in seconds.
const FORGOTTEN: i64 = 120;

stored_row! {
    /// The machine that serves.
    #[derive(Debug, Clone)]
    pub struct ServingRow from "serving" {
        pub machine: String = "machine",
        /// The start of its uninterrupted serving.
        pub started: Timestamp = "started",
        pub seen: Timestamp = "seen",
    }
}

/// Whether a machine serves although another one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takeover {
    Never,
    ByHost,
}

impl Store {
    /// Sets the name of the machine that uses this store. A store without a name ignores other machines.
    #[must_use]
    pub fn on_machine(mut self, machine: String) -> Store {
        self.machine = machine;
        self
    }

    /// The other machine that serves this database.
    pub fn served_elsewhere(&self, at: Timestamp) -> Result<Option<ServingRow>> {
        if self.machine.is_empty() {
            return Ok(None);
        }
        // `abs`, because a wrong clock can write a time in the future.
        Select::rows()
            .and_with("machine <> ?", &self.machine)
            .and_with(&format!("abs(seen - ?) < {FORGOTTEN}"), at.as_second())
            .first(self)
    }

    /// Records that this machine serves. If another one serves, gives its row and changes nothing.
    pub fn serve(&mut self, at: Timestamp) -> Result<Option<ServingRow>> {
        self.write(|store| match store.served_elsewhere(at)? {
            None => store.note_serving(at).map(|()| None),
            other => Ok(other),
        })
    }

    /// Records this machine as the only one that serves.
    pub fn take_over(&mut self, at: Timestamp) -> Result<()> {
        self.write(|store| store.note_serving(at))
    }

    fn note_serving(&self, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO serving VALUES (1, ?1, ?2, ?2) ON CONFLICT (only) DO UPDATE SET
             started = iif(machine = ?1, started, ?2), machine = ?1, seen = ?2",
            params![self.machine, at.as_second()],
        )
    }

    /// Records that this machine no longer serves.
    pub fn end_serving(&mut self) -> Result<()> {
        self.write(|store| store.run("DELETE FROM serving WHERE machine = ?1", [&store.machine]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn a_machine_of_a_wrong_clock_is_not_waited_for_for_ever() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("turnpost.db");
        let on = |machine: &str| Store::make(&path).unwrap().on_machine(machine.to_owned());
        let (mut one, mut other) = (on("one"), on("other"));
        one.serve(at(9000)).unwrap();
        for (now, waits) in [(200, false), (8990, true), (9119, true), (9120, false)] {
            assert_eq!(other.served_elsewhere(at(now)).unwrap().is_some(), waits, "{now}");
        }
        one.end_serving().unwrap();
        assert!(other.serve(at(8990)).unwrap().is_none());
    }
}
