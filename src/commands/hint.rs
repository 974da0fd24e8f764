//! Suggests a good move, with a reason, in an unrated game against the robot.
//!
//! ```text
//! game hint board userid password
//! ```

use minijinja::context;

use crate::commands::prelude::*;
use crate::language::{InReply, ON_BOARD, Offered, OnBoard};
use crate::notices::Thread;
use crate::play::at_board;
use crate::play::robot::Question;
use crate::play::robot_opponent::{robot_is_off, robot_of};

/// Maximum number of hints for a player in a game; a hint asked for again in the same position counts once.
const AT_MOST: u32 = 5;

pub(crate) const HINT: Entry = Entry {
    by: Needs::Proven,
    summary: "names a good move and why, at most five times a game",
    details: "It works on your turn in an unrated game against the robot. In the same position the hint is the \
              same and counts once. The robot looks some moves ahead, equally far at every level, and says what \
              it thinks of the game.",
    example: "GAME hint 1 ann plover-42",
    in_reply: InReply::Alone(Command::Hint),
    offered: Offered::MayHint,
    done: Some(""),
    ..Entry::of_game("hint", ON_BOARD, |args| Ok(Command::Hint(args.on_board()?)))
};

pub(crate) fn hint(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let at = at_board::load_for_player(ctx, by, at)?;
    let row = &at.board.row;
    if !row.is_with_robot() {
        return refuse!(
            "Hints are for games against the robot, and board {board} is between two people. `preview` and a move \
            shows the board after it; once the game is over, `analyse` gives the robot's view.",
            board = row.id
        );
    }
    if row.rated {
        return refuse!(
            "Board {board} is rated, and a rating is for what players find themselves. `--unrated` in a challenge \
            of the robot makes a game with hints.",
            board = row.id
        );
    }
    if row.to_move != Some(at.seat) {
        return refuse!("It is not your turn on board {board}.", board = row.id);
    }
    if !ctx.robot.rules.enabled {
        return Err(robot_is_off().into());
    }
    let Some(number) = ctx.store.count_hint(row.id, at.player(), &row.position, AT_MOST)? else {
        return refuse!(
            "You have had {AT_MOST} hints on board {board}, the most for a game. `preview` and a move shows the \
            board after it.",
            board = row.id
        );
    };
    let question = Question::for_a_hint(&at.board, robot_of(at.board.kind)?);
    let Some(hint) = ctx.robot.plies(question) else {
        // The robot answers this question before the server tries the letter again.
        return refuse!("The robot has thought enough for this mail. Ask for the hint in a mail of its own.");
    };
    let thread = Thread::of(row, &at.names);
    Ok(Event::page("hint.md", context! { number, most => AT_MOST, hint }, Some(thread)))
}
