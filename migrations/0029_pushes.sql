-- Pushes to browsers.

-- The key of pushes is longer than the others.
CREATE TABLE longer_keys (
    name TEXT PRIMARY KEY,
    key  BLOB NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO longer_keys SELECT name, key FROM server_keys;
DROP TABLE server_keys;
ALTER TABLE longer_keys RENAME TO server_keys;

-- Where a browser takes pushes, and its keys: `ENDPOINT KEY SECRET`. NULL where it wants none.
ALTER TABLE sessions ADD COLUMN push TEXT;
ALTER TABLE sessions ADD COLUMN push_at INTEGER;

-- The boards of which a browser is to hear. A row goes when the push service has the push.
CREATE TABLE pushes (
    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    board   INTEGER NOT NULL REFERENCES boards (id),
    due_at  INTEGER NOT NULL,
    tries   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session, board)
) STRICT, WITHOUT ROWID;
CREATE INDEX pushes_due ON pushes (due_at);
