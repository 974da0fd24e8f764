//! Opening, locking and syncing. Rows are tested where they are used.

use std::path::Path;

use jiff::Timestamp;

use super::open::{BUSY, LOG_AT_MOST};
use super::*;

fn mail(identity: crate::ids::Identity) -> NewLetter {
    NewLetter { identity, entrance: Entrance::Mail, sender: None, message_id: None }
}

/// Adds mails that wait, all caused by one letter.
pub(super) fn add_waiting(store: &Store, mails: u32, at: Timestamp) -> Result<()> {
    let letter = store.add_letter(&mail(crate::ids::Identity([1; 32])), at)?.unwrap();
    for _ in 0..mails {
        store.add_mail(
            &NewMail {
                letter,
                board: None,
                shows_board: false,
                pictured: None,
                player: None,
                recipient: "ann@example.org".to_owned(),
                message_id: "<1@example.org>".to_owned(),
                follows: None,
                keep: Keep::Mail,
            },
            &[b'x'; 5000],
            at,
        )?;
    }
    Ok(())
}

/// How many letters a database holds.
fn letters(path: &Path) -> usize {
    Store::open(path).unwrap().letters(100).unwrap().len()
}

#[test]
fn an_unforced_write_is_visible_and_the_next_is_forced() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("turnpost.db");
    let mut store = Store::make(&path).unwrap();
    let synchronous = |store: &Store| {
        store.conn.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0)).unwrap()
    };
    let identity = crate::ids::Identity([1; 32]);
    let added = store.write_unforced(|store| {
        assert_eq!(synchronous(store), 1);
        store.add_letter(&mail(identity), Timestamp::UNIX_EPOCH)
    });
    assert!(added.unwrap().is_some());
    assert_eq!(synchronous(&store), 2);
    assert!(Store::make(&path).unwrap().knows_letter(&identity).unwrap());
    let failed = store.write_unforced(|_| Err::<(), _>(StoreError::Damaged("on purpose".into())));
    assert!(failed.is_err());
    assert_eq!(synchronous(&store), 2);
}

#[test]
fn a_writer_that_waits_too_long_gives_up_and_blocks_nobody() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("turnpost.db");
    let write_lock = Arc::new(WriteLock::default());
    let [mut slow, mut hasty, mut patient] =
        [(); 3].map(|()| Store::make(&path).unwrap().sharing(&write_lock));
    hasty.set_patience(Duration::from_millis(1)).unwrap();
    let nothing = |_: &Store| Ok::<_, StoreError>(());
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let slow = scope.spawn(move || {
            slow.write(|_| {
                begun.send(()).unwrap();
                let () = ended.recv().unwrap();
                Ok::<_, StoreError>(())
            })
        });
        has_begun.recv().unwrap();
        for _ in 0..2 {
            assert!(hasty.write(nothing).unwrap_err().is_busy());
        }
        let patient = scope.spawn(move || patient.write(nothing));
        end.send(()).unwrap();
        slow.join().unwrap().unwrap();
        patient.join().unwrap().unwrap();
    });
    hasty.set_patience(BUSY).unwrap();
    hasty.write(nothing).unwrap();
}

#[test]
fn short_lived_processes_leave_no_long_log_and_lose_nothing() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("turnpost.db");
    let log = data.path().join("turnpost.db-wal");
    let at = Timestamp::UNIX_EPOCH;
    let mut longest = 0;
    for n in 0..60_u8 {
        let mut store = Store::make(&path).unwrap();
        let identity = crate::ids::Identity([n; 32]);
        let added = store.write(|store| store.add_letter(&mail(identity), at)).unwrap();
        assert!(added.is_some());
        drop(store);
        longest = longest.max(std::fs::metadata(&log).unwrap().len());
    }
    assert!(longest <= LOG_AT_MOST, "{longest}");
    assert_eq!(letters(&path), 60);
}
