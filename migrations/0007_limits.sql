-- Mails that can never be written, such as one to an address literal: who should have had them, and why not.
CREATE TABLE mails_aside (
    id         INTEGER PRIMARY KEY,
    letter     INTEGER NOT NULL REFERENCES letters (id),
    board      INTEGER REFERENCES boards (id),
    player     INTEGER REFERENCES players (id),
    recipient  TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
