//! A running board with one of its players: finds the seat, stores what happened, tells the opponent.

use turnpost_games::GameKind;

use crate::board::{Board, names, outcome};
use crate::failure::{CommandError, Error, Refusal, refusal, refuse};
use crate::ids::{BoardId, Ply, Seat};
use crate::language::OnBoard;
use crate::notices::Event;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardStep, BoardUpdate};
use crate::notices::ply_view::PlyView;
use crate::notices::view::board_view;
use crate::play::{Context, drop_plans, ended};
use crate::store::{Account, BoardState, EventKind, EventRow, PlayerId};

pub(crate) fn no_such_board(board: BoardId, game: &'static str) -> Refusal {
    refusal!("There is no board {board}. `{game} games ann` lists the boards of ann.")
}

pub(crate) fn no_such_ply(board: BoardId, plies: Ply) -> Refusal {
    refusal!("Board {board} is at move {plies}: `{board}#0` is the start, `{board}#{plies}` the latest.")
}

/// The board that a command acts on, and what happened there during the command.
pub(crate) struct AtBoard {
    pub board: Board,
    /// The seat of the player who sent the command.
    pub seat: Seat,
    pub names: [String; 2],
    /// Oldest first.
    pub steps: Vec<BoardStep>,
    /// Further notes for the player at each seat.
    pub notes: [Vec<String>; 2],
}

impl AtBoard {
    pub(crate) fn new(board: Board, seat: Seat, names: [String; 2]) -> AtBoard {
        AtBoard { board, seat, names, steps: Vec::new(), notes: [Vec::new(), Vec::new()] }
    }

    /// The player who sent the command.
    pub(crate) fn player(&self) -> PlayerId {
        self.player_at(self.seat)
    }

    pub(crate) fn player_at(&self, seat: Seat) -> PlayerId {
        *seat.of(&self.board.row.players)
    }

    /// True if the game reads the word as a ply that the player can make now.
    pub(crate) fn reads(&self, word: &str) -> bool {
        let table = self.board.to_move(self.seat);
        table.is_some_and(|table| table.copy().play_text(word).is_ok())
    }

    pub(crate) fn note(&mut self, seat: Seat, note: String) {
        self.notes[seat.index()].push(note);
    }
}

/// Stores a board with its new events. If they ended the game, also rates it, drops plans and schedules the
/// afterword.
pub(crate) fn record(ctx: &mut Context<'_>, board: &mut Board, events: &[EventRow]) -> Result<(), Error> {
    for event in events {
        ctx.store.add_event(board.row.id, event)?;
    }
    ctx.store.update_board(&board.row)?;
    ctx.settle(board)?;
    if board.row.state != BoardState::Running {
        let limits = (!ctx.writer.is_operator()).then_some(ctx.limits);
        ctx.rated.extend(ended(ctx.store, limits, board, ctx.now)?);
    }
    Ok(())
}

/// Applies and stores an event that is not a ply.
pub(crate) fn record_event(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    kind: EventKind,
    text: &str,
) -> Result<(), CommandError> {
    let event = at.board.act(kind, at.seat, text, ctx.now);
    Ok(record(ctx, &mut at.board, &[event])?)
}

/// Gives the second player the first seat, with the ply played there.
pub(crate) fn change_seats(ctx: &mut Context<'_>, at: &mut AtBoard) -> Result<(), CommandError> {
    drop_plans(ctx.store, &at.board.row)?;
    let event = at.board.act(EventKind::Swap, Seat::Second, "", ctx.now);
    record(ctx, &mut at.board, &[event])?;
    ctx.store.seat_players(&at.board.row)?;
    // Steps and notes so far follow their players to the new seats.
    at.seat = at.seat.other();
    at.names.reverse();
    at.notes.reverse();
    for step in &mut at.steps {
        step.by = 1 - step.by;
        step.played.iter_mut().for_each(PlyView::change_seats);
    }
    at.steps.push(BoardStep::new(BoardEvent::Swapped, Seat::First));
    Ok(())
}

/// Records a command that ended or changed the game without a ply, and tells both players.
pub(crate) fn act(
    ctx: &mut Context<'_>,
    mut at: AtBoard,
    kind: EventKind,
    event: BoardEvent,
    text: &str,
) -> Result<Event, CommandError> {
    record_event(ctx, &mut at, kind, text)?;
    at.steps.push(BoardStep::new(event, at.seat));
    Ok(tell(ctx, at)?)
}

/// Loads a running board, and checks that the player has a seat there.
pub(crate) fn load_for_player(
    ctx: &mut Context<'_>,
    by: &Account,
    at: OnBoard,
) -> Result<AtBoard, CommandError> {
    let board = board(ctx, at.game, at.board)?;
    let seat = seat_at(ctx, &board, by)?;
    let names = names(ctx.store, &board.row.players)?;
    if board.row.state != BoardState::Running {
        return Err(over(&board, &names).into());
    }
    Ok(AtBoard::new(board, seat, names))
}

/// The refusal for a board whose game is over.
pub(crate) fn over(board: &Board, names: &[String; 2]) -> Refusal {
    let outcome = outcome(&board.row, names, board.kind.seats).unwrap_or_default();
    refusal!("Board {board} is over: {outcome}.", board = board.row.id)
}

/// The player's seat; refuses players without a seat.
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

/// Tells both players what happened: returns the answer to the player who sent the command, and mails the
/// opponent.
pub(crate) fn tell(ctx: &mut Context<'_>, at: AtBoard) -> Result<Event, Error> {
    let seat = at.seat;
    let update = tell_as(ctx, at, Some(seat))?;
    Ok(Event::Board(Box::new(update), Some(seat.index())))
}

/// Tells both players what happened. The player on the seat `asked` reads their own step in the answer;
/// returns its update.
pub(crate) fn tell_as(ctx: &mut Context<'_>, at: AtBoard, asked: Option<Seat>) -> Result<BoardUpdate, Error> {
    let AtBoard { board, seat, mut steps, notes, .. } = at;
    let mut view = board_view(ctx.store, &board)?;
    view.show_ratings(&ctx.rated);
    let last = steps.pop().unwrap_or(BoardStep::new(BoardEvent::Waits, seat));
    let update = BoardUpdate { earlier: steps, ..BoardUpdate::of(last, view) };
    let reads_more = |seat: Seat| !update.earlier.is_empty() || update.last.by != seat.index();
    let players = board.row.players;
    let with_robot = board.row.is_with_robot();
    let hears = |seat: &Seat| {
        Some(*seat) != asked || reads_more(*seat) && !ctx.reads_answer(*seat.of(&players), with_robot)
    };
    let to: Vec<Seat> = Seat::BOTH.into_iter().filter(hears).collect();
    let news = BoardNews { notes, ..BoardNews::new(update, players, &to) };
    let update = match asked {
        Some(seat) => news.for_seat(seat),
        None => news.update.clone(),
    };
    ctx.news.push(news);
    Ok(update)
}
