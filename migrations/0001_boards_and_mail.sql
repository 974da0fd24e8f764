-- Players, boards with their events, letters and the outbox.
-- Instants are whole seconds since 1970 UTC. A migration is never changed once it has been released.

CREATE TABLE players (
    id            INTEGER PRIMARY KEY,
    userid        TEXT    NOT NULL,             -- as the player wrote it
    userid_key    TEXT    NOT NULL UNIQUE,      -- lower case, for looking up
    password_hash TEXT,                         -- argon2id, PHC string; NULL: no password lets in
    secret        BLOB    NOT NULL CHECK (length(secret) = 32),  -- keys the player's reply tokens
    state         TEXT    NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'signed-off', 'deleted')),
    zone          TEXT    NOT NULL DEFAULT 'UTC',                -- IANA time zone
    created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE addresses (
    player       INTEGER NOT NULL REFERENCES players (id),
    address      TEXT    NOT NULL,              -- as it was given
    address_key  TEXT    NOT NULL,              -- lower case, for comparing
    added_at     INTEGER NOT NULL,
    confirmed_at INTEGER,                       -- NULL: no mail but the confirmation goes there
    PRIMARY KEY (player, address_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX addresses_by_key ON addresses (address_key);

-- Everything in a row of boards and seats follows from the board's events; `admin verify` compares them.
CREATE TABLE boards (
    id           INTEGER PRIMARY KEY,
    game         TEXT    NOT NULL,
    rated        INTEGER NOT NULL CHECK (rated IN (0, 1)),
    state        TEXT    NOT NULL CHECK (state IN ('running', 'finished', 'declined')),
    position     TEXT    NOT NULL,              -- the game's position text
    plies        INTEGER NOT NULL,
    events       INTEGER NOT NULL,              -- the number of the last event
    to_move      INTEGER CHECK (to_move IN (0, 1)),
    ending       TEXT    CHECK (ending IN ('normal', 'resigned', 'timed-out', 'agreed', 'abandoned')),
    winner       INTEGER CHECK (winner IN (0, 1)),
    score_first  INTEGER,
    score_second INTEGER,
    how          TEXT,                          -- what decided it, in games that can end in several ways
    nag_days     INTEGER NOT NULL,              -- 0: never
    forfeit_days INTEGER NOT NULL,
    total_days   INTEGER NOT NULL,
    started_at   INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL,              -- the last event
    deadline_at  INTEGER                        -- when the seat to move forfeits; NULL: never
) STRICT;

CREATE INDEX boards_by_game ON boards (game, state, id);

CREATE TABLE seats (
    board  INTEGER NOT NULL REFERENCES boards (id),
    seat   INTEGER NOT NULL CHECK (seat IN (0, 1)),
    player INTEGER NOT NULL REFERENCES players (id),
    PRIMARY KEY (board, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_player ON seats (player, board);

-- The record of a board.
CREATE TABLE events (
    board  INTEGER NOT NULL REFERENCES boards (id),
    number INTEGER NOT NULL,                    -- from 1 (the start), without gaps
    kind   TEXT    NOT NULL,                    -- start, ply, resignation, ...
    at     INTEGER NOT NULL,
    seat   INTEGER CHECK (seat IN (0, 1)),      -- whose event it is
    player INTEGER REFERENCES players (id),     -- who did it; NULL: the server
    ply    INTEGER,                             -- of a ply: its number
    text   TEXT    NOT NULL,                    -- of a ply: its notation; of a start: its terms, in JSON
    deadline_at INTEGER,                        -- the deadline it set; NULL: none
    PRIMARY KEY (board, number)
) STRICT, WITHOUT ROWID;

-- One mail program thread for each player and board.
CREATE TABLE threads (
    board  INTEGER NOT NULL REFERENCES boards (id),
    player INTEGER NOT NULL REFERENCES players (id),
    root   TEXT    NOT NULL,                    -- Message-ID of our first mail
    last   TEXT    NOT NULL,                    -- Message-ID of our latest
    PRIMARY KEY (board, player)
) STRICT, WITHOUT ROWID;

CREATE TABLE letters (
    id          INTEGER PRIMARY KEY,
    identity    BLOB    NOT NULL UNIQUE CHECK (length(identity) = 32),
    received_at INTEGER NOT NULL,
    door        TEXT    NOT NULL,               -- mail or submit
    sender      TEXT,                           -- claimed, not proven
    player      INTEGER REFERENCES players (id),-- for whom it acted
    done        INTEGER NOT NULL DEFAULT 0,     -- how many commands
    refused     INTEGER NOT NULL DEFAULT 0,
    unreadable  INTEGER NOT NULL DEFAULT 0,
    commands    TEXT    NOT NULL DEFAULT ''     -- a line a command, passwords masked
) STRICT;


CREATE TABLE outbox (
    id            INTEGER PRIMARY KEY,
    letter        INTEGER NOT NULL REFERENCES letters (id),
    board         INTEGER REFERENCES boards (id),
    player        INTEGER REFERENCES players (id),
    recipient     TEXT    NOT NULL,
    message_id    TEXT    NOT NULL,
    mail          BLOB    NOT NULL,             -- the final bytes
    created_at    INTEGER NOT NULL,
    state         TEXT    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
    attempts      INTEGER NOT NULL DEFAULT 0,
    due_at        INTEGER NOT NULL,
    lease_until   INTEGER,
    last_error    TEXT,
    finished_at   INTEGER
) STRICT;

CREATE INDEX outbox_due ON outbox (due_at, id) WHERE state = 'waiting';

-- When a stranger last got the short help: at most once a day.
CREATE TABLE strangers (
    address_key TEXT    PRIMARY KEY,
    answered_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
