-- How the boards in a player's mails are drawn: with rims, a line a row, or as sentences.
ALTER TABLE players ADD COLUMN drawing TEXT NOT NULL DEFAULT 'full' CHECK (drawing IN ('full', 'compact', 'words'));
