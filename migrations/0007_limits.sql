-- What a letter may cause.

-- Who went beyond a limit, and how often. The empty key counts all of a limit and is kept for good.
CREATE TABLE limit_hits (
    what    TEXT    NOT NULL,
    key     TEXT    NOT NULL,                   -- a userid, or the hash of a mailbox
    player  INTEGER REFERENCES players (id),    -- who that is, where it is known
    hits    INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (what, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX limit_hits_by_player ON limit_hits (player) WHERE player IS NOT NULL;

-- The table limits counts these now.
DROP TABLE confirmations;
DROP TABLE strangers;

-- 1: `signup` named it beside the sender's own address; it is asked once another is confirmed.
ALTER TABLE addresses ADD COLUMN kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1));

-- 1: named in `signup` beside the sender's own; its reader is welcomed when they confirm it.
ALTER TABLE addresses ADD COLUMN named_at_signup INTEGER NOT NULL DEFAULT 0 CHECK (named_at_signup IN (0, 1));
