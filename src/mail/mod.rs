//! Mail in, mail out. Nothing behind a [`Letter`] knows by which door it came.

pub mod incoming;
mod letter;
pub mod outgoing;
pub mod transport;

pub use letter::{AnswerBy, Identity, Letter, Operator, Proof, ReplyToken};
