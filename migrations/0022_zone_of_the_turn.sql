-- The zone of the player to move when the turn began: its calendar counts the days of the turn, even if the player changes
-- theirs. Until now the last deadline event of a turn kept it.
ALTER TABLE clocks ADD COLUMN zone TEXT NOT NULL DEFAULT '';
UPDATE clocks SET zone = coalesce(
    (SELECT iif(json_valid(e.text), e.text ->> 'zone', NULL) FROM events e
     WHERE e.board = clocks.board AND e.kind = 'deadline' AND e.number > clocks.turn ORDER BY e.number DESC LIMIT 1),
    (SELECT p.zone FROM boards b JOIN seats s ON s.board = b.id AND s.seat = b.to_move JOIN players p ON p.id = s.player
     WHERE b.id = clocks.board),
    '');

-- A deadline event counts a vacation to its end. Now the vacation itself does, which a player can still call off: the event
-- keeps only what was over when the timer last ran.
UPDATE events SET text = json_set(text, '$.stopped', json((
    SELECT json_group_array(json_array(s.value ->> 0, min(s.value ->> 1, last))) FROM json_each(events.text, '$.stopped') s
    WHERE s.value ->> 0 < last)))
FROM (SELECT coalesce((SELECT last_at FROM ticks), 0) AS last)
WHERE kind = 'deadline' AND board IN (SELECT id FROM boards WHERE state = 'running')
    AND iif(json_valid(text), text ->> '$.stopped[#-1][1]' > last, 0);
