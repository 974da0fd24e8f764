//! Everything about one player, as JSON.

use serde_json::{Map, Value};

use super::holds::exported;
use super::{PlayerId, Result, Store};

/// The parts of an export that need queries of their own. They contain no secrets and no addresses of other
/// people.
const PARTS: &[(&str, &str)] = &[
    (
        "account",
        "SELECT id AS player, userid, state, role, zone, suspended, created_at, broadcast_at, announced_at, paused_until FROM players WHERE id = ?1",
    ),
    (
        "bounces",
        "SELECT address, count, refused, last_at, stopped_at FROM bounces
         WHERE address_key IN (SELECT address_key FROM addresses WHERE player = ?1)",
    ),
    (
        "contests",
        "SELECT c.name AS contest, c.game, e.kind, e.at, e.text FROM contest_events e JOIN contests c ON c.id = e.contest
         WHERE ?1 IN (e.player, e.other) ORDER BY e.contest, e.number",
    ),
    ("browsers", "SELECT browser, board, begun_at, used_at, push, push_at FROM sessions WHERE player = ?1 AND used_at IS NOT NULL ORDER BY id"),
    ("blocks", "SELECT p.userid FROM blocks b JOIN players p ON p.id = b.blocked WHERE b.player = ?1"),
    (
        "ratings",
        "SELECT game, rating / 100.0 AS rating, deviation / 100.0 AS deviation, won, lost, tied FROM ratings
         WHERE player = ?1",
    ),
    ("seeks", "SELECT id AS seek, game, options, state, board, made_at FROM seeks WHERE player = ?1 ORDER BY id"),
    (
        "watches",
        "SELECT board, address, asked_at, confirmed_at FROM watchers
         WHERE address_key IN (SELECT address_key FROM addresses WHERE player = ?1)",
    ),
    ("invitations", "SELECT game, options, made_at FROM invitations WHERE player = ?1 ORDER BY id"),
    (
        "invited",
        "SELECT p.userid AS by, i.game, i.options, i.address, i.made_at FROM invitations i JOIN players p ON p.id = i.player
         WHERE lower(i.address) IN (SELECT address_key FROM addresses WHERE player = ?1 AND confirmed_at IS NOT NULL)
         ORDER BY i.id",
    ),
    (
        "boards",
        "SELECT b.id AS board, b.game, s.seat + 1 AS seat, s.hints, o.userid AS opponent, b.rated, b.state, b.plies, b.position,
            b.ending, b.winner + 1 AS winner, b.started_at, b.changed_at, b.deadline_at
         FROM seats s JOIN boards b ON b.id = s.board JOIN seats t ON t.board = s.board AND t.seat <> s.seat
         JOIN players o ON o.id = t.player WHERE s.player = ?1 ORDER BY b.id",
    ),
    (
        "events",
        "SELECT board, number, kind, at, ply, iif(kind = 'start', '', text) AS text FROM record
         WHERE board IN (SELECT board FROM seats WHERE player = ?1) AND player = ?1 ORDER BY board, number",
    ),
    (
        "letters",
        "SELECT id AS letter, received_at, door, sender, message_id, done, refused, unreadable, commands, outcomes, aside
         FROM letters
         WHERE player = ?1 OR lower(sender) IN (SELECT address_key FROM addresses WHERE player = ?1) ORDER BY id",
    ),
    (
        "mails",
        "SELECT id AS mail, letter, board, recipient, state, created_at, finished_at, last_error,
            CAST(iif(secret = 0, bytes, x'') AS TEXT) AS text FROM outbox LEFT JOIN mail_bytes b ON b.mail = id
         WHERE player = ?1 OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1) ORDER BY id",
    ),
    (
        "mails_to_others",
        "SELECT o.id AS mail, o.letter, o.board, p.userid AS recipient, o.state, o.created_at, o.finished_at,
            CAST(b.bytes AS TEXT) AS text
         FROM outbox o LEFT JOIN mail_bytes b ON b.mail = o.id JOIN letters l ON l.id = o.letter JOIN players p ON p.id = o.player
         WHERE l.player = ?1 AND o.player <> ?1 AND o.secret = 0 ORDER BY o.id",
    ),
    (
        "words",
        "SELECT m.board, p.userid AS recipient, m.sent_at, m.words FROM messages m JOIN players p ON p.id = m.reader
         WHERE m.writer = ?1 AND m.words IS NOT NULL ORDER BY m.id",
    ),
    (
        "notes",
        "SELECT p.userid AS about, n.words FROM player_notes n JOIN players p ON p.id = n.about WHERE n.player = ?1
         ORDER BY p.userid_key",
    ),
    ("notebook", "SELECT board, ply, noted_at, text, shown FROM notes WHERE player = ?1 ORDER BY board, ply"),
    ("limits_hit", "SELECT what, hits, last_at FROM limit_hits WHERE player = ?1 ORDER BY what"),
];

impl Store {
    /// Everything stored about a player: a list of rows for each part.
    pub fn export_player(&self, player: PlayerId) -> Result<Value> {
        let mut parts = Map::new();
        for (table, sql) in exported() {
            parts.insert(table.to_owned(), self.ask(&sql, [player])?.into());
        }
        for (name, sql) in PARTS {
            parts.insert((*name).to_owned(), self.ask(sql, [player])?.into());
        }
        Ok(parts.into())
    }
}
