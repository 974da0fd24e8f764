//! Draws and take-backs. Both players must agree, except to take back a move just played. Each word is also accepted in
//! place of a move.
//!
//! ```text
//! game propose|undo|accept|reject board userid password
//! game accept seek number userid password      (see `seek`)
//! ```

use jiff::SignedDuration;
use turnpost_games::{GameKind, registry};

use super::seek;
use crate::commands::prelude::*;

use crate::board::{Board, Terms, clocks, taken_up_by};
use crate::credentials::Token;
use crate::ids::{BoardId, Ply, Seat, Userid};
use crate::language::{InReply, ON_BOARD, Offered, OnBoard, Seen};
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::play::at_board::{self, AtBoard};
use crate::play::{answers, drop_plans};
use crate::store::{EventKind, EventRow, PlayerId, Proposal};

/// How long a player can take back a move without the opponent's consent.
const GRACE: SignedDuration = SignedDuration::from_mins(15);

/// How many moves a player takes back at once in a turn: each brings the opponent two mails.
const SLIPS_A_TURN: usize = 3;

/// Takes a move back, or proposes to. A board's number is unique, so the game can be left out.
#[derive(Debug, Clone)]
pub struct TakeBack {
    pub game: Option<&'static GameKind>,
    pub board: BoardId,
}

impl Parameters for TakeBack {
    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and([self.board]).end()
    }
}

pub(crate) const PROPOSE: Entry = Entry {
    by: Needs::Proven,
    summary: "proposes a draw to the opponent",
    details: "The opponent answers with `accept` or `reject`. If the opponent plays a move instead, the proposal \
              lapses. The word also works in place of a move.",
    example: "GAME propose 1 ann plover-42",
    in_reply: InReply::ForMove(Command::Propose),
    offered: Offered::MayPropose,
    done: Some("You have proposed a draw."),
    ..Entry::of_game("propose", ON_BOARD, |args| Ok(Command::Propose(args.on_board()?)))
};

pub(crate) const UNDO: Entry = Entry {
    by: Needs::Proven,
    summary: "takes your last move back, or proposes to",
    details: "Within fifteen minutes, while your opponent has not moved, your last move is taken back at once, at \
               most three times in a turn. Your clock runs on as if you had not played it. Later, or with \
               `-nograce`, it is a proposal: if the opponent accepts, your last move and all moves after it are \
               taken back. Queues on the board are dropped. The word also works in place of a move.",
    example: "GAME undo 1 ann plover-42",
    without_game: &["undo"],
    in_reply: InReply::ForMove(|at| Command::Undo(TakeBack { game: Some(at.game), board: at.board })),
    needs: Seen::OthersMoves,
    offered: Offered::HasPlayed,
    done: Some("You have asked to take your last move back."),
    ..Entry::of_game("undo", ON_BOARD, |args| {
        let game = args.named_game();
        Ok(Command::Undo(TakeBack { game, board: args.on_board()?.board }))
    })
};

pub(crate) const ACCEPT: Entry = Entry {
    by: Needs::Proven,
    summary: "accepts what the opponent proposed, or an open challenge",
    details: "In Go it also accepts the dead stones that the opponent has named. `accept seek` and a number of \
              `seeks` starts a game at once; lots decide who has the first move.",
    example: "GAME accept 1 bob dunlin-7",
    in_reply: InReply::Decides(Command::Accept),
    needs: Seen::Proposals,
    offered: Offered::Asked,
    done: Some("You have accepted."),
    ..Entry::of_game("accept", "board userid password | seek number userid password", read_accept)
};

pub(crate) const REJECT: Entry = Entry {
    by: Needs::Proven,
    summary: "turns down what the opponent proposed",
    details: "The game continues as if nothing had been proposed. It also takes back a proposal of your own.",
    example: "GAME reject 1 bob dunlin-7",
    in_reply: InReply::ForMove(Command::Reject),
    needs: Seen::Proposals,
    offered: Offered::Asked,
    done: Some("You have rejected it."),
    ..Entry::of_game("reject", ON_BOARD, |args| Ok(Command::Reject(args.on_board()?)))
};

fn read_accept(args: &mut Args) -> Result<Command, ArgumentError> {
    if args.take("seek") { seek::read_accept(args) } else { Ok(Command::Accept(args.on_board()?)) }
}

fn nothing_to_take_back(board: BoardId) -> Refusal {
    refusal!("There is nothing to undo on board {board}: you have played no move there.")
}

pub(crate) fn propose(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let at = at_board::load_for_player(ctx, by, at)?;
    offer(ctx, at, Proposal::Draw)
}

pub(crate) fn undo(ctx: &mut Context<'_>, by: &Account, command: TakeBack) -> Result<Event, CommandError> {
    let TakeBack { game, board } = command;
    let game = match game {
        Some(game) => game,
        None => Board::load(ctx.store, board)?.map_or(registry::first(), |board| board.kind),
    };
    let mut at = at_board::load_for_player(ctx, by, OnBoard { game, board })?;
    if at.board.row.proposal == Some((Proposal::Draw, at.seat)) {
        return withdraw(ctx, at, Proposal::Draw);
    }
    if let Some(stands) = before_slip(ctx, &at)? {
        let seat = at.seat;
        set_back(ctx, &mut at, BoardEvent::TakenBack, (stands, seat))?;
        clocks::settle_now(ctx.store, &mut at.board, ctx.now)?;
        if at.board.row.deadline_at.is_some_and(|deadline| deadline <= ctx.now) {
            return refuse!("Your time for this move has run out since you played it, so it stands.");
        }
        return Ok(at_board::tell(ctx, at)?);
    }
    // In reply to a mail of before, `undo` means the move that it took back.
    if let Some(seat) = ctx.token.as_ref().and_then(Token::seat).filter(|seat| seat.board == at.board.row.id)
    {
        let taken_back = |event: &EventRow| event.kind == EventKind::Undo && event.number > seat.event;
        if ctx.store.events(seat.board)?.iter().any(taken_back) {
            return Err(refusal!(
                "Your move is taken back already, so nothing was done. This is the board now."
            )
            .showing_board()
            .into());
        }
    }
    offer(ctx, at, Proposal::Undo)
}

fn offer(ctx: &mut Context<'_>, at: AtBoard, proposal: Proposal) -> Result<Event, CommandError> {
    if is_against_robot(&at) {
        return propose_to_robot(ctx, at, proposal);
    }
    if at.board.row.proposal == Some((proposal, at.seat)) {
        return refuse!(
            "You have proposed that already, and {opponent} has not answered yet.",
            opponent = opponent(ctx, &at)?
        );
    }
    match at.board.row.proposal {
        // Two draw proposals make a draw. Two undo proposals do not: each would take back different plies.
        Some((Proposal::Draw, by)) if by != at.seat && proposal == Proposal::Draw => {
            return agree(ctx, at);
        }
        Some((open, by)) if by != at.seat => {
            return refuse!(
                "{opponent} has proposed {what}: answer that with `accept` or `reject` first.",
                opponent = opponent(ctx, &at)?,
                what = open.what()
            );
        }
        _ => {}
    }
    if proposal == Proposal::Undo && before_last_ply(ctx, &at.board, at.player())?.is_none() {
        return Err(nothing_to_take_back(at.board.row.id).into());
    }
    let event = match proposal {
        Proposal::Draw => BoardEvent::DrawProposed,
        Proposal::Undo => BoardEvent::UndoProposed,
    };
    at_board::act(ctx, at, EventKind::Proposal, event, proposal.as_str())
}

pub(crate) fn accept(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let at = at_board::load_for_player(ctx, by, at)?;
    let is_asked = at.board.row.proposal.is_some_and(|(_, by)| by != at.seat);
    if !is_asked && at.reads("accept") {
        return answers::play_word(ctx, at, "accept");
    }
    agree(ctx, at)
}

fn agree(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<Event, CommandError> {
    match proposed(ctx, &at)? {
        Proposal::Draw => at_board::act(ctx, at, EventKind::Agreement, BoardEvent::Agreed, ""),
        Proposal::Undo => {
            let by = at.seat;
            take_back(ctx, &mut at, by)?;
            Ok(at_board::tell(ctx, at)?)
        }
    }
}

pub(crate) fn reject(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let at = at_board::load_for_player(ctx, by, at)?;
    if let Some((proposal, by)) = at.board.row.proposal
        && by == at.seat
    {
        return withdraw(ctx, at, proposal);
    }
    let proposal = proposed(ctx, &at)?;
    at_board::act(ctx, at, EventKind::Rejection, BoardEvent::Rejected, proposal.as_str())
}

/// Withdraws the player's own proposal.
fn withdraw(ctx: &mut Context<'_>, at: AtBoard, proposal: Proposal) -> Result<Event, CommandError> {
    at_board::act(ctx, at, EventKind::Rejection, BoardEvent::Withdrawn, proposal.as_str())
}

/// The opponent's open proposal.
fn proposed(ctx: &Context<'_>, at: &AtBoard) -> Result<Proposal, CommandError> {
    match at.board.row.proposal {
        Some((proposal, by)) if by == at.seat.other() => Ok(proposal),
        _ => {
            let (opponent, row) = (opponent(ctx, at)?, &at.board.row);
            // With no proposal open, `accept` or `reject` might be meant for the challenge itself.
            if taken_up_by(&ctx.store.events(row.id)?).is_none() && !is_against_robot(at) {
                let mine = row.to_move == Some(at.seat);
                let whose = if mine { "your".to_owned() } else { format!("{opponent}'s") };
                return refuse!(
                    "Nothing needs to be accepted or rejected: board {board} with {opponent} is in play, and it is \
                    {whose} move. To turn the game down, reply `decline`.",
                    board = row.id
                );
            }
            refuse!(
                "{opponent} has proposed nothing on board {board} that you could answer.",
                board = at.board.row.id
            )
        }
    }
}

/// Takes back the plies that the other player proposed to undo; `by` is the seat that accepts.
fn take_back(ctx: &mut Context<'_>, at: &mut AtBoard, by: Seat) -> Result<(), CommandError> {
    let opponent = *by.other().of(&at.board.row.players);
    let Some(stands) = before_last_ply(ctx, &at.board, opponent)? else {
        return Err(nothing_to_take_back(at.board.row.id).into());
    };
    set_back(ctx, at, BoardEvent::Undone, (stands, by))
}

/// Takes the plies after `stands` back, as an act of the player at `by`.
fn set_back(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    told: BoardEvent,
    (stands, by): (Ply, Seat),
) -> Result<(), CommandError> {
    let events = ctx.store.events(at.board.row.id)?;
    let zones = ctx.zones(&at.board.row.players)?;
    let event = at.board.take_back(&events, stands, by, ctx.now, &zones)?;
    at_board::record(ctx, &mut at.board, &[event])?;
    at.steps.push(BoardStep::new(told, by));
    Ok(drop_plans(ctx.store, &at.board.row)?)
}

/// The ply before the player's last move, if the player can take that move back at once. The move is at most [`GRACE`]
/// old, and no other player has moved or proposed anything since. All that one letter played is one move.
fn before_slip(ctx: &Context<'_>, at: &AtBoard) -> Result<Option<Ply>, CommandError> {
    let events = ctx.store.events(at.board.row.id)?;
    let may = events.first().map(Terms::of).transpose()?.is_some_and(|terms| terms.has_grace());
    if !may || at.board.row.proposal.is_some_and(|(_, by)| by != at.seat) {
        return Ok(None);
    }
    let is_own = |event: &&EventRow| match event.kind {
        // A roll of the dice is final.
        EventKind::Ply => event.seat.is_some() && event.player.is_none_or(|player| player == at.player()),
        EventKind::Undo => event.player == Some(at.player()),
        kind => !kind.begins_turn(),
    };
    let turn: Vec<&EventRow> = events.iter().rev().take_while(is_own).collect();
    let slips = turn.iter().filter(|event| event.kind == EventKind::Undo).count();
    let since = turn.iter().take_while(|event| event.kind != EventKind::Undo);
    let mut own = since.filter(|event| event.kind == EventKind::Ply && event.player.is_some());
    let Some(last) = own.next().filter(|_| slips < SLIPS_A_TURN) else { return Ok(None) };
    let first = own.take_while(|event| event.at == last.at).last().unwrap_or(last);
    let is_fresh = ctx.now.duration_since(last.at).abs() <= GRACE;
    Ok(first.ply.filter(|_| is_fresh).map(|ply| Ply(ply.0.saturating_sub(1))))
}

/// The ply before the last one of `player`. Plies before a swap, and before a roll of the dice, are final.
fn before_last_ply(ctx: &Context<'_>, board: &Board, player: PlayerId) -> Result<Option<Ply>, CommandError> {
    // Only ply 1 can be answered by a swap.
    let first = if board.row.swapped { Ply(2) } else { Ply(1) };
    let plies = ctx.store.plies(board.row.id, first, board.row.plies)?;
    let mut since = plies.iter().rev().take_while(|ply| ply.seat.is_some());
    let last = since.find(|ply| ply.player == Some(player));
    Ok(last.map(|ply| Ply(ply.ply.0.saturating_sub(1))))
}

fn opponent(ctx: &Context<'_>, at: &AtBoard) -> Result<Userid, CommandError> {
    Ok(ctx.store.player_by_id(*at.seat.other().of(&at.board.row.players))?.userid)
}

/// Answers a proposal to the robot at once: it refuses draws and agrees to take-backs in unrated games.
fn propose_to_robot(
    ctx: &mut Context<'_>,
    mut at: AtBoard,
    proposal: Proposal,
) -> Result<Event, CommandError> {
    let robot = at.seat.other().of(&at.names);
    if proposal == Proposal::Draw {
        return refuse!("{robot} agrees to no draws: play on, or resign.");
    }
    if at.board.row.rated {
        return refuse!("{robot} lets you take back a move in unrated games only, and this one is rated.");
    }
    if before_last_ply(ctx, &at.board, at.player())?.is_none() {
        return Err(nothing_to_take_back(at.board.row.id).into());
    }
    at_board::record_event(ctx, &mut at, EventKind::Proposal, proposal.as_str())?;
    let robot = at.seat.other();
    take_back(ctx, &mut at, robot)?;
    Ok(at_board::tell(ctx, at)?)
}

fn is_against_robot(at: &AtBoard) -> bool {
    at.seat.other().of(&at.board.row.players).is_robot()
}
