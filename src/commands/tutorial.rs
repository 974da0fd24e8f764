//! Starts a first game with lessons.
//!
//! ```text
//! [game] tutorial userid [password]
//! ```

use minijinja::context;
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::board::{Board, Terms};
use crate::commands::challenge;
use crate::commands::opening;
use crate::commands::prelude::*;
use crate::commands::set_up;
use crate::credentials::Actor;
use crate::credentials::claim::Shown;
use crate::ids::{Seat, Userid};
use crate::language::token::MASK;
use crate::language::{
    BoardOptions, Claim, GivenPassword, Password, PasswordPurpose, WriterPlace, robot_userid,
};
use crate::notices::transcript::data;
use crate::notices::view::{BoardView, board_view};

#[derive(Debug, Clone)]
pub struct Tutorial {
    /// `None` means the first game with a tutorial.
    pub game: Option<&'static GameKind>,
    /// `None` means the writer.
    pub pupil: Option<Userid>,
    /// `None` if the sender's address is enough, as for a challenge.
    pub password: Option<Password>,
}

impl Parameters for Tutorial {
    fn line(&self, word: &str) -> String {
        let password = self.password.as_ref().map(|_| MASK);
        Written::new(self.game, word).and(&self.pupil).and(password).end()
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        let password = self.password.as_ref()?;
        Some(GivenPassword { userid: self.pupil.as_ref(), password, purpose: PasswordPurpose::Proof })
    }
}

pub(crate) const TUTORIAL: Entry = Entry {
    by: Needs::Named,
    summary: "starts a first game against the robot, with a lesson in each of the first mails",
    details: "It is a real game at the robot's easiest level, and it does not count for the ratings. From your \
              own address `tutorial` alone is enough; from another address, give your password too. If a \
              tutorial is in play, it brings the board again.",
    example: "GAME tutorial ann plover-42",
    without_game: &["tutorial"],
    writer: WriterPlace::Named("This address has no account. With an account, the command in full is:"),
    ..Entry::of_game("tutorial", "userid [password]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let (game, place) = (args.named_game(), args.place());
    if args.leaves_writer_out() {
        args.means_writer(place, "")?;
        return Ok(Command::Tutorial(Tutorial { game, pupil: None, password: None }));
    }
    let pupil = args.userid("your userid")?;
    let password = if args.is_empty() { None } else { Some(args.password()?) };
    Ok(Command::Tutorial(Tutorial { game, pupil: Some(pupil), password }))
}

fn none_at_all() -> Refusal {
    refusal!("No game has a tutorial here.")
}

pub(crate) fn tutorial(ctx: &mut Context<'_>, by: &Actor, command: Tutorial) -> Result<Event, CommandError> {
    let Tutorial { game, pupil, password } = command;
    let pupil = match pupil {
        Some(pupil) => pupil,
        None => by.player()?.userid.clone(),
    };
    let pupil = &pupil;
    let game = game.or_else(|| registry::games().iter().copied().find(|game| game.tutorial.is_some()));
    let game = game.ok_or_else(none_at_all)?;
    let options = options(game)?;
    let robot = robot_userid(Some(challenge::EASIEST)).ok_or_else(none_at_all)?;
    let is_nobody = ctx.store.player(pupil)?.is_none();
    if let Some(game) = registry::games().iter().find(|game| is_nobody && game.answers_to(pupil.as_str())) {
        self::options(game)?;
        return refuse!("The name of the game comes first: `{} tutorial` starts it.", game.key);
    }
    // Words after `tutorial`, as in `tutorial for beginners`, must not count as a wrong password.
    if password.is_some() && is_nobody {
        let no_such_pupil = refusal!(
            "No player here has that name, and the words after `tutorial` are read as your name and password. \
            From your own address, `tutorial` alone starts it."
        );
        return Err(no_such_pupil.hiding_line().into());
    }
    let proven = match password {
        Some(password) => Some(ctx.identify(&Claim::written(pupil.clone(), password), Shown::NOTHING)?),
        None => None,
    };
    let players = opening::two_players(ctx, &[pupil.clone(), robot])?;
    let by = match proven {
        Some(_) => Some(Seat::First),
        None => challenge::challenger(ctx, by, &players)?,
    };
    let [pupil, _] = &players;
    if let Some(board) = ctx.store.tutorial_of(pupil.id, game.key)?
        && let Some(board) = Board::load(ctx.store, board)?
    {
        ctx.answer_to(pupil.id);
        return Ok(again(&board_view(ctx.store, &board)?));
    }
    opening::may_play(ctx, game, &players, by.as_slice())?;
    let terms = Terms { tutorial: true, ..set_up::set_up(ctx, game, &options)? };
    opening::open_board(ctx, game, players, by.as_slice(), terms)
}

/// Shows a tutorial board that is already in play. The budget of answers can hold this answer back, because
/// an address alone is enough to ask for it.
fn again(view: &BoardView) -> Event {
    Event::page("tutorial.md", context! { v => data(view) }, view.thread(Some(view.events)))
}

fn options(game: &'static GameKind) -> Result<BoardOptions, Refusal> {
    if game.tutorial.is_none() {
        let (name, key) = (game.name, game.key);
        if turnpost_robot::find(key).is_none() {
            return refuse!("{name} has no tutorial. `help {key}` explains it.");
        }
        return refuse!(
            "{name} has no tutorial. `help {key}` explains it, and `{key} challenge robot --level=1` is a game against \
            a robot that you can beat."
        );
    }
    Ok(BoardOptions { game: game.easy_options(), unrated: true, ..BoardOptions::default() })
}
