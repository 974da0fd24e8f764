use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::reading::Facts;
use super::*;
use crate::board::Imported;
use crate::board::interval::Interval;
use crate::ids::{Ply, Seat};
use crate::store::{Bank, PlayerId, TimeControl};

const ANN: PlayerId = PlayerId(1);
const BOB: PlayerId = PlayerId(2);
const HOUR: i64 = 3_600;

const BANK: Bank = Bank { hours: 480, refill: 36 };

/// The record of a board, by the hour.
#[derive(Default)]
struct Told {
    events: Vec<EventRow>,
    stops: Vec<Interval>,
    imported: Option<Imported>,
}

fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + hour * HOUR).unwrap()
}

impl Told {
    /// Ann moves first.
    fn begun() -> Told {
        Told::default().then(0, EventKind::Start, None)
    }

    fn then(mut self, hour: i64, kind: EventKind, player: Option<PlayerId>) -> Told {
        let seat = player.map(|player| if player == ANN { Seat::First } else { Seat::Second });
        let number = self.events.len() as u32 + 1;
        let text = String::new();
        let ply = (kind == EventKind::Ply).then_some(Ply(1));
        self.events.push(EventRow { number, kind, at: at(hour), seat, player, ply, text, deadline_at: None });
        self
    }

    fn ply(self, hour: i64, player: PlayerId) -> Told {
        self.then(hour, EventKind::Ply, Some(player))
    }

    fn facts<T>(&self, bank: Bank, hour: i64, mover: PlayerId, read: impl FnOnce(&Facts<'_>) -> T) -> T {
        read(&Facts {
            events: &self.events,
            days: TimeControl { bank: Some(bank), ..TimeControl::default() },
            imported: self.imported.as_ref(),
            mover,
            zone: &TimeZone::UTC,
            stops: &self.stops,
            vacations: &[],
            weekends: &[],
            now: at(hour),
        })
    }

    /// The hours that ann and bob have left.
    fn left(&self, hour: i64, mover: PlayerId) -> [i64; 2] {
        self.facts(BANK, hour, mover, |facts| facts.left(&[ANN, BOB])).unwrap().map(|left| left / HOUR)
    }

    /// The hour at which the player to move loses.
    fn ends(&self, hour: i64, mover: PlayerId) -> Option<i64> {
        let deadline = self.facts(BANK, hour, mover, |facts| facts.read())?.deadline?;
        Some((deadline.as_second() - at(0).as_second()) / HOUR)
    }
}

#[test]
fn an_empty_bank_ends_a_turn_after_a_second_and_a_move_fills_it_again() {
    let board = Told::begun().ply(0, ANN).ply(480, BOB).ply(480, ANN);
    assert_eq!(board.left(480, BOB), [480, 36]);
    let late = Told::begun().ply(0, ANN).ply(520, BOB).ply(520, ANN);
    assert_eq!(late.left(520, BOB), [480, 0]);
    let deadline = late.facts(BANK, 520, BOB, |facts| facts.read()).unwrap().deadline.unwrap();
    assert_eq!(deadline.as_second(), at(520).as_second() + 1);
}

#[test]
fn a_take_back_gives_no_time_and_costs_none() {
    let board = Told::begun().ply(0, ANN).ply(100, BOB);
    let back = Told::begun().ply(0, ANN).ply(100, BOB).then(140, EventKind::Undo, Some(BOB));
    // The forty hours of ann's turn cost neither player.
    assert_eq!((board.left(140, ANN), back.left(140, BOB)), ([440, 416], [480, 416]));
    assert_eq!(back.ply(150, BOB).left(150, ANN), [480, 416 - 10 + 36]);
}

#[test]
fn several_moves_in_a_row_refill_once_and_a_pass_of_the_other_separates_them() {
    let board = Told::begun().ply(200, ANN);
    assert_eq!(board.left(200, ANN), [316, 480]);
    let board = board.ply(201, ANN).ply(202, ANN);
    assert_eq!(board.left(202, ANN), [314, 480]);
    let board = board.then(202, EventKind::Ply, None).ply(203, ANN);
    assert_eq!(board.left(203, BOB), [349, 480]);
}

#[test]
fn no_bank_runs_in_an_adjournment() {
    let board = Told::begun().ply(0, ANN).then(50, EventKind::Adjournment, None);
    assert_eq!((board.left(900, BOB), board.ends(900, BOB)), ([480, 480], None));
    assert_eq!(board.ply(900, BOB).left(900, ANN), [480, 480]);
    let resumed = Told::begun().ply(0, ANN).then(50, EventKind::Adjournment, None);
    let resumed = resumed.then(900, EventKind::Resumption, None);
    assert_eq!(resumed.ends(900, BOB), Some(900 + 480));
}

#[test]
fn the_bank_of_an_imported_board_runs_from_the_first_move_here() {
    let imported = Some(Imported { board: 1, rated: false, events: 3, seed_hash: None });
    let board = Told { imported, ..Told::begun().ply(100, ANN).ply(300, BOB) };
    assert_eq!((board.left(9000, ANN), board.ends(9000, ANN)), ([480, 480], None));
    let board = board.ply(9000, ANN);
    assert_eq!((board.left(9100, BOB), board.ends(9100, BOB)), ([480, 380], Some(9480)));
}

proptest! {
    /// Turns of some hours each, also several of one player, with stops between them.
    #[test]
    fn a_turn_costs_its_hours_and_the_first_move_of_it_refills_up_to_the_whole(
        turns in prop::collection::vec((0..300_i64, any::<bool>()), 1..30),
        stops in prop::collection::vec((0..4000_i64, 1..100_i64), 0..6),
        hours in 1..600_u32,
        refill in 0..100_u32,
    ) {
        let bank = Bank { hours, refill: refill.min(hours) };
        let whole = i64::from(hours) * HOUR;
        let seconds = |hour| at(hour).as_second();
        let stops = stops.into_iter().map(|(from, length)| Interval(seconds(from), seconds(from + length)));
        let mut board = Told { stops: stops.collect(), ..Told::begun() };
        let left = |board: &Told, hour, mover| board.facts(bank, hour, mover, |facts| facts.left(&[ANN, BOB])).unwrap();
        let (mut hour, mut mover, mut refilled) = (0, ANN, None);
        let mut before = left(&board, 0, ANN);
        prop_assert_eq!(before, [whole, whole]);
        for (length, again) in turns {
            let (began, now) = (hour, hour + length);
            let ran = (began..now).filter(|hour| {
                !board.stops.iter().any(|stop| stop.0 <= seconds(*hour) && seconds(*hour) < stop.1)
            });
            let ran = ran.count() as i64 * HOUR;
            let thought = left(&board, now, mover);
            let [mine, theirs] = if mover == ANN { [0, 1] } else { [1, 0] };
            prop_assert_eq!((thought[mine], thought[theirs]), ((before[mine] - ran).max(0), before[theirs]));
            board = board.ply(now, mover);
            let next = match again { true => mover, false => if mover == ANN { BOB } else { ANN } };
            let moved = left(&board, now, next);
            let back = if refilled == Some(mover) { 0 } else { i64::from(bank.refill) * HOUR };
            let full = (before[mine] - ran + back).min(whole).max(0);
            prop_assert_eq!((moved[mine], moved[theirs]), (full, thought[theirs]));
            if moved[mine] == 0 {
                // The timer would have ended the game.
                break;
            }
            refilled = Some(mover);
            (hour, mover, before) = (now, next, moved);
        }
    }
}

fn store_with_ann() -> (Store, PlayerId) {
    let store = Store::in_memory().unwrap();
    let ann = store.add_player(&"ann".parse().unwrap(), "x", &[7; 32], instant("2026-01-01T00:00Z")).unwrap();
    (store, ann)
}

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Each week has one free weekend, however often the zone changes. If the setting is turned off and on, none has two.
    #[test]
    fn a_week_has_one_free_weekend(changes in prop::collection::vec((1..300_i64, 0..5_usize), 1..12), turned: bool) {
        let zones = [Some("UTC"), Some("Pacific/Auckland"), Some("Pacific/Honolulu"), Some("Europe/Paris"), None];
        let (store, ann) = store_with_ann();
        let mut now = instant("2026-09-07T00:00Z");
        weekends::set(&store, ann, Some("UTC"), now).unwrap();
        let mut before: Vec<Interval> = Vec::new();
        for (hours, zone) in changes {
            now = now.checked_add(SignedDuration::from_hours(hours)).unwrap();
            before = weekends::free(&store.free_weekends(ann).unwrap(), now);
            if let Some(zone) = zones[zone].map_or(turned.then_some(None), |zone| Some(Some(zone))) {
                weekends::set(&store, ann, zone, now).unwrap();
            }
            // Weekends that have begun do not change.
            prop_assert_eq!(&weekends::free(&store.free_weekends(ann).unwrap(), now), &before);
        }
        let ends = now.checked_add(SignedDuration::from_hours(24 * 21)).unwrap();
        let free = weekends::free(&store.free_weekends(ann).unwrap(), ends);
        prop_assert!(free.starts_with(&before));
        for weekend in &free {
            let hours = (weekend.1 - weekend.0) / HOUR;
            prop_assert!((47..=49).contains(&hours), "{hours}");
        }
        for pair in free.windows(2) {
            let days = (pair[1].0 - pair[0].0) as f64 / 86_400.0;
            prop_assert!(days > 5.5, "{days}");
            prop_assert!(turned || days < 8.5, "{days}");
        }
    }
}
