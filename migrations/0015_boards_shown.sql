-- How the boards in a player's mails are drawn: with rims, a line a row, or as sentences.
ALTER TABLE players ADD COLUMN drawing TEXT NOT NULL DEFAULT 'full' CHECK (drawing IN ('full', 'compact', 'words'));
-- Whether a page plays a turn by a button of its own, or as soon as it is chosen.
ALTER TABLE players ADD COLUMN confirm INTEGER NOT NULL DEFAULT 1;
