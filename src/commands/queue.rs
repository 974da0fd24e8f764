//! Conditional moves. [`Plan`] defines their grammar.
//!
//! ```text
//! game queue board userid password [move ... | if move then move ... | off]
//! ```

use turnpost_games::{Cast, GameKind, Seat, Table, Turn};

use crate::board::Board;
use crate::commands::prelude::*;
use crate::ids::BoardId;
use crate::language::move_finder::MoveFinder;
use crate::language::plan::{Branch, Plan};
use crate::language::{InReply, Offered, OnBoard, Seen, WriterPlace};
use crate::mail::AnswerBy;
use crate::notices::view::{BoardView, board_view};
use crate::play::at_board::{self, AtBoard};
use crate::play::plies::{self, sentence};
use crate::play::{answers, marked, plans, renamed};
use crate::store::PlayerId;

#[derive(Debug, Clone)]
pub struct Queue {
    pub at: OnBoard,
    /// `None` shows the queue; an empty plan drops it.
    pub plan: Option<Plan>,
}

impl Parameters for Queue {
    fn line(&self, word: &str) -> String {
        let plan = match &self.plan {
            None => String::new(),
            Some(plan) if plan.is_empty() => " off".to_owned(),
            Some(plan) => format!(" {plan}"),
        };
        format!("{} {word} {}{plan}", self.at.game.key, self.at.board)
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

pub(crate) const QUEUE: Entry = Entry {
    by: Needs::Proven,
    summary: "conditional moves: answers that are played for you",
    details: "`A3-B4, B4-C4` are your next moves; `if K5-K4 then A3-B4` answers that move only. You can write \
              several `if` one after the other, and nest them with ( ): `if K5-K4 then (A3-B4, if J4-J3 then \
              B4-C4)`. When it is your turn, the first answer that fits is played if it is legal. Otherwise the \
              queue is dropped, and you are told. A queue that could never be played is refused at once, as far \
              as the server can know. A move that you send drops it too. Only you see it. Without a move the \
              command shows the queue; `off` drops it.",
    example: "GAME queue 1 bob dunlin-7 if F3 then F4",
    writer: WriterPlace::BehindBoard(is_a_queue),
    in_reply: InReply::MayBegin(read_behind),
    needs: Seen::PositionOrNamed,
    offered: Offered::InPlay,
    done: Some("Your conditional moves are kept. Only you see them."),
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

/// True if the words contain only moves and the words of a queue.
fn is_a_queue(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let bare = word.trim_matches(|c: char| matches!(c, '(' | ')' | ','));
        let is_word = ["if", "then", "off", ""].iter().any(|own| bare.eq_ignore_ascii_case(own));
        is_word || bare.parse::<Cast>().is_ok() || MoveFinder::of_any_game().is_moves_only(bare)
    })
}

/// Maximum number of remarks about a queue in a mail.
const REMARKS_AT_MOST: usize = 10;

const CANNOT_PLAY: &str = "It is your turn, and the queue cannot play: ";

fn bad_queue(why: String) -> Refusal {
    refusal!("A move of the queue cannot be read: {why}")
}

pub(crate) fn queue(ctx: &mut Context<'_>, by: &Account, command: Queue) -> Result<Event, CommandError> {
    let Queue { at, plan } = command;
    if let Some(plan) = &plan {
        renamed::refuse(ctx, at, &plan.turns().join(", "))?;
    }
    let mut at = at_board::load_for_player(ctx, by, at)?;
    let id = at.board.row.id;
    match &plan {
        Some(plan) if plan.is_empty() => ctx.store.set_queue(id, at.player(), None)?,
        Some(plan) => {
            let is_mine = at.board.row.to_move == Some(at.seat);
            let begin = if is_mine { CANNOT_PLAY } else { "The queue cannot be kept. " };
            // On the player's own turn, one branch of the plan plays at once.
            let fits = match is_mine {
                true => answers::answer(ctx, &at.board, at.seat, plan.clone())?,
                false => None,
            };
            let first = fits.map(|branch| Plan(vec![Branch { on: None, ..branch }]));
            let line = |plan: &Plan| match ctx.letter.answer == AnswerBy::Terminal {
                false => format!("queue {plan}"),
                true => format!("{} queue {id} {} PASSWORD {plan}", at.board.kind.key, at.seat.of(&at.names)),
            };
            must_fit(&at, first.as_ref().unwrap_or(plan), begin, line)?;
            plans::keep_queue(ctx, &at.board, at.player(), plan)?;
        }
        None => {}
    }
    let (seat, player) = (at.seat, at.player());
    // On the player's own turn, a queue plays at once, or is refused like a move.
    if let Some(why) = answers::run_queues(ctx, &mut at)? {
        return refuse!("{CANNOT_PLAY}{why}");
    }
    let mut view = board_view(ctx.store, &at.board)?;
    show_queue(ctx, &at.board, player, &mut view)?;
    if at.steps.is_empty() {
        return Ok(Event::Queue { view: Box::new(view), seat: seat.index() });
    }
    // This answer replaces the player's mail about the played moves.
    if let Some(note) = answers::robot_thinks(ctx, &at) {
        at.note(seat, note);
    }
    let mut update = at_board::tell_as(ctx, at, Some(seat))?;
    (update.view.queue, update.view.queue_remarks) = (view.queue, view.queue_remarks);
    Ok(Event::Board(Box::new(update), Some(seat.index())))
}

/// Parses the conditions after a move whose `plies` have just been played.
pub(crate) fn behind_a_move(
    at: &AtBoard,
    plies: &str,
    conditions: &str,
    begin: &str,
) -> Result<Plan, CommandError> {
    let plan = Plan::behind_a_move(conditions).map_err(|why| bad_queue(format!("{why}.")))?;
    let line = |plan: &Plan| format!("{begin}{plies}; {}", plan.behind());
    must_fit(at, &plan, "", line)?;
    Ok(plan)
}

/// Adds a queue to the owner's view of a board: one line per turn, and remarks on side effects of its moves.
pub(crate) fn show_queue(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
    view: &mut BoardView,
) -> Result<(), CommandError> {
    let Some(plan) = plans::plan(ctx, board, player)? else { return Ok(()) };
    view.queue = plan.lines();
    foresee(board.table.as_ref(), board.kind, &plan, "", &mut view.queue_remarks);
    Ok(())
}

/// Collects remarks on the moves of a plan, as far as they are legal and the opponent's moves between them
/// are named.
fn foresee(table: &dyn Table, kind: &GameKind, plan: &Plan, before: &str, remarks: &mut Vec<String>) {
    'branches: for branch in &plan.0 {
        let mut table = table.copy();
        let mut line = before.to_owned();
        for turn in branch.on.iter().chain([&branch.play]) {
            let seat = table.turn();
            let Ok(Turn { remarks: found, passes, rest: "", .. }) = table.play_turn(turn) else {
                continue 'branches;
            };
            line = joined(&line, turn);
            if remarks.len() >= REMARKS_AT_MOST {
                return;
            }
            let of_others = passes.iter().filter(|pass| pass.seat != Some(seat));
            let passes = of_others.filter_map(|pass| Some(plies::forced(kind, pass.seat?, &pass.ply)));
            for remark in found.into_iter().chain(passes) {
                let remark = format!("After {line}: {remark}");
                // Branches can share their first moves; list each remark once.
                if !remarks.contains(&remark) {
                    remarks.push(remark);
                }
            }
        }
        foresee(table.as_ref(), kind, &branch.then, &line, remarks);
    }
}

/// Refuses a plan with an unreadable turn, or one that is illegal in a known position. The refusal suggests a
/// plan that works; `line` formats it for a reply or a mail.
fn must_fit(
    at: &AtBoard,
    plan: &Plan,
    begin: &str,
    line: impl Fn(&Plan) -> String,
) -> Result<(), CommandError> {
    let table = at.board.table.as_ref();
    let mut wrong = None;
    // What the dice show decides which turns are legal, so those of a plan are only read.
    let fitted = if at.board.kind.dice { plan.clone() } else { fit(table, at.seat, plan, "", &mut wrong) };
    let why = match (unreadable(at, plan), wrong) {
        (Some(why), _) => bad_queue(why).to_string(),
        (None, Some(why)) => format!("{begin}{why}"),
        (None, None) => return Ok(()),
    };
    let works = match fitted.is_empty() || unreadable(at, &fitted).is_some() {
        true => String::new(),
        false => format!(" This could be kept:\n\n    {}", line(&fitted)),
    };
    refuse!("{why}{works}")
}

/// Why a turn of the plan cannot be read; `None` if all can.
fn unreadable(at: &AtBoard, plan: &Plan) -> Option<String> {
    let table = at.board.table.as_ref();
    let is_a_roll = |turn: &&str| at.board.kind.dice && turn.parse::<Cast>().is_ok();
    plan.turns().into_iter().filter(|turn| !is_a_roll(turn)).find_map(|turn| {
        let mut rest = turn;
        while !rest.is_empty() {
            rest = match table.behind_ply(rest) {
                Ok(rest) => marked::behind_ask(rest).filter(|_| at.board.kind.asks()).unwrap_or(rest),
                Err(why) => return Some(sentence(&why.into())),
            };
        }
        None
    })
}

/// Returns the plan with each illegal turn replaced by a legal one; `wrong` gets the first fault. After a
/// turn that is not named the position is unknown, so the rest of the plan stays unchanged.
fn fit(table: &dyn Table, mine: Seat, plan: &Plan, before: &str, wrong: &mut Option<String>) -> Plan {
    let fitted = plan.0.iter().filter_map(|branch| {
        let mut branch = branch.clone();
        if branch.on.is_some() == (table.turn() == mine) {
            return Some(branch);
        }
        let (mut table, mut line) = (table.copy(), before.to_owned());
        for turn in branch.on.iter_mut().chain([&mut branch.play]) {
            if let Err(why) = play_whole(table.as_mut(), mine, turn) {
                let behind = if line.is_empty() { format!("`{turn}`: ") } else { format!("After {line}: ") };
                wrong.get_or_insert(format!("{behind}{why}"));
                *turn = play_nearest(table.as_mut(), turn)?;
            }
            line = joined(&line, turn);
        }
        branch.then = fit(table.as_ref(), mine, &branch.then, &line, wrong);
        Some(branch)
    });
    Plan(fitted.collect())
}

/// Plays `turn` if it is exactly one whole turn, else changes nothing.
fn play_whole(table: &mut dyn Table, mine: Seat, turn: &str) -> Result<(), String> {
    let mut after = table.copy();
    let played = after.play_turn(turn).map_err(|why| sentence(&why))?;
    if !played.rest.is_empty() {
        return Err(format!("`{turn}` is more than one turn."));
    }
    if table.turn() != mine && after.turn() != mine && after.ended().is_none() {
        return Err(format!("The turn continues after {turn}. Write all of it."));
    }
    table.play_turn(turn).map(drop).map_err(|why| sentence(&why))
}

/// Plays the legal turn most similar to `typed`, and returns it.
fn play_nearest(table: &mut dyn Table, typed: &str) -> Option<String> {
    let seat = table.turn();
    let alike =
        |ply: &String| typed.bytes().zip(ply.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let mut turn = Vec::new();
    while table.turn() == seat && table.ended().is_none() {
        let ply = table.legal_plies().into_iter().rev().max_by_key(alike)?;
        table.play_text(&ply).ok()?;
        table.play_passes();
        turn.push(ply);
    }
    (!turn.is_empty()).then(|| turn.join(" "))
}

/// Joins turns to a line: `K3-J2, E1-G1`.
fn joined(played: &str, next: &str) -> String {
    if played.is_empty() { next.to_owned() } else { format!("{played}, {next}") }
}
