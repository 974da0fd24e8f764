//! `move`, `resign`.

use super::board::Board;
use super::desk::Desk;
use super::transcript::{Event, Notice};
use super::view::{News, PlyView, board_view, names, result_sentence};
use super::{Refusal, Stop, standing};
use crate::command::Seated;
use crate::game::{GameKind, MoveError};
use crate::ids::{BoardId, Ply, Seat};
use crate::store::{EventRow, PlayerId, State};

/// A board, with the seat of whoever speaks and the names of both players.
struct AtBoard {
    board: Board,
    seat: Seat,
    player: PlayerId,
    names: [String; 2],
}

impl Desk<'_> {
    pub(super) fn play(&mut self, at: &Seated, text: &str) -> Result<Event, Stop> {
        let mut at = self.sit_down(at)?;
        let zones = self.zones(&at.board.row.players)?;
        let mut events: Vec<EventRow> = Vec::new();
        let mut remarks = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() || events.is_empty() {
            at.must_be_to_move(&events)?;
            let ply = at.board.row.plies.next();
            let (event, played) = at
                .board
                .play(rest, Some(at.player), self.at, &zones)
                .map_err(|why| Refusal::BadMove { played: list(&events), why: sentence(&why) })?;
            rest = check_ply(played.rest, ply, &played.ply)?;
            remarks.extend(played.remarks);
            events.push(event);
            while let Some(pass) = at.board.table.forced_ply() {
                let forced = at.board.play(&pass, None, self.at, &zones);
                let (event, _) =
                    forced.map_err(|why| Refusal::BadMove { played: list(&events), why: sentence(&why) })?;
                events.push(event);
            }
        }
        for event in &events {
            self.store.add_event(at.board.row.id, event)?;
        }
        self.store.update_board(&at.board.row)?;
        if at.board.row.result.is_some() {
            standing::catch_up(self.store)?;
        }
        self.tell("played", &at, &events, remarks)
    }

    pub(super) fn resign(&mut self, at: &Seated) -> Result<Event, Stop> {
        let mut at = self.sit_down(at)?;
        let event = at.board.resign(at.seat, at.player, self.at);
        self.store.add_event(at.board.row.id, &event)?;
        self.store.update_board(&at.board.row)?;
        standing::catch_up(self.store)?;
        self.tell("resigned", &at, &[], Vec::new())
    }

    /// The board of a command, if it runs and the player sits there.
    fn sit_down(&mut self, at: &Seated) -> Result<AtBoard, Stop> {
        let account = self.prove(&at.login)?;
        let board = self.board(at.game, at.board)?;
        let names = names(self.store, &board.row.players)?;
        let Some(seat) = board.seat_of(account.id) else {
            let [first, second] = self.seated(&board)?;
            return Err(
                Refusal::NotYourBoard { board: at.board, userid: account.userid, first, second }.into()
            );
        };
        if board.row.state != State::Running {
            let result = result_sentence(&board.row, &names, board.kind.seats).unwrap_or_default();
            return Err(Refusal::Over { board: at.board, result }.into());
        }
        Ok(AtBoard { board, seat, player: account.id, names })
    }

    fn seated(&self, board: &Board) -> Result<[crate::ids::Userid; 2], Stop> {
        let [first, second] = board.row.players;
        Ok([self.store.player_by_id(first)?.userid, self.store.player_by_id(second)?.userid])
    }

    /// A board of `game` by its number.
    pub(super) fn board(&self, game: &'static GameKind, number: BoardId) -> Result<Board, Stop> {
        let Some(board) = Board::load(self.store, number)? else {
            return Err(Refusal::NoSuchBoard { board: number, game: game.key }.into());
        };
        if board.kind.key != game.key {
            let (actual, key) = (board.kind.name, board.kind.key);
            return Err(Refusal::OtherGame { board: number, actual, key, named: game.name }.into());
        }
        Ok(board)
    }

    /// The answer to whoever acted, and the notice to the other seat.
    fn tell(
        &mut self,
        what: &'static str,
        at: &AtBoard,
        events: &[EventRow],
        remarks: Vec<String>,
    ) -> Result<Event, Stop> {
        let played = events.iter().filter_map(PlyView::of).collect();
        let view = board_view(self.store, &at.board)?;
        let news = News { what, by: at.seat.index(), played, remarks, view };
        let other = at.seat.other();
        let to = *other.of(&at.board.row.players);
        self.notify(Notice { to, seat: other.index(), news: news.clone() });
        Ok(Event::Board(Box::new(news), Some(at.seat.index())))
    }
}

impl AtBoard {
    fn must_be_to_move(&self, events: &[EventRow]) -> Result<(), Refusal> {
        if self.board.row.to_move == Some(self.seat) {
            return Ok(());
        }
        let played = list(events);
        if self.board.row.to_move.is_none() {
            return Err(Refusal::EndsBefore { played });
        }
        let name = self.seat.other().of(&self.names);
        let ply = self.board.row.plies.next();
        // The name comes from the store, where only userids are.
        let Ok(opponent) = name.parse() else { return Err(Refusal::EndsBefore { played }) };
        Err(if events.is_empty() {
            Refusal::NotYourTurn { board: self.board.row.id, opponent, ply }
        } else {
            Refusal::TooManyMoves { played, opponent, ply }
        })
    }
}

/// Reads `#n` behind a move that was played as ply `ply`, and gives what is left.
pub(super) fn check_ply<'t>(rest: &'t str, ply: Ply, notation: &str) -> Result<&'t str, Refusal> {
    let Some(marked) = rest.strip_prefix('#') else { return Ok(rest) };
    let end = marked.find(|c: char| !c.is_ascii_digit()).unwrap_or(marked.len());
    let (number, rest) = marked.split_at(end);
    let wanted: Ply = number.parse().map_err(|_| Refusal::BadPly { notation: notation.to_owned() })?;
    if wanted != ply {
        return Err(Refusal::OtherPly { ply, wanted });
    }
    Ok(rest.trim_start())
}

/// Why a move was not played. What could not be read is not repeated.
pub(super) fn sentence(why: &MoveError) -> String {
    let mut sentence = why.to_string();
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}

/// `F3 and A3-B4`.
pub(super) fn list(events: &[EventRow]) -> String {
    events.iter().map(|event| event.text.as_str()).collect::<Vec<_>>().join(", ")
}
