-- The columns of Go are A to T without I, and its plies are written in capitals. Before, they were a to s.

-- The record of a board in the letters of today. The events stay as they are: the codes of sent mails cover them.
CREATE VIEW record AS SELECT board, number, kind, at, seat, player, ply,
    iif(kind = 'ply' AND text GLOB '[a-s][1-9]*' AND (SELECT game FROM boards WHERE id = events.board) = 'go',
        upper(iif(text < 'i', text, char(unicode(text) + 1) || substr(text, 2))), text) AS text,
    deadline_at FROM events;

-- Boards whose letters changed, and the number of their events then. Until the next ply on such a board, its players
-- can name points as their last mail did.
CREATE TABLE renamed (
    board  INTEGER PRIMARY KEY REFERENCES boards (id),
    events INTEGER NOT NULL
) STRICT;

INSERT INTO renamed SELECT id, events FROM boards WHERE game = 'go';

-- A drafted move in the letters of today, if `plies` has others. The codes of sent questions cover `plies`.
ALTER TABLE drafts ADD COLUMN renamed TEXT;

UPDATE drafts SET renamed = upper(iif(lower(plies) < 'i', plies, char(unicode(plies) + 1) || substr(plies, 2)))
WHERE lower(plies) GLOB '[a-s][1-9]*' AND board IN (SELECT board FROM renamed);

-- Each step rewrites one letter with one first digit.
UPDATE queues SET plan = (
    WITH RECURSIVE step (n, text) AS (
        SELECT 0, lower(plan) UNION ALL
        SELECT n + 1, replace(text, '"' || char(97 + n / 9) || (1 + n % 9),
            '"' || char(65 + n / 9 + (n >= 72)) || (1 + n % 9)) FROM step WHERE n < 171)
    SELECT text FROM step WHERE n = 171)
WHERE board IN (SELECT board FROM renamed);

UPDATE analyses SET made = (
    WITH RECURSIVE step (n, text) AS (
        SELECT 0, made UNION ALL
        SELECT n + 1, replace(text, '"' || char(97 + n / 9) || (1 + n % 9),
            '"' || char(65 + n / 9 + (n >= 72)) || (1 + n % 9)) FROM step WHERE n < 171)
    SELECT text FROM step WHERE n = 171)
WHERE made IS NOT NULL AND board IN (SELECT board FROM renamed);
