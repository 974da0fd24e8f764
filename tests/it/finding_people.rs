//! Finding somebody to play: `who near` and "did you mean".

use crate::support::Stage;
use jiff::Timestamp;
use turnpost::data_dir::DATABASE;

/// A server with ann at 1500 and others at DVONN, each with a game against ann on which they moved at the stage's hour.
fn club(ratings: &[(&str, i64)]) -> Stage {
    let stage = Stage::with_players();
    let conn = rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    let rate = "INSERT INTO ratings (game, player, rating, deviation, volatility, won, lost, tied)
                VALUES ('dvonn', ?1, ?2, 8000, 60000000, 2, 1, 0)";
    conn.execute(rate, rusqlite::params![1, 150_000]).unwrap();
    for (number, (userid, rating)) in ratings.iter().enumerate() {
        let player = number as i64 + 100;
        conn.execute(
            "INSERT INTO players (id, userid, userid_key, secret, created_at) VALUES (?1, ?2, ?2, randomblob(32), 0)",
            rusqlite::params![player, userid],
        )
        .unwrap();
        conn.execute(rate, rusqlite::params![player, rating * 100]).unwrap();
        moved(&conn, player, stage.now);
    }
    stage
}

/// A finished board on which the player moved at that time.
fn moved(conn: &rusqlite::Connection, player: i64, at: Timestamp) {
    let board = player + 1000;
    conn.execute(
        "INSERT INTO boards (id, game, rated, state, position, plies, events, ending, nag_days, forfeit_days, total_days,
         started_at, changed_at) VALUES (?1, 'dvonn', 0, 'declined', '', 0, 1, NULL, 7, 21, 0, ?2, ?2)",
        [board, at.as_second()],
    )
    .unwrap();
    conn.execute("INSERT INTO seats (board, seat, player) VALUES (?1, 0, ?2), (?1, 1, 1)", [board, player])
        .unwrap();
    conn.execute(
        "INSERT INTO events (board, number, kind, at, seat, player, text) VALUES (?1, 1, 'ply', ?2, 0, ?3, 'F3')",
        [board, at.as_second(), player],
    )
    .unwrap();
}

/// The userids of an answer, in order.
fn listed(text: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.contains("   2026-"));
    rows.map(|row| row.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn the_nearest_stand_first_and_whoever_cannot_be_played_is_left_out() {
    let mut stage = club(&[
        ("far", 1900),
        ("close", 1510),
        ("below", 1480),
        ("blocked", 1501),
        ("blocks", 1502),
        ("gone", 1503),
        ("asleep", 1504),
    ]);
    let conn = rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    conn.execute_batch(
        "INSERT INTO blocks (player, blocked) VALUES (1, 103), (104, 1);
         UPDATE players SET state = 'signed-off' WHERE id = 105;
         UPDATE events SET at = at - 91 * 86400 WHERE player = 106;
         INSERT INTO ratings (game, player, rating, deviation, volatility, won, lost, tied)
         VALUES ('dvonn', -1, 150100, 8000, 60000000, 2, 1, 0);",
    )
    .unwrap();
    let from_ann = |stage: &mut Stage, command: &str| {
        let mails = stage.mail("ann@example.org", command, "");
        assert_eq!(mails.len(), 1, "{command}");
        mails[0].text.clone()
    };
    for command in ["who near ann", "dvonn who near ann", "who near", "dvonn who near", "WHO NEAR"] {
        let text = from_ann(&mut stage, command);
        assert_eq!(listed(&text), ["close", "below", "far"], "{command}: {text}");
    }
    let text = from_ann(&mut stage, "dvonn who near");
    let expected = "DVONN players near ann, who has 1500.00:

  player                   rating   games   last move
  close                  1510.00       3   2026-11-16
  below                  1480.00       3   2026-11-16
  far                    1900.00       3   2026-11-16

To play the first of them: `dvonn challenge ann close`.
";
    assert!(text.starts_with(expected), "{text}");
    let text = from_ann(&mut stage, "hexmeister who near");
    let expected = "Hexmeister players near ann, who has no rating yet and counts as 1500:

    nobody who has moved in the last 90 days

`hexmeister seek ann PASSWORD` tells everybody that you wait for an opponent.
";
    assert!(text.starts_with(expected), "{text}");
    // A block is nobody else's business.
    let text = stage.mail("bob@example.net", "dvonn who near ann", "")[0].text.clone();
    assert_eq!(listed(&text), ["blocked", "blocks", "close", "below", "far"], "{text}");
    // Without a rating one counts as a beginner does, at every game.
    let text = from_ann(&mut stage, "who near bob");
    assert!(text.contains("Hexmeister players near bob, who has no rating yet"), "{text}");
    assert_eq!(listed(&text), ["close", "below", "far"], "{text}");
    assert!(from_ann(&mut stage, "who near nobody1").contains("There is no player with that userid"));
}

#[test]
fn a_list_that_is_cut_says_so() {
    let names: Vec<String> = (0..12).map(|number| format!("p{number:02}x")).collect();
    let ratings: Vec<(&str, i64)> =
        names.iter().enumerate().map(|(n, name)| (name.as_str(), 1501 + n as i64)).collect();
    let mut stage = club(&ratings);
    let text = stage.mail("ann@example.org", "dvonn who near ann", "")[0].text.clone();
    assert_eq!(listed(&text), names[..10], "{text}");
    assert!(text.contains("There are more; `dvonn standings`"), "{text}");
    let mut stage = club(&ratings[..10]);
    let text = stage.mail("ann@example.org", "dvonn who near ann", "")[0].text.clone();
    assert!(listed(&text).len() == 10 && !text.contains("There are more"), "{text}");
}

/// The nearest userid is found among twenty thousand as among few; `benches/letters.rs` measures the time.
#[test]
fn the_nearest_userid_is_found_among_many_players() {
    let mut stage = Stage::with_players();
    for many in [0_i64, 20_000] {
        stage.change(&format!(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {many})
             INSERT INTO players (id, userid, userid_key, secret, created_at)
             SELECT n + 100, 'member' || n, 'member' || n, randomblob(32), 0 FROM n WHERE n <= {many}"
        ));
        for (wrong, meant) in
            [("anm", "ann"), ("nan", "ann"), ("bobb", "bob"), ("ob", "bob"), ("annna", "ann")]
        {
            let text = stage.mail("ann@example.org", &format!("who {wrong}"), "")[0].text.clone();
            assert!(text.contains(&format!("Did you mean {meant}?")), "{wrong}: {text}");
        }
        let text = stage.mail("ann@example.org", "who memebr12345", "")[0].text.clone();
        assert_eq!(text.contains("Did you mean member12345?"), many > 0, "{text}");
    }
}
