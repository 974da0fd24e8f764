-- The fixture of version 23, with each first line as the second.

UPDATE players SET drawing = 'words' WHERE id = 1;
INSERT INTO settings VALUES (1, 'board', 'words');
