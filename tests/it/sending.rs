//! What a mailer does while others write: mails go on leaving, and what became of them is recorded when it can be.

use std::path::PathBuf;
use std::sync::Mutex;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use crate::support::Stage;
use turnpost::delivery::{Delivered, Mailer, deliver};
use turnpost::mail::transport::{OutEnvelope, SendError, Transport};
use turnpost::store::{SendOutcome, Store};

/// A stage on which so many mails wait.
fn with_waiting(mails: u32) -> Stage {
    let mut stage = Stage::with_players();
    for number in 0..mails {
        stage.put_in("ann@example.org", "help", "", 100 + number);
    }
    assert_eq!(stage.store.waiting_mails().unwrap(), mails);
    stage
}

/// Does something before each mail, which is told by its place.
struct Each<F>(Mutex<(usize, F)>);

impl<F> Each<F> {
    fn of(work: F) -> Each<F> {
        Each(Mutex::new((0, work)))
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap().0
    }
}

impl<F: FnMut(usize) -> Result<(), SendError> + Send> Transport for Each<F> {
    fn send(&self, _: &OutEnvelope, _: &[u8]) -> Result<(), SendError> {
        let (count, work) = &mut *self.0.lock().unwrap();
        *count += 1;
        work(*count)
    }
}

/// Writes for a while, so that a mailer waits for its turn; the first mail must have been sent.
fn write_for_a_while(database: PathBuf) -> JoinHandle<()> {
    let other = Connection::open(database).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        other.execute_batch("COMMIT").unwrap();
    })
}

#[test]
fn mails_leave_while_another_writes_and_are_recorded_afterwards() {
    let mut stage = with_waiting(20);
    let database = stage.folder.path().join("turnpost.db");
    let (other, reader) = (Connection::open(&database).unwrap(), Store::open_read_only(&database).unwrap());
    let waited = Mutex::new(Vec::new());
    let seen = &waited;
    let transport = Each::of(move |place| {
        seen.lock().unwrap().push(reader.waiting_mails().unwrap());
        match place {
            1 => drop(write_for_a_while(database.clone())),
            2 => other.execute_batch("BEGIN IMMEDIATE").unwrap(),
            11 => other.execute_batch("COMMIT").unwrap(),
            _ => {}
        }
        Ok(())
    });
    let (store, app, now) = (&mut stage.store, &stage.app, stage.now);
    let mut mailer = Mailer::new(&transport, app);
    while mailer.send_next(store, || now).unwrap().is_some() {}
    let mut expected = vec![20];
    expected.extend([19; 10]);
    expected.extend((1..10).rev());
    assert_eq!(*waited.lock().unwrap(), expected, "as soon as the other had ended");
    assert_eq!(stage.store.waiting_mails().unwrap(), 0);
    let all = stage.store.outbox(100).unwrap();
    assert!(all.iter().all(|mail| mail.attempts == 1), "{all:?}");
}

#[test]
fn what_was_given_up_meanwhile_does_not_leave() {
    let mut stage = with_waiting(5);
    let database = stage.folder.path().join("turnpost.db");
    let mut other = Store::open(&database).unwrap();
    let last = other.outbox(1).unwrap()[0].id;
    let now = stage.now;
    let transport = Each::of(move |place| {
        match place {
            1 => drop(write_for_a_while(database.clone())),
            // Now all are leased.
            2 => {
                let outcome = SendOutcome::Failed("erased".to_owned());
                other.write(|store| store.settle_mail(last, &outcome, now)).unwrap();
            }
            _ => {}
        }
        Ok(())
    });
    let (store, app) = (&mut stage.store, &stage.app);
    let mut mailer = Mailer::new(&transport, app);
    while mailer.send_next(store, || now).unwrap().is_some() {}
    assert_eq!(transport.count(), 4);
}

#[test]
fn a_mail_server_that_is_down_leaves_no_lease_and_no_try() {
    let mut stage = with_waiting(5);
    let database = stage.folder.path().join("turnpost.db");
    let conn = Connection::open(&database).unwrap();
    let transport = Each::of(move |place| match place {
        1 => {
            drop(write_for_a_while(database.clone()));
            Ok(())
        }
        _ => Err(SendError::Down("421 closing".to_owned())),
    });
    let (store, app, now) = (&mut stage.store, &stage.app, stage.now);
    let mut mailer = Mailer::new(&transport, app);
    let mut send = || mailer.send_next(store, || now).unwrap().map(|(_, outcome)| outcome);
    assert_eq!(send(), Some(SendOutcome::Sent));
    assert!(matches!(send(), Some(SendOutcome::Held(_))));
    let sql = "SELECT count(*) FROM outbox WHERE state = 'waiting' AND sender IS NULL AND attempts = 0";
    assert_eq!(conn.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap(), 4);
}

#[test]
fn nothing_leaves_while_outcomes_cannot_be_recorded() {
    let mut stage = with_waiting(5);
    let conn = Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    let transport = Each::of(|_| Ok(()));
    let (store, app, now) = (&mut stage.store, &stage.app, stage.now);
    let mut mailer = Mailer::new(&transport, app);
    // Stands for a disk that is full.
    let full =
        "CREATE TRIGGER full BEFORE UPDATE OF state ON outbox BEGIN SELECT raise(FAIL, 'disk full'); END";
    conn.execute_batch(full).unwrap();
    for _ in 0..3 {
        assert!(mailer.send_next(store, || now).is_err());
    }
    assert_eq!(transport.count(), 1);
    conn.execute_batch("DROP TRIGGER full").unwrap();
    while mailer.send_next(store, || now).unwrap().is_some() {}
    assert_eq!(transport.count(), 5, "each of them once");
}

#[test]
fn a_mail_whose_text_is_lost_is_given_up_and_keeps_none_back() {
    let mut stage = with_waiting(3);
    stage.change("DELETE FROM mail_bytes WHERE mail = (SELECT min(id) FROM outbox WHERE state = 'waiting')");
    let transport = Each::of(|_| Ok(()));
    let (store, app, now) = (&mut stage.store, &stage.app, stage.now);
    let delivered = deliver(store, &transport, app, || now).unwrap();
    assert_eq!(delivered, Delivered { sent: 2, later: 0, failed: 1 });
    let all = store.outbox(3).unwrap();
    assert_eq!(all.last().unwrap().last_error.as_deref(), Some("its text is lost"));
}

#[test]
fn a_mail_about_a_board_that_waits_gives_way_to_the_newer_one() {
    let mut stage = Stage::with_a_game();
    let known: Vec<String> = stage.left.iter().map(|mail| mail.id.clone()).collect();
    let play = |stage: &mut Stage, plies: &[(&str, &str)]| {
        for (number, (text, line)) in (stage.left.len() as u32 * 100..).zip(plies) {
            let from = if line.contains(" ann ") { "ann@example.org" } else { "bob@example.net" };
            stage.put_in(from, &format!("dvonn move 1 {line}"), text, 1000 + number);
        }
        stage.post()
    };
    // Ann's first move brings words, which stay; what came before them in the thread stays with them.
    let mails = play(
        &mut stage,
        &[
            ("Good luck!", "ann plover-42 D1-E1"),
            ("", "bob dunlin-7 K3-J2"),
            ("", "ann plover-42 E1-G1"),
            ("", "bob dunlin-7 I1-H1"),
        ],
    );
    let first_lines = |to: &str| -> Vec<String> {
        let told = mails.iter().filter(|mail| mail.to == to).map(|mail| mail.first_line().to_owned());
        // The receipts of own moves all leave.
        told.filter(|line| !line.contains(" is played. ")).collect()
    };
    assert_eq!(first_lines("ann@example.org").len(), 2, "{:?}", first_lines("ann@example.org"));
    assert_eq!(first_lines("bob@example.net").len(), 2, "{:?}", first_lines("bob@example.net"));
    assert!(mails.iter().any(|mail| mail.text.contains("Good luck!")));
    assert!(first_lines("ann@example.org")[1].contains("ann, bob played I1-H1"));
    // No mail refers to one that never left.
    for mail in &stage.left {
        let ours = mail.references.iter().filter(|id| id.starts_with("<turnpost.") && !known.contains(id));
        for id in ours {
            assert!(stage.left.iter().any(|left| left.id == *id), "{id} in {}", mail.raw());
        }
    }
    let replaced = "SELECT count(*) FROM outbox WHERE last_error LIKE 'a newer mail%'";
    let count: u32 = stage.database().query_row(replaced, [], |row| row.get(0)).unwrap();
    assert_eq!(count as usize + mails.len(), 8);
}
