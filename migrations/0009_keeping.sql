-- What a host keeps over the years, and what he asks of it.

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
