-- Hints.

-- How many hints the player of a seat got on the board.
ALTER TABLE seats ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
