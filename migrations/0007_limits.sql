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
CREATE INDEX limit_hits_by_age ON limit_hits (last_at) WHERE key <> '';
-- Old counts go with each new one.
CREATE INDEX limits_by_age ON limits (since);

-- The table limits counts these now.
DROP TABLE confirmations;
DROP TABLE strangers;

-- 1: `signup` named it beside the sender's own address; it is asked once another is confirmed.
ALTER TABLE addresses ADD COLUMN kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1));

-- Mails that a full mailbox, a filter or a block refused count a third, and stop nothing within a week.
ALTER TABLE bounces ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bounces ADD COLUMN refused_since INTEGER;       -- when the first of these came back
ALTER TABLE bounces ADD COLUMN unwanted INTEGER NOT NULL DEFAULT 0 CHECK (unwanted IN (0, 1)); -- a complaint stopped it
UPDATE bounces SET unwanted = 1 WHERE stopped_at IS NOT NULL AND count < 3;

-- Addresses asked about a report that proves nothing.
CREATE TABLE asked_addresses (
    address_key TEXT    PRIMARY KEY,
    asked_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails that can never be written, such as one to an address literal: who should have had them, and why not.
CREATE TABLE mails_aside (
    id         INTEGER PRIMARY KEY,
    letter     INTEGER NOT NULL REFERENCES letters (id),
    board      INTEGER REFERENCES boards (id),
    player     INTEGER REFERENCES players (id),
    recipient  TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- 1: the player gets the robot's view of a long game when it has ended.
ALTER TABLE players ADD COLUMN afterword INTEGER NOT NULL DEFAULT 1 CHECK (afterword IN (0, 1));

-- 1: named in `signup` beside the sender's own; its reader is welcomed when they confirm it.
ALTER TABLE addresses ADD COLUMN named_at_signup INTEGER NOT NULL DEFAULT 0 CHECK (named_at_signup IN (0, 1));

-- When the player to move is warned that the forfeit is near, and the turn of the last such warning.
ALTER TABLE clocks ADD COLUMN warn_at INTEGER;
ALTER TABLE clocks ADD COLUMN warned INTEGER NOT NULL DEFAULT 0;
UPDATE clocks SET event = 0;                                -- so that the timer reads every board anew

-- 1: the mail shows its board, so `resend` may send it again.
ALTER TABLE outbox ADD COLUMN shows_board INTEGER NOT NULL DEFAULT 0 CHECK (shows_board IN (0, 1));
UPDATE outbox SET shows_board = 1 WHERE board IS NOT NULL;

-- The last two pauses between runs of the timer, in seconds: how often it usually runs.
CREATE TABLE pauses (
    only   INTEGER PRIMARY KEY CHECK (only = 1),
    last   INTEGER NOT NULL,
    before INTEGER NOT NULL
) STRICT;
