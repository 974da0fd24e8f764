-- Finding people and the first game.

-- The weekly mail of open seeks and finished games, for players with `announce on`.
ALTER TABLE players ADD COLUMN announced_at INTEGER;         -- up to when they have been told; NULL: off
CREATE INDEX players_announced ON players (announced_at) WHERE announced_at IS NOT NULL;

-- The last seek that a player's digest told of.
ALTER TABLE players ADD COLUMN seeks_told INTEGER NOT NULL DEFAULT 0;

-- Mails with words between people, for thirty days: who answers one by a reply writes to whoever wrote it. A chat has its
-- board, with the last event that its reader could know.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    reader INTEGER NOT NULL REFERENCES players (id),
    writer INTEGER NOT NULL REFERENCES players (id),
    board INTEGER REFERENCES boards (id),
    event INTEGER,
    sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_reader ON messages (reader);
CREATE INDEX messages_sent_at ON messages (sent_at);
