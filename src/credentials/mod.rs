//! Proof of a letter's writer: passwords, tokens, and limits for senders who prove nothing.

pub(crate) mod claim;
pub(crate) mod limits;
pub(crate) mod one_entry;
pub mod password;
pub(crate) mod proof;
pub mod token;
mod writer;

pub use claim::Actor;
pub use limits::Limits;
pub use proof::Proofs;
pub use token::{MailQuestion, Token};
pub use writer::Writer;
