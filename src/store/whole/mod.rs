//! Everything of a server as lines of JSON: written from a database, sound or damaged, and read into an empty one.
//!
//! The first line says what it is and of which schema, the last how many rows there are and what could not be read;
//! between them is one row of a table a line. Bytes are `{"base64": "..."}`.

mod gaps;
mod load;
mod mend;
mod tables;
mod write;

pub use gaps::ExportError;
pub(super) use gaps::is_damage;
pub use load::Loaded;
pub use write::{Exported, write_end};

/// How the first line begins.
pub const EXPORT_BEGINS: &str = r#"{"turnpost_export":"#;

/// The form of the lines.
const FORM: u32 = 1;

/// A line cannot be longer than the largest row, with its octets in base64: SQLite's own limit is 10^9.
const LINE_AT_MOST: u64 = 1 << 30;
