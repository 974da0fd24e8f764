//! Replays a record event by event, to its end or to the event that a picture in a mail shows.

use turnpost_games::GameKind;
use turnpost_games::scene::Scene;

use crate::board::{BadRecord, Board};
use crate::failure::Error;
use crate::ids::{BoardId, Ply, Seat};
use crate::store::{EventKind, EventRow, Pictured, PlayerId, Store};

/// A board that replays its record and knows which plies were not taken back. Its row has no position before the end,
/// because writing one costs more than playing a ply.
pub struct Replay {
    pub board: Board,
    start: EventRow,
    /// The plies that were not taken back.
    pub(crate) line: Vec<EventRow>,
}

impl Replay {
    pub fn begin(id: BoardId, start: EventRow) -> Result<Replay, BadRecord> {
        Ok(Replay::of(Board::start(id, &start)?, start))
    }

    pub(crate) fn of(board: Board, start: EventRow) -> Replay {
        Replay { board, start, line: Vec::new() }
    }

    pub fn apply(&mut self, event: &EventRow) -> Result<(), BadRecord> {
        self.board.must_follow(event)?;
        match event.kind {
            EventKind::Ply => {
                self.board.play_event(event)?;
                self.line.push(event.clone());
            }
            EventKind::Undo => {
                let stands = event.ply.unwrap_or_default().0 as usize;
                let Some(taken) = self.line.get(stands..).filter(|taken| !taken.is_empty()) else {
                    return Err(BadRecord::new(event, "takes back plies that were not played"));
                };
                if event.seat.is_some() && taken.iter().any(|ply| ply.seat.is_none()) {
                    return Err(BadRecord::new(event, "takes back what the dice showed"));
                }
                self.line.truncate(stands);
                self.set_back()?;
            }
            EventKind::Resumption => self.set_back()?,
            _ => {}
        }
        self.board.note(event);
        Ok(())
    }

    fn set_back(&mut self) -> Result<(), BadRecord> {
        let start = Board::start(self.board.row.id, &self.start)?;
        self.board.set_back(start, &self.line)
    }

    /// The board after the last event.
    pub fn finish(self) -> Board {
        let mut board = self.board;
        board.row.position = board.table.position();
        board
    }
}

impl Board {
    pub(crate) fn rebuild(id: BoardId, events: &[EventRow]) -> Result<Board, BadRecord> {
        Ok(Board::replay(id, events)?.finish())
    }

    /// The board after ply `until`, without plies that were taken back.
    pub fn past(id: BoardId, events: &[EventRow], until: Ply) -> Result<Board, BadRecord> {
        let mut past = Board::each_past(id, events, until, |_| ())?;
        past.row.position = past.table.position();
        Ok(past)
    }

    /// Calls `see` with the start position and with the board after each ply up to `until`. Returns the last board. The
    /// rows of these boards have no position.
    pub(crate) fn each_past(
        id: BoardId,
        events: &[EventRow],
        until: Ply,
        mut see: impl FnMut(&Board),
    ) -> Result<Board, BadRecord> {
        let Replay { board: now, line, .. } = Board::replay(id, events)?;
        let mut past = Board::first(id, events)?;
        // Earlier positions show the current players.
        past.row.players = now.row.players;
        past.row.swapped = now.row.swapped;
        past.row.deadline_at = None;
        past.row.result = None;
        see(&past);
        for event in line.iter().take(until.0 as usize) {
            past.play_event(event)?;
            past.row.changed_at = event.at;
            see(&past);
        }
        Ok(past)
    }

    pub(super) fn replay(id: BoardId, events: &[EventRow]) -> Result<Replay, BadRecord> {
        let (start, rest) =
            events.split_first().ok_or_else(|| BadRecord { number: 1, why: "there is none".into() })?;
        let mut replay = Replay::begin(id, start.clone())?;
        for event in rest {
            replay.apply(event)?;
        }
        Ok(replay)
    }

    pub(super) fn first(id: BoardId, events: &[EventRow]) -> Result<Board, BadRecord> {
        let start = events.first().ok_or_else(|| BadRecord { number: 1, why: "there is none".into() })?;
        Board::start(id, start)
    }

    /// Plays `line` from `start` and takes over the resulting position.
    pub(super) fn set_back(&mut self, start: Board, line: &[EventRow]) -> Result<(), BadRecord> {
        let mut back = start;
        // A player who could swap after ply 1 can do so again.
        self.row.may_swap = back.row.may_swap && !self.row.swapped && line.len() < 2;
        for event in line {
            back.play_event(event)?;
        }
        self.table = back.table;
        self.row.plies = back.row.plies;
        Ok(())
    }
}

/// A board to draw.
pub struct ShownBoard {
    pub kind: &'static GameKind,
    /// The position, with the last move marked.
    pub scene: Scene,
    /// The players at that time.
    pub players: [PlayerId; 2],
}

impl ShownBoard {
    /// The board as this player sees it.
    pub fn for_player(&self, player: Option<PlayerId>) -> Scene {
        let seat = Seat::BOTH.into_iter().find(|seat| player == Some(*seat.of(&self.players)));
        self.kind.facing(seat, self.scene.clone())
    }
}

/// The board after the event of a picture; `None` if the board has no events.
pub fn pictured(store: &Store, picture: Pictured) -> Result<Option<ShownBoard>, Error> {
    let Pictured { board, event } = picture;
    let mut events = store.events(board)?;
    events.retain(|row| row.number <= event);
    if events.is_empty() {
        return Ok(None);
    }
    let Replay { board: now, line, .. } = Board::replay(board, &events)?;
    let scene = now.table.look();
    let mut table = Board::first(board, &events)?.table;
    // A pass moves no piece, so the picture marks the last move that did.
    let mut last = None;
    for (ply, event) in (0..).zip(&line) {
        if event.seat.is_none() {
            table.replay(&event.text).map_err(|why| BadRecord::new(event, &why.to_string()))?;
            continue;
        }
        let played = table.play_text(&event.text).map_err(|why| BadRecord::new(event, &why.to_string()))?;
        if played.ends.to.is_some() {
            last = Some((Ply(ply), played.ends));
        }
    }
    let scene = match last {
        Some((ply, ends)) => scene.after(&Board::past(board, &events, ply)?.table.look(), ends),
        None => scene,
    };
    Ok(Some(ShownBoard { kind: now.kind, scene, players: now.row.players }))
}
