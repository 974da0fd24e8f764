//! Caches the vacations, stops and time zones that one tick or one letter needs.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::board::Terms;
use crate::board::clocks::reading::{ClockReading, Facts};
use crate::board::clocks::weekends;
use crate::board::interval::{Interval, kept};
use crate::board::slips::without_slips;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{BoardRow, EventRow, PlayerId, StopRow, Store, StoreError, VacationRow};

pub(crate) struct Calendar {
    now: Timestamp,
    pub(crate) stops: Vec<StopRow>,
    /// When deadline events ceased to foresee vacations.
    foreseen: Option<Timestamp>,
    zones: HashMap<PlayerId, (String, TimeZone)>,
    vacations: HashMap<PlayerId, Vec<VacationRow>>,
}

impl Calendar {
    pub(crate) fn new(store: &Store, now: Timestamp) -> Result<Calendar, StoreError> {
        let (stops, foreseen) = (store.stops()?, store.foreseen()?);
        Ok(Calendar { now, stops, foreseen, zones: HashMap::new(), vacations: HashMap::new() })
    }

    pub(crate) fn last_stop(&self) -> i64 {
        self.stops.last().map_or(0, |stop| stop.id)
    }

    /// Vacations that ended before this time no longer change, even if the system clock is set back a little.
    pub(crate) fn lately(&self) -> Timestamp {
        self.now.checked_sub(SignedDuration::from_hours(48)).unwrap_or(self.now)
    }

    /// A time after the end of every bank, even with vacations and weekends.
    fn far_ahead(&self) -> Timestamp {
        self.now.checked_add(SignedDuration::from_hours(24 * 365 * 2)).unwrap_or(Timestamp::MAX)
    }

    /// Text of both players' vacations that can still change. Two equal texts mean that no vacation changed.
    pub(crate) fn counted(&mut self, store: &Store, players: &[PlayerId; 2]) -> Result<String, StoreError> {
        let lately = self.lately();
        let mut text = String::new();
        for player in players {
            for vacation in self.vacations(store, *player)?.iter().filter(|away| away.ends_at >= lately) {
                let Interval(from, to) = Interval::of(vacation);
                text.push_str(&format!("{}:{from}..{to} ", player.0));
            }
        }
        Ok(text)
    }

    /// Reads a player's vacations once per tick. A vacation announced after that counts from the next tick.
    fn vacations(&mut self, store: &Store, player: PlayerId) -> Result<Vec<VacationRow>, StoreError> {
        if let Some(known) = self.vacations.get(&player) {
            return Ok(known.clone());
        }
        let vacations = store.vacations(player)?;
        self.vacations.insert(player, vacations.clone());
        Ok(vacations)
    }

    /// Drops the cached vacations. Call it after a vacation begins or its transaction is rolled back.
    pub(crate) fn forget_vacations(&mut self) {
        self.vacations.clear();
    }

    pub(crate) fn zone(&mut self, store: &Store, player: PlayerId) -> Result<(String, TimeZone), StoreError> {
        if let Some(known) = self.zones.get(&player) {
            return Ok(known.clone());
        }
        let name = store.player_by_id(player)?.zone;
        let zone = crate::zone::find(&name).unwrap_or(TimeZone::UTC);
        self.zones.insert(player, (name.clone(), zone.clone()));
        Ok((name, zone))
    }

    /// The zone that the player to move had when the timer first saw this turn. If the player changes the zone later,
    /// the deadline stays.
    fn zone_of_turn(
        &mut self,
        store: &Store,
        board: BoardId,
        mover: PlayerId,
        events: &[EventRow],
    ) -> Result<TimeZone, StoreError> {
        let turn = events.iter().rfind(|event| event.kind.begins_turn()).map(|event| event.number);
        let clock = store.clock(board)?.filter(|clock| Some(clock.turn) == turn);
        match clock.and_then(|clock| crate::zone::find(&clock.zone)) {
            Some(zone) => Ok(zone),
            None => Ok(self.zone(store, mover)?.1),
        }
    }

    /// Reads the clocks of a board; `None` if none runs.
    pub(crate) fn read(
        &mut self,
        store: &Store,
        row: &BoardRow,
        events: &[EventRow],
    ) -> Result<Option<ClockReading>, Error> {
        self.with_facts(store, row, events, |facts| facts.read())
    }

    /// The seconds that both players have left for all moves; `None` if they are not limited.
    pub(crate) fn left(
        &mut self,
        store: &Store,
        row: &BoardRow,
        events: &[EventRow],
    ) -> Result<Option<[i64; 2]>, Error> {
        self.with_facts(store, row, events, |facts| facts.left(&row.players))
    }

    fn with_facts<T>(
        &mut self,
        store: &Store,
        row: &BoardRow,
        events: &[EventRow],
        read: impl FnOnce(&Facts<'_>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(mover) = row.to_move else { return Ok(None) };
        let events = &*without_slips(events);
        let mover = *mover.of(&row.players);
        let terms = events.first().map(Terms::of).transpose()?;
        let mut still = kept(events, self.now, self.foreseen);
        for player in row.players {
            still.extend(self.vacations(store, player)?.iter().map(Interval::of));
        }
        let mut weekends = Vec::new();
        for player in row.players.into_iter().filter(|_| row.days.bank.is_some()) {
            let free = weekends::free(&store.free_weekends(player)?, self.far_ahead());
            weekends.extend(free.into_iter().map(|weekend| (player, weekend)));
        }
        let zone = self.zone_of_turn(store, row.id, mover, events)?;
        // Takes the earliest time of all events: if the system clock was set back, that is not the first event's.
        let began = events.iter().map(|event| event.at.as_second()).min().unwrap_or(i64::MIN);
        let stops: Vec<Interval> = self
            .stops
            .iter()
            .map(|stop| Interval(stop.from.as_second(), stop.to.as_second()))
            .filter(|stop| stop.1 > began)
            .collect();
        let facts = Facts {
            events,
            days: row.days,
            imported: terms.as_ref().and_then(|terms| terms.imported.as_ref()),
            mover,
            zone: &zone,
            stops: &stops,
            vacations: &still,
            weekends: &weekends,
            now: self.now,
        };
        Ok(read(&facts))
    }
}
