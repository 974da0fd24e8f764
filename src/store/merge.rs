//! Makes one account of two.

use rusqlite::params;

use super::{PlayerId, Result, Store};

impl Store {
    /// True when both have ever sat at one board.
    pub fn have_met(&self, one: PlayerId, other: PlayerId) -> Result<bool> {
        self.exists(
            // Who lost a seat to another stands in the log of that act.
            "WITH mine (board) AS (SELECT board FROM seats WHERE player = ?1
                UNION SELECT board FROM acts WHERE other = ?1 AND board IS NOT NULL)
             SELECT 1 FROM mine m WHERE EXISTS (SELECT 1 FROM seats s WHERE s.board = m.board AND s.player = ?2)
                OR EXISTS (SELECT 1 FROM events e WHERE e.board = m.board AND e.player = ?2)
             LIMIT 1",
            params![one, other],
        )
    }

    /// Gives the boards, mails and addresses of `from` to `into`. What is left of `from` is for the caller to erase, and
    /// the ratings to compute.
    pub fn merge_players(&self, from: PlayerId, into: PlayerId) -> Result<()> {
        for sql in [
            // Records name their first players in the terms, and the others in the events.
            "UPDATE events SET text = json_set(text,
                '$.players[0]', iif(json_extract(text, '$.players[0]') = ?1, ?2, json_extract(text, '$.players[0]')),
                '$.players[1]', iif(json_extract(text, '$.players[1]') = ?1, ?2, json_extract(text, '$.players[1]')))
             WHERE number = 1 AND ?1 IN (json_extract(text, '$.players[0]'), json_extract(text, '$.players[1]'))
             AND board IN (SELECT board FROM seats WHERE player = ?1 UNION SELECT board FROM acts WHERE other = ?1)",
            "UPDATE events SET player = ?2 WHERE player = ?1
             AND board IN (SELECT board FROM seats WHERE player = ?1 UNION SELECT board FROM acts WHERE other = ?1)",
            "UPDATE seats SET player = ?2 WHERE player = ?1",
            "UPDATE seeks SET player = ?2 WHERE player = ?1",
            "UPDATE OR IGNORE queues SET player = ?2 WHERE player = ?1",
            "UPDATE OR IGNORE drafts SET player = ?2 WHERE player = ?1",
            "UPDATE OR IGNORE threads SET player = ?2 WHERE player = ?1",
            "UPDATE OR IGNORE held SET player = ?2 WHERE player = ?1",
            "UPDATE OR IGNORE analysis_readers SET player = ?2 WHERE player = ?1",
            "UPDATE OR IGNORE addresses SET player = ?2 WHERE player = ?1",
            "UPDATE OR IGNORE blocks SET player = ?2 WHERE player = ?1 AND blocked <> ?2",
            "UPDATE OR IGNORE blocks SET blocked = ?2 WHERE blocked = ?1 AND player <> ?2",
            "UPDATE vacations SET player = ?2 WHERE player = ?1",
            "UPDATE letters SET player = ?2 WHERE player = ?1",
            "UPDATE outbox SET player = ?2 WHERE player = ?1",
            "UPDATE mails_aside SET player = ?2 WHERE player = ?1",
        ] {
            self.execute(sql, params![from, into])?;
        }
        // The timer reads their boards anew, for it notes vacations by player.
        self.execute(
            "UPDATE boards SET clock_at = 0 WHERE id IN (SELECT board FROM seats WHERE player = ?1)",
            [into],
        )?;
        // An address that both have stays with `into`, and so do the letters from there.
        for table in ["queues", "drafts", "threads", "analysis_readers", "addresses"] {
            self.execute(&format!("DELETE FROM {table} WHERE player = ?1"), [from])?;
        }
        Ok(())
    }
}
