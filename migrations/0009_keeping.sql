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

-- Boards that the timer looks at.

-- When it looks at a board next: 0 at its next run, NULL not before something happens on the board.
ALTER TABLE boards ADD COLUMN clock_at INTEGER DEFAULT 0;
CREATE INDEX boards_by_clock ON boards (clock_at) WHERE state = 'running';

-- Of boards that are over it needs nothing, and of the others it finds those that count a vacation.
DELETE FROM clocks WHERE board IN (SELECT id FROM boards WHERE state <> 'running');
ALTER TABLE clocks DROP COLUMN event;
CREATE INDEX clocks_with_vacations ON clocks (board) WHERE vacations <> '';
CREATE INDEX vacations_by_end ON vacations (ends_at, player);
