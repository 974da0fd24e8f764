-- Hints.

-- How many hints the player of a seat got on the board.
ALTER TABLE seats ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
-- The position of the last of them, in which the same hint is not counted again.
ALTER TABLE seats ADD COLUMN hinted TEXT;
