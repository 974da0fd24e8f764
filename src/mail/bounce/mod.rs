//! Bounces: delivery reports about our mails.
//!
//! Anybody can write a report. So each mail leaves with its own envelope sender ([`verp`]), which only this
//! server can make. A report counts when it comes back to such an address ([`read_verp`]), and counts against
//! the recipient of that mail.

mod diagnosis;
mod report;
mod verp;

pub use diagnosis::{Diagnosis, Voice};
pub use report::{Cause, Report, Status};
pub use verp::{is_verp, read_verp, verp};
