-- Invitations that nobody has answered: mails to addresses, and links to hand on.
CREATE TABLE invitations (
    -- Never used again: a mail or a link still names one that has ended.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Who invites, and to what.
    player INTEGER NOT NULL REFERENCES players (id),
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    -- SHA-256 of the code in the mail or the link.
    code BLOB NOT NULL UNIQUE,
    -- Where it was mailed to; NULL for a link.
    address TEXT,
    -- The userid that the holder of a link has chosen, and the number of that link, with which this ends.
    userid TEXT,
    link INTEGER,
    made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_of_players ON invitations (player);

-- Mailboxes that had an invitation within a month, or want none at all.
CREATE TABLE invited (
    -- SHA-256 of the mailbox.
    mailbox TEXT PRIMARY KEY,
    invited_at INTEGER NOT NULL,
    refused INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
