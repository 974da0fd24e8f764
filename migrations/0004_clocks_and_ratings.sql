-- Clocks, the order of finished games, and ratings.

-- What the timer knows of a board in play: read anew whenever the board has other events than these.
CREATE TABLE clocks (
    board     INTEGER PRIMARY KEY REFERENCES boards (id),
    event     INTEGER NOT NULL DEFAULT 0,       -- the board's last event when it was read
    turn      INTEGER NOT NULL DEFAULT 0,       -- the event that began the turn
    remind_at INTEGER,                          -- when the player to move is reminded; NULL: not again this turn
    reminded  INTEGER NOT NULL DEFAULT 0,       -- the turn that was last reminded of
    vacations TEXT    NOT NULL DEFAULT '',      -- the vacations of both players when it was read
    stop      INTEGER NOT NULL DEFAULT 0,       -- the last stop of the server that was counted
    moved     INTEGER NOT NULL DEFAULT 0,       -- the last stop that moved its deadline
    nudged_at INTEGER                           -- when a player last nudged the other
) STRICT;

-- The clocks look at the boards in play alone, however many are over.
CREATE INDEX boards_running ON boards (id) WHERE state = 'running';

-- When the timer last ran.
CREATE TABLE ticks (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    last_at INTEGER NOT NULL
) STRICT;

-- When no timer ran.
CREATE TABLE stops (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    from_at INTEGER NOT NULL,
    to_at   INTEGER NOT NULL,
    told    INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1))  -- whether the players know
) STRICT;

-- Games in the order in which they were finished, which is the order they are rated in.
CREATE TABLE finishes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    board  INTEGER NOT NULL UNIQUE REFERENCES boards (id)
) STRICT;

CREATE TRIGGER board_finished AFTER UPDATE OF state ON boards
WHEN new.state = 'finished' AND old.state <> 'finished'
BEGIN
    INSERT INTO finishes (board) VALUES (new.id);
END;

INSERT INTO finishes (board) SELECT id FROM boards WHERE state = 'finished' ORDER BY changed_at, id;

-- What follows from the games up to `rated_through`; `admin verify` compares.
CREATE TABLE ratings (
    game       TEXT    NOT NULL,
    player     INTEGER NOT NULL REFERENCES players (id),
    rating     INTEGER NOT NULL,                -- in hundredths
    deviation  INTEGER NOT NULL,                -- in hundredths
    volatility INTEGER NOT NULL,                -- in thousand millionths
    won        INTEGER NOT NULL,
    lost       INTEGER NOT NULL,
    tied       INTEGER NOT NULL,
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_by_rating ON ratings (game, rating DESC, player);

CREATE TABLE rated_through (
    only   INTEGER PRIMARY KEY CHECK (only = 1),
    number INTEGER NOT NULL                     -- the last of `finishes` that the ratings count
) STRICT;
