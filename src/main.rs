//! The `turnpost` program. Its subcommands are in [`turnpost::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    turnpost::cli::main()
}
