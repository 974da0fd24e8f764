-- The zone of the player to move when the turn began: its calendar counts the days of the turn, even if the player changes
-- theirs. Until now the last deadline event of a turn kept it.
ALTER TABLE clocks ADD COLUMN zone TEXT NOT NULL DEFAULT '';
UPDATE clocks SET zone = coalesce(
    (SELECT json_extract(e.text, '$.zone') FROM events e
     WHERE e.board = clocks.board AND e.kind = 'deadline' AND e.number > clocks.turn ORDER BY e.number DESC LIMIT 1),
    (SELECT p.zone FROM boards b JOIN seats s ON s.board = b.id AND s.seat = b.to_move JOIN players p ON p.id = s.player
     WHERE b.id = clocks.board),
    '');
