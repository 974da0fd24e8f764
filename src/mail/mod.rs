//! Reading and writing mail.
//!
//! Reading order: [`Letter`], [`ServerIdentity`], [`incoming`] with [`authentication`], [`bounce`] and
//! [`reply_text`], [`lmtp`], [`outgoing`], [`transport`].

pub mod authentication;
pub mod bounce;
pub mod clean;
mod ids;
pub mod incoming;
mod letter;
pub mod lmtp;
pub(crate) mod look_alikes;
pub(crate) mod mac;
pub mod outgoing;
pub(crate) mod phrases;
pub mod readable;
pub mod reply_text;
pub mod round_trip;
mod server_identity;
pub mod subject;
pub mod token;
pub mod transport;

pub use letter::{AnswerBy, Letter, Operator, Proof, ReplyToken};
pub use server_identity::ServerIdentity;
