//! Carries out commands: a file a command family, with its refusals.

pub(crate) mod account;
pub mod analyse;
pub(crate) mod announce;
pub(crate) mod challenge;
pub(crate) mod confirm_address;
pub(crate) mod decline;
pub(crate) mod games;
pub mod help;
pub(crate) mod list;
pub(crate) mod nudge;
pub mod pause;
pub(crate) mod play;
pub(crate) mod preview;
pub(crate) mod proposal;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod rematch;
pub(crate) mod replay;
pub(crate) mod resend;
pub(crate) mod seek;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod standings;
pub(crate) mod submit;
pub(crate) mod swap;
pub(crate) mod talk;
pub(crate) mod tutorial;
pub(crate) mod vacation;
pub(crate) mod watch;
pub(crate) mod who;

pub use analyse::{Analysed, Made, analyse_one, analysis_of, kept as kept_analysis, view as analysis_view};

use crate::failure::CommandError;
use crate::language::{Command, with_commands};
use crate::notices::Event;
use crate::play::Context;

macro_rules! dispatch {
    ($($module:ident::$handler:ident => $command:ident($parameters:ty) [$($entry:path),*],)*) => {
        /// Carries a command out.
        pub(crate) fn carry_out(ctx: &mut Context<'_>, command: Command) -> Result<Event, CommandError> {
            match command {
                $(Command::$command(parameters) => $module::$handler(ctx, parameters),)*
            }
        }
    };
}
with_commands!(dispatch);
