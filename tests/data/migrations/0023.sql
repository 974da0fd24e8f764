-- The fixture of version 22, with each first line as the second.

INSERT INTO contest_events (contest, number, kind, at, player, text) VALUES (1, 2, 'joined', 1795220110, 1, '');
INSERT INTO contest_events (contest, number, kind, at, player, text) VALUES (1, 2, 'entered', 1795220110, 1, '{}');
