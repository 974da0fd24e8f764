//! The weekly mail: when it comes, when not, and what its unsubscribe address can do.

use crate::support::host::Host;
use crate::support::{ANN, BOB, Mail, Stage};
use jiff::SignedDuration;

const SUBJECT: &str = "Turnpost: open seeks and finished games";

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
    let host = Host::new();
    let players = 40;
    let mut commands = String::new();
    for number in 1..=players {
        commands.push_str(&format!("signup p{number}x plover-{number}x p{number}x@example.org\n"));
        commands.push_str(&format!("set p{number}x plover-{number}x announce on\n"));
    }
    commands.push_str("dvonn seek p1x plover-1x\nhexmeister seek p2x plover-2x\n");
    host.run(&["submit"], commands.as_bytes()).ok();
    host.delivered();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute("UPDATE players SET announced_at = announced_at - 8 * 86400", []).unwrap();
    conn.execute("UPDATE seeks SET made_at = made_at - 86400", []).unwrap();
    drop(conn);
    for moment in [1, 3, 6, 10, 15, 22, 30] {
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
    assert!(told[0].text.contains("\n    dvonn spring-cup: 1 of 8 joined\n"), "{}", told[0].text);
}
