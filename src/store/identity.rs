//! The identity of the server that a database belongs to.

use super::columns::stored_row;
use super::sql::Select;
use super::{Result, Store};

/// The address of a server without a configured one: no mail can reach it.
pub const NO_ADDRESS: &str = "turnpost@localhost";

stored_row! {
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct IdentityRow from "identity" {
        pub id: String = "id",
        /// Empty in a database of an earlier version, until a configuration has set it.
        pub address: String = "address",
        /// The transport that mail waits for.
        pub transport: String = "transport",
        /// The file that the settings were last read from; empty: none.
        pub settings: String = "settings",
    }
}

impl Store {
    /// `None` for a database of an earlier version that has not been migrated.
    pub fn identity(&self) -> Result<Option<IdentityRow>> {
        match self.exists("SELECT 1 FROM sqlite_schema WHERE name = 'identity'", [])? {
            true => Select::rows().first(self),
            false => Ok(None),
        }
    }

    /// Stores the values of the configuration; the id stays.
    pub fn set_identity(&mut self, row: &IdentityRow) -> Result<()> {
        let sql = "UPDATE identity SET address = ?1, transport = ?2, settings = ?3";
        self.write(|store| store.run(sql, [&row.address, &row.transport, &row.settings]))
    }
}
