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

-- What the host does. A game may end as he decided: the column is made anew, for a CHECK cannot be changed.
ALTER TABLE boards ADD COLUMN ended TEXT
    CHECK (ended IN ('normal', 'resigned', 'timed-out', 'agreed', 'abandoned', 'ruled'));
UPDATE boards SET ended = ending WHERE ending IS NOT NULL;
ALTER TABLE boards DROP COLUMN ending;
ALTER TABLE boards RENAME COLUMN ended TO ending;

-- A suspended player's letters are answered with the reason; NULL: not suspended.
ALTER TABLE players ADD COLUMN suspended TEXT;

-- Who did what. Players are numbers here, and what is told of a person is the reason alone.
CREATE TABLE acts (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    os_user TEXT    NOT NULL,                   -- of the operating system
    act     TEXT    NOT NULL,
    board   INTEGER,
    mail    INTEGER,
    player  INTEGER,
    other   INTEGER,                            -- the second player of an act that has two
    detail  TEXT    NOT NULL,                   -- what the command said beside these, without names and addresses
    reason  TEXT    NOT NULL
) STRICT;

CREATE TRIGGER acts_are_not_deleted BEFORE DELETE ON acts
BEGIN
    SELECT RAISE(ABORT, 'acts are kept');
END;

-- Only the reason goes, with a person it may be about.
CREATE TRIGGER acts_are_not_changed BEFORE UPDATE ON acts
WHEN NOT (new.reason = '' AND new.number IS old.number AND new.at IS old.at AND new.os_user IS old.os_user
    AND new.act IS old.act AND new.board IS old.board AND new.mail IS old.mail AND new.player IS old.player
    AND new.other IS old.other AND new.detail IS old.detail
    AND EXISTS (SELECT 1 FROM players p WHERE p.state = 'deleted' AND (p.id IN (old.player, old.other)
        OR EXISTS (SELECT 1 FROM seats s WHERE s.board = old.board AND s.player = p.id))))
BEGIN
    SELECT RAISE(ABORT, 'acts are not changed');
END;

-- The ratings of both players before each game that counts, so that what is rated again begins at the game that changed.
CREATE TABLE rating_steps (
    finish     INTEGER NOT NULL,                -- the number of the game in `finishes`
    player     INTEGER NOT NULL REFERENCES players (id),
    game       TEXT    NOT NULL,
    rating     INTEGER NOT NULL,
    deviation  INTEGER NOT NULL,
    volatility INTEGER NOT NULL,
    won        INTEGER NOT NULL,
    lost       INTEGER NOT NULL,
    tied       INTEGER NOT NULL,
    PRIMARY KEY (finish, player)
) STRICT, WITHOUT ROWID;

-- Games up to this one were rated before there were steps.
ALTER TABLE rated_through ADD COLUMN steps_after INTEGER NOT NULL DEFAULT 0;
UPDATE rated_through SET steps_after = number;

-- The last mails to people who left: once they are sent, the timer empties the write-ahead log.
CREATE INDEX outbox_farewells ON outbox (finished_at) WHERE secret = 2;

-- Boards that the timer looks at.

-- When it looks at a board next: 0 at its next run, NULL not before something happens on the board.
ALTER TABLE boards ADD COLUMN clock_at INTEGER DEFAULT 0;
CREATE INDEX boards_by_clock ON boards (clock_at) WHERE state = 'running';

-- Of boards that are over it needs nothing, and of the others it finds those that count a vacation.
DELETE FROM clocks WHERE board IN (SELECT id FROM boards WHERE state <> 'running');
ALTER TABLE clocks DROP COLUMN event;
CREATE INDEX clocks_with_vacations ON clocks (board) WHERE vacations <> '';
CREATE INDEX vacations_by_end ON vacations (ends_at, player);

-- The event after which the board stands in a mail's picture, which is drawn when the mail is sent; NULL: it has none.
ALTER TABLE outbox ADD COLUMN pictured INTEGER;

-- What was said about a board, for the conversation on its players' pages; NULL: words that are about none.
ALTER TABLE messages ADD COLUMN words TEXT;
CREATE INDEX messages_about_boards ON messages (board, id) WHERE words IS NOT NULL;

-- A page shows how a player's rating went.
CREATE INDEX rating_steps_by_player ON rating_steps (player, game, finish);

-- Until when mails to a player wait that can; NULL: they leave.
ALTER TABLE players ADD COLUMN paused_until INTEGER;
