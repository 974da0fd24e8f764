-- Keys of the server, addresses to which mail comes back, and what is done only so often.

-- SQLite's randomblob() draws on the system's own randomness.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    key  BLOB NOT NULL CHECK (length(key) = 32)
) STRICT, WITHOUT ROWID;

INSERT INTO server_keys (name, key) VALUES ('bounce', randomblob(32));

-- Addresses to which mail came back for good.
CREATE TABLE bounces (
    address_key TEXT    PRIMARY KEY,
    address     TEXT    NOT NULL,
    count       INTEGER NOT NULL,               -- mails, each once
    last_at     INTEGER NOT NULL,
    stopped_at  INTEGER,                        -- no more is sent there; NULL: not yet
    reported    INTEGER NOT NULL DEFAULT 0 CHECK (reported IN (0, 1))  -- whether the operator knows
) STRICT, WITHOUT ROWID;

ALTER TABLE outbox ADD COLUMN bounced_at INTEGER;           -- when it came back for good, or was refused

-- An address that was stopped is no longer confirmed: confirming it again is what starts it.
ALTER TABLE addresses ADD COLUMN stopped_at INTEGER;
ALTER TABLE addresses ADD COLUMN stop_told INTEGER NOT NULL DEFAULT 0 CHECK (stop_told IN (0, 1)); -- whether its player knows
ALTER TABLE addresses ADD COLUMN leaves INTEGER NOT NULL DEFAULT 0 CHECK (leaves IN (0, 1)); -- 1: goes once another is confirmed

-- How often something was done in a while: wrong passwords, answers.
CREATE TABLE limits (
    what  TEXT    NOT NULL,
    key   TEXT    NOT NULL,                     -- a userid or an address, in lower case
    since INTEGER NOT NULL,                     -- when the while began
    count INTEGER NOT NULL,
    PRIMARY KEY (what, key)
) STRICT, WITHOUT ROWID;
