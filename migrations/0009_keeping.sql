-- What a host keeps over the years, and what he asks of it.

-- Mails of `doctor` to the server's own address, until they come back.
CREATE TABLE round_trips (
    code TEXT PRIMARY KEY NOT NULL,
    sent_at INTEGER NOT NULL,
    came_at INTEGER
) STRICT, WITHOUT ROWID;
