//! Replays a record event by event.

use crate::board::{BadRecord, Board};
use crate::ids::BoardId;
use crate::store::{EventKind, EventRow};

/// A board that replays its record and knows which plies were not taken back. Its row has no position before the end:
/// writing one costs more than playing a ply.
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

    /// A board that has its start alone.
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
                if stands >= self.line.len() {
                    return Err(BadRecord::new(event, "takes back plies that were not played"));
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
