//! Generates the `Command` type and the calls of its handlers from the list in `mod.rs`.

use std::fmt;

use super::Command;
use crate::ids::BoardId;
use crate::language::{GivenPassword, Parameters};

macro_rules! commands {
    ($($module:ident::$handler:ident $(($by:ident))? => $command:ident($parameters:ty) [$($entry:path),*] $(of $of:path)?,)*) => {
        /// A command with its parameters.
        #[derive(Debug, Clone)]
        pub enum Command {
            $($command($parameters),)*
        }

        impl Command {
            fn parameters(&self) -> &dyn Parameters {
                match self {
                    $(Command::$command(parameters) => parameters,)*
                }
            }

            /// The word of the command's entry.
            fn word(&self) -> &'static str {
                let words: &[&str] = match self {
                    $(Command::$command(_) => &[$($entry.word,)* $($of.word)?],)*
                };
                words.first().copied().unwrap_or_default()
            }

            /// True if the handler takes the player who asks.
            pub(crate) fn is_by_a_player(&self) -> bool {
                match self {
                    $(Command::$command(_) => is_by_a_player!($($by)?),)*
                }
            }

            fn parameters_mut(&mut self) -> &mut dyn Parameters {
                match self {
                    $(Command::$command(parameters) => parameters,)*
                }
            }
        }

        const ENTRIES: &[Entry] = &[$($($entry,)*)*];

        /// Calls the command's handler for `by`.
        pub(crate) fn carry_out(
            ctx: &mut Context<'_>,
            by: &Actor,
            command: Command,
        ) -> Result<Event, CommandError> {
            match command {
                $(Command::$command(parameters) => call!($module::$handler, ctx, parameters, by $(, $by)?),)*
            }
        }
    };
}

macro_rules! is_by_a_player {
    () => {
        false
    };
    ($by:ident) => {
        true
    };
}

/// Calls a handler with the actor, the proven account, or neither.
macro_rules! call {
    ($handler:path, $ctx:ident, $parameters:ident, $by:ident) => {
        $handler($ctx, $parameters)
    };
    ($handler:path, $ctx:ident, $parameters:ident, $by:ident, actor) => {
        $handler($ctx, $by, $parameters)
    };
    ($handler:path, $ctx:ident, $parameters:ident, $by:ident, proven) => {
        $handler($ctx, $by.proven()?, $parameters)
    };
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.parameters().line(self.word()))
    }
}

impl Parameters for Command {
    fn board(&self) -> Option<BoardId> {
        self.parameters().board()
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        self.parameters().password()
    }

    fn text(&mut self) -> Option<&mut String> {
        self.parameters_mut().text()
    }

    fn may_be_prose(&self) -> bool {
        self.parameters().may_be_prose()
    }
}
