-- Proposals, the swap of seats, queues of conditional moves, drafts and seeks.

-- These follow from the board's events, as all of boards does.
ALTER TABLE boards ADD COLUMN proposal TEXT CHECK (proposal IN ('draw', 'undo'));
ALTER TABLE boards ADD COLUMN proposed_by INTEGER CHECK (proposed_by IN (0, 1));
ALTER TABLE boards ADD COLUMN may_swap INTEGER NOT NULL DEFAULT 0 CHECK (may_swap IN (0, 1));
ALTER TABLE boards ADD COLUMN swapped INTEGER NOT NULL DEFAULT 0 CHECK (swapped IN (0, 1));

-- What a player has decided beforehand: a tree of answers, in JSON. Nobody else sees it.
CREATE TABLE queues (
    board  INTEGER NOT NULL REFERENCES boards (id),
    player INTEGER NOT NULL REFERENCES players (id),
    plan   TEXT    NOT NULL,
    PRIMARY KEY (board, player)
) STRICT, WITHOUT ROWID;

-- A move that was shown and waits to be confirmed.
CREATE TABLE drafts (
    board  INTEGER NOT NULL REFERENCES boards (id),
    player INTEGER NOT NULL REFERENCES players (id),
    events INTEGER NOT NULL,                    -- the board's events when it was shown
    plies  TEXT    NOT NULL,
    PRIMARY KEY (board, player)
) STRICT, WITHOUT ROWID;

-- Open challenges.
CREATE TABLE seeks (
    id         INTEGER PRIMARY KEY,
    game       TEXT    NOT NULL,
    player     INTEGER NOT NULL REFERENCES players (id),
    options    TEXT    NOT NULL,                -- in JSON
    rating_min INTEGER,
    rating_max INTEGER,
    state      TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'taken', 'ended')),
    board      INTEGER REFERENCES boards (id),
    made_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX seeks_open ON seeks (game, id) WHERE state = 'open';
