//! Questions of the host that one query answers. Each row becomes an object with the names of the columns.

use rusqlite::types::ValueRef;
use rusqlite::{Params, Row};
use serde_json::Value;

use super::{Result, Store};

/// The acts of hosts, or the reports of players if ?3, on player ?1 and on board ?2, newest first; NULL selects every
/// player or board.
pub const ACTS: &str = "SELECT a.number AS act, a.at, a.os_user, a.act AS what, a.board, a.mail, a.player, p.userid, a.other,
        o.userid AS other_userid, c.name AS contest, a.detail, a.reason,
        trim(concat_ws(', ', a.act, 'board ' || a.board, 'mail ' || a.mail, 'player ' || p.id || ' (' || p.userid || ')',
            'other player ' || o.id || ' (' || o.userid || ')', nullif(c.name, a.detail), nullif(a.detail, '')) || char(10) || a.reason, char(10))
            AS what_and_why
    FROM acts a LEFT JOIN players p ON p.id = a.player LEFT JOIN players o ON o.id = a.other
        LEFT JOIN contests c ON c.id = a.contest
    WHERE (?1 IS NULL OR ?1 IN (a.player, a.other)) AND (?2 IS NULL OR a.board = ?2)
        AND (a.act = 'report') = ?3 ORDER BY a.number DESC";

/// The addresses of player ?1, with the numbers of mails that came back.
pub const ADDRESSES: &str = "SELECT a.address, confirmed_at, coalesce(count, 0) AS came_back, coalesce(refused, 0) AS refused,
    a.stopped_at FROM addresses a LEFT JOIN bounces USING (address_key) WHERE player = ?1 ORDER BY added_at, address_key";

/// Banned senders, the latest first.
pub const BANS: &str =
    "SELECT iif(sender = '', '(erased)', ltrim(sender, '@')) AS sender, at, reason FROM bans
    ORDER BY at DESC, sender";

/// The contests, the last changed first.
pub const CONTESTS: &str = "SELECT name, game, form, state, entrants AS joined, changed_at FROM contests
    ORDER BY changed_at DESC, id DESC";

/// Things with the name ?1, the address ?2 or the Message-ID ?3, each with the command that shows it.
pub const NAMED: &str = "SELECT 'player ' || userid AS what, 'turnpost admin user ' || userid AS shown_by FROM players
        WHERE userid_key = lower(?1)
    UNION ALL SELECT 'address of player ' || userid, 'turnpost admin user ' || userid FROM addresses
        JOIN players ON id = player WHERE address_key = ?2
    UNION ALL SELECT 'address of strangers'' letters', 'turnpost admin letter ' || max(id) FROM letters
        WHERE lower(sender) = ?2 AND player IS NULL HAVING count(*) > 0
    UNION ALL SELECT 'board ' || id, 'turnpost admin board ' || id FROM boards WHERE id = ?1
    UNION ALL SELECT form || ' ' || name, 'turnpost admin contest ' || name FROM contests WHERE name_key = lower(?1)
    UNION ALL SELECT 'letter ' || id, 'turnpost admin letter ' || id FROM letters WHERE message_id = ?3
    UNION ALL SELECT 'mail ' || max(id), 'turnpost admin mail ' || max(id) FROM outbox WHERE message_id = ?3
        HAVING count(*) > 0";

/// Week by week from Monday, in UTC; the first week of 1970 started three days before the epoch.
pub const WEEKS: &str = "SELECT date(week * 604800 - 259200, 'unixepoch') AS week_of, week * 604800 - 259200 AS at,
        sum(joined) AS new_players, sum(wrote) AS players_wrote,
        sum(begun) AS games_begun, sum(ended) AS games_ended, sum(letters) AS letters, sum(mails) AS mails
    FROM (SELECT (created_at + 259200) / 604800 AS week, 1 AS joined, 0 AS wrote, 0 AS begun, 0 AS ended, 0 AS letters,
            0 AS mails FROM players WHERE id > 0
        UNION ALL SELECT (received_at + 259200) / 604800, 0, count(DISTINCT player), 0, 0, count(*), 0 FROM letters
            WHERE door IN ('mail', 'lmtp', 'submit') AND aside IS NULL GROUP BY 1
        UNION ALL SELECT (started_at + 259200) / 604800, 0, 0, 1, 0, 0, 0 FROM boards
        UNION ALL SELECT (changed_at + 259200) / 604800, 0, 0, 0, 1, 0, 0 FROM boards WHERE state = 'finished'
        UNION ALL SELECT (created_at + 259200) / 604800, 0, 0, 0, 0, 0, 1 FROM outbox)
    GROUP BY week ORDER BY week DESC";

/// Habits of the players ?1 and ?2, with counts. These are browsers, hours of their letters in UTC, and plies of
/// analysed games by whether the robot found a better one.
pub const HABITS: &str = "SELECT 'browser' AS what, browser AS which, count(*) FILTER (WHERE player = ?1) AS one,
        count(*) FILTER (WHERE player = ?2) AS other FROM sessions
        WHERE player IN (?1, ?2) AND used_at IS NOT NULL GROUP BY browser
    UNION ALL SELECT 'letters', strftime('%H:00', received_at, 'unixepoch'), count(*) FILTER (WHERE player = ?1),
        count(*) FILTER (WHERE player = ?2) FROM letters
        WHERE player IN (?1, ?2) AND door IN ('mail', 'lmtp', 'submit') GROUP BY 2
    UNION ALL SELECT 'plies analysed', iif(json_array_length(p.value, '$.better') = 0, 'as good as the robot''s', 'worse'),
        count(*) FILTER (WHERE player = ?1), count(*) FILTER (WHERE player = ?2)
        FROM seats s JOIN analyses a ON a.board = s.board AND a.made IS NOT NULL, json_each(a.made, '$.plies') p
        WHERE player IN (?1, ?2) AND json_extract(p.value, '$.seat') = s.seat GROUP BY 2";

impl Store {
    pub fn ask(&self, question: &str, params: impl Params) -> Result<Vec<Value>> {
        let mut statement = self.conn.prepare_cached(question)?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let rows = statement.query_map(params, |row| object(&columns, row))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn object(columns: &[String], row: &Row<'_>) -> rusqlite::Result<Value> {
    let mut fields = serde_json::Map::new();
    for (number, name) in columns.iter().enumerate() {
        let value = match row.get_ref(number)? {
            ValueRef::Null => Value::Null,
            // Times have the same format as in all other JSON of the program.
            ValueRef::Integer(second) if name.ends_with("_at") || name == "at" => {
                jiff::Timestamp::from_second(second).map_or(Value::from(second), |at| at.to_string().into())
            }
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                String::from_utf8_lossy(bytes).into_owned().into()
            }
        };
        fields.insert(name.clone(), value);
    }
    Ok(fields.into())
}
