-- What a host keeps over the years, and what he asks of it.

-- Questions of the host: what became of a letter and of a mail, who is stuck, what is due, what bounced.
ALTER TABLE letters ADD COLUMN message_id TEXT;             -- its writer's, with angle brackets
ALTER TABLE letters ADD COLUMN proof TEXT;                  -- what shows who wrote it; NULL: nobody asked
ALTER TABLE letters ADD COLUMN outcomes TEXT NOT NULL DEFAULT '';  -- a line a command; empty: each was carried out
ALTER TABLE letters ADD COLUMN aside TEXT;                  -- why it was not read, or not answered

CREATE INDEX letters_by_message_id ON letters (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX letters_by_player ON letters (player, id) WHERE player IS NOT NULL;
CREATE INDEX letters_aside ON letters (id) WHERE aside IS NOT NULL;

ALTER TABLE outbox ADD COLUMN came_back_with TEXT;          -- status and words of the server that would not have it

CREATE INDEX outbox_by_letter ON outbox (letter);
CREATE INDEX outbox_by_board ON outbox (board, id) WHERE board IS NOT NULL;
CREATE INDEX outbox_bounced ON outbox (bounced_at, player) WHERE bounced_at IS NOT NULL;
-- Mails to addresses that are nobody's yet, such as the question whether it is theirs.
CREATE INDEX outbox_to_addresses ON outbox (lower(recipient)) WHERE player IS NULL;
CREATE INDEX mails_aside_by_letter ON mails_aside (letter);

-- Who waits and what is due is sorted out of this index alone. Indexes in those orders would cost each move three times
-- as much.
DROP INDEX boards_running;
CREATE INDEX boards_running ON boards (id, changed_at, deadline_at) WHERE state = 'running';
