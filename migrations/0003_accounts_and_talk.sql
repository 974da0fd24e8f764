-- What players decide for themselves, vacations, watchers, and codes that prove an address.

ALTER TABLE players ADD COLUMN role TEXT NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'organiser'));
ALTER TABLE players ADD COLUMN html INTEGER NOT NULL DEFAULT 1 CHECK (html IN (0, 1));
ALTER TABLE players ADD COLUMN picture INTEGER NOT NULL DEFAULT 1 CHECK (picture IN (0, 1));
ALTER TABLE players ADD COLUMN broadcast INTEGER NOT NULL DEFAULT 1 CHECK (broadcast IN (0, 1)); -- 0: opted out
ALTER TABLE players ADD COLUMN digest INTEGER NOT NULL DEFAULT 0 CHECK (digest IN (0, 1));
ALTER TABLE players ADD COLUMN openness INTEGER NOT NULL DEFAULT 0 CHECK (openness IN (0, 1));
ALTER TABLE players ADD COLUMN broadcast_at INTEGER;         -- when they last wrote to everybody

-- Players with `digest on` who got a "your move" mail and have not written since.
CREATE TABLE told (
    player INTEGER PRIMARY KEY REFERENCES players (id)
) STRICT;

-- Their next ones, which wait until they write.
CREATE TABLE held (
    player  INTEGER NOT NULL REFERENCES players (id),
    board   INTEGER NOT NULL REFERENCES boards (id),
    held_at INTEGER NOT NULL,
    PRIMARY KEY (player, board)
) STRICT, WITHOUT ROWID;

CREATE TABLE game_settings (
    player     INTEGER NOT NULL REFERENCES players (id),
    game       TEXT    NOT NULL,
    at_most    INTEGER,                                      -- games at once; NULL: as many as come
    rejects    INTEGER NOT NULL DEFAULT 0 CHECK (rejects IN (0, 1)),
    tells_ends INTEGER NOT NULL DEFAULT 0 CHECK (tells_ends IN (0, 1)),
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

CREATE INDEX told_of_ends ON game_settings (game, player) WHERE tells_ends = 1;

-- No challenges, messages or seeks between the two.
CREATE TABLE blocks (
    player  INTEGER NOT NULL REFERENCES players (id),        -- who keeps away
    blocked INTEGER NOT NULL REFERENCES players (id),        -- whom
    PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

-- The days are those of the player's zone when the vacation was announced; a later change of zone does not move it.
CREATE TABLE vacations (
    id        INTEGER PRIMARY KEY,
    player    INTEGER NOT NULL REFERENCES players (id),
    first_day TEXT    NOT NULL,                              -- 2027-07-01
    last_day  TEXT    NOT NULL,                              -- the last of them
    starts_at INTEGER NOT NULL,
    ends_at   INTEGER NOT NULL,                              -- the first instant after it
    CHECK (ends_at >= starts_at)
) STRICT;

CREATE INDEX vacations_by_player ON vacations (player, ends_at);

-- Tokens of `forgot`. Only their SHA-256 is kept.
CREATE TABLE resets (
    player  INTEGER PRIMARY KEY REFERENCES players (id),
    token   BLOB CHECK (length(token) = 32),                 -- NULL: used
    sent_at INTEGER NOT NULL
) STRICT;

-- Addresses that asked to watch a board, and those that do.
CREATE TABLE watchers (
    board        INTEGER NOT NULL REFERENCES boards (id),
    address      TEXT    NOT NULL,
    address_key  TEXT    NOT NULL,                           -- lower case, for comparing
    code         BLOB CHECK (length(code) = 32),             -- SHA-256 of the code that was mailed; NULL: used
    asked_at     INTEGER NOT NULL,
    confirmed_at INTEGER,                                    -- NULL: no mail but the confirmation goes there
    told         INTEGER NOT NULL DEFAULT 0,                 -- the board's last event they were told of
    PRIMARY KEY (board, address_key)
) STRICT, WITHOUT ROWID;

-- When an address was last asked to confirm something: at most once a day.
CREATE TABLE confirmations (
    address_key TEXT    PRIMARY KEY,
    sent_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What goes once a mail has left. 1: its bytes, for they hold a token or a code; 2: the recipient too, whose account is
-- deleted.
ALTER TABLE outbox ADD COLUMN secret INTEGER NOT NULL DEFAULT 0 CHECK (secret IN (0, 1, 2));

CREATE INDEX outbox_by_player ON outbox (player, id);
