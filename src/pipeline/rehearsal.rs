//! A game in memory, to see what the host's templates make of its mails.

use jiff::Timestamp;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

use super::{Handled, handle};
use crate::app::App;
use crate::failure::Error;
use crate::ids::Identity;
use crate::mail::{AnswerBy, Letter, Operator, Proof};
use crate::store::Store;

/// Two players sign up, play, talk, ask, and are refused.
const COMMANDS: &str = "\
signup ann plover-42 ann@example.org
signup bob dunlin-7 bob@example.org
dvonn challenge -symmetry -seed=7 ann bob
dvonn move 1 ann - D1-E1
dvonn move 1 bob - K3-J2
dvonn move 1 ann - G1-H1
dvonn undo 1 ann -
dvonn draw 1 ann -
dvonn draw 1 bob -
hexmeister challenge ann bob
hexmeister preview 2 ann -
dvonn challenge -symmetry -seed=7 ann bob
dvonn resign 3 ann -
dvonn show 3
dvonn games ann
dvonn history ann
dvonn standings
dvonn players
message ann - bob hello
who
list
help
help dvonn
help commands
help tutorial
nonsense
";

/// Plays it; what was wrong with a template is then among the app's faults.
pub fn rehearse(app: &App, now: Timestamp) -> Result<(), Error> {
    let mut store = Store::in_memory()?;
    let mut rng = ChaCha12Rng::from_seed([7; 32]);
    for (number, command) in (0u8..).zip(COMMANDS.lines()) {
        for answer in [AnswerBy::Terminal, AnswerBy::Mail] {
            let twice = u8::from(answer == AnswerBy::Mail);
            let letter = Letter {
                sender: Some("ann@example.org".to_owned()),
                proof: Proof::Operator(Operator::AsAnyone),
                text: command.to_owned(),
                answer,
                ..Letter::by_server(Identity([number * 2 + twice; 32]))
            };
            match handle(&mut store, app, &letter, now, &mut rng)? {
                Handled::Acted { .. } | Handled::Again | Handled::Counted(_) | Handled::SetAside => {}
            }
        }
    }
    Ok(())
}
