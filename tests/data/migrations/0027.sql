-- The fixture of version 26, with each first line as the second.

INSERT INTO settings VALUES (1, 'board', 'words');
INSERT INTO settings VALUES (1, 'board', 'words'); INSERT INTO player_notes (player, about, words) VALUES (1, 2, 'Plays the Dutch.');
