-- The robot: its accounts, the turns it has to think about, and analyses of finished games.

-- Somebody who is called like one of its accounts (an earlier version let nobody sign up so, but a database may come
-- from elsewhere) is called p, their number (the next free one, if that name is taken), and their old userid from now
-- on. Boards name players by number.
UPDATE players SET (userid, userid_key) = (
    WITH RECURSIVE numbers (n) AS (SELECT players.id UNION ALL SELECT n + 1 FROM numbers)
    SELECT 'p' || n || '-' || players.userid, 'p' || n || '-' || players.userid_key FROM numbers
    WHERE NOT EXISTS (SELECT 1 FROM players other WHERE other.userid_key = 'p' || n || '-' || players.userid_key)
    LIMIT 1
)
WHERE userid_key IN ('robot', 'robot-1', 'robot-2', 'robot-3', 'robot-4', 'robot-5', 'robot-6', 'robot-7', 'robot-8',
    'robot-9');

-- One account a level, so that each has a rating that means something. The number of a robot is its level, negative:
-- whoever has read who sits at a board knows without another look that it is the robot. No password lets in.
WITH RECURSIVE levels (level) AS (SELECT 1 UNION ALL SELECT level + 1 FROM levels WHERE level < 9)
INSERT INTO players (id, userid, userid_key, password_hash, secret, created_at)
SELECT -level, 'robot-' || level, 'robot-' || level, NULL, randomblob(32), 0 FROM levels;

-- Boards where the robot is to move. A row is written and removed with the board's own.
CREATE TABLE robot_turns (
    board       INTEGER PRIMARY KEY REFERENCES boards (id),
    event       INTEGER NOT NULL,               -- the board's last event: a ply counts only while it is
    arose_at    INTEGER NOT NULL,
    tries       INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER                         -- somebody thinks about it until then
) STRICT;

-- Finished games that somebody wants to be analysed, or that are.
CREATE TABLE analyses (
    board       INTEGER PRIMARY KEY REFERENCES boards (id),
    asked_at    INTEGER NOT NULL,
    made        TEXT,                           -- in JSON; NULL: it waits
    tries       INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER                         -- somebody makes it until then
) STRICT;

CREATE INDEX analyses_waiting ON analyses (asked_at, board) WHERE made IS NULL;

-- Who is sent an analysis once it is made.
CREATE TABLE analysis_readers (
    board  INTEGER NOT NULL REFERENCES boards (id),
    player INTEGER NOT NULL REFERENCES players (id),
    ply    INTEGER NOT NULL,                    -- the ply asked about; 0: all
    PRIMARY KEY (board, player, ply)
) STRICT, WITHOUT ROWID;
