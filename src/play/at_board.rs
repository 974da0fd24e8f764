//! A running board with one of its players: seats the player, plays plies, notifies the opponent.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use turnpost_games::{GameKind, MoveError, Played};

use crate::board::{Board, names, outcome};
use crate::failure::{CommandError, Error, Refusal, refusal, refuse};
use crate::ids::{BoardId, Ply, Seat};
use crate::language::OnBoard;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::view::{PlyView, board_view};
use crate::notices::{Event, Mail};
use crate::play::{Context, ended, marked};
use crate::store::{Account, BoardState, EventKind, EventRow, PlayerId};

pub(crate) fn no_such_board(board: BoardId, game: &'static str) -> Refusal {
    refusal!("There is no board {board}. `{game} games userid` lists a player's boards.")
}

pub(crate) fn bad_move(played: String, why: String) -> Refusal {
    refusal!("{}{why}", after(&played))
}

pub(crate) fn ends_before(played: String) -> Refusal {
    refusal!("After {played} the game is over, and your command goes on. Nothing was played.")
}

pub(crate) fn no_such_ply(board: BoardId, plies: Ply) -> Refusal {
    refusal!(
        "Board {board} stands after ply {plies}: `{board}#0` is the start, `{board}#{plies}` the latest."
    )
}

/// A board, the seat of the player who sent the command, and the names of both players.
pub(crate) struct AtBoard {
    pub board: Board,
    pub seat: Seat,
    pub player: PlayerId,
    pub names: [String; 2],
}

impl AtBoard {
    fn must_be_to_move(&self, events: &[EventRow]) -> Result<(), Refusal> {
        if self.board.row.to_move == Some(self.seat) {
            return Ok(());
        }
        let played = list(events);
        if self.board.row.to_move.is_none() {
            return Err(ends_before(played));
        }
        let opponent = self.seat.other().of(&self.names);
        let ply = self.board.row.plies.next();
        Err(if events.is_empty() {
            refusal!(
                "It is {opponent}'s turn on board {board} (ply {ply}), not yours.",
                board = self.board.row.id
            )
            .showing_board()
        } else {
            refusal!(
                "After {played} it is {opponent}'s turn (ply {ply}), and your command goes on. Nothing was played: \
                moves of one command are played together or not at all."
            )
        })
    }
}

/// Plays the plies of `text` and stores them, all or none. It also plays the forced passes between them.
pub(crate) fn play_plies(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    text: &str,
) -> Result<(Vec<EventRow>, Vec<String>), CommandError> {
    let (events, remarks) = try_plies(ctx, at, text)?;
    record(ctx, &mut at.board, &events)?;
    Ok((events, remarks))
}

/// Stores a board with its last events, and does what follows if they ended it.
pub(crate) fn record(ctx: &mut Context<'_>, board: &mut Board, events: &[EventRow]) -> Result<(), Error> {
    for event in events {
        ctx.store.add_event(board.row.id, event)?;
    }
    ctx.store.update_board(&board.row)?;
    ctx.settle(board)?;
    if board.row.state != BoardState::Running {
        ctx.rated.extend(ended(ctx.store, &board.row, ctx.now)?);
    }
    Ok(())
}

/// Plays the plies of `text` on `at` without storing them.
pub(crate) fn try_plies(
    ctx: &Context<'_>,
    at: &mut AtBoard,
    text: &str,
) -> Result<(Vec<EventRow>, Vec<String>), CommandError> {
    let zones = ctx.zones(&at.board.row.players)?;
    let mut events: Vec<EventRow> = Vec::new();
    let mut remarks = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() || events.is_empty() {
        at.must_be_to_move(&events)?;
        let by = (Some(at.player), ctx.now, &zones);
        let played = play_ply(&mut at.board, rest, by, &mut events)?;
        rest = played.rest;
        remarks.extend(played.remarks);
    }
    Ok((events, remarks))
}

/// Plays the first ply of `text` and the passes behind it, and adds their events to those `played` before it.
pub(crate) fn play_ply<'t>(
    board: &mut Board,
    text: &'t str,
    (player, at, zones): (Option<PlayerId>, Timestamp, &[TimeZone; 2]),
    played: &mut Vec<EventRow>,
) -> Result<Played<'t>, Refusal> {
    let number = board.row.plies.next();
    let bad = |why: MoveError| bad_move(list(played), sentence(&why));
    let (event, mut ply) = board.play(text, player, at, zones).map_err(bad)?;
    ply.rest = check_mark(ply.rest, number, &ply.ply)?;
    played.push(event);
    played.extend(board.play_passes(at, zones));
    Ok(ply)
}

/// The passes of others among the plies of `mover`, as sentences for a board that is only looked at.
pub(crate) fn passes(events: &[EventRow], mover: Seat, kind: &GameKind) -> Vec<String> {
    let seats = events.iter().filter_map(|event| event.seat);
    seats.filter(|seat| *seat != mover).map(|seat| passed(kind, seat)).collect()
}

/// `Black has no move and passes.`
pub(crate) fn passed(kind: &GameKind, seat: Seat) -> String {
    let mut side = kind.seat(seat).to_owned();
    if let Some(first) = side.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{side} has no move and passes.")
}

/// Applies an event that is not a ply, and stores it.
pub(crate) fn record_event(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    kind: EventKind,
    text: &str,
) -> Result<(), CommandError> {
    let event = at.board.act(kind, at.seat, text, ctx.now);
    Ok(record(ctx, &mut at.board, &[event])?)
}

/// Finds a running board and checks that the player sits there.
pub(crate) fn load_for_player(ctx: &mut Context<'_>, at: &OnBoard) -> Result<AtBoard, CommandError> {
    let account = ctx.prove(&at.login)?;
    let board = board(ctx, at.game, at.board)?;
    let seat = seat_at(ctx, &board, &account)?;
    let names = names(ctx.store, &board.row.players)?;
    if board.row.state != BoardState::Running {
        return Err(over(&board, &names).into());
    }
    Ok(AtBoard { board, seat, player: account.id, names })
}

/// Refuses what needs a running board.
pub(crate) fn over(board: &Board, names: &[String; 2]) -> Refusal {
    let outcome = outcome(&board.row, names, board.kind.seats).unwrap_or_default();
    refusal!("Board {board} is over: {outcome}.", board = board.row.id)
}

/// The player's seat; refuses players who do not sit there.
pub(crate) fn seat_at(ctx: &Context<'_>, board: &Board, account: &Account) -> Result<Seat, CommandError> {
    if let Some(seat) = board.seat_of(account.id) {
        return Ok(seat);
    }
    let [first, second] = board.row.players;
    refuse!(
        "Board {board} is not {userid}'s: it is played by {first} and {second}.",
        board = board.row.id,
        userid = account.userid,
        first = ctx.store.player_by_id(first)?.userid,
        second = ctx.store.player_by_id(second)?.userid
    )
}

/// Finds a board of `game` by its number.
pub(crate) fn board(
    ctx: &Context<'_>,
    game: &'static GameKind,
    number: BoardId,
) -> Result<Board, CommandError> {
    let Some(board) = Board::load(ctx.store, number)? else {
        return Err(no_such_board(number, game.key).into());
    };
    if board.kind.key != game.key {
        let (actual, key) = (board.kind.name, board.kind.key);
        return refuse!(
            "Board {number} is a game of {actual}, not of {named}: begin the command with `{key}`.",
            named = game.name
        );
    }
    Ok(board)
}

/// Notifies the opponent and returns the same update as the answer.
pub(crate) fn notify_opponent(
    ctx: &mut Context<'_>,
    event: BoardEvent,
    at: &AtBoard,
) -> Result<Event, CommandError> {
    let update = update(ctx, event, at, &[], Vec::new())?;
    notify_other(ctx, at, &update);
    Ok(Event::Board(Box::new(update), Some(at.seat.index())))
}

pub(crate) fn update(
    ctx: &Context<'_>,
    event: BoardEvent,
    at: &AtBoard,
    events: &[EventRow],
    remarks: Vec<String>,
) -> Result<BoardUpdate, CommandError> {
    let mut view = board_view(ctx.store, &at.board)?;
    view.show_ratings(&ctx.rated);
    let played = events.iter().filter_map(PlyView::of).collect();
    Ok(BoardUpdate { played, remarks, ..BoardUpdate::new(event, at.seat, view) })
}

pub(crate) fn notify_other(ctx: &mut Context<'_>, at: &AtBoard, update: &BoardUpdate) {
    let other = at.seat.other();
    let to = *other.of(&at.board.row.players);
    ctx.notify(Mail::of_board(to, other, update.clone()));
}

fn after(played: &str) -> String {
    match played {
        "" => String::new(),
        played => format!("Nothing was played: {played} can be played, but not what follows it. "),
    }
}

/// Checks the mark `#n` behind a move against `ply` and returns the text after it.
fn check_mark<'t>(rest: &'t str, ply: Ply, notation: &str) -> Result<&'t str, Refusal> {
    let (mark, behind) = marked::cut(rest);
    let Some(number) = mark.strip_prefix('#') else { return Ok(rest) };
    let wanted: Ply = number.parse().map_err(|_| {
        refusal!("Behind `#` the number of a ply is expected, as in `{notation}#50`. Nothing was played.")
    })?;
    if wanted != ply {
        return Err(refusal!(
            "This is ply {ply}, and your move is marked for ply {wanted}. Nothing was played."
        )
        .showing_board());
    }
    Ok(behind)
}

/// The reason as a sentence. It never repeats text that we could not read.
pub(crate) fn sentence(why: &MoveError) -> String {
    let mut sentence = why.to_string();
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}

/// `F3, A3-B4`.
pub(crate) fn list(events: &[EventRow]) -> String {
    events.iter().map(|event| event.text.as_str()).collect::<Vec<_>>().join(", ")
}
