-- Finding people and the first game.

-- The weekly mail of open seeks and finished games, for players with `announce on`.
ALTER TABLE players ADD COLUMN announced_at INTEGER;         -- up to when they have been told; NULL: off
CREATE INDEX players_announced ON players (announced_at) WHERE announced_at IS NOT NULL;

-- The last seek that a player's digest told of.
ALTER TABLE players ADD COLUMN seeks_told INTEGER NOT NULL DEFAULT 0;
