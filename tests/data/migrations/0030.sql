-- The fixture of version 29, with each first line as the second.

INSERT INTO sessions (id, player, code, begun_at, used_at, browser, push, push_at) VALUES (1, 1, zeroblob(32), 1795220110, 1795230110, 'Firefox on Linux', 'https://fcm.googleapis.com/wp/1 key secret', 1795230110); INSERT INTO pushes (session, board, due_at) VALUES (1, 2, 1795230110);
INSERT INTO sessions (id, player, code, begun_at, used_at, browser, push, push_at) VALUES (1, 1, zeroblob(32), 1795220110, 1795230110, 'Firefox on Linux', 'https://fcm.googleapis.com/wp/1 key secret', 1795230110); INSERT INTO pushes (session, board, due_at) VALUES (1, 2, 1795230110); INSERT INTO ratings_before VALUES ('chess', 1, 162000);
