-- The zone of the player to move when the turn began: its calendar counts the days of the turn, even if the player changes
-- theirs. Until now the last deadline event of a turn kept it.
ALTER TABLE clocks ADD COLUMN zone TEXT NOT NULL DEFAULT '';
UPDATE clocks SET zone = coalesce(
    (SELECT iif(json_valid(e.text), e.text ->> 'zone', NULL) FROM events e
     WHERE e.board = clocks.board AND e.kind = 'deadline' AND e.number > clocks.turn ORDER BY e.number DESC LIMIT 1),
    (SELECT p.zone FROM boards b JOIN seats s ON s.board = b.id AND s.seat = b.to_move JOIN players p ON p.id = s.player
     WHERE b.id = clocks.board),
    '');

-- About when this version began. Deadline events until then count a vacation to its end; now the vacation
-- itself does, which a player can still call off. The events stay as they are: the codes of sent mails cover them.
CREATE TABLE foreseen (until INTEGER NOT NULL) STRICT;
INSERT INTO foreseen SELECT max(last_at, coalesce((SELECT max(at) FROM events WHERE kind = 'deadline'), 0)) FROM ticks;
