//! A first game with lessons.
//!
//! ```text
//! [game] tutorial userid [password]
//! ```

use crate::commands::{Command, Entry};
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::{Login, Parameters, WriterPlace};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Tutorial {
    /// None: the first game that has one.
    pub game: Option<&'static GameKind>,
    pub pupil: Userid,
    /// None: as for a challenge, the sender's address is enough.
    pub login: Option<Login>,
}

impl Parameters for Tutorial {
    fn login(&self) -> Option<&Login> {
        self.login.as_ref()
    }
}

pub(crate) const TUTORIAL: Entry = Entry {
    summary: "starts a first game against the robot, with a lesson in each of the first mails",
    details: "It is a real game, at the robot's easiest level, and does not count for the ratings. From your own address \
              `tutorial` alone is enough; from another, give your password too. While one is in play, it brings the board \
              again.",
    example: "GAME tutorial ann plover-42",
    without_game: &["tutorial"],
    writer: WriterPlace::Last(
        "Nobody has signed up from this address. With an account, the command in full is:",
    ),
    ..Entry::of_game("tutorial", "userid [password]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.named_game();
    let pupil = args.userid("your userid")?;
    let password = if args.is_empty() { None } else { Some(args.password()?) };
    let login = password.map(|password| Login { userid: pupil.clone(), password });
    Ok(Command::Tutorial(Tutorial { game, pupil, login }))
}
