//! Conditional moves; [`Plan`] has their grammar.
//!
//! ```text
//! game queue board userid password [move ... | if move then move ... | off]
//! ```

use turnpost_games::{GameKind, Table, Turn, Unreadable};

use crate::board::Board;
use crate::commands::{Command, Entry};
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::language::args::{Args, ArgumentError};
use crate::language::dress::{holds_moves_only, undressed};
use crate::language::plan::Plan;
use crate::language::{InReply, Offered, OnBoard, Parameters, Seen, WriterPlace};
use crate::notices::Event;
use crate::notices::view::{BoardView, board_view};
use crate::play::at_board::{self, AtBoard, sentence};
use crate::play::{Context, answers};
use crate::store::PlayerId;

#[derive(Debug, Clone)]
pub struct Queue {
    pub at: OnBoard,
    /// An empty plan drops the queue; none shows it.
    pub plan: Option<Plan>,
}

impl Parameters for Queue {
    fn at(&self) -> Option<&OnBoard> {
        Some(&self.at)
    }
}

pub(crate) const QUEUE: Entry = Entry {
    summary: "conditional moves: answers that are played for you",
    details: "`A3-B4, B4-C4` are your next turns; `if K5-K4 then A3-B4` answers that move only; several `if` stand \
                  one after the other, and ( ) nest them: `if K5-K4 then (A3-B4, if J4-J3 then B4-C4)`. The first answer \
                  that fits is played when it is your turn, if it is legal; else the queue is dropped, and you are told. \
                  A move made by hand drops it too. Nobody else sees it. Without a move the queue is shown, with `off` \
                  it is dropped.",
    example: "GAME queue 1 bob dunlin-7 if F3 then F4",
    writer: WriterPlace::BehindBoard(is_a_queue),
    in_reply: InReply::MayBegin(read_behind),
    needs: Seen::PositionOrNamed,
    offered: Offered::InPlay,
    done: Some("Your conditional moves are kept. Nobody else sees them."),
    ..Entry::of_game("queue", "board userid password [move ... | if move then move ... | off]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    read_behind(at, args)
}

fn read_behind(at: OnBoard, args: &mut Args) -> Result<Command, ArgumentError> {
    let text = args.rest_as_text();
    let plan = match text.trim() {
        "" => None,
        off if off.eq_ignore_ascii_case("off") => Some(Plan::default()),
        text => Some(Plan::parse(text).map_err(ArgumentError::at_end)?),
    };
    Ok(Command::Queue(Queue { at, plan }))
}

/// True for what a queue is made of and nothing else.
fn is_a_queue(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let bare = word.trim_matches(|c: char| matches!(c, '(' | ')' | ','));
        let is_word = ["if", "then", "off", ""].iter().any(|own| bare.eq_ignore_ascii_case(own));
        is_word || holds_moves_only(&undressed(bare))
    })
}

/// Sentences about what a queue would do, for a mail to stay readable.
const REMARKS_AT_MOST: usize = 10;

fn bad_queue(why: String) -> Refusal {
    refusal!("A move of the queue cannot be read: {why}")
}

pub(crate) fn queue(ctx: &mut Context<'_>, command: Queue) -> Result<Event, CommandError> {
    let Queue { at, plan } = command;
    let mut at = at_board::load_for_player(ctx, &at)?;
    let id = at.board.row.id;
    match &plan {
        Some(plan) if plan.is_empty() => ctx.store.set_queue(id, at.player(), None)?,
        Some(plan) => {
            must_be_readable(&at, plan)?;
            answers::keep_queue(ctx, &at.board, at.player(), plan)?;
        }
        None => {}
    }
    let (seat, player) = (at.seat, at.player());
    // On the player's own turn a queue plays at once, or fails like a move.
    if let Some(why) = answers::run_queues(ctx, &mut at)? {
        return refuse!("It is your turn, and the queue cannot play: {why}");
    }
    let mut view = board_view(ctx.store, &at.board)?;
    show_queue(ctx, &at.board, player, &mut view)?;
    if at.steps.is_empty() {
        return Ok(Event::Queue { view: Box::new(view), seat: seat.index() });
    }
    // The answer is the player's mail about what was played.
    if let Some(note) = answers::robot_thinks(ctx, &at) {
        at.note(seat, note);
    }
    let mut update = at_board::tell_as(ctx, at, Some(seat))?;
    (update.view.queue, update.view.queue_remarks) = (view.queue, view.queue_remarks);
    Ok(Event::Board(Box::new(update), Some(seat.index())))
}

/// The plan of the conditions behind a move that was just played.
pub(crate) fn behind_a_move(at: &AtBoard, conditions: &str) -> Result<Plan, CommandError> {
    let plan = Plan::behind_a_move(conditions).map_err(|why| bad_queue(format!("{why}.")))?;
    must_be_readable(at, &plan)?;
    Ok(plan)
}

/// Adds a queue to a board as its owner sees it: a line a turn, and what its moves would do beside moving.
pub(crate) fn show_queue(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
    view: &mut BoardView,
) -> Result<(), CommandError> {
    let Some(plan) = answers::plan(ctx, board, player)? else { return Ok(()) };
    view.queue = plan.lines();
    foresee(board.table.as_ref(), board.kind, &plan, "", &mut view.queue_remarks);
    Ok(())
}

/// What the moves of a plan would do, as far as they are legal and the opponent's moves before them are named.
fn foresee(table: &dyn Table, kind: &GameKind, plan: &Plan, before: &str, remarks: &mut Vec<String>) {
    let then = |played: &str, next: &str| match played {
        "" => next.to_owned(),
        _ => format!("{played}, {next}"),
    };
    'branches: for branch in &plan.0 {
        let mut table = table.copy();
        let mut line = before.to_owned();
        for turn in branch.on.iter().chain([&branch.play]) {
            let seat = table.turn();
            let Ok(Turn { remarks: found, passes, rest: "", .. }) = table.play_turn(turn) else {
                continue 'branches;
            };
            line = then(&line, turn);
            if remarks.len() >= REMARKS_AT_MOST {
                return;
            }
            let passes = passes.iter().filter(|pass| pass.seat != seat);
            let passes = passes.map(|pass| at_board::passed(kind, pass.seat));
            for remark in found.into_iter().chain(passes) {
                let remark = format!("After {line}: {remark}");
                // Branches share their first moves.
                if !remarks.contains(&remark) {
                    remarks.push(remark);
                }
            }
        }
        foresee(table.as_ref(), kind, &branch.then, &line, remarks);
    }
}

/// Checks the notation of each move of a plan. Whether a move is legal shows when its turn comes.
fn must_be_readable(at: &AtBoard, plan: &Plan) -> Result<(), CommandError> {
    for turn in plan.turns() {
        let mut rest = turn;
        while !rest.is_empty() {
            let unreadable = |why: Unreadable| bad_queue(sentence(&why.into()));
            rest = at.board.table.behind_ply(rest).map_err(unreadable)?;
        }
    }
    Ok(())
}
