-- Accounts that a program of their owner plays.

-- 1 for an account whose program plays. It never becomes 0 again, because ratings count on it.
ALTER TABLE players ADD COLUMN bot INTEGER NOT NULL DEFAULT 0;
CREATE INDEX bots ON players (id) WHERE bot = 1;

-- NULL for a browser, `play` for the token of a bot, which does not end by itself.
ALTER TABLE sessions ADD COLUMN scope TEXT;
