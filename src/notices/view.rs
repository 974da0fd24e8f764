//! Views: everything a mail says about a board, ready for templates.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::scene::{Scene, Tiling};

use crate::board::dice::DiceRecord;
use crate::board::ratings::{self, Change};
use crate::board::{Board, clocks, names, outcome, result_sentence};
use crate::credentials::token::MailKind;
use crate::failure::Error;
use crate::ids::{BoardId, Ply, Seat};
use crate::notices::lesson;
use crate::notices::ply_view::{PlyView, SeatChange, seat_changes};
use crate::notices::time_words::time_control;
use crate::settings::{AUTO, WEEKENDS};
use crate::store::{Bank, BoardRow, BoardState, Ending, PlayerId, Store, StoreError};

/// Plies listed in a mail about a board.
const LAST_PLIES: usize = 10;

/// A board now or at an earlier ply.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BoardView {
    pub board: u32,
    /// The number of events in its record.
    pub events: u32,
    /// The key of its game.
    pub game: &'static str,
    /// The name of its game.
    pub name: &'static str,
    /// An example of how players write a move.
    pub notation: &'static str,
    /// A move that can be played now, and what it does.
    pub example: Option<String>,
    /// The move of that example, without what follows it.
    pub example_move: Option<String>,
    /// Userids, by seat.
    pub players: [String; 2],
    /// The names of the seats.
    pub sides: [&'static str; 2],
    /// The lines of the drawing, each ended by `\n`.
    pub drawing: String,
    #[serde(flatten)]
    pub others: OtherDrawings,
    /// The key to the drawing.
    pub key: String,
    /// Facts without room in the drawing.
    pub notes: Vec<String>,
    /// A line about both sides, such as the komi; empty if the drawing shows all.
    pub standing: String,
    /// What previewed plies would do in addition to moving.
    pub remarks: Vec<String>,
    /// Number of plies played.
    pub plies: u32,
    /// The seat to move, 0 or 1.
    pub turn: Option<usize>,
    /// When the seat to move loses on time, in seconds since 1970.
    pub deadline: Option<i64>,
    /// `Game over: ...`, once the board has ended.
    pub result: Option<String>,
    /// What the game did to both ratings, in the mail about its end, or why it is not rated.
    pub ratings: Option<String>,
    /// The time control in words.
    pub time: String,
    /// The bank that each move refills. It replaces the other limits.
    pub bank: Option<Bank>,
    /// True if the time for all moves is limited, by a total or by a bank.
    pub has_total: bool,
    /// What both players have left for all moves, in seconds.
    pub left: Option<[i64; 2]>,
    /// The seat that won, 0 or 1.
    pub winner: Option<usize>,
    /// The points of both seats.
    pub score: Option<[u16; 2]>,
    /// How the game ended by its rules, as words that end a sentence, such as `checkmate`.
    pub how: Option<String>,
    /// The seat that resigned, 0 or 1.
    pub resigned: Option<usize>,
    pub rated: bool,
    /// The name of its contest.
    pub contest: Option<String>,
    pub swapped: bool,
    /// True if the player to move can swap seats.
    pub may_swap: bool,
    /// True if the player to move can be nudged.
    pub may_nudge: bool,
    /// The accounts of the players.
    #[serde(skip)]
    pub player_ids: [PlayerId; 2],
    /// True for an earlier position.
    pub past: bool,
    /// The last plies.
    pub last: Vec<PlyView>,
    /// The reader's queue, a line for each turn.
    pub queue: Vec<String>,
    /// What the moves of the queue would do in addition to moving, a sentence each.
    pub queue_remarks: Vec<String>,
    /// The move that the reader has submitted and not confirmed.
    pub draft: Option<String>,
    /// What that move would do in addition to moving.
    pub draft_remarks: Vec<String>,
    /// The lesson of the player to move, in a tutorial.
    pub lesson: Option<String>,
    /// The open proposal: its seat, 0 or 1, and `a draw` or `to take a move back`.
    pub proposal: Option<(usize, &'static str)>,
    /// How the players changed, oldest first.
    pub seat_changes: Vec<SeatChange>,
    /// The dice, in a game that has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<DiceView>,
    /// Sentences about the players: vacations, addresses.
    pub about_players: Vec<String>,
}

/// What is told of the dice of a board, so that its players can check them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DiceView {
    /// The hash of their secret.
    pub hash: String,
    /// The secret, once the game is over.
    pub secret: Option<String>,
    /// The words of both seats that bind them; empty if there is none.
    pub salts: [String; 2],
    /// True if they wait for the word of a player.
    pub wait: bool,
    /// True if the server's operator, who can know the dice to come, plays this board.
    pub has_host: bool,
    /// True if the player to move can add `ask` to the move.
    pub may_ask: bool,
}

impl DiceView {
    /// The dice of a board; `None` in a game without dice.
    pub(crate) fn of(store: &Store, board: &Board) -> Result<Option<DiceView>, Error> {
        if !board.kind.dice {
            return Ok(None);
        }
        let DiceRecord { hash, secret, salts, is_bound, asks, has_host, .. } =
            DiceRecord::of(&store.events(board.row.id)?);
        let may_ask = match board.row.to_move.filter(|seat| board.table.may_ask() && !asks[seat.index()]) {
            Some(seat) => store.is_on(*seat.of(&board.row.players), &AUTO)?,
            None => false,
        };
        let wait = !is_bound && secret.is_none();
        Ok(hash.map(|(hash, _)| DiceView { hash, wait, secret, salts, has_host, may_ask }))
    }
}

/// Other ways to show a board in text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OtherDrawings {
    /// A drawing for a narrow window.
    pub compact: String,
    /// One sentence a line.
    pub words: String,
    /// True if the usual drawing has slanted rows. The picture and `compact` have level ones.
    pub slanted: bool,
    /// The drawings for the second player, in games in which they see the board from its far side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turned: Option<TurnedDrawings>,
}

/// The drawings of a board as its far side sees it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TurnedDrawings {
    pub drawing: String,
    /// A drawing for a narrow window.
    pub compact: String,
}

impl OtherDrawings {
    /// The drawings of a scene as it is.
    pub fn of(scene: &Scene, sides: [&str; 2]) -> OtherDrawings {
        let slanted = scene.tiling == Tiling::Hexagons;
        OtherDrawings { compact: scene.narrow(), words: scene.in_words(sides), slanted, turned: None }
    }

    /// Adds the last plies in words, newest first.
    fn tell_last(&mut self, plies: &[PlyView], sides: [&str; 2]) {
        let side = |ply: &PlyView| ply.seat.map_or("the dice", |seat| sides.get(seat).unwrap_or(&""));
        let told = |ply: &PlyView| format!("{} {}", side(ply), ply.text);
        let told: Vec<String> = plies.iter().rev().map(told).collect();
        if let [last, before @ ..] = told.as_slice() {
            self.words.push_str(&format!("Last move: {last}.\n"));
            if !before.is_empty() {
                self.words.push_str(&format!("Earlier moves, newest first: {}.\n", before.join(", ")));
            }
        }
    }
}

impl BoardView {
    /// Shows what the game did to both ratings, if it is among `changes`.
    pub(crate) fn show_ratings(&mut self, changes: &[Change]) {
        if let Some(change) = changes.iter().find(|change| change.board.0 == self.board) {
            self.ratings = Some(change.sentence(&self.players));
        }
    }

    /// Adds the time that both players have left for all moves, and whose bank stops at weekends.
    pub(crate) fn with_left(mut self, store: &Store, now: Timestamp) -> Result<BoardView, Error> {
        if self.has_total
            && !self.past
            && let Some(row) = store.board(BoardId(self.board))?
        {
            self.tell_left(store, &row, now)?;
        }
        Ok(self)
    }

    pub(crate) fn tell_left(&mut self, store: &Store, row: &BoardRow, now: Timestamp) -> Result<(), Error> {
        self.left = clocks::left(store, row, now)?;
        for (player, name) in row.players.iter().zip(&self.players).filter(|_| self.bank.is_some()) {
            if self.left.is_some() && !player.is_robot() && !store.is_on(*player, &WEEKENDS)? {
                let rests = format!("{name}'s bank stands still on Saturdays and Sundays.");
                self.about_players.push(rests);
            }
        }
        Ok(())
    }

    pub fn subject(&self) -> String {
        subject(self.game, self.board, &self.players, self.swapped, self.contest.as_deref())
    }

    /// The thread of a mail that shows this board after event `shown`; `None` for a board that was never started.
    pub(crate) fn thread(&self, shown: Option<u32>) -> Option<Thread> {
        let (board, subject) = (BoardId(self.board), self.subject());
        (self.board > 0).then_some(Thread { board, subject, shown, mail: MailKind::Board })
    }
}

/// The Subject of every mail about a board. It never changes, so that mail programs keep one thread. The players are in
/// the order of the start, even after a swap.
fn subject(game: &str, board: u32, players: &[String; 2], swapped: bool, contest: Option<&str>) -> String {
    let [first, second] = players;
    let [first, second] = if swapped { [second, first] } else { [first, second] };
    let contest = contest.map(|name| format!(", {name}")).unwrap_or_default();
    format!("{game} {board}, {first} v {second}{contest}")
}

/// A line of a board list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GameRow {
    pub board: u32,
    pub plies: u32,
    pub players: [String; 2],
    /// Whose turn it is, or the result.
    pub status: String,
    /// When the player to move loses on time.
    pub deadline: Option<i64>,
}

/// The current view of a board.
pub fn board_view(store: &Store, board: &Board) -> Result<BoardView, Error> {
    let players = names(store, &board.row.players)?;
    let plies = store.plies(board.row.id, Ply(1), board.row.plies)?;
    let lesson = lesson::lesson(store, board)?;
    let mut plies = PlyView::all(store, &board.row, plies)?;
    let last = plies.split_off(plies.len().saturating_sub(LAST_PLIES));
    let seat_changes = seat_changes(store, board.row.id)?;
    let ratings = ratings::why_unrated(store, &board.row)?;
    let dice = DiceView::of(store, board)?;
    Ok(BoardView { lesson, seat_changes, ratings, dice, ..view_of(board, players, last) })
}

/// The view of a board whose names and last plies are known.
pub fn view_of(board: &Board, players: [String; 2], last: Vec<PlyView>) -> BoardView {
    let row = &board.row;
    let scene = board.table.look();
    let drawing = scene.drawing();
    let example = board.table.example();
    let mut others = OtherDrawings::of(&scene, board.kind.seats);
    others.tell_last(&last, board.kind.seats);
    if board.kind.is_turned_for(Seat::Second) {
        let turned = scene.turned();
        others.turned = Some(TurnedDrawings { drawing: turned.drawing().board, compact: turned.narrow() });
    }
    BoardView {
        board: row.id.0,
        events: row.events,
        game: board.kind.key,
        name: board.kind.name,
        notation: board.kind.notation,
        example_move: example_move(board, example.as_deref()),
        example,
        result: result_sentence(row, &players, board.kind.seats),
        players,
        sides: board.kind.seats,
        drawing: drawing.board,
        others,
        key: drawing.key,
        notes: drawing.notes,
        standing: drawing.standing,
        remarks: Vec::new(),
        plies: row.plies.0,
        turn: row.to_move.map(Seat::index),
        ratings: None,
        time: time_control(row.days),
        bank: row.days.bank,
        has_total: row.days.for_all_moves().is_some(),
        left: None,
        deadline: row.deadline_at.map(Timestamp::as_second),
        winner: row.result.as_ref().and_then(|result| result.winner).map(Seat::index),
        score: row.result.as_ref().and_then(|result| result.score),
        how: row.result.as_ref().and_then(|result| result.how.clone()),
        resigned: row
            .result
            .as_ref()
            .filter(|result| result.ending == Ending::Resigned)
            .and_then(|result| result.winner)
            .map(|winner| winner.other().index()),
        rated: row.rated,
        contest: row.contest.as_ref().map(|of| of.name.clone()),
        swapped: row.swapped,
        may_swap: row.can_swap(),
        may_nudge: false,
        player_ids: row.players,
        past: false,
        last,
        queue: Vec::new(),
        queue_remarks: Vec::new(),
        draft: None,
        draft_remarks: Vec::new(),
        lesson: None,
        seat_changes: Vec::new(),
        dice: None,
        about_players: Vec::new(),
        proposal: row.proposal.map(|(proposal, seat)| (seat.index(), proposal.what())),
    }
}

/// The move with which an example begins. A move of several checkers has blanks.
fn example_move(board: &Board, example: Option<&str>) -> Option<String> {
    let first = example?.split(' ').next().map(str::to_owned);
    if board.kind.dice { board.table.legal_plies().into_iter().next() } else { first }
}

pub fn thread(store: &Store, board: BoardId) -> Result<Option<Thread>, StoreError> {
    let Some(row) = store.board(board)? else { return Ok(None) };
    let players = names(store, &row.players)?;
    Ok(Some(Thread::of(&row, &players)))
}

pub fn game_row(store: &Store, row: &BoardRow, sides: [&str; 2]) -> Result<GameRow, StoreError> {
    let players = names(store, &row.players)?;
    let status = match (row.to_move, outcome(row, &players, sides)) {
        (_, Some(_)) if row.state == BoardState::Declined => "declined".to_owned(),
        (_, Some(outcome)) => outcome,
        (Some(seat), None) => format!("{} to move", seat.of(&players)),
        (None, None) => String::new(),
    };
    let deadline = row.deadline_at.map(Timestamp::as_second);
    Ok(GameRow { board: row.id.0, plies: row.plies.0, players, status, deadline })
}

/// The thread of all mails about one board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    pub board: BoardId,
    pub subject: String,
    /// The last event that the mail shows, if it shows the board.
    pub shown: Option<u32>,
    pub mail: MailKind,
}

impl Thread {
    /// The thread of a board, for a mail that does not show it.
    pub(crate) fn of(row: &BoardRow, names: &[String; 2]) -> Thread {
        let contest = row.contest.as_ref().map(|of| of.name.as_str());
        let subject = subject(&row.game, row.id.0, names, row.swapped, contest);
        Thread { board: row.id, subject, shown: None, mail: MailKind::Board }
    }
}
