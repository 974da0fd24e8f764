//! Mails that left long ago lose their text.

use crate::support::{ANN, Stage};
use turnpost::config::Config;

/// A year of a club in small.
fn kept(stage: &Stage) -> (u32, u32) {
    let conn = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get(0)).unwrap();
    (count("SELECT count(*) FROM outbox"), count("SELECT count(*) FROM mail_bytes"))
}

fn forget(stage: &mut Stage) -> usize {
    let now = stage.now;
    let before = Config::default().keep.mails.before(now).unwrap();
    stage.store.forget_mails(before, now, || true).unwrap()
}

#[test]
fn old_mails_lose_their_text_and_nothing_else() {
    let mut stage = Stage::with_a_game();
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let (mails, old) = kept(&stage);
    assert!(old > 3);
    assert_eq!(forget(&mut stage), 0);
    stage.wait(29 * 24);
    // One of today, and one that waits since long ago.
    stage.mail("ann@example.org", &format!("dvonn showas ann {ANN}"), "");
    let conn = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    // The first was a question, whose text went with it.
    let first: i64 = conn.query_row("SELECT min(mail) FROM mail_bytes", [], |row| row.get(0)).unwrap();
    conn.execute("UPDATE outbox SET state = 'waiting' WHERE id = ?1", [first]).unwrap();
    assert_eq!(forget(&mut stage), 0);
    stage.wait(2 * 24);
    let had_text = conn
        .query_row("SELECT count(*) FROM mail_bytes WHERE mail > ?1 AND mail <= ?2", (first, mails), |row| {
            row.get::<_, u32>(0)
        })
        .unwrap();
    assert_eq!(forget(&mut stage), had_text as usize);
    assert_eq!(kept(&stage), (mails + 1, old - had_text + 1));
    assert_eq!(forget(&mut stage), 0);
    // A mail of a year to come, when the clock was wrong, hides nothing behind it.
    conn.execute(
        "UPDATE outbox SET state = 'sent', created_at = created_at + 31536000 WHERE id = ?1",
        [first],
    )
    .unwrap();
    stage.wait(40 * 24);
    assert_eq!(forget(&mut stage), 1);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_board_whose_mail_is_gone_is_sent_as_it_stands() {
    let mut stage = Stage::with_a_game();
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    stage.wait(40 * 24);
    assert!(forget(&mut stage) > 0);
    for command in ["resend ann plover-42 1", "resend ann plover-42"] {
        let mails = stage.mail("ann@example.org", command, "");
        assert_eq!(mails.len(), 1, "{mails:#?}");
        assert!(mails[0].subject.contains("dvonn 1") || mails[0].text.contains("DVONN 1"), "{:#?}", mails[0]);
        assert!(mails[0].text.contains("D1-E1") && mails[0].text.contains("\\__/"), "{}", mails[0].text);
    }
    let mails = stage.mail("ann@example.org", "resend ann plover-42 2", "");
    assert!(mails[0].text.contains("There is no mail with a board"), "{}", mails[0].text);
    // Nobody gets a board so that they never got.
    stage.sign_up("carol@example.com", "carol", "sanderling-3");
    let mails = stage.mail("carol@example.com", "resend carol sanderling-3 1", "");
    assert!(mails[0].text.contains("There is no mail with a board"), "{}", mails[0].text);
}
