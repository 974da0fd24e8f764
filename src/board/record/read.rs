//! Reads a record and makes a board from it.

use turnpost_games::GameKind;

use crate::board::record::lines::{RecordHeader, event, unfold};
use crate::board::record::write::{END, HEAD, replace, result};
use crate::board::record::{BadText, By, Record, RecordLine};
use crate::board::verify::unfair_start;
use crate::board::{self, BadRecord, Board, Replay, Terms};
use crate::failure::Error;
use crate::ids::{BoardId, Userid};
use crate::store::{BoardState, EventKind, EventRow, PlayerId, Store};

fn no_record() -> BadText {
    BadText::Whole(format!("a record begins with the line `{HEAD}` and ends with the line `{END}`"))
}

impl Record {
    /// Reads the first record of `text`. It can begin anywhere: a mail may surround it.
    pub fn read(text: &str) -> Result<Record, BadText> {
        let lines = unfold(text);
        lines.split(|(_, line)| line == HEAD).nth(1).map_or_else(|| Err(no_record()), Record::of_lines)
    }

    /// Reads all records of `text`.
    pub fn read_all(text: &str) -> Result<Vec<Record>, BadText> {
        let lines = unfold(text);
        let all = lines.split(|(_, line)| line == HEAD).skip(1).map(Record::of_lines);
        let all: Vec<Record> = all.collect::<Result<_, BadText>>()?;
        if all.is_empty() { Err(no_record()) } else { Ok(all) }
    }

    /// Reads the record in the lines after its first.
    fn of_lines(lines: &[(usize, String)]) -> Result<Record, BadText> {
        let mut fields: Vec<(usize, String, String)> = Vec::new();
        let mut events = Vec::new();
        for (line, text) in lines {
            let line = *line;
            if text == END {
                return RecordHeader { fields }.record(events);
            }
            if text.is_empty() {
                continue;
            }
            let bad = |why: &str| BadText::Line { line, why: why.to_owned() };
            if text.starts_with('*') || text.starts_with(|c: char| c.is_ascii_digit()) {
                events.push(event(line, text)?);
            } else {
                let (key, value) = text.split_once(": ").ok_or_else(|| bad("`key: value` is expected"))?;
                fields.push((line, key.to_owned(), value.to_owned()));
            }
        }
        Err(no_record())
    }

    /// The key of the game, the position at its start, and the plies that were not taken back.
    pub fn moves(&self) -> Option<(&str, &str, Vec<&str>)> {
        let mut plies = Vec::new();
        for line in &self.events {
            match line.kind {
                EventKind::Ply => plies.push(line.text.as_str()),
                EventKind::Undo => plies.truncate(line.ply.unwrap_or_default().0 as usize),
                _ => {}
            }
        }
        let field = |name: &str| self.terms.get(name).and_then(serde_json::Value::as_str);
        Some((field("game")?, field("position")?, plies))
    }

    /// Replaces the players. The import then ignores the stated result.
    pub fn name(&mut self, players: [Userid; 2]) {
        self.players = players;
        self.result = None;
    }

    /// Stores the record as a new unrated board of its players. Events keep their times. The clock starts at the next
    /// ply.
    pub fn load(&self, store: &Store) -> Result<BoardId, BadText> {
        let mut players = [PlayerId(0); 2];
        for (place, userid) in players.iter_mut().zip(&self.players) {
            let account = store.player(userid)?;
            *place = account.ok_or_else(|| BadText::Whole(format!("{userid} has no account here")))?.id;
        }
        if players[0] == players[1] {
            return Err(BadText::Whole("nobody plays themselves".into()));
        }
        let terms = self.terms(players)?;
        if let Some(why) = unfair_start(&terms) {
            return Err(BadText::Whole(why));
        }
        let (at, by) = self.start;
        let (board, start) = board::start(store, &terms, at, by, None).map_err(|why| match why {
            Error::Record(why) => BadText::Whole(why.to_string()),
            why => BadText::Error(why),
        })?;
        let id = board.row.id;
        let mut replay = Replay::of(board, start);
        let mut events = Vec::new();
        for line in &self.events {
            let mut event = line.event(&replay.board, &players);
            if let (EventKind::Reseat, Some(seat)) = (event.kind, event.seat) {
                let new = line.seated(store)?;
                replace(&mut players, *seat.of(&replay.board.row.players), new);
                event = EventRow { player: Some(new), text: String::new(), ..event };
            }
            let why = |why: BadRecord| BadText::Line { line: line.line, why: why.why };
            replay.apply(&event).map_err(why)?;
            events.push(event);
        }
        let board = replay.finish();
        // A player who has left cannot continue the game.
        for player in board.row.players.into_iter().filter(|_| board.row.state == BoardState::Running) {
            let account = store.player_by_id(player)?;
            if account.is_deleted() {
                return Err(BadText::Whole(format!("{} has left the server", account.userid)));
            }
        }
        store.update_board(&board.row)?;
        store.seat_players(&board.row)?;
        for event in &events {
            store.add_event(id, event)?;
        }
        let (stored, claimed) = (result(store, &board.row, board.kind)?, self.result.as_deref());
        if let Some(claimed) = claimed.filter(|claimed| *claimed != stored) {
            let why = format!("its result is {claimed:?}, and its plies make {stored:?}");
            return Err(BadText::Whole(why));
        }
        Ok(id)
    }

    fn terms(&self, players: [PlayerId; 2]) -> Result<Terms, BadText> {
        let mut terms = self.terms.clone();
        terms.insert("players".into(), serde_json::json!(players.map(|player| player.0)));
        terms.insert("rated".into(), false.into());
        terms.remove("contest");
        if let Some(imported) = terms.get_mut("imported").and_then(|value| value.as_object_mut()) {
            imported.insert("events".into(), (self.events.len() + 1).into());
        }
        serde_json::from_value(terms.into())
            .map_err(|why| BadText::Whole(format!("the header is not complete: {why}")))
    }
}

impl RecordLine {
    fn seated(&self, store: &Store) -> Result<PlayerId, BadText> {
        let bad = |why: String| BadText::Line { line: self.line, why };
        let userid: Userid =
            self.text.parse().map_err(|_| bad("the userid of a player is expected".into()))?;
        let account = store.player(&userid)?.ok_or_else(|| bad(format!("{userid} has no account here")))?;
        Ok(account.id)
    }

    /// The text of the event. A ply in small letters has the names of an earlier version, if the game had others.
    fn text_today(&self, kind: &GameKind) -> String {
        let is_earlier = self.kind == EventKind::Ply && self.text.starts_with(char::is_lowercase);
        let renamed = kind.renamed.filter(|_| is_earlier).and_then(|renamed| renamed(&self.text));
        renamed.unwrap_or_else(|| self.text.clone())
    }

    fn event(&self, board: &Board, players: &[PlayerId; 2]) -> EventRow {
        let turn = board.mover();
        let by_rule = self.kind == EventKind::Ply && board.table.forced_ply().is_some() && self.line == 0;
        let player = match self.by {
            Some(By::Player(seat)) => Some(*seat.of(players)),
            Some(By::Server) => None,
            None if by_rule => None,
            None => turn.map(|seat| *seat.of(&board.row.players)),
        };
        EventRow {
            seat: if self.kind == EventKind::Ply { turn } else { self.seat },
            player,
            ply: self.ply,
            text: self.text_today(board.kind),
            ..board.next_event(self.kind, self.at)
        }
    }
}
