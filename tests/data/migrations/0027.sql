-- The fixture of version 26, with each first line as the second.

INSERT INTO settings VALUES (1, 'board', 'words'); INSERT INTO renamed (board, events) VALUES (1, 6);
INSERT INTO settings VALUES (1, 'board', 'words'); INSERT INTO renamed (board, events) VALUES (1, 6); INSERT INTO notes VALUES (1, 1, 2, 1, 'The left side is weak.', 0);
