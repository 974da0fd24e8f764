//! A league of more players than a transaction may seat or tell. Wherever its timer is killed, little is lost, and each
//! player is seated once and told once.

use std::collections::BTreeMap;

use crate::support::Stage;
use jiff::Timestamp;
use turnpost::contest::events::Entered;
use turnpost::contest::record::Contest;
use turnpost::contest::terms::ContestTerms;
use turnpost::language::BoardOptions;
use turnpost::mail::Operator;
use turnpost::store::{ContestForm, ContestState, PlayerId};

const PLAYERS: i64 = 130;
/// The most players of a transaction.
const MOST: i64 = 50;

/// A league of DVONN with players `p1` and on. Every second one plays only the next season.
fn league() -> Stage {
    let mut stage = Stage::with(|config| config.robot.enabled = false);
    stage.change(&format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PLAYERS})
         INSERT INTO players (id, userid, userid_key, secret, created_at)
         SELECT i, 'p' || i, 'p' || i, randomblob(32), 0 FROM n;
         INSERT INTO addresses (player, address, address_key, added_at, confirmed_at)
         SELECT id, userid || '@example.org', userid_key || '@example.org', 0, 0 FROM players WHERE id > 0;"
    ));
    let name = ContestForm::League.name_of("dvonn");
    let terms = ContestTerms::new(ContestForm::League, "dvonn", name, BoardOptions::default());
    let now = stage.now;
    let joined = stage.store.write(|store| {
        let mut league = Contest::make(store, &terms, None, now)?;
        for number in 1..=PLAYERS {
            let entered = Entered { once: number % 2 == 0, seat: None };
            league.take_in(store, PlayerId(number), &entered, now)?;
        }
        store.set_contest_due(league.row.id, Some(now))?;
        Ok::<(), turnpost::failure::Error>(())
    });
    joined.unwrap();
    stage.tick();
    stage
}

fn contest(stage: &Stage, name: &str) -> Contest {
    Contest::load(&stage.store, &stage.store.contest_named(name).unwrap().unwrap()).unwrap()
}

fn count(stage: &Stage, rows: &str) -> i64 {
    stage.database().query_row(&format!("SELECT count(*) FROM {rows}"), [], |row| row.get(0)).unwrap()
}

/// Kills the timer when it is about to write these rows of `table`, of which it writes `all`, again and again. `meanwhile`
/// happens after each kill.
fn kill(stage: &mut Stage, (table, which): (&str, &str), all: i64, meanwhile: impl Fn(&mut Stage, i64)) {
    let rows = format!("{table} WHERE {which}");
    let new = which.split(" AND ").map(|one| format!("NEW.{one}")).collect::<Vec<_>>().join(" AND ");
    let before = count(stage, &rows);
    for number in [1, 2, MOST, MOST + 1, 2 * MOST, 2 * MOST + 1, all] {
        if number > all {
            break;
        }
        stage.change(&format!(
            "CREATE TRIGGER killed BEFORE INSERT ON {table}
             WHEN {new} AND (SELECT count(*) FROM {rows}) >= {before} + {number} - 1 BEGIN SELECT RAISE(ABORT, 'killed'); END"
        ));
        let ticked = turnpost::pipeline::tick(&mut stage.store, &stage.app, stage.now);
        stage.change("DROP TRIGGER killed");
        let kept = count(stage, &rows) - before;
        assert!(ticked.is_err(), "{rows}: {number}");
        assert!(kept >= number - 1 - MOST, "{rows}: {kept} of {number} were kept");
        meanwhile(stage, number);
        stage.now = stage.now.checked_add(jiff::SignedDuration::from_mins(15)).unwrap();
    }
}

/// How many mails whose Subject ends with these words each player got.
fn told(stage: &Stage, subject: &str) -> Vec<usize> {
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for mail in stage.left.iter().filter(|mail| mail.subject.ends_with(subject)) {
        *told.entry(&mail.to).or_default() += 1;
    }
    told.into_values().collect()
}

#[test]
fn a_season_of_many_begins_once_wherever_its_timer_is_killed() {
    let mut stage = league();
    let next = contest(&stage, "dvonn-league").league.next.unwrap();
    stage.now = Timestamp::from_second(next.starts_at - 7 * 86_400).unwrap();
    kill(&mut stage, ("contest_news", "kind = 'season'"), PLAYERS, |_, _| ());
    kill(&mut stage, ("outbox", "player > 0"), PLAYERS, |_, _| ());
    stage.tick();
    assert_eq!(told(&stage, "Season 1 of the DVONN league begins on Monday"), vec![1; PLAYERS as usize]);

    stage.now = Timestamp::from_second(next.starts_at).unwrap();
    kill(&mut stage, ("contest_events", "text LIKE '{_seat_:%'"), PLAYERS - 1, |stage, number| {
        // Another timer does not seat them too.
        if number == MOST {
            let seats = count(stage, "contest_events");
            stage.tick();
            assert_eq!(count(stage, "contest_events"), seats);
        }
        // The first goes while the players are seated, and another says that they stay.
        if number == MOST + 1 {
            stage.change("UPDATE players SET secret = randomblob(32) WHERE id = 1");
            stage.submit(Operator::AsAnyone, "delete p1 -");
            stage.submit(Operator::AsAnyone, "dvonn league join p2 -");
        }
    });
    kill(&mut stage, ("contest_events", "kind = 'left' AND text = 'once'"), PLAYERS / 2 - 1, |_, _| ());
    kill(&mut stage, ("boards", "contest > 0"), PLAYERS, |_, _| ());
    kill(&mut stage, ("contest_news", "kind = 'started'"), MOST + 1, |_, _| ());
    stage.ticks(stage.now.checked_add(jiff::SignedDuration::from_hours(30)).unwrap());

    let season = contest(&stage, "dvonn-league-1");
    assert_eq!(stage.store.contest_named("dvonn-league-2").unwrap(), None);
    assert_eq!((season.row.state, count(&stage, "contests")), (ContestState::Running, 2));
    let mut seated: Vec<i64> = season.competitors().map(|player| player.0).collect();
    seated.sort_unstable();
    assert_eq!(seated, (2..=PLAYERS).collect::<Vec<_>>());
    assert_eq!(told(&stage, " games in the DVONN league"), vec![1; seated.len()]);
    let league = contest(&stage, "dvonn-league");
    let mut stay: Vec<i64> = league.joined.iter().map(|player| player.0).collect();
    stay.sort_unstable();
    assert_eq!(stay, (2..=PLAYERS).filter(|player| *player == 2 || player % 2 == 1).collect::<Vec<_>>());
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_stop_is_told_once_wherever_the_timer_is_killed() {
    let mut stage = league();
    let next = contest(&stage, "dvonn-league").league.next.unwrap();
    for days in [7, 0] {
        stage.now = Timestamp::from_second(next.starts_at - days * 86_400).unwrap();
        stage.tick();
    }
    stage.ticks(stage.now.checked_add(jiff::SignedDuration::from_hours(3)).unwrap());
    stage.wait(30);
    kill(&mut stage, ("clocks", "moved > 0"), PLAYERS, |_, _| ());
    kill(&mut stage, ("outbox", "player > 0"), PLAYERS, |_, _| ());
    stage.tick();
    stage.tick();
    let moved = stage.left.iter().filter(|mail| mail.subject.ends_with("new deadlines"));
    let mut moved: Vec<&str> = moved.map(|mail| mail.to.as_str()).collect();
    moved.sort_unstable();
    let times = moved.len();
    moved.dedup();
    assert_eq!((moved.len(), times), (PLAYERS as usize, PLAYERS as usize));
}
