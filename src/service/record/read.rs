//! Reading a record, and making a board of it.

use jiff::Timestamp;

use super::lines::unfold;
use super::{END, HEAD, result};
use crate::command::token::words;
use crate::game::{GameKind, registry};
use crate::ids::{BoardId, Ply, Seat, Userid};
use crate::service::Failure;
use crate::service::board::{BadRecord, Board, Imported, Terms};
use crate::service::verify::unfair_start;
use crate::store::{Days, EventKind, EventRow, PlayerId, Store, StoreError};

/// A record that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum BadText {
    /// A line says what it should not.
    #[error("line {line}: {why}")]
    Line {
        /// Its number.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Something is missing, or does not fit together.
    #[error("{0}")]
    Whole(String),
    /// Our side's trouble.
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<StoreError> for BadText {
    fn from(error: StoreError) -> BadText {
        BadText::Failure(error.into())
    }
}

/// A record as it was read.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its game.
    pub game: &'static GameKind,
    /// Who sat on the first and the second seat.
    pub players: [Userid; 2],
    /// What it says about the result, when it says it.
    result: Option<String>,
    terms: serde_json::Map<String, serde_json::Value>,
    start: (Timestamp, Option<Seat>),
    events: Vec<Line>,
}

#[derive(Debug, Clone)]
struct Line {
    line: usize,
    kind: EventKind,
    seat: Option<Seat>,
    /// `None`: whose turn it is.
    by: Option<By>,
    ply: Option<Ply>,
    at: Timestamp,
    text: String,
}

#[derive(Debug, Clone, Copy)]
enum By {
    Player(Seat),
    Server,
}

impl Record {
    /// Reads a record, wherever it begins in `text`: it may come with the rest of a mail around it.
    ///
    /// # Errors
    /// The first line that cannot be read, or what is missing.
    pub fn read(text: &str) -> Result<Record, BadText> {
        let lines = unfold(text);
        let mut lines = lines.into_iter().skip_while(|(_, line)| line != HEAD).skip(1);
        let mut fields: Vec<(usize, String, String)> = Vec::new();
        let mut events = Vec::new();
        let mut ended = false;
        for (line, text) in lines.by_ref() {
            if text.is_empty() {
                continue;
            }
            if text == END {
                ended = true;
                break;
            }
            let bad = |why: &str| BadText::Line { line, why: why.to_owned() };
            if text.starts_with('*') || text.starts_with(|c: char| c.is_ascii_digit()) {
                events.push(event(line, &text)?);
            } else {
                let (key, value) = text.split_once(": ").ok_or_else(|| bad("`key: value` is expected"))?;
                fields.push((line, key.to_owned(), value.to_owned()));
            }
        }
        if !ended {
            return Err(BadText::Whole(format!(
                "a record begins with the line `{HEAD}` and ends with the line `{END}`"
            )));
        }
        Header { fields }.record(events)
    }

    /// A record of plies alone, all of them played at `at`.
    ///
    /// # Errors
    /// When the game's start cannot be set up.
    pub fn of_plies(
        game: &'static GameKind,
        players: [Userid; 2],
        plies: Vec<String>,
        resigned: Option<Seat>,
        at: Timestamp,
    ) -> Result<Record, BadText> {
        let table = (game.start)(&crate::game::Setup { options: &[], seed: 0 });
        let position = table.map_err(|why| BadText::Whole(why.to_string()))?.position();
        let terms = serde_json::json!({
            "game": game.key, "options": [], "seed": 0, "from_position": false, "position": position,
            "days": Days { nag: 0, forfeit: 0, total: 0 },
            "imported": Imported { board: 0, rated: false, events: 0 },
        });
        let line = |kind, seat, by, ply, text| Line { line: 0, kind, seat, by, ply, at, text };
        let mut events: Vec<Line> = (1..)
            .zip(plies)
            .map(|(ply, text)| line(EventKind::Ply, None, None, Some(Ply(ply)), text))
            .collect();
        if let Some(seat) = resigned {
            let by = Some(By::Player(seat));
            events.push(line(EventKind::Resignation, Some(seat), by, None, String::new()));
        }
        let terms = terms.as_object().cloned().unwrap_or_default();
        Ok(Record { game, players, result: None, terms, start: (at, None), events })
    }

    /// Names other players than it does. What it says of the result is then no longer compared.
    pub fn name(&mut self, players: [Userid; 2]) {
        self.players = players;
        self.result = None;
    }

    /// Makes a new board of it, for the accounts of its players. It is unrated and keeps its instants; its clock
    /// stands until somebody plays on.
    ///
    /// # Errors
    /// When a player has no account here, or an event cannot have happened.
    pub fn load(&self, store: &Store) -> Result<BoardId, BadText> {
        let mut players = [PlayerId(0); 2];
        for (place, userid) in players.iter_mut().zip(&self.players) {
            let account = store.player(userid)?;
            *place = account.ok_or_else(|| BadText::Whole(format!("{userid} has no account here")))?.id;
        }
        if players[0] == players[1] {
            return Err(BadText::Whole("nobody plays themselves".into()));
        }
        let id = store.next_board()?;
        let start = self.start(players)?;
        let whole = |why: BadRecord| BadText::Whole(why.to_string());
        if let Some(why) = unfair_start(&start) {
            return Err(BadText::Whole(why));
        }
        let mut board = Board::start(id, &start).map_err(whole)?;
        let mut events = vec![start];
        for line in &self.events {
            let event = line.event(&board, &players);
            let why = |why: BadRecord| BadText::Line { line: line.line, why: why.why };
            board.apply(&event).map_err(why)?;
            events.push(event);
        }
        // Plies alone may leave out those about which there is no choice.
        let alone = self.events.last().filter(|last| last.line == 0);
        while let Some(pass) = board.table.forced_ply().filter(|_| board.row.result.is_none()) {
            let Some(last) = alone else { break };
            let ply = Some(board.row.plies.next());
            let event = Line { kind: EventKind::Ply, by: None, ply, text: pass, ..last.clone() }
                .event(&board, &players);
            board.apply(&event).map_err(whole)?;
            events.push(event);
        }
        store.add_board(&board.row)?;
        for event in &events {
            store.add_event(id, event)?;
        }
        let (stored, told) = (result(store, &board.row, board.kind)?, self.result.as_deref());
        if let Some(told) = told.filter(|told| *told != stored) {
            let why = format!("its result is {told:?}, and its plies make {stored:?}");
            return Err(BadText::Whole(why));
        }
        Ok(id)
    }

    fn start(&self, players: [PlayerId; 2]) -> Result<EventRow, BadText> {
        let mut terms = self.terms.clone();
        terms.insert("players".into(), serde_json::json!(players.map(|player| player.0)));
        terms.insert("rated".into(), false.into());
        if let Some(imported) = terms.get_mut("imported").and_then(|value| value.as_object_mut()) {
            imported.insert("events".into(), (self.events.len() + 1).into());
        }
        let terms: Terms = serde_json::from_value(terms.into())
            .map_err(|why| BadText::Whole(format!("the header is not complete: {why}")))?;
        let (at, seat) = self.start;
        let player = seat.map(|seat| *seat.of(&players));
        terms.event(at, seat, player, None).map_err(|why| BadText::Whole(why.to_string()))
    }
}

impl Line {
    fn event(&self, board: &Board, players: &[PlayerId; 2]) -> EventRow {
        let turn = board.row.to_move;
        let by_rule = self.kind == EventKind::Ply && board.table.forced_ply().is_some() && self.line == 0;
        let player = match self.by {
            Some(By::Player(seat)) => Some(*seat.of(players)),
            Some(By::Server) => None,
            None if by_rule => None,
            None => turn.map(|seat| *seat.of(&board.row.players)),
        };
        EventRow {
            number: board.row.events.saturating_add(1),
            kind: self.kind,
            at: self.at,
            seat: if self.kind == EventKind::Ply { turn } else { self.seat },
            player,
            ply: self.ply,
            text: self.text.clone(),
            deadline_at: None,
        }
    }
}

/// `1. D1-E1 INSTANT [by]` or `* kind seat by who at INSTANT [ply N] ["text"]`.
fn event(line: usize, text: &str) -> Result<Line, BadText> {
    let bad = |why: &str| BadText::Line { line, why: why.to_owned() };
    let instant = |word: &str| word.parse::<Timestamp>().map_err(|_| bad("an instant is expected"));
    let by = |word: &str| match word {
        "first" => Ok(By::Player(Seat::First)),
        "second" => Ok(By::Player(Seat::Second)),
        "server" => Ok(By::Server),
        _ => Err(bad("`first`, `second` or `server` is expected")),
    };
    let Some(rest) = text.strip_prefix("* ") else {
        let words = words(text).map_err(|_| bad("a quote is not closed"))?;
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let (number, ply, at, who) = match words.as_slice() {
            [number, ply, at] => (number, ply, at, None),
            [number, ply, at, who] => (number, ply, at, Some(by(who)?)),
            _ => return Err(bad("a ply is written `1. D1-E1 2026-11-16T12:00:00Z`")),
        };
        let number = number.strip_suffix('.').and_then(|number| number.parse().ok());
        return Ok(Line {
            line,
            kind: EventKind::Ply,
            seat: None,
            by: who,
            ply: Some(number.ok_or_else(|| bad("a ply begins with its number and a dot"))?),
            at: instant(at)?,
            text: (*ply).to_owned(),
        });
    };
    // The text is the rest of the line as it stands; the words before it are plain.
    let (plain, quoted) = match rest.find('"') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let words: Vec<&str> = plain.split_whitespace().collect();
    let (kind, seat, who, at, ply) = match words.as_slice() {
        [kind, seat, "by", who, "at", at] => (kind, seat, who, at, None),
        [kind, seat, "by", who, "at", at, "ply", ply] => (kind, seat, who, at, Some(ply)),
        _ => return Err(bad("an event is written `* kind seat by who at INSTANT \"text\"`")),
    };
    let text = match quoted {
        "" => String::new(),
        json => serde_json::from_str(json).map_err(|_| bad("the text of the event is not closed"))?,
    };
    Ok(Line {
        line,
        kind: kind.parse().map_err(|_| bad("this kind of event is not known here"))?,
        seat: match by(seat)? {
            By::Player(seat) => Some(seat),
            By::Server => None,
        },
        by: Some(by(who)?),
        ply: ply.map(|ply| ply.parse()).transpose().map_err(|_| bad("the number of a ply is expected"))?,
        at: instant(at)?,
        text,
    })
}

struct Header {
    fields: Vec<(usize, String, String)>,
}

impl Header {
    fn get(&self, key: &str) -> Option<(usize, &str)> {
        self.fields.iter().find(|(_, known, _)| known == key).map(|(line, _, value)| (*line, value.as_str()))
    }

    fn need(&self, key: &str) -> Result<(usize, &str), BadText> {
        self.get(key).ok_or_else(|| BadText::Whole(format!("the line `{key}: ...` is missing")))
    }

    fn record(&self, events: Vec<Line>) -> Result<Record, BadText> {
        let bad = |line: usize, why: &str| BadText::Line { line, why: why.to_owned() };
        let (line, game) = self.need("game")?;
        let game = registry::find(game).ok_or_else(|| bad(line, "there is no such game here"))?;
        let (line, players) = self.need("players")?;
        let player = |text: Option<&str>| text?.split_whitespace().next()?.parse::<Userid>().ok();
        let mut sides = players.split(" v ");
        let (Some(first), Some(second), None) = (player(sides.next()), player(sides.next()), sides.next())
        else {
            return Err(bad(line, "two userids are expected, as in `ann (white) v bob (black)`"));
        };
        let (line, started) = self.need("started")?;
        let (at, by) = started.split_once(" by ").unwrap_or((started, "server"));
        let at = at.parse().map_err(|_| bad(line, "an instant is expected"))?;
        let seat = match by {
            "first" => Some(Seat::First),
            "second" => Some(Seat::Second),
            _ => None,
        };
        Ok(Record {
            game,
            players: [first, second],
            result: self.get("result").map(|(_, result)| result.to_owned()),
            terms: self.terms(game)?,
            start: (at, seat),
            events,
        })
    }

    fn terms(&self, game: &GameKind) -> Result<serde_json::Map<String, serde_json::Value>, BadText> {
        let bad = |line: usize, why: &str| BadText::Line { line, why: why.to_owned() };
        let mut terms = match self.get("more") {
            Some((line, more)) => serde_json::from_str(more).map_err(|_| bad(line, "JSON is expected"))?,
            None => serde_json::Map::new(),
        };
        let board = self.get("board").map_or("0", |(_, board)| board);
        let board: u32 = board.split(' ').next().and_then(|board| board.parse().ok()).unwrap_or(0);
        let rated = self.get("rated").is_some_and(|(_, rated)| rated == "yes");
        terms.insert("imported".into(), serde_json::json!(Imported { board, rated, events: 0 }));
        terms.insert("game".into(), game.key.into());
        let (line, seed) = self.get("seed").unwrap_or((0, "0"));
        let seed: u64 = seed.parse().map_err(|_| bad(line, "a number is expected"))?;
        terms.insert("seed".into(), seed.into());
        terms.insert(
            "from_position".into(),
            self.get("set-up").is_some_and(|(_, how)| how == "position").into(),
        );
        terms.insert("position".into(), self.need("position")?.1.into());
        terms.insert("options".into(), self.options()?);
        let (line, days) = self.get("days").unwrap_or((0, "nag 0, forfeit 0, total 0"));
        let numbers: Option<Vec<u32>> =
            days.split(", ").map(|day| day.split_once(' ')?.1.parse().ok()).collect();
        let Some([nag, forfeit, total]) = numbers.as_deref() else {
            return Err(bad(line, "`nag N, forfeit N, total N` is expected"));
        };
        let days = Days { nag: *nag, forfeit: *forfeit, total: *total };
        terms.insert("days".into(), serde_json::json!(days));
        Ok(terms)
    }

    fn options(&self) -> Result<serde_json::Value, BadText> {
        let (line, text) = self.get("options").unwrap_or((0, ""));
        let bad = |why: &str| BadText::Line { line, why: why.to_owned() };
        let words = words(text).map_err(|_| bad("a quote is not closed"))?;
        let mut options: Vec<(String, Option<String>)> = Vec::new();
        for word in words {
            let option = word.text.strip_prefix('-').ok_or_else(|| bad("an option begins with `-`"))?;
            options.push(match option.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (option.to_owned(), None),
            });
        }
        Ok(serde_json::json!(options))
    }
}
