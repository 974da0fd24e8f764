-- What a host keeps over the years, and what he asks of it.

-- Mails that leave and are kept for a while.

-- The octets of a mail go when it is old; its row in outbox stays, and is small.
CREATE TABLE mail_bytes (
    mail  INTEGER PRIMARY KEY REFERENCES outbox (id),
    bytes BLOB    NOT NULL
) STRICT;

INSERT INTO mail_bytes (mail, bytes) SELECT id, mail FROM outbox WHERE length(mail) > 0 OR state = 'waiting';
ALTER TABLE outbox DROP COLUMN mail;

-- Its rows anew: where each had been next to its octets, a page would hold four of them for ever.
PRAGMA defer_foreign_keys = ON;
CREATE TEMP TABLE outbox_rows AS SELECT * FROM outbox ORDER BY id;
DELETE FROM outbox;
INSERT INTO outbox SELECT * FROM outbox_rows;
DROP TABLE outbox_rows;

-- Who sends mail: a row for each, whose number names the file it holds a lock on.
CREATE TABLE senders (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    since INTEGER NOT NULL
) STRICT;

-- Who has a waiting mail to itself; NULL: nobody. What an earlier version began to send is free when its time is over.
ALTER TABLE outbox ADD COLUMN sender INTEGER;
UPDATE outbox SET due_at = max(due_at, lease_until), lease_until = NULL
WHERE state = 'waiting' AND lease_until IS NOT NULL;

DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (sender, due_at, id) WHERE state = 'waiting';

-- Questions of the host: what became of a letter and of a mail, who is stuck, what is due, what bounced.
ALTER TABLE letters ADD COLUMN message_id TEXT;             -- its writer's, with angle brackets
ALTER TABLE letters ADD COLUMN proof TEXT;                  -- what shows who wrote it; NULL: nobody asked
ALTER TABLE letters ADD COLUMN outcomes TEXT NOT NULL DEFAULT '';  -- a line a command; empty: each was carried out
ALTER TABLE letters ADD COLUMN aside TEXT;                  -- why it was not read, or not answered

CREATE INDEX letters_by_message_id ON letters (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX letters_by_player ON letters (player, id) WHERE player IS NOT NULL;
CREATE INDEX letters_aside ON letters (id) WHERE aside IS NOT NULL;

ALTER TABLE outbox ADD COLUMN came_back_with TEXT;          -- status and words of the server that would not have it

CREATE INDEX outbox_by_letter ON outbox (letter);
CREATE INDEX outbox_by_board ON outbox (board, id) WHERE board IS NOT NULL;
CREATE INDEX outbox_bounced ON outbox (bounced_at, player) WHERE bounced_at IS NOT NULL;
-- Mails to addresses that are nobody's yet, such as the question whether it is theirs.
CREATE INDEX outbox_to_addresses ON outbox (lower(recipient)) WHERE player IS NULL;
CREATE INDEX mails_aside_by_letter ON mails_aside (letter);

-- Who waits and what is due is sorted out of this index alone. Indexes in those orders would cost each move three times
-- as much.
DROP INDEX boards_running;
CREATE INDEX boards_running ON boards (id, changed_at, deadline_at) WHERE state = 'running';

-- Mails of `doctor` to the server's own address, until they come back.
CREATE TABLE round_trips (
    code TEXT PRIMARY KEY NOT NULL,
    sent_at INTEGER NOT NULL,
    came_at INTEGER
) STRICT, WITHOUT ROWID;
