//! Clocks: five months of a busy server; a year where `TURNPOST_LONG` is set.

use std::collections::HashMap;

use crate::support::rounds;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use turnpost::board::verify::verify;
use turnpost::board::{self, Board, Terms};
use turnpost::config::Config;
use turnpost::data_dir::DATABASE;
use turnpost::ids::{BoardId, Seat};
use turnpost::store::{Bank, BoardState, EventKind, EventRow, PlayerId, Store, TimeControl, VacationRow};
use turnpost::timer::tick::{Ticked, tick};

/// What the year knows of a board beside the server.
struct Turn {
    number: u32,
    mover: Seat,
    began: Timestamp,
}

struct Year {
    store: Store,
    now: Timestamp,
    rng: ChaCha12Rng,
    /// When clocks stand still, by player; and for all.
    away: HashMap<PlayerId, Vec<(Timestamp, Timestamp)>>,
    down: Vec<(Timestamp, Timestamp)>,
    zones: HashMap<PlayerId, TimeZone>,
    /// The weekends of those who have them free.
    weekends: HashMap<PlayerId, Vec<(Timestamp, Timestamp)>>,
    /// Of every turn: when it began and ended, and whose zone it was counted in.
    turns: Vec<(BoardId, u32, Timestamp, Timestamp)>,
    open: HashMap<BoardId, Turn>,
}

const ZONES: &[&str] = &[
    "Europe/Paris",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "America/Santiago",
    "UTC",
];

impl Year {
    fn below(&mut self, bound: u64) -> u64 {
        self.rng.next_u64() % bound
    }

    /// The seconds between two instants in which a board's clocks ran.
    fn running(&self, players: &[PlayerId; 2], from: Timestamp, to: Timestamp) -> i64 {
        self.running_but(players, &[], from, to)
    }

    /// The same but for some times more.
    fn running_but(
        &self,
        players: &[PlayerId; 2],
        free: &[(Timestamp, Timestamp)],
        from: Timestamp,
        to: Timestamp,
    ) -> i64 {
        let mut still: Vec<(i64, i64)> = Vec::new();
        let away = players.iter().filter_map(|player| self.away.get(player)).flatten();
        for (first, last) in away.chain(&self.down).chain(free) {
            still.push((first.max(&from).as_second(), last.min(&to).as_second()));
        }
        still.sort_unstable();
        let mut running = to.as_second() - from.as_second();
        let mut counted = i64::MIN;
        for (first, last) in still {
            let first = first.max(counted);
            running -= (last - first).max(0);
            counted = counted.max(last);
        }
        running
    }

    fn challenge(&mut self) {
        let players = self.zones.len() as u64;
        let one = 1 + self.below(players) as i64;
        let two = 1 + (one - 1 + 1 + self.below(players - 1) as i64) % players as i64;
        let kind = &turnpost_games::dvonn::KIND;
        let seed = self.below(1000);
        let options = vec![("symmetry".to_owned(), None)];
        let table = (kind.start)(&turnpost_games::Setup { options: &options, seed }).unwrap();
        let bank = (self.below(4) == 0).then(|| Bank {
            hours: 24 * [3, 10, 20][self.below(3) as usize],
            refill: [0, 12, 36][self.below(3) as usize],
        });
        let days = TimeControl {
            nag: self.below(6) as u32,
            forfeit: [0, 3, 7, 21][self.below(4) as usize],
            total: [0, 0, 10, 40][self.below(4) as usize],
            bank: None,
        };
        let days = bank.map_or(days, |_| TimeControl { forfeit: 0, total: 0, bank, ..days });
        let terms = Terms {
            game: "dvonn".into(),
            players: [one, two],
            options,
            seed,
            from_position: false,
            position: table.position(),
            rated: true,
            lots: false,
            may_swap: false,
            days,
            grace: None,
            rematch_of: None,
            contest: None,
            tutorial: false,
            imported: None,
            salt: None,
        };
        let zones = [one, two].map(|player| self.zones[&PlayerId(player)].clone());
        let now = self.now;
        let (board, _) =
            self.store.write(|store| board::start(store, &terms, now, None, Some(&zones))).unwrap();
        let id = board.row.id;
        self.open.insert(id, Turn { number: 1, mover: Seat::First, began: now });
    }

    /// The player to move plays some ply of a board.
    fn play(&mut self, id: BoardId) {
        let mut board = Board::load(&self.store, id).unwrap().unwrap();
        let [first, second] = board.row.players;
        let zones = [self.zones[&first].clone(), self.zones[&second].clone()];
        let legal = board.table.legal_plies();
        let ply = legal[self.below(legal.len() as u64) as usize].clone();
        let mut events = vec![
            board.play(&ply, Some(*board.table.turn().of(&board.row.players)), self.now, &zones).unwrap().0,
        ];
        events.extend(board.play_passes(self.now, &zones));
        let now = self.now;
        self.store
            .write(|store| {
                for event in &events {
                    store.add_event(id, event)?;
                }
                store.update_board(&board.row)
            })
            .unwrap();
        let turn = self.open.remove(&id).unwrap();
        self.turns.push((id, turn.number, turn.began, now));
        if board.row.state == BoardState::Running {
            let began = Turn { number: board.row.events, mover: board.table.turn(), began: now };
            self.open.insert(id, began);
        }
    }

    /// Whoever lost by time had let it run out, and the event comes at or after the deadline that was told.
    fn check_forfeit(&self, id: BoardId, turn: &Turn) {
        let row = self.store.board(id).unwrap().unwrap();
        let events = self.store.events(id).unwrap();
        let [.., before, last] = events.as_slice() else { panic!("{id}") };
        assert!(matches!(last.kind, EventKind::TimedOut | EventKind::Decline), "{last:?}");
        assert_eq!(last.seat, Some(turn.mover));
        assert!(last.at >= last.deadline_at.unwrap(), "{id}: {before:?} {last:?}");
        let ran = self.running(&row.players, turn.began, last.at);
        // A day of the calendar may have an hour less.
        let by_turn = row.days.forfeit > 0 && ran >= i64::from(row.days.forfeit) * 86_400 - 3_600;
        let used: i64 = self.used(&events, &row.players, turn.mover) + ran;
        let by_total = row.days.total > 0 && used >= i64::from(row.days.total) * 86_400;
        let by_bank = row.days.bank.is_some_and(|bank| {
            let free = &self.weekends[turn.mover.of(&row.players)];
            let left = self.left_of(bank, (&events, &row.players), turn.mover, free);
            self.running_but(&row.players, free, turn.began, last.at) >= left
        });
        assert!(
            by_turn || by_total || by_bank,
            "board {id} {:?}: {ran} s of the turn, {used} s in all",
            row.days
        );
        if by_bank && last.kind == EventKind::TimedOut {
            // Nobody ever writes, and so nobody has more than ten days spent for them.
            let vacations = self.store.vacations(*turn.mover.of(&row.players)).unwrap();
            let spent = vacations.iter().filter(|vacation| vacation.automatic).count();
            let days = |vacation: &VacationRow| match vacation.automatic {
                true => 1,
                false => vacation.first.until(vacation.last).unwrap().get_days() + 1,
            };
            let taken: i32 = vacations.iter().map(days).sum();
            assert!(spent == 10 || taken >= 30, "board {id}: {spent} days of {taken} spent");
        }
        let answered =
            events.iter().any(|event| event.kind == EventKind::Ply && event.seat == Some(Seat::Second));
        assert_eq!(row.state == BoardState::Declined, !answered);
    }

    /// What the turns that are over have left of a bank.
    fn left_of(
        &self,
        bank: Bank,
        (events, players): (&[EventRow], &[PlayerId; 2]),
        mover: Seat,
        free: &[(Timestamp, Timestamp)],
    ) -> i64 {
        let turns: Vec<&EventRow> =
            events.iter().filter(|event| matches!(event.kind, EventKind::Start | EventKind::Ply)).collect();
        let own = turns.windows(2).filter(|pair| pair[1].seat == Some(mover) && pair[1].player.is_some());
        let whole = i64::from(bank.hours) * 3_600;
        own.fold(whole, |left, pair| {
            let ran = self.running_but(players, free, pair[0].at, pair[1].at);
            (left - ran + i64::from(bank.refill) * 3_600).min(whole)
        })
    }

    /// The days that were spent count as vacation from now on.
    fn take_up_days_spent(&mut self) {
        for player in self.zones.keys().copied().collect::<Vec<_>>() {
            let away = self.away.entry(player).or_default();
            for vacation in self.store.vacations(player).unwrap() {
                let days = (vacation.starts_at, vacation.ends_at);
                if vacation.automatic && !away.contains(&days) {
                    away.push(days);
                }
            }
        }
    }

    fn used(&self, events: &[EventRow], players: &[PlayerId; 2], mover: Seat) -> i64 {
        let turns: Vec<&EventRow> =
            events.iter().filter(|event| matches!(event.kind, EventKind::Start | EventKind::Ply)).collect();
        turns
            .windows(2)
            .filter(|pair| pair[1].seat == Some(mover))
            .map(|pair| self.running(players, pair[0].at, pair[1].at))
            .sum()
    }
}

/// A year: some four hundred boards, sixty players in eight zones, vacations, and a server that is down now and then,
/// for hours or for weeks, while letters still come in.
#[test]
fn months_of_a_busy_server() {
    let folder = if std::path::Path::new("/dev/shm").is_dir() {
        tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    };
    let path = folder.path().join(DATABASE);
    let mut store = Store::make(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    let app = Config::default().app();
    let begins = "2026-01-01T00:00:00Z".parse::<Timestamp>().unwrap();
    let (mut zones, mut weekends) = (HashMap::new(), HashMap::new());
    for n in 0..60_usize {
        let userid = format!("player{n}").parse().unwrap();
        let player = store
            .write(|store| {
                let id = store.add_player(&userid, "x", &[7; 32], begins)?;
                store.add_address(id, &format!("player{n}@example.org"), begins, Some(begins))?;
                Ok::<_, turnpost::store::StoreError>(id)
            })
            .unwrap();
        let zone = ZONES[n % ZONES.len()];
        other.execute("UPDATE players SET zone = ?1 WHERE id = ?2", (zone, player.0)).unwrap();
        if n % 3 == 0 {
            let sql = "INSERT INTO free_weekends (player, zone, from_at) VALUES (?1, ?2, ?3)";
            other.execute(sql, (player.0, zone, begins.as_second())).unwrap();
        }
        let zone = TimeZone::get(zone).unwrap();
        let free = weekends.entry(player).or_insert_with(Vec::new);
        let saturdays = jiff::civil::date(2026, 1, 3).series(Span::new().weeks(1)).take(110);
        for saturday in saturdays.filter(|_| n % 3 == 0) {
            let instant = |day: Date| day.to_zoned(zone.clone()).unwrap().timestamp();
            free.push((instant(saturday), instant(saturday.checked_add(Span::new().days(2)).unwrap())));
        }
        zones.insert(player, zone);
    }
    let mut year = Year {
        store,
        now: begins,
        rng: ChaCha12Rng::seed_from_u64(2026),
        away: HashMap::new(),
        down: Vec::new(),
        zones,
        weekends,
        turns: Vec::new(),
        open: HashMap::new(),
    };
    tick(&mut year.store, (&app.limits, &app.leagues, &app.operator), &app, begins).unwrap();
    // With the days in spring on which clocks are changed, north and south.
    let months = rounds(5, 12);
    let ends =
        begins.to_zoned(TimeZone::UTC).checked_add(Span::new().months(months as i64)).unwrap().timestamp();
    let months = months as usize;
    let (mut ticked, mut last_tick) = (Ticked::default(), begins);
    let mut down_until = begins;
    let mut next_check = begins;
    while year.now < ends {
        year.now = year.now.checked_add(SignedDuration::from_mins(55)).unwrap();
        if year.below(26) == 0 {
            year.challenge();
        }
        if year.below(80) == 0 {
            // Somebody takes a vacation that begins today or later.
            let player = PlayerId(1 + year.below(60) as i64);
            let zone = year.zones[&player].clone();
            let today = year.now.to_zoned(zone.clone()).date();
            let first: Date = today.checked_add(Span::new().days(year.below(20) as i64)).unwrap();
            let last = first.checked_add(Span::new().days(year.below(14) as i64)).unwrap();
            let instant = |day: Date| day.to_zoned(zone.clone()).unwrap().timestamp();
            let (starts_at, ends_at) = (instant(first).max(year.now), instant(last.tomorrow().unwrap()));
            let vacation = VacationRow { first, last, automatic: false, starts_at, ends_at };
            year.store.write(|store| store.add_vacation(player, &vacation)).unwrap();
            year.away.entry(player).or_default().push((starts_at, ends_at));
        }
        let mut waiting: Vec<BoardId> = year.open.keys().copied().collect();
        waiting.sort_unstable();
        for id in waiting {
            // One in seven boards is asleep; on the others a ply takes two days.
            if id.0 % 7 != 0 && year.below(52) == 0 {
                year.play(id);
            }
        }
        if down_until <= year.now && year.below(900) == 0 {
            let hours = [2, 5, 30, 24 * 30][year.below(4) as usize];
            down_until = year.now.checked_add(SignedDuration::from_hours(hours)).unwrap();
        }
        if year.now < down_until {
            continue;
        }
        if year.now.duration_since(last_tick) > SignedDuration::from_hours(1) {
            year.down.push((last_tick, year.now));
        }
        last_tick = year.now;
        let now = year.now;
        let done = tick(&mut year.store, (&app.limits, &app.leagues, &app.operator), &app, now).unwrap();
        ticked.timed_out += done.timed_out;
        ticked.declined += done.declined;
        ticked.reminded += done.reminded;
        ticked.moved += done.moved;
        ticked.spent += done.spent;
        if done.timed_out + done.declined > 0 {
            let over: Vec<BoardId> = year
                .open
                .keys()
                .copied()
                .filter(|id| year.store.board(*id).unwrap().unwrap().state != BoardState::Running)
                .collect();
            assert_eq!(over.len(), done.timed_out + done.declined);
            for id in over {
                let turn = year.open.remove(&id).unwrap();
                year.check_forfeit(id, &turn);
                year.turns.push((id, turn.number, turn.began, now));
            }
        }
        if done.spent > 0 {
            year.take_up_days_spent();
        }
        if now >= next_check {
            assert_eq!(verify(&year.store).unwrap().wrong, Vec::<String>::new(), "{now}");
            next_check = now.checked_add(SignedDuration::from_hours(24 * 40)).unwrap();
        }
    }
    // It may end while the server is down.
    year.down.push((last_tick, year.now));
    assert_eq!(verify(&year.store).unwrap().wrong, Vec::<String>::new());
    // Reminders: one in every turn that lasted longer than the days before it, none in the others.
    let mut statement = other
        .prepare("SELECT commands, count(*) FROM letters WHERE commands LIKE 'reminder %' GROUP BY 1")
        .unwrap();
    let reminders: HashMap<String, u32> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    assert!(reminders.values().all(|count| *count == 1));
    assert_eq!(reminders.len(), ticked.reminded);
    for (id, turn, began, ended) in &year.turns {
        let row = year.store.board(*id).unwrap().unwrap();
        if row.days.nag == 0 || row.days.total > 0 || row.days.bank.is_some() {
            continue;
        }
        let ran = year.running(&row.players, *began, *ended);
        let nag = i64::from(row.days.nag) * 86_400;
        let reminded = reminders.contains_key(&format!("reminder {id} {turn}"));
        let forfeits_first = row.days.forfeit > 0 && row.days.forfeit <= row.days.nag;
        if ran < nag - 3_600 || forfeits_first {
            assert!(!reminded, "board {id}, turn {turn}: {ran} s");
        }
        if ran > nag + 2 * 3_600 && !forfeits_first && !year.just_after_a_stop(*began, *ended) {
            assert!(reminded, "board {id}, turn {turn}: {ran} s of {nag}");
        }
    }
    let boards = year.store.board_numbers_from(BoardId(1), u32::MAX).unwrap().len();
    assert!(
        boards > 25 * months && ticked.timed_out > 2 * months && ticked.declined * 2 > months,
        "{boards} boards, {ticked:?}"
    );
    assert!(ticked.spent > 20 * months, "{ticked:?}");
    assert!(ticked.reminded > 20 * months && ticked.moved > 20 * months && year.down.len() > 2, "{ticked:?}");
}

impl Year {
    /// Whether the turn ended while no timer ran: then nobody could be reminded.
    fn just_after_a_stop(&self, began: Timestamp, ended: Timestamp) -> bool {
        self.down.iter().any(|(from, to)| *from < ended && ended <= *to && *to > began)
    }
}
