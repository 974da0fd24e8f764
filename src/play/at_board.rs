//! A running board with one of its players: finds the seat, plays plies, tells the opponent.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use turnpost_games::{GameKind, Lettered, MoveError, Played};

use crate::board::dice::DiceNote;
use crate::board::{Board, names, outcome};
use crate::failure::{CommandError, Error, Refusal, refusal, refuse};
use crate::ids::{BoardId, Ply, Seat};
use crate::language::OnBoard;
use crate::mail::AnswerBy;
use crate::notices::Event;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardStep, BoardUpdate};
use crate::notices::ply_view::PlyView;
use crate::notices::view::board_view;
use crate::play::{Context, dice, drop_plans, ended, marked};
use crate::settings::{ChosenValue, LETTERS};
use crate::store::{Account, BoardState, EventKind, EventRow, PlayerId};

pub(crate) fn no_such_board(board: BoardId, game: &'static str) -> Refusal {
    refusal!("There is no board {board}. `{game} games ann` lists the boards of ann.")
}

pub(crate) fn bad_move(played: String, why: String) -> Refusal {
    refusal!("{}{why}", after(&played))
}

pub(crate) fn ends_before(played: String) -> Refusal {
    refusal!("After {played} the game is over, and your command has more moves.")
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

    fn player_at(&self, seat: Seat) -> PlayerId {
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

    fn must_be_to_move(&self, seat: Seat, events: &[EventRow]) -> Result<(), Refusal> {
        if self.board.row.to_move == Some(seat) {
            return Ok(());
        }
        let played = list(events);
        if self.board.row.to_move.is_none() {
            return Err(ends_before(played));
        }
        let opponent = seat.other().of(&self.names);
        let ply = self.board.row.plies.next();
        Err(if events.is_empty() {
            refusal!(
                "It is {opponent}'s turn on board {board} (move {ply}), not yours.",
                board = self.board.row.id
            )
            .showing_board()
        } else {
            refusal!(
                "After {played} it is {opponent}'s turn (move {ply}), and your command has more moves. Moves of one \
                command are played together or not at all."
            )
        })
    }
}

/// Plays the plies of `text` for `seat`, with the forced passes between them and what the dice show after them, and stores
/// them. Stores all or none.
pub(crate) fn play_plies(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    event: BoardEvent,
    text: &str,
) -> Result<(), CommandError> {
    play_plies_after(ctx, at, seat, event, text, None)
}

/// Like [`play_plies`], with the player's word for dice that wait for one.
pub(crate) fn play_plies_after(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    event: BoardEvent,
    text: &str,
    word: Option<&str>,
) -> Result<(), CommandError> {
    let mut events = bind_dice(ctx, at, seat, word)?;
    let (plies, remarks) = try_plies(ctx, at, seat, text)?;
    events.extend(plies);
    dice::fall(ctx, &mut at.board, &mut events)?;
    record(ctx, &mut at.board, &events)?;
    let played = events.iter().filter_map(PlyView::of).collect();
    at.steps.push(BoardStep { played, remarks, ..BoardStep::new(event, seat) });
    Ok(())
}

/// Binds the dice to the letter of the player at `seat`, if they wait for one, and tells the player.
pub(crate) fn bind_dice(
    ctx: &Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    word: Option<&str>,
) -> Result<Vec<EventRow>, CommandError> {
    let Some(salt) = dice::salt_that_binds(ctx, &at.board, seat, word)? else { return Ok(Vec::new()) };
    let what = if word.is_some() { "word" } else { "letter" };
    at.note(seat, format!("Your {what} binds the dice; the record has it as {salt}."));
    Ok(vec![at.board.note_dice(DiceNote::Salt(&salt), Some(seat), ctx.now)])
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

/// A move as the game reads it.
pub(crate) struct StandardText {
    pub text: String,
    /// What the letters of the text show about their writer.
    pub letters: Option<ChosenValue>,
}

/// Reads a move that a mail can write in the letters of another language.
pub(crate) fn in_standard_letters(
    ctx: &Context<'_>,
    at: &AtBoard,
    text: &str,
) -> Result<StandardText, CommandError> {
    let is_by_hand = ctx.letter.answer == AnswerBy::Mail && at.board.row.to_move == Some(at.seat);
    let read = match at.board.kind.letters.filter(|_| is_by_hand) {
        Some(letters) => {
            let own = ctx.store.setting(at.player(), &LETTERS)?;
            letters(&at.board.table.position(), text.trim(), &own)
                .map_err(|why| bad_move(String::new(), why))?
        }
        None => None,
    };
    Ok(match read {
        Some(Lettered { ply, rest, language }) => StandardText {
            text: format!("{ply}{rest}"),
            letters: language.and_then(|language| LETTERS.value(language)).map(|value| LETTERS.to(value)),
        },
        None => StandardText { text: text.to_owned(), letters: None },
    })
}

/// Plays the plies of `text` on the board in memory, without storing them.
pub(crate) fn try_plies(
    ctx: &Context<'_>,
    at: &mut AtBoard,
    seat: Seat,
    text: &str,
) -> Result<(Vec<EventRow>, Vec<String>), CommandError> {
    let zones = ctx.zones(&at.board.row.players)?;
    let mut events: Vec<EventRow> = Vec::new();
    let mut remarks = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() || events.is_empty() {
        at.must_be_to_move(seat, &events)?;
        let by = (Some(at.player_at(seat)), ctx.now, &zones);
        let played = play_ply(&mut at.board, rest, by, &mut events)?;
        rest = played.rest;
        remarks.extend(played.remarks);
        if let Some(behind) = marked::behind_ask(rest).filter(|_| at.board.kind.asks()) {
            events.push(ask(ctx, at, seat));
            rest = behind;
        }
    }
    if at.board.row.to_move == Some(seat)
        && let Some(closing) = at.board.table.closing_ply()
    {
        let by = (Some(at.player_at(seat)), ctx.now, &zones);
        remarks.extend(play_ply(&mut at.board, &closing, by, &mut events)?.remarks);
    }
    Ok((events, remarks))
}

/// The event by which a player wants to be asked before the next roll; tells the player.
pub(crate) fn ask(ctx: &Context<'_>, at: &mut AtBoard, seat: Seat) -> EventRow {
    at.note(seat, "You are asked before your next roll, if you can double then.".to_owned());
    at.board.note_dice(DiceNote::Asks, Some(seat), ctx.now)
}

/// Plays the first ply of `text` and the passes after it, and appends their events to `played`.
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

/// Sentences about what the other player was forced to among the plies of `mover`, for a preview.
pub(crate) fn passes(events: &[EventRow], mover: Seat, kind: &GameKind) -> Vec<String> {
    let of_others = events.iter().filter_map(|event| Some((event.seat?, event.text.as_str())));
    of_others.filter(|(seat, _)| *seat != mover).map(|(seat, ply)| forced(kind, seat, ply)).collect()
}

/// A ply that the server plays for a seat: `Black has no move and passes.`
pub(crate) fn forced(kind: &GameKind, seat: Seat, ply: &str) -> String {
    let mut side = kind.seat(seat).to_owned();
    if let Some(first) = side.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    match ply {
        "pass" => format!("{side} has no move and passes."),
        ply => format!("{side} can only play {ply}."),
    }
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

fn after(played: &str) -> String {
    match played {
        "" => String::new(),
        played => format!("{played} can be played, but not what follows it. "),
    }
}

/// Checks that a mark `#n` after a move names `ply`, and returns the text after it.
fn check_mark<'t>(rest: &'t str, ply: Ply, notation: &str) -> Result<&'t str, Refusal> {
    let (mark, behind) = marked::cut(rest);
    let Some(number) = mark.strip_prefix('#') else { return Ok(rest) };
    let wanted: Ply = number
        .parse()
        .map_err(|_| refusal!("After `#` the number of a move is expected, as in `{notation}#50`."))?;
    if wanted != ply {
        return Err(
            refusal!("This is move {ply}, and your move is marked for move {wanted}.").showing_board()
        );
    }
    Ok(behind)
}

/// The reason as a sentence. It never quotes text that could not be read.
pub(crate) fn sentence(why: &MoveError) -> String {
    let mut sentence = why.to_string();
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}

/// Joins the plies: `F3, A3-B4`.
pub(crate) fn list(events: &[EventRow]) -> String {
    let plies = events.iter().filter(|event| event.kind == EventKind::Ply);
    plies.map(|event| event.text.as_str()).collect::<Vec<_>>().join(", ")
}
