//! The acts of the host and of organisers on a board, as events of its record.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::board::interval::Stopped;
use crate::board::slips::turn_before;
use crate::board::{BadRecord, Board, ended};
use crate::ids::{Ply, Seat};
use crate::store::{Ending, EventKind, EventRow, PlayerId, ResultRow, Ruling, UnknownWord};

/// True if the event is allowed after the end of a game.
pub(crate) fn reopens(event: &EventRow) -> bool {
    match event.kind {
        EventKind::Ruling | EventKind::Resumption => true,
        EventKind::Undo => event.seat.is_none(),
        _ => false,
    }
}

/// What decided a game that the organiser of its event ended.
const BY_ORGANISER: &str = "the organiser decided";

/// The result that a ruling gives.
pub(crate) fn result(event: &EventRow) -> ResultRow {
    match event.text.parse() {
        Ok(Ruling::Void) | Err(_) => ended(Ending::Abandoned, None),
        Ok(Ruling::Won | Ruling::Draw) => ended(Ending::Ruled, event.seat),
        Ok(Ruling::OrganiserWon | Ruling::OrganiserDraw) => {
            ResultRow { how: Some(BY_ORGANISER.to_owned()), ..ended(Ending::Ruled, event.seat) }
        }
        Ok(Ruling::OrganiserVoid) => {
            ResultRow { how: Some(BY_ORGANISER.to_owned()), ..ended(Ending::Abandoned, None) }
        }
    }
}

/// Puts the new player of a reseat event on the event's seat.
pub(crate) fn seat(players: &mut [PlayerId; 2], event: &EventRow) {
    let place = event.seat.and_then(|seat| players.get_mut(seat.index()));
    if let Some((place, player)) = place.zip(event.player) {
        *place = player;
    }
}

impl Board {
    /// Checks that a host's event is allowed next.
    pub(crate) fn must_fit_host(&self, event: &EventRow) -> Result<(), BadRecord> {
        match event.kind {
            EventKind::Ruling => {
                let ruling: Result<Ruling, UnknownWord> = event.text.parse();
                let ruling = ruling.map_err(|why| BadRecord::new(event, &why.to_string()))?;
                let has_winner = matches!(ruling, Ruling::Won | Ruling::OrganiserWon);
                if has_winner != event.seat.is_some() {
                    return Err(BadRecord::new(event, "names a winner exactly when somebody won"));
                }
            }
            EventKind::Resumption if self.table.ended().is_some() => {
                return Err(BadRecord::new(event, "follows an end by the rules of the game"));
            }
            EventKind::Resumption if event.seat.is_some() => {
                let won = self.row.result.as_ref().filter(|result| result.ending == Ending::Resigned);
                if won.and_then(|result| result.winner) != event.seat {
                    return Err(BadRecord::new(
                        event,
                        "gives back what its player did not win by a resignation",
                    ));
                }
            }
            EventKind::Reseat => match event.seat.zip(event.player) {
                Some((_, player)) if !self.row.players.contains(&player) => {}
                _ => return Err(BadRecord::new(event, "seats nobody, or a player of the board")),
            },
            _ => {}
        }
        Ok(())
    }

    /// Takes plies back to ply `stands`.
    pub(crate) fn host_takes_back(
        &mut self,
        events: &[EventRow],
        stands: Ply,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Result<EventRow, BadRecord> {
        let event = EventRow { ply: Some(stands), ..self.next_event(EventKind::Undo, at) };
        self.stand_at(events, event, zones)
    }

    /// Lets the game continue from the current position, by decision of the host or of the player at `by`.
    pub(crate) fn resumes(
        &mut self,
        events: &[EventRow],
        by: Option<Seat>,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Result<EventRow, BadRecord> {
        let player = by.map(|seat| *seat.of(&self.row.players));
        let event = EventRow { seat: by, player, ..self.next_event(EventKind::Resumption, at) };
        self.stand_at(events, event, zones)
    }

    /// Ends the game; `winner` is set if one side won. `player` is the organiser, or `None` for the host.
    pub(crate) fn rules(
        &mut self,
        ruling: Ruling,
        winner: Option<Seat>,
        player: Option<PlayerId>,
        at: Timestamp,
    ) -> Result<EventRow, BadRecord> {
        let text = ruling.as_str().to_owned();
        let event = EventRow { seat: winner, player, text, ..self.next_event(EventKind::Ruling, at) };
        self.apply(&event).map(|()| event)
    }

    pub(crate) fn host_adjourns(&mut self, at: Timestamp) -> Result<EventRow, BadRecord> {
        let event = self.next_event(EventKind::Adjournment, at);
        self.apply(&event).map(|()| event)
    }

    /// Gives a seat to another player. The event stores the intervals in which vacations of the replaced player stopped
    /// the clocks.
    pub(crate) fn host_reseats(
        &mut self,
        seat: Seat,
        player: PlayerId,
        stopped: &Stopped,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Result<EventRow, BadRecord> {
        let event = EventRow {
            seat: Some(seat),
            player: Some(player),
            text: stopped.write(),
            deadline_at: self.deadline(at, zones),
            ..self.next_event(EventKind::Reseat, at)
        };
        self.apply(&event).map(|()| event)
    }

    /// Sets the board up at the ply of the event and gives the player to move a new turn.
    pub(crate) fn stand_at(
        &mut self,
        events: &[EventRow],
        event: EventRow,
        zones: &[TimeZone; 2],
    ) -> Result<EventRow, BadRecord> {
        self.must_follow(&event)?;
        let mut line = Board::replay(self.row.id, events)?.line;
        if let Some(stands) = event.ply {
            line.truncate(stands.0 as usize);
        }
        self.set_back(Board::first(self.row.id, events)?, &line)?;
        let deadline_at = match turn_before(events, &event) {
            Some(turn) => turn.deadline_at,
            None => self.deadline(event.at, zones),
        };
        let event = EventRow { deadline_at, ..event };
        self.note(&event);
        self.row.position = self.table.position();
        Ok(event)
    }
}
