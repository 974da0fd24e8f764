//! Rolls the dice.
//!
//! ```text
//! game roll board userid password [word]
//! ```

use crate::board::dice::DiceRecord;
use crate::commands::prelude::*;
use crate::ids::BoardId;
use crate::language::{InReply, Offered, OnBoard};
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::notices::ply_view::PlyView;
use crate::play::{answers, at_board, dice, plies};

#[derive(Debug, Clone)]
pub struct Roll {
    pub at: OnBoard,
    /// The player's word for the dice; empty if there is none.
    pub word: String,
}

impl Parameters for Roll {
    fn line(&self, word: &str) -> String {
        Written::new(self.at.game, word)
            .and([self.at.board])
            .and(Some(&self.word).filter(|w| !w.is_empty()))
            .end()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

pub(crate) const ROLL: Entry = Entry {
    by: Needs::Proven,
    summary: "rolls the dice; before the first roll, a word of yours binds them",
    details: "A game with dice begins with the `roll` of its second player. The server has told the hash of its secret \
              before. `roll moonshine`, with any word, binds the dice to that word, and `roll` alone to your letter: \
              `help dice` says how to check them. If you can double, the server rolls for you with your opponent's \
              move, unless you have added `ask` to your own move. With `set auto off` it asks always.",
    example: "GAME roll 1 bob dunlin-7 moonshine",
    in_reply: InReply::MayBegin(|at, args| Ok(Command::Roll(Roll { at, word: args.rest_as_text() }))),
    offered: Offered::WithDice,
    done: Some("Your word is taken, and the dice fell."),
    ..Entry::of_game("roll", "board userid password [word]", |args| {
        Ok(Command::Roll(Roll { at: args.on_board()?, word: args.rest_as_text() }))
    })
};

pub(crate) fn roll(ctx: &mut Context<'_>, by: &Account, command: Roll) -> Result<Event, CommandError> {
    let Roll { at, word } = command;
    let mut at = at_board::load_for_player(ctx, by, at)?;
    if !at.board.kind.dice {
        return refuse!("{} has no dice.", at.board.kind.name);
    }
    let (seat, player) = (at.seat, at.player());
    let word = Some(word.trim()).filter(|word| !word.is_empty());
    if word.is_some() && DiceRecord::of(&ctx.store.events(at.board.row.id)?).is_bound {
        return refuse!(
            "The dice of this board are bound already, so another word changes nothing. `roll` alone rolls."
        );
    }
    let is_turn = at.board.mover().is_none_or(|mover| mover == seat);
    if at.reads("roll") || !is_turn {
        ctx.store.set_queue(at.board.row.id, player, None)?;
        plies::play_plies_after(ctx, &mut at, seat, BoardEvent::Played, "roll", word)?;
        return answers::let_others_answer(ctx, at);
    }
    // A game that continues after its end has new dice, and so has a board whose key is lost. They wait for a word.
    let mut events = plies::bind_dice(ctx, &mut at, seat, word)?;
    if events.is_empty() {
        return refuse!("The dice have fallen, and you are to move.");
    }
    dice::fall(ctx, &mut at.board, &mut events)?;
    at_board::record(ctx, &mut at.board, &events)?;
    let played: Vec<PlyView> = events.iter().filter_map(PlyView::of).collect();
    if !played.is_empty() {
        at.steps.push(BoardStep { played, ..BoardStep::new(BoardEvent::Played, seat) });
    }
    answers::let_others_answer(ctx, at)
}
