-- The server of this database, by its configuration: with another one, or none, no mail is read or sent.
CREATE TABLE identity (
    only      INTEGER PRIMARY KEY CHECK (only = 1),
    id        TEXT NOT NULL,                        -- also in `turnpost.id`, in the same folder
    address   TEXT NOT NULL,                        -- empty: the first configuration says it
    transport TEXT NOT NULL,
    settings  TEXT NOT NULL                         -- the file they were last read from; empty: none
) STRICT;
INSERT INTO identity VALUES (1, lower(hex(randomblob(16))), '', '', '');

-- The board whose link signed the browser in, which is all that it plays; NULL for one that a mail for that signed in.
ALTER TABLE sessions ADD COLUMN board INTEGER REFERENCES boards (id) ON DELETE CASCADE;
-- Nothing says which of the earlier ones came by the link of a board.
DELETE FROM sessions;

-- The Message-ID before it in its thread, or '' for none, if a newer mail about the board may take its place.
ALTER TABLE outbox ADD COLUMN follows TEXT;
CREATE INDEX outbox_replaceable ON outbox (player, board) WHERE state = 'waiting' AND follows IS NOT NULL;

-- Senders whom the host has banned.
CREATE TABLE bans (
    banned TEXT    PRIMARY KEY,                     -- the hash of a mailbox, or `@` and a domain
    sender TEXT    NOT NULL,                        -- the address or domain as the host wrote it; empty once its owner is erased
    reason TEXT    NOT NULL,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Userids that a player had before.
CREATE TABLE former_names (
    player INTEGER NOT NULL REFERENCES players (id),
    name   TEXT    NOT NULL
) STRICT;
INSERT INTO former_names SELECT a.other, p.userid FROM acts a JOIN players p ON p.id = a.player WHERE a.act = 'merge';

-- The number of the last contest that was made: an event that only its maker joined is forgotten.
CREATE TABLE contest_numbers (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO contest_numbers SELECT 1, coalesce(max(id), 0) FROM contests;
