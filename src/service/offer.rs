//! Proposals, take-backs, the swap of seats, declining, rematch and replay.

use super::CommandError;
use super::challenge::Start;
use super::context::Context;
use super::play::AtBoard;
use super::transcript::Event;
use super::view::BoardEvent;
use crate::command::offer::{Offer, Word};
use crate::command::{BoardOptions, Seated};
use crate::ids::{BoardId, Ply, Seat, Userid};
use crate::service::board::{Board, Terms, taken_up_by};
use crate::service::challenge;
use crate::service::challenge::ChallengeRefusal;
use crate::service::play;
use crate::service::play::PlayRefusal;
use crate::service::query::QueryRefusal;
use crate::service::queue;
use crate::service::refusal::{Refuse, refuses};
use crate::service::robot::context as robot_context;
use crate::service::seek;
use crate::store::{EventKind, PlayerId, Proposal, State};
use turnpost_games::GameKind;

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum OfferRefusal {
    #[error("You have proposed that already, and {opponent} has not answered yet.")]
    ProposedAlready { opponent: Userid },
    #[error("{opponent} has proposed {what}: answer that with `accept` or `reject` first.")]
    AnswerFirst { opponent: Userid, what: &'static str },
    #[error("You have played no ply on board {board} that could be taken back.")]
    NothingToTakeBack { board: BoardId },
    #[error("{opponent} has proposed nothing on board {board} that you could answer.")]
    NothingProposed { opponent: Userid, board: BoardId },
    #[error(
        "Seats can be changed only by the second player, in answer to ply 1, on a board started with --swap."
    )]
    NoSwap,
    #[error(
        "Board {board} cannot be declined any more: {second} has played. `{game} resign {board}` gives it up."
    )]
    TooLateToDecline { board: BoardId, second: Userid, game: &'static str },
    #[error("Board {board} is still in play: a rematch can follow once it is over.")]
    StillRunning { board: BoardId },
}

impl Refuse for OfferRefusal {}

refuses!(OfferRefusal);

pub(super) fn offer(ctx: &mut Context<'_>, offer: Offer) -> Result<Event, CommandError> {
    match offer {
        Offer::Word(at, word) => {
            let at = play::sit_down(ctx, &at)?;
            match word {
                Word::Propose => propose(ctx, at, Proposal::Draw),
                Word::Undo => propose(ctx, at, Proposal::Undo),
                Word::Accept => accept(ctx, at),
                Word::Reject => reject(ctx, at),
                Word::Swap => swap(ctx, at),
                Word::Decline => decline(ctx, at),
            }
        }
        Offer::Queue(at, plan) => queue::queue(ctx, &at, plan),
        Offer::Submit(at, plies) => queue::submit(ctx, &at, &plies),
        Offer::Confirm(at) => queue::confirm(ctx, &at),
        Offer::Rematch(at) => rematch(ctx, &at),
        Offer::Replay { game, board, ply, players, options } => {
            replay(ctx, game, board, ply, &players, &options)
        }
        Offer::Seek { game, login, options, rating } => seek::seek(ctx, game, &login, &options, rating),
        Offer::SeekOff(game, login) => seek::seek_off(ctx, game, &login),
        Offer::AcceptSeek(game, number, login) => seek::accept_seek(ctx, game, number, &login),
        Offer::Seeks(game) => seek::seeks(ctx, game),
        Offer::ShowAs { game, login, boards, which } => seek::show_as(ctx, game, &login, &boards, which),
        Offer::AllShow(userid, which) => seek::all_show(ctx, &userid, which),
    }
}

fn propose(ctx: &mut Context<'_>, mut at: AtBoard, proposal: Proposal) -> Result<Event, CommandError> {
    if robot_context::is_against_robot(&at) {
        return robot_context::propose_to_robot(ctx, at, proposal);
    }
    if at.board.row.proposal == Some((proposal, at.seat)) {
        return Err(OfferRefusal::ProposedAlready { opponent: opponent(ctx, &at)? }.into());
    }
    match at.board.row.proposal {
        // Two who both want a draw have agreed; two who both take back have not said how far.
        Some((Proposal::Draw, by)) if by != at.seat && proposal == Proposal::Draw => {
            return accept(ctx, at);
        }
        Some((open, by)) if by != at.seat => {
            return Err(OfferRefusal::AnswerFirst { opponent: opponent(ctx, &at)?, what: open.what() }.into());
        }
        _ => {}
    }
    if proposal == Proposal::Undo && before_last_ply(ctx, &at.board, at.player)?.is_none() {
        return Err(OfferRefusal::NothingToTakeBack { board: at.board.row.id }.into());
    }
    play::happen(ctx, &mut at, EventKind::Proposal, proposal.as_str())?;
    let event = match proposal {
        Proposal::Draw => BoardEvent::DrawProposed,
        Proposal::Undo => BoardEvent::UndoProposed,
    };
    play::tell(ctx, event, &at)
}

fn accept(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<Event, CommandError> {
    match proposed(ctx, &at)? {
        Proposal::Draw => {
            play::happen(ctx, &mut at, EventKind::Agreement, "")?;
            play::tell(ctx, BoardEvent::Agreed, &at)
        }
        Proposal::Undo => take_back(ctx, at),
    }
}

fn reject(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<Event, CommandError> {
    let proposal = proposed(ctx, &at)?;
    play::happen(ctx, &mut at, EventKind::Rejection, proposal.as_str())?;
    play::tell(ctx, BoardEvent::Rejected, &at)
}

/// What the opponent has proposed.
fn proposed(ctx: &Context<'_>, at: &AtBoard) -> Result<Proposal, CommandError> {
    match at.board.row.proposal {
        Some((proposal, by)) if by == at.seat.other() => Ok(proposal),
        _ => {
            let opponent = opponent(ctx, at)?;
            Err(OfferRefusal::NothingProposed { opponent, board: at.board.row.id }.into())
        }
    }
}

/// Takes back the opponent's last ply and all after it, as they have proposed.
pub(super) fn take_back(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<Event, CommandError> {
    let id = at.board.row.id;
    let opponent = *at.seat.other().of(&at.board.row.players);
    let Some(stands) = before_last_ply(ctx, &at.board, opponent)? else {
        return Err(OfferRefusal::NothingToTakeBack { board: id }.into());
    };
    let events = ctx.store.events(id)?;
    let zones = ctx.zones(&at.board.row.players)?;
    let event = at.board.take_back(&events, stands, at.seat, ctx.now, &zones)?;
    ctx.store.add_event(id, &event)?;
    ctx.store.update_board(&at.board.row)?;
    ctx.settle(&mut at.board)?;
    queue::drop_plans(ctx, &at.board)?;
    play::tell(ctx, BoardEvent::Undone, &at)
}

/// The ply before the last one that `player` played. What was played before seats were changed stands.
pub(super) fn before_last_ply(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
) -> Result<Option<Ply>, CommandError> {
    // Only ply 1 can be answered by a swap.
    let first = if board.row.swapped { Ply(2) } else { Ply(1) };
    let plies = ctx.store.plies(board.row.id, first, board.row.plies)?;
    let last = plies.iter().rev().find(|ply| ply.player == Some(player));
    Ok(last.map(|ply| Ply(ply.ply.0.saturating_sub(1))))
}

fn swap(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<Event, CommandError> {
    let row = &at.board.row;
    if !row.may_swap || row.plies != Ply(1) || at.seat != Seat::Second {
        return Err(OfferRefusal::NoSwap.into());
    }
    queue::drop_plans(ctx, &at.board)?;
    play::happen(ctx, &mut at, EventKind::Swap, "")?;
    ctx.store.seat_players(&at.board.row)?;
    // Whoever swapped sits on the first seat now.
    at.seat = at.seat.other();
    let update = play::update(ctx, BoardEvent::Swapped, &at, &[], Vec::new())?;
    play::notify_other(ctx, &at, &update);
    if at.board.row.is_with_robot() {
        return robot_context::go_on(ctx, at, update);
    }
    Ok(Event::Board(Box::new(update), Some(at.seat.index())))
}

fn decline(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<Event, CommandError> {
    let row = &at.board.row;
    if let Some(second) = taken_up_by(&ctx.store.events(row.id)?) {
        let second = ctx.store.player_by_id(second)?.userid;
        return Err(OfferRefusal::TooLateToDecline { board: row.id, second, game: at.board.kind.key }.into());
    }
    play::happen(ctx, &mut at, EventKind::Decline, "")?;
    play::tell(ctx, BoardEvent::Declined, &at)
}

fn opponent(ctx: &Context<'_>, at: &AtBoard) -> Result<Userid, CommandError> {
    Ok(ctx.store.player_by_id(*at.seat.other().of(&at.board.row.players))?.userid)
}

/// A new board of the same players and options, sides changed.
fn rematch(ctx: &mut Context<'_>, at: &Seated) -> Result<Event, CommandError> {
    let account = ctx.prove(&at.login)?;
    let old = play::board(ctx, at.game, at.board)?;
    let seat = play::seat_at(ctx, &old, &account)?;
    if old.row.state == State::Running {
        return Err(OfferRefusal::StillRunning { board: at.board }.into());
    }
    let [first, second] = old.row.players;
    let userids = [ctx.store.player_by_id(second)?.userid, ctx.store.player_by_id(first)?.userid];
    let players = [
        challenge::challenged(ctx, &userids[0], "first")?,
        challenge::challenged(ctx, &userids[1], "second")?,
    ];
    let events = ctx.store.events(at.board)?;
    let terms = events.first().and_then(|start| serde_json::from_str::<Terms>(&start.text).ok());
    let Some(terms) = terms else {
        return Err(PlayRefusal::NoSuchBoard { board: at.board, game: at.game.key }.into());
    };
    let days = terms.days;
    let options = BoardOptions {
        position: terms.from_position.then(|| terms.position.clone()),
        game: terms.options,
        nag: Some(days.nag),
        forfeit: Some(days.forfeit),
        total: Some(days.total),
        unrated: !terms.rated,
        // Sides are changed on purpose, not drawn again.
        lots: false,
        swap: terms.may_swap,
        level: None,
    };
    challenge::may_play(ctx, at.game, &players, &[seat.other()])?;
    let start = challenge::set_up(ctx, at.game, &options)?;
    challenge::open_board(ctx, at.game, players, Some(seat.other()), &options, start)
}

/// A new, unrated board from a position of an old one.
fn replay(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    number: BoardId,
    ply: Option<Ply>,
    userids: &[Userid; 2],
    options: &BoardOptions,
) -> Result<Event, CommandError> {
    let players = seek::two_players(ctx, userids)?;
    let by = challenge::challenger(ctx, &players)?;
    let board = play::board(ctx, game, number)?;
    let ply = ply.unwrap_or(board.row.plies);
    if ply > board.row.plies {
        return Err(QueryRefusal::NoSuchPly { board: number, plies: board.row.plies }.into());
    }
    let past = Board::past(number, &ctx.store.events(number)?, ply)?;
    if past.table.ended().is_some() {
        let why = format!("after ply {ply} the game is over");
        return Err(ChallengeRefusal::Setup { why }.into());
    }
    if past.table.forced_ply().is_some() {
        let why = format!("after ply {ply} the side to move has no move; name the ply behind the pass");
        return Err(ChallengeRefusal::Setup { why }.into());
    }
    challenge::may_play(ctx, game, &players, by.as_slice())?;
    let start = Start { table: past.table, seed: 0, from_position: true, rated: false };
    challenge::open_board(ctx, game, players, by, options, start)
}
