//! The dice of a board in its record: the hash of their secret, the players' words that bind them, and the secret once the
//! game is over.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};
use turnpost_games::{Cast, Chance};

use crate::board::{BadRecord, Board, Replay, Terms};
use crate::dice::{Dice, Secret};
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::store::{BoardState, EventKind, EventRow, Store};

/// The words of a note on the host.
const HOST_PLAYS: &str = "plays";

/// The text of a `Dice` event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiceNote<'t> {
    /// The server tells the hash of a new secret.
    Hash(&'t str),
    /// The hash of a word or of a letter of the seat.
    Salt(&'t str),
    /// The server tells the secret.
    Secret(&'t str),
    /// The seat wants to be asked before its next roll.
    Asks,
    /// The server tells that its operator is a player of the board.
    Host,
}

impl<'t> DiceNote<'t> {
    /// The note that an event holds; `None` for other events.
    pub fn of(event: &'t EventRow) -> Option<DiceNote<'t>> {
        let text = Some(event.text.as_str()).filter(|_| event.kind == EventKind::Dice)?;
        let (what, digits) = text.split_once(' ').unwrap_or((text, ""));
        let is_hex = !digits.is_empty() && HEXLOWER.decode(digits.as_bytes()).is_ok();
        match what {
            "hash" if is_hex => Some(DiceNote::Hash(digits)),
            "salt" if is_hex => Some(DiceNote::Salt(digits)),
            "secret" if is_hex => Some(DiceNote::Secret(digits)),
            "ask" if digits.is_empty() => Some(DiceNote::Asks),
            "host" if digits == HOST_PLAYS => Some(DiceNote::Host),
            _ => None,
        }
    }

    pub fn write(self) -> String {
        match self {
            DiceNote::Hash(hash) => format!("hash {hash}"),
            DiceNote::Salt(salt) => format!("salt {salt}"),
            DiceNote::Secret(secret) => format!("secret {secret}"),
            DiceNote::Asks => "ask".to_owned(),
            DiceNote::Host => format!("host {HOST_PLAYS}"),
        }
    }

    /// True for what a player tells, and not the server.
    pub fn is_of_a_seat(self) -> bool {
        matches!(self, DiceNote::Salt(_) | DiceNote::Asks)
    }
}

/// What a record says of its dice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiceRecord {
    /// The hash that was told last, and when.
    pub hash: Option<(String, Timestamp)>,
    /// The secret with that hash, if it has been told.
    pub secret: Option<String>,
    /// The last salt of each seat; empty if it has none.
    pub salts: [String; 2],
    /// True if a player has given a salt since the hash was told. The dice wait for it.
    pub is_bound: bool,
    /// Whether each seat wants to be asked before its next roll.
    pub asks: [bool; 2],
    /// True if the server's operator was a player when the board began.
    pub has_host: bool,
    /// The number of rolls, with those that were taken back.
    pub rolls: u32,
    hashes: u32,
}

impl DiceRecord {
    pub fn of<'e>(events: impl IntoIterator<Item = &'e EventRow>) -> DiceRecord {
        let mut record = DiceRecord::default();
        events.into_iter().for_each(|event| record.add(event));
        record
    }

    fn add(&mut self, event: &EventRow) {
        match (DiceNote::of(event), event.seat) {
            (Some(DiceNote::Hash(hash)), _) => {
                (self.hash, self.secret) = (Some((hash.to_owned(), event.at)), None);
                (self.is_bound, self.hashes) = (false, self.hashes + 1);
            }
            (Some(DiceNote::Secret(secret)), _) => self.secret = Some(secret.to_owned()),
            (Some(DiceNote::Salt(salt)), Some(seat)) if !self.is_bound => {
                (self.salts[seat.index()], self.is_bound) = (salt.to_owned(), true);
            }
            (Some(DiceNote::Host), _) => self.has_host = true,
            (Some(DiceNote::Asks), Some(seat)) => self.asks[seat.index()] = true,
            // The seat has been asked.
            (None, Some(seat)) if ["roll", "double"].contains(&event.text.as_str()) => {
                self.asks[seat.index()] = false;
            }
            (None, None) if event.kind == EventKind::Ply => self.rolls += 1,
            _ => {}
        }
    }

    fn forged(&self, secret: Secret, board: BoardId, rolls: &[(u32, Chance, Cast)]) -> Option<String> {
        let (hash, _) = self.hash.as_ref()?;
        Dice { secret, board, salts: self.salts.clone().into() }.forged(hash, rolls)
    }

    /// The secret in use, if it has the hash that was told and has not been told itself.
    fn secret_by(&self, key: &[u8; 32], board: BoardId, terms: &Terms) -> Option<Secret> {
        let (hash, at) = self.hash.as_ref().filter(|_| self.secret.is_none())?;
        Some(secret(key, board, terms, self.hashes, *at)).filter(|secret| secret.hash() == *hash)
    }
}

/// The secret whose hash was told as hash `n` of the record, at `at`.
fn secret(key: &[u8; 32], board: BoardId, terms: &Terms, n: u32, at: Timestamp) -> Secret {
    let nonce = Sha256::digest(format!("turnpost dice nonce 1\n{}\n{n}\n{at}\n", terms.seed));
    Secret::of_board(key, board, &nonce.into())
}

impl Board {
    /// The event of a note on the dice, by a seat or by the server.
    pub(crate) fn note_dice(&mut self, note: DiceNote<'_>, seat: Option<Seat>, at: Timestamp) -> EventRow {
        let player = seat.map(|seat| *seat.of(&self.row.players));
        let deadline_at = self.row.deadline_at;
        let event = self.next_event(EventKind::Dice, at);
        let event = EventRow { seat, player, text: note.write(), deadline_at, ..event };
        self.note(&event);
        event
    }

    /// Tells the hash of a new secret. The dice wait for a word of a player.
    pub(crate) fn new_dice(
        &mut self,
        store: &Store,
        events: &[EventRow],
        at: Timestamp,
    ) -> Result<EventRow, Error> {
        let terms = terms(events)?;
        let hashes = DiceRecord::of(events).hashes + 1;
        let hash = secret(&store.dice_key()?, self.row.id, &terms, hashes, at).hash();
        Ok(self.note_dice(DiceNote::Hash(&hash), None, at))
    }

    /// The first notes on the dice of a new board: the operator plays it, if an account with that address does, and the hash.
    pub(crate) fn begin_dice(
        &mut self,
        store: &Store,
        events: &[EventRow],
        (operator, at): (&str, Timestamp),
    ) -> Result<Vec<EventRow>, Error> {
        let accounts = store.players_at(operator)?;
        let has_host = accounts.iter().any(|account| self.row.players.contains(&account.id));
        let host = has_host.then(|| self.note_dice(DiceNote::Host, None, at));
        let hash = self.new_dice(store, events, at)?;
        Ok(host.into_iter().chain([hash]).collect())
    }

    /// Plays what falls next, and the forced plies after it, and appends their events to `events`, which are all of the
    /// board so far. If there is no secret with the hash that was told, tells a new hash instead.
    pub(crate) fn roll(
        &mut self,
        store: &Store,
        events: &mut Vec<EventRow>,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Result<(), Error> {
        if self.table.chance().is_none() {
            return Ok(());
        }
        let record = DiceRecord::of(&*events);
        let Some(secret) = record.secret_by(&store.dice_key()?, self.row.id, &terms(events)?) else {
            let told = self.new_dice(store, events, at)?;
            events.push(told);
            return Ok(());
        };
        if record.is_bound {
            let dice = Dice { secret, board: self.row.id, salts: record.salts.into() };
            let mut n = record.rolls;
            let mut fall = |chance| {
                n += 1;
                dice.roll(n, chance)
            };
            events.extend(self.play_until_choice(&mut fall, at, zones));
        }
        Ok(())
    }

    /// Stores the secret of a board that is over, unless it has been told.
    pub(crate) fn tell_secret(&mut self, store: &Store, at: Timestamp) -> Result<(), Error> {
        if !self.kind.dice || self.row.state == BoardState::Running {
            return Ok(());
        }
        let events = store.events(self.row.id)?;
        let key = store.dice_key()?;
        if let Some(secret) = DiceRecord::of(&events).secret_by(&key, self.row.id, &terms(&events)?) {
            let event = self.note_dice(DiceNote::Secret(&secret.write()), None, at);
            store.add_event(self.row.id, &event)?;
            store.update_board(&self.row)?;
        }
        Ok(())
    }
}

fn terms(events: &[EventRow]) -> Result<Terms, BadRecord> {
    events.first().map_or_else(|| Err(BadRecord { number: 1, why: "there is none".into() }), Terms::of)
}

/// Why the rolls of a record do not follow from its secrets; `None` if they do, as far as the secrets are known. `key` is
/// that of this server, for the secrets that it has not told.
pub fn forged(id: BoardId, events: &[EventRow], key: Option<&[u8; 32]>) -> Result<Option<String>, BadRecord> {
    let terms = terms(events)?;
    let Some(start) = events.first() else { return Ok(None) };
    let mut replay = Replay::begin(id, start.clone())?;
    let came_with = terms.imported.as_ref().map_or(0, |imported| imported.events);
    let mut record = DiceRecord::default();
    let (mut board, mut rolls) = (id, Vec::new());
    for event in events.iter().skip(1) {
        let chance = replay.board.table.chance();
        replay.apply(event)?;
        record.add(event);
        let note = DiceNote::of(event);
        if let Some((chance, cast)) = chance.zip(event.text.parse().ok()) {
            if !record.is_bound && terms.imported.is_none() {
                return Ok(Some(format!("roll {} fell before a player's word", record.rolls)));
            }
            rolls.push((record.rolls, chance, cast));
        }
        if let Some(DiceNote::Hash(_)) = note {
            rolls.clear();
            let original = terms.imported.as_ref().filter(|_| event.number <= came_with);
            board = original.map_or(id, |imported| BoardId(imported.board));
        }
        if let Some(DiceNote::Secret(secret)) = note {
            let Some(secret) = Secret::read(secret) else {
                return Ok(Some("the secret of its dice is not 64 hexadecimal digits".to_owned()));
            };
            if let Some(why) = record.forged(secret, board, &rolls) {
                return Ok(Some(why));
            }
        }
    }
    let untold = key.and_then(|key| record.secret_by(key, id, &terms));
    Ok(untold.and_then(|secret| record.forged(secret, id, &rolls)))
}
