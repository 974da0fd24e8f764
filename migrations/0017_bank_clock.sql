-- A bank of time that each move refills, and days on which it stands still.

-- The bank of a board and what each move of a player gives back, in hours; NULL: there is none.
ALTER TABLE boards ADD COLUMN bank_hours INTEGER;
ALTER TABLE boards ADD COLUMN refill_hours INTEGER;

-- A day of vacation that was spent because a bank was empty.
ALTER TABLE vacations ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0 CHECK (automatic IN (0, 1));

-- When the weekends of a player were free: no bank of theirs runs on a Saturday or a Sunday of the zone that begins in that
-- time.
CREATE TABLE free_weekends (
    id       INTEGER PRIMARY KEY,
    player   INTEGER NOT NULL REFERENCES players (id),
    zone     TEXT    NOT NULL,
    from_at  INTEGER NOT NULL,
    until_at INTEGER                            -- NULL: they are
) STRICT;

CREATE INDEX free_weekends_by_player ON free_weekends (player, from_at);
CREATE UNIQUE INDEX free_weekends_now ON free_weekends (player) WHERE until_at IS NULL;
