//! Names that nearly every command's file uses.

pub(super) use crate::commands::{Command, Entry};
pub(super) use crate::failure::{CommandError, Refusal, refusal, refuse};
pub(super) use crate::language::args::{Args, ArgumentError};
pub(super) use crate::language::token::Written;
pub(super) use crate::language::{Needs, Parameters};
pub(super) use crate::notices::Event;
pub(super) use crate::play::Context;
pub(super) use crate::store::Account;
