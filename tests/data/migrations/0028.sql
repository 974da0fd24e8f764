-- The fixture of version 27, with each first line as the second.

INSERT INTO settings VALUES (1, 'board', 'words'); INSERT INTO renamed (board, events) VALUES (1, 6); INSERT INTO notes VALUES (1, 1, 2, 1, 'The left side is weak.', 0);
INSERT INTO settings VALUES (1, 'board', 'words'); INSERT INTO renamed (board, events) VALUES (1, 6); INSERT INTO notes VALUES (1, 1, 2, 1, 'The left side is weak.', 0); INSERT INTO player_notes (player, about, words) VALUES (1, 2, 'Plays the Dutch.');
