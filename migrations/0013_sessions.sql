-- Browsers that are signed in, and links that may sign one in.
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES players (id),
    -- SHA-256 of the code in the mailed link, then of the one in the cookie.
    code BLOB NOT NULL UNIQUE,
    -- When the link was mailed, then when it was used.
    begun_at INTEGER NOT NULL,
    -- NULL until the link is used.
    used_at INTEGER,
    browser TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX sessions_of_players ON sessions (player);
