//! The weekly mail: when it comes, when not, and what its unsubscribe address can do.

use crate::support::host::Host;
use crate::support::{ANN, BOB, Mail, Stage};
use jiff::SignedDuration;
use turnpost::mail::Operator;
use turnpost::timer::host_acts::{Act, BoardAct, GameEnd};

const SUBJECT: &str = "Open seeks and finished games";

fn announcements(mails: &[Mail]) -> Vec<&Mail> {
    mails.iter().filter(|mail| mail.subject == SUBJECT).collect()
}

/// A server with ann, who wants the weekly mail, and bob, who seeks an opponent.
fn stage() -> Stage {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    stage.mail("bob@example.net", &format!("dvonn seek bob {BOB}"), "");
    stage
}

/// Two processes and a killed one tell each player once: the week is over in the transaction that writes the mail.
#[test]
fn two_timers_at_once_tell_once() {
    let mut stage = stage();
    stage.now = stage.now.checked_add(SignedDuration::from_hours(8 * 24)).unwrap();
    let path = stage.folder.path().join(turnpost::data_dir::DATABASE);
    let now = stage.now;
    let mails: usize = std::thread::scope(|scope| {
        let timers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let config = turnpost::config::Config {
                        address: crate::support::ADDRESS.to_owned(),
                        ..turnpost::config::Config::default()
                    };
                    let mut store = turnpost::store::Store::open(&path).unwrap();
                    turnpost::pipeline::tick(&mut store, &config.app(), now).unwrap().mails
                })
            })
            .collect();
        timers.into_iter().map(|timer| timer.join().unwrap()).sum()
    });
    assert_eq!(mails, 1);
    assert_eq!(announcements(&stage.post()).len(), 1);
}

/// Killed at any moment, the timer tells each player once.
#[test]
fn a_killed_timer_tells_once() {
    let host = Host::after("dvonn seek ann plover-42\n");
    let players = 40;
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute_batch(
        "WITH RECURSIVE n (n) AS (SELECT 101 UNION ALL SELECT n + 1 FROM n WHERE n < 140)
         INSERT INTO players (id, userid, userid_key, secret, created_at, announced_at)
            SELECT n, 'p' || n, 'p' || n, zeroblob(32), 1, unixepoch() - 8 * 86400 FROM n;
         INSERT INTO addresses (player, address, address_key, added_at, confirmed_at)
            SELECT id, userid || '@x.org', userid || '@x.org', 1, 1 FROM players WHERE id > 100;
         UPDATE seeks SET made_at = made_at - 86400;",
    )
    .unwrap();
    drop(conn);
    for moment in [3, 10, 22, 30] {
        let mut child = host.command(&["tick"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(moment));
        let _ = child.kill();
        child.wait().unwrap();
    }
    host.run(&["tick"], b"").ok();
    host.run(&["tick"], b"").ok();
    let mut told: Vec<String> =
        announcements(&host.delivered()).into_iter().map(|mail| mail.to.clone()).collect();
    assert_eq!(told.len(), players);
    told.sort();
    told.dedup();
    assert_eq!(told.len(), players);
}

/// The table of one's group is news every week while it runs; that of a ladder comes along.
#[test]
fn a_running_contest_has_its_table_in_the_weekly_mail() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    let told = |stage: &mut Stage| {
        stage.wait(8 * 24);
        let mails = stage.tick().1;
        announcements(&mails).into_iter().map(|mail| mail.text.clone()).collect::<Vec<_>>()
    };
    for (player, password) in [("ann", ANN), ("bob", BOB)] {
        stage.submit(Operator::AsAnyone, &format!("dvonn ladder join {player} {password}"));
    }
    stage.submit(Operator::AsAnyone, "signup carol godwit-11 carol@example.org");
    assert_eq!(told(&mut stage), Vec::<String>::new());
    stage.submit(
        Operator::AsAnyone,
        &format!(
            "dvonn event new cup -size=3 ann {ANN}\ndvonn event join cup bob {BOB}\ndvonn event join cup carol godwit-11"
        ),
    );
    stage.tick();
    let board = stage.store.contest_named("cup").unwrap().unwrap();
    let board = stage.store.contest_boards(board.id).unwrap()[0].board;
    let resigned = stage.host(Act::OnBoard(board, BoardAct::End(GameEnd::Draw)), "A test.");
    assert!(resigned.is_ok());
    for _ in 0..2 {
        let texts = told(&mut stage);
        let table = "cup: you share place 1 of 3.\n\n    Place  player  points  games left\n";
        let ladder = "DVONN ladder: you are number 2 of 2.\n\n    Place  player  games\n";
        assert!(texts.len() == 1 && texts[0].contains(table) && texts[0].contains(ladder), "{texts:?}");
        assert!(texts[0].contains("\n    1=     ann        0.5           1\n"), "{texts:?}");
    }
}

/// A contest whose record is damaged keeps no news from anybody.
#[test]
fn a_damaged_contest_is_left_out_of_the_weekly_mail() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    stage.submit(Operator::AsAnyone, &format!("dvonn ladder join ann {ANN}\nhex ladder join ann {ANN}"));
    stage.submit(
        Operator::AsAnyone,
        "signup carol godwit-11 carol@example.org\nhex event new cup carol godwit-11",
    );
    stage.submit(Operator::AsAnyone, &format!("dvonn event new lost-cup bob {BOB}"));
    stage.change(
        "UPDATE contest_events SET text = '' WHERE number = 1
         AND contest IN (SELECT id FROM contests WHERE name IN ('dvonn-ladder', 'lost-cup'))",
    );
    stage.wait(8 * 24);
    let (ticked, mails) = stage.tick();
    let told = announcements(&mails);
    assert!(told.len() == 1 && told[0].text.contains("Hex ladder: you are number 1 of 1."), "{told:?}");
    let damaged = ticked.damaged.iter().filter(|what| what.starts_with("mails of contest "));
    assert_eq!(damaged.count(), 2, "{:?}", ticked.damaged);
}

/// An event that can be joined is news once, and stands in the mails while it waits.
#[test]
fn an_event_that_waits_for_players_is_news() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    stage.mail("bob@example.net", &format!("dvonn event new spring-cup bob {BOB}"), "");
    let mut told = Vec::new();
    for _ in 0..3 {
        stage.wait(8 * 24);
        told.extend(stage.tick().1);
    }
    let told = announcements(&told);
    assert_eq!(told.len(), 1, "there is nothing new in the second week");
    assert!(told[0].text.contains("\n    dvonn  spring-cup  1 of 8 joined\n"), "{}", told[0].text);
}
