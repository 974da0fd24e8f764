//! Mail in, mail out. Nothing behind a [`Letter`] knows by which door it came.
//!
//! Reading order: [`Letter`], [`Site`], [`incoming`] with [`authentication`], [`bounce`] and [`reply_text`],
//! [`lmtp`], [`outgoing`], [`transport`].

pub mod authentication;
pub mod bounce;
pub mod clean;
pub mod deliver;
mod ids;
pub mod incoming;
mod letter;
pub mod lmtp;
pub mod outgoing;
pub mod reply_text;
mod site;
pub mod token;
pub mod transport;

pub use letter::{AnswerBy, Identity, Letter, Operator, Proof, ReplyToken};
pub use site::Site;
