-- The fixture of version 25, with each first line as the second.

INSERT INTO settings VALUES (1, 'board', 'words');
INSERT INTO settings VALUES (1, 'board', 'words'); INSERT INTO renamed (board, events) VALUES (1, 6);
