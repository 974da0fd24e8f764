-- The fixture of version 24, with each first line as the second.

INSERT INTO settings VALUES (1, 'board', 'words');
INSERT INTO settings VALUES (1, 'board', 'words'); INSERT INTO drafts (board, player, events, plies, words) VALUES (1, 1, 6, 'A3-B3', 'Good luck!');
