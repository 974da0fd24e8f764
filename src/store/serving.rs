//! Which machine serves the database. Another one, to which the file came by a copy or is shared, neither serves nor
//! sends, until the first was not seen for a while. Processes of one machine do not mind each other.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{Result, Store};

/// A machine that was not seen for so long serves no more, in seconds.
const FORGOTTEN: i64 = 120;

stored_row! {
    /// The machine that serves.
    #[derive(Debug, Clone)]
    pub struct ServingRow from "serving" {
        pub machine: String = "machine",
        /// Since when it has served without a pause.
        pub started: Timestamp = "started",
        pub seen: Timestamp = "seen",
    }
}

impl Store {
    /// Names the machine that this store works on. One without a name gives way to none.
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
        // What a clock that was set forward wrote is not believed for ever.
        Select::rows()
            .and_with("machine <> ?", &self.machine)
            .and_with(&format!("abs(seen - ?) < {FORGOTTEN}"), at.as_second())
            .first(self)
    }

    /// Notes that this machine serves. If another one does, gives that and changes nothing.
    pub fn serve(&mut self, at: Timestamp) -> Result<Option<ServingRow>> {
        self.write(|store| match store.served_elsewhere(at)? {
            None => store.note_serving(at).map(|()| None),
            other => Ok(other),
        })
    }

    /// Notes that this machine serves from now on, and no other.
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

    /// Notes that this machine serves no more.
    pub fn end_serving(&mut self) -> Result<()> {
        self.write(|store| store.run("DELETE FROM serving WHERE machine = ?1", [&store.machine]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tests::add_waiting;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn a_machine_waits_until_the_other_was_not_seen_for_a_while() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("turnpost.db");
        let on = |machine: &str| Store::make(&path).unwrap().on_machine(machine.to_owned());
        let (mut one, mut same, mut other) = (on("one"), on("one"), on("other"));
        add_waiting(&one, 9, at(0)).unwrap();
        let sends = |store: &mut Store, second| store.lease_mails(1, || at(second)).unwrap().len() == 1;
        assert!(sends(&mut other, 1), "nobody serves");
        assert!(one.serve(at(1)).unwrap().is_none() && same.serve(at(60)).unwrap().is_none());
        let seen = other.serve(at(179)).unwrap().unwrap();
        assert_eq!((seen.machine.as_str(), seen.started, seen.seen), ("one", at(1), at(60)));
        assert!(sends(&mut one, 179) && sends(&mut same, 179) && !sends(&mut other, 179));
        assert!(other.serve(at(180)).unwrap().is_none());
        assert!(!sends(&mut one, 181) && sends(&mut other, 181));
        assert_eq!(one.serve(at(181)).unwrap().unwrap().machine, "other");
        assert!(one.take_over(at(182)).is_ok(), "by order of the host");
        assert!(sends(&mut one, 183) && !sends(&mut other, 183));
        // A clock that was set forward, and one that is a little late.
        one.serve(at(9000)).unwrap();
        assert!(!sends(&mut other, 8990) && sends(&mut other, 200));
        one.end_serving().unwrap();
        assert!(other.serve(at(8990)).unwrap().is_none());
    }
}
