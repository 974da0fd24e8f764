-- What a letter may cause.

-- Mails that a full mailbox, a filter or a block refused count a third, and stop nothing within a week.
ALTER TABLE bounces ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bounces ADD COLUMN refused_since INTEGER;       -- when the first of these came back
ALTER TABLE bounces ADD COLUMN unwanted INTEGER NOT NULL DEFAULT 0 CHECK (unwanted IN (0, 1)); -- a complaint stopped it
UPDATE bounces SET unwanted = 1 WHERE stopped_at IS NOT NULL AND count < 3;

-- Addresses asked about a report that proves nothing.
CREATE TABLE asked_addresses (
    address_key TEXT    PRIMARY KEY,
    asked_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
