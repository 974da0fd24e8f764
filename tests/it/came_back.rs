//! Mails that come back: counted against the address they went to, and against nobody else's.

use crate::support::host::Host;
use crate::support::reports::Report;
use crate::support::serving::Served;
use crate::support::{ANN, Stage, letter};
use jiff::Timestamp;
use turnpost::delivery::deliver;
use turnpost::mail::transport::{OutEnvelope, SendError, Transport};

fn is_stopped(stage: &Stage) -> bool {
    let bob = stage.store.player(&"bob".parse().unwrap()).unwrap().unwrap();
    stage.store.addresses(bob.id).unwrap().confirmed().next().is_none()
}

/// Ann's letter causes the mail to bob; she must not be able to say that it came back.
#[test]
fn nobody_can_compute_the_message_id_of_a_mail_to_somebody_else() {
    let ids = |secret_differs: bool| {
        let mut stage = Stage::new();
        if secret_differs {
            stage.sign_up("carl@example.com", "carl", "knot-2026");
        }
        let mut stage = stage.peopled();
        let mails =
            stage.receive(&letter("ann@example.org", &format!("message ann {ANN} bob"), "Hello.", 77));
        mails.iter().find(|mail| mail.to == "bob@example.net").unwrap().id.clone()
    };
    assert_eq!(ids(false), ids(false));
    assert_ne!(ids(false), ids(true), "the same letter, another secret of bob's");
}

/// Takes nothing for one address.
struct Refuses(&'static str, &'static str);

impl Transport for Refuses {
    fn send(&self, envelope: &OutEnvelope, _mail: &[u8]) -> Result<(), SendError> {
        if envelope.to == self.0 { Err(SendError::Permanent(self.1.to_owned())) } else { Ok(()) }
    }
}

#[test]
fn what_a_mail_server_refuses_at_once_counts_like_what_comes_back() {
    for (why, stops) in [("550 no such user", true), ("553 unauthorized sender", false)] {
        let mut stage = Stage::with_players();
        for n in 0..9 {
            stage.put_in("ann@example.org", &format!("message ann {ANN} bob"), "Hello?", 500 + n);
            let now: Timestamp = stage.now;
            let refuses = Refuses("bob@example.net", why);
            let sent = deliver(&mut stage.store, &refuses, &stage.app, || now).unwrap();
            assert!(sent.failed == 1 || stops && n > 2, "{why}");
            stage.wait(24);
        }
        assert_eq!(is_stopped(&stage), stops, "{why}");
    }
}

/// The envelope sender and the Message-ID of the last mail to bob.
fn last_to_bob(host: &Host) -> (String, String) {
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    let sql =
        "SELECT id, message_id FROM outbox WHERE recipient = 'bob@example.net' ORDER BY id DESC LIMIT 1";
    let (number, id): (u32, String) = conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let key: Vec<u8> = conn.query_row("SELECT key FROM server_keys", [], |row| row.get(0)).unwrap();
    (turnpost::mail::bounce::verp(&Stage::new().site(), number.into(), ["bob@example.net", &id], &key), id)
}

fn failure(to: &str, id: &str, number: u32) -> Vec<u8> {
    Report { to, about: "bob@example.net", id, number: number as usize, ..Report::default() }.failure()
}

/// By the program itself: a report on standard input is counted, and the administrator sees it.
#[test]
fn the_program_counts_and_shows() {
    let host = Host::with_players();
    for n in 1..=3 {
        host.receive(&letter("ann@example.org", "message ann plover-42 bob", "Hello.", n)).assert_silent(0);
        host.delivered();
        let (path, id) = last_to_bob(&host);
        host.run(&["receive", "--sender", "", "--recipient", &path], &failure(&path, &id, n))
            .assert_silent(0);
        let shown = host.run(&["admin", "user", "bob"], b"");
        let expected = if n < 3 {
            format!("bob@example.net (came back {n}x")
        } else {
            "(mail came back, stopped".to_owned()
        };
        assert!(shown.ok().contains(&expected), "{}", shown.out);
        assert!(host.run(&["admin", "users"], b"").ok().contains("came back"));
    }
    let user = host.run(&["admin", "user", "bob", "--json"], b"");
    let user: serde_json::Value = serde_json::from_str(user.ok()).unwrap();
    assert_eq!(
        (&user["addresses"][0]["came_back"], user["addresses"][0]["stopped_at"].is_string()),
        (&3.into(), true)
    );
    assert!(host.log().contains("no more is sent there"), "{}", host.log());
    assert!(host.delivered().iter().any(|mail| mail.to == "operator@turnpost.example"));
    host.assert_verified();
}

/// Without a token or an envelope sender of ours nothing stops a player's mail: by LMTP too, where mail leaves at once.
#[test]
fn forged_reports_by_lmtp_leave_a_player_their_mail() {
    for extensions in [true, false] {
        let host = Host::new();
        if !extensions {
            let settings = host.data().join("turnpost.toml");
            let text = std::fs::read_to_string(&settings).unwrap();
            std::fs::write(&settings, format!("{text}extensions = false\n")).unwrap();
        }
        let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n";
        host.run(&["submit"], players.as_bytes()).ok();
        let served = Served::start(&host, &[]);
        let mut client = served.connect();
        let to = "play@turnpost.example";
        let questions = usize::from(!extensions);
        for n in 1..=3 {
            let before = host.sent().len();
            client.takes(&letter("ann@example.org", "message ann plover-42 bob", "Hello.", n));
            host.wait_for_mails(before + 2);
            let (_, id) = last_to_bob(&host);
            let report =
                |number| Report { to, about: "bob@example.net", id: &id, number, ..Report::default() };
            let n = n as usize * 10;
            for report in [report(n).failure(), report(n + 1).words(), report(n + 2).complaint()] {
                assert_eq!(client.mail("", &[to], &report), ["250 2.0.0 taken\r\n"]);
            }
            if n == 10 {
                host.wait_for_mails(before + 2 + questions);
            }
        }
        host.wait_until_quiet();
        let before = host.sent().len();
        client.takes(&letter("ann@example.org", "message ann plover-42 bob", "Still there?", 9));
        host.wait_for_mails(before + 2);
        assert!(host.sent().iter().skip(before).any(|mail| mail.to == "bob@example.net"));
        served.wait_for(if extensions {
            "not shown to be about a mail of ours"
        } else {
            "its player is asked"
        });
        served.stop();
        host.assert_verified();
    }
}
