//! Times a league of 10,000 players: how long a letter waits while a season is announced and begins, and after a stop of
//! the server; and the tables. Then times a ladder of as many players.
//!
//! `cargo bench --bench contests`

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod stock;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use turnpost::app::App;
use turnpost::config::Config;
use turnpost::contest::events::Entered;
use turnpost::contest::ladder_games::Ladder;
use turnpost::contest::record::Contest;
use turnpost::contest::terms::ContestTerms;
use turnpost::language::BoardOptions;
use turnpost::mail::{AnswerBy, Letter, Operator, Proof};
use turnpost::store::{ContestForm, PlayerId, Store, WriteLock};

fn main() {
    // As `cargo bench --bench contests`; run by `cargo test` it only shows that it runs.
    let full = std::env::args().any(|argument| argument == "--bench");
    let players = if full { 10_000 } else { 40 };
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("turnpost.db");
    drop(stock::stock(folder.path(), 0));
    let conn = rusqlite::Connection::open(&database).unwrap();
    conn.execute(
        "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + 9)
         INSERT INTO players (id, userid, userid_key, secret, created_at)
         SELECT i, 'p' || i, 'p' || i, randomblob(32), 0 FROM n",
        [players],
    )
    .unwrap();
    conn.execute(
        "INSERT INTO addresses (player, address, address_key, added_at, confirmed_at)
         SELECT id, userid || '@example.org', userid_key || '@example.org', 0, 0 FROM players WHERE id >= 10",
        [],
    )
    .unwrap();
    drop(conn);
    let mut store = Store::open(&database).unwrap();
    let app = Config { address: "play@turnpost.example".to_owned(), ..Config::default() }.app();
    let mut now = stock::at();
    join(&mut store, players, now);
    turnpost::pipeline::tick(&mut store, &app, now).unwrap();
    let league = store.contest_named("dvonn-league").unwrap().unwrap();
    let starts_at = Contest::load(&store, &league).unwrap().league.next.unwrap().starts_at;
    let lock = Arc::new(WriteLock::default());
    let mut store = store.sharing(&lock);
    let mut while_letters_come = |what: &str, now: Timestamp| {
        let over = AtomicBool::new(false);
        let began = Instant::now();
        let waits = std::thread::scope(|scope| {
            let letters = scope.spawn(|| letters(&database, &lock, &app, now, &over));
            for minute in 0..2 {
                turnpost::pipeline::tick(&mut store, &app, now + SignedDuration::from_mins(minute)).unwrap();
            }
            over.store(true, Ordering::Relaxed);
            letters.join().unwrap()
        });
        let [median, longest] = [waits[waits.len() / 2], *waits.last().unwrap()].map(millis);
        let (took, count) = (began.elapsed().as_secs_f64(), waits.len());
        println!(
            "{what}: {took:.1} s, and {count} letters meanwhile: median {median:.1} ms, longest {longest:.1} ms (goal: 100)"
        );
    };
    let starts_at = Timestamp::from_second(starts_at).unwrap();
    while_letters_come("a season is announced", starts_at - SignedDuration::from_hours(7 * 24));
    now = starts_at;
    while_letters_come("a season begins", now);
    while_letters_come("the first look at its boards", now + SignedDuration::from_mins(2));
    now += SignedDuration::from_hours(48);
    while_letters_come("a stop is told", now);
    let season = store.contest_named("dvonn-league-1").unwrap().unwrap();
    let boards = store.contest_boards(season.id).unwrap().len();
    println!("{players} players, {boards} boards");
    let mut tables: Vec<Duration> = (0..9)
        .map(|_| {
            let began = Instant::now();
            let season = Contest::load(&store, &season).unwrap();
            let view = turnpost::notices::contest_view::contest_view(&store, &season).unwrap();
            assert!(view.groups.len() >= players as usize / 10);
            began.elapsed()
        })
        .collect();
    tables.sort_unstable();
    println!("the tables of all its groups: {:.1} ms (goal: 50)", millis(tables[4]));
    let began = Instant::now();
    turnpost::pipeline::tick(&mut store, &app, now + SignedDuration::from_mins(4)).unwrap();
    println!("a tick in which nothing happens: {:.1} ms", millis(began.elapsed()));
    store.write(|store| store.set_contest_due(season.id, Some(now))).unwrap();
    let began = Instant::now();
    turnpost::pipeline::tick(&mut store, &app, now + SignedDuration::from_mins(5)).unwrap();
    println!("a tick after a board of it ended: {:.1} ms", millis(began.elapsed()));
    ladder(&mut store, &database, players, now);
}

/// How long it takes to read a ladder after ten games a player. The last `players / 2` games are in play.
fn ladder(store: &mut Store, database: &std::path::Path, players: i64, now: Timestamp) {
    let id = make(store, ContestForm::Ladder, now).row.id;
    let (games, over) = (players * 10, players * 10 - players / 2);
    let conn = rusqlite::Connection::open(database).unwrap();
    conn.execute_batch(&format!(
        "BEGIN;
         CREATE TEMP TABLE g (i INTEGER PRIMARY KEY, one, other);
         WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {games} - 1)
         INSERT INTO g SELECT i, 10 + (i * 7919) % {players}, 10 + (i * 7919 + 1 + i % 13) % {players} FROM n;
         INSERT INTO contest_events SELECT {id}, 2 + i, 'entered', {at}, 10 + i, NULL, NULL, '{{}}' FROM g WHERE i < {players};
         INSERT INTO contest_events SELECT {id}, {players} + 2 + i * 2, 'opened', {at}, one, other, NULL, 'first' FROM g WHERE i < {over};
         INSERT INTO contest_events SELECT {id}, {players} + 3 + i * 2, 'closed', {at}, NULL, NULL, i, '' FROM g WHERE i < {over};
         INSERT INTO contest_events SELECT {id}, {players} + 2 + {over} + i, 'opened', {at}, one, other, NULL, 'first' FROM g WHERE i >= {over};
         INSERT INTO boards (id, game, rated, state, position, plies, events, to_move, ending, winner, nag_days, forfeit_days,
            total_days, started_at, changed_at, contest, pair)
            SELECT 1000000 + i, 'dvonn', 1, iif(i < {over}, 'finished', 'running'), '', 3, 4, iif(i < {over}, NULL, 0),
            iif(i < {over}, 'resigned', NULL), iif(i < {over}, i % 2, NULL), 7, 0, 0, {at}, {at}, {id}, i FROM g;
         INSERT INTO seats (board, seat, player) SELECT 1000000 + i, 0, one FROM g;
         INSERT INTO seats (board, seat, player) SELECT 1000000 + i, 1, other FROM g;
         UPDATE contests SET events = (SELECT max(number) FROM contest_events WHERE contest = {id}), entrants = {players}
            WHERE id = {id};
         COMMIT;",
        id = id.0,
        at = now.as_second() - 30 * 86_400,
    ))
    .unwrap();
    for what in ["the first time", "again"] {
        let began = Instant::now();
        let ladder = store
            .write(|store| {
                let contest = Contest::load(store, &store.contest(id)?.unwrap())?;
                Ladder::follow(store, contest, now)
            })
            .unwrap();
        assert_eq!(ladder.places.len(), players as usize);
        println!(
            "a ladder of {players} players and {games} games, {what}: {:.1} ms (goal: 100)",
            millis(began.elapsed())
        );
    }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Makes the league or the ladder of DVONN.
fn make(store: &mut Store, form: ContestForm, now: Timestamp) -> Contest {
    let options = BoardOptions { game: vec![("random".to_owned(), None)], ..BoardOptions::default() };
    let terms = ContestTerms::new(form, "dvonn", form.name_of("dvonn"), options);
    store.write(|store| Contest::make(store, &terms, None, now)).unwrap()
}

/// Makes the league, and has everybody join.
fn join(store: &mut Store, players: i64, now: Timestamp) {
    let mut league = make(store, ContestForm::League, now);
    store
        .write(|store| {
            for player in (10..).map(PlayerId).take(players as usize) {
                league.take_in(store, player, &Entered::default(), now)?;
            }
            store.set_contest_due(league.row.id, Some(now))?;
            Ok::<(), turnpost::failure::Error>(())
        })
        .unwrap();
}

/// Letters that `serve` takes in, one after the other; gives how long each took, the longest last.
fn letters(
    database: &std::path::Path,
    lock: &Arc<WriteLock>,
    app: &App,
    now: Timestamp,
    over: &AtomicBool,
) -> Vec<Duration> {
    let mut store = Store::open(database).unwrap().sharing(lock);
    let mut rng = ChaCha12Rng::seed_from_u64(7);
    let mut waits = Vec::new();
    for number in 0_u32.. {
        let mut identity = [0; 32];
        identity[..4].copy_from_slice(&number.to_be_bytes());
        identity[4..12].copy_from_slice(&now.as_second().to_be_bytes());
        let letter = Letter {
            identity: turnpost::ids::Identity(identity),
            message_id: None,
            in_reply_to: None,
            references: Vec::new(),
            sender: None,
            return_path: None,
            proof: Proof::Operator(Operator::AsAnyone),
            token: None,
            subject: String::new(),
            text: "seeks".to_owned(),
            answer: AnswerBy::Terminal,
        };
        let began = Instant::now();
        turnpost::pipeline::handle(&mut store, app, &letter, now, &mut rng).unwrap();
        waits.push(began.elapsed());
        std::thread::sleep(Duration::from_millis(2));
        if over.load(Ordering::Relaxed) {
            break;
        }
    }
    waits.sort_unstable();
    waits
}
