-- The fixture of version 21, with each first line as the second.

INSERT INTO clocks (board, turn, remind_at, reminded, vacations, stop, moved, nudged_at) VALUES (1, 5, NULL, 5, '1:2026-12-01..2026-12-07 ', 1, 0, 1795820110);
INSERT INTO clocks (board, turn, remind_at, reminded, vacations, stop, moved, nudged_at, zone) VALUES (1, 5, NULL, 5, '1:2026-12-01..2026-12-07 ', 1, 0, 1795820110, 'Europe/Paris');
