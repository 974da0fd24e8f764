-- The fixture of version 33, with each first line as the second.

INSERT INTO acts (at, os_user, act, board, player, other, detail, reason) VALUES (1795230110, 'root', 'reseat', 1, 2, 1, 'seat 2', 'Ann has no time.'); INSERT INTO acts (at, os_user, act, contest, player, other, detail, reason) VALUES (1795230110, '', 'withdraw', 1, 2, 1, 'Spring-Cup, by its organiser', 'Bob has no time.');
INSERT INTO acts (at, os_user, act, board, player, other, detail, reason) VALUES (1795230110, 'root', 'reseat', 1, 2, 1, 'seat 2', 'Ann has no time.'); INSERT INTO acts (at, os_user, act, contest, player, other, detail, reason) VALUES (1795230110, '', 'withdraw', 1, 2, 1, 'Spring-Cup, by its organiser', 'Bob has no time.'); INSERT INTO watched (board, watchers) VALUES (1, 3);
