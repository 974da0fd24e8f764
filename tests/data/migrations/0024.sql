-- What a server of version 24 had stored: the same as one of version 23, with settings as rows.

INSERT INTO players (id, userid, userid_key, password_hash, secret, state, zone, created_at) VALUES (1, 'ann', 'ann', '$argon2id$v=19$m=19456,t=2,p=1$6hV3e0iYTgzRAdREjqhDOw$SoKZNeuMlgJ+jZdeiDzR+uIxXyK5j/Pgg+NRTvb75eY', X'354B75781E9DFF90AAC114ED6877FBBAE9AE18D63147D159672D5829548F120B', 'active', 'UTC', 1795220110);
INSERT INTO players (id, userid, userid_key, password_hash, secret, state, zone, created_at) VALUES (2, 'bob', 'bob', '$argon2id$v=19$m=19456,t=2,p=1$qFz/7w5GuxxgQwBHgP7uaA$dnnkJBsc9lGSXyY653RiOK90/viCYrtMGWqd9F3JbRM', X'A6075BB5ACFBAFBD83F140E38C1BA335D92EF735636B9840139C0ECBA222C993', 'active', 'UTC', 1795220110);
INSERT INTO addresses (player, address, address_key, added_at, confirmed_at) VALUES (1, 'ann@example.org', 'ann@example.org', 1795220110, 1795220110);
INSERT INTO addresses (player, address, address_key, added_at, confirmed_at) VALUES (2, 'bob@example.org', 'bob@example.org', 1795220110, 1795220110);
INSERT INTO boards (id, game, rated, state, position, plies, events, to_move, ending, winner, score_first, score_second, how, nag_days, forfeit_days, total_days, started_at, changed_at, deadline_at) VALUES (1, 'dvonn', 0, 'running', 'w,w,b,b,D,b,b,b,b/b,w,w,b,b,b,b,w,b,w/w,w,w,b,b,D,w,w,b,b,./b,w,b,w,w,w,w,b,b,b2/w,w,w,.,.,w,W3,b2,. w', 4, 5, 0, NULL, NULL, NULL, NULL, NULL, 7, 21, 0, 1795220110, 1795220110, 1797034510);
INSERT INTO boards (id, game, rated, state, position, plies, events, to_move, ending, winner, score_first, score_second, how, nag_days, forfeit_days, total_days, started_at, changed_at, deadline_at) VALUES (2, 'dvonn', 1, 'finished', '.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,D,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,. b place 2', 1, 3, NULL, 'resigned', 0, NULL, NULL, NULL, 7, 21, 0, 1795220110, 1795220110, NULL);
INSERT INTO seats (board, seat, player) VALUES (1, 0, -3);
INSERT INTO seats (board, seat, player) VALUES (1, 1, 2);
INSERT INTO seats (board, seat, player) VALUES (2, 0, 1);
INSERT INTO seats (board, seat, player) VALUES (2, 1, 2);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (1, 1, 'start', 1795220110, NULL, NULL, NULL, '{"game":"dvonn","players":[-3,2],"options":[["symmetry",null],["seed","7"]],"seed":7,"from_position":false,"position":"w,w,b,b,D,b,b,b,b/b,w,w,b,b,b,b,w,b,w/w,w,w,b,b,D,w,w,b,b,b/b,w,b,w,w,w,w,b,b,w/w,w,w,w,D,w,w,b,b w","rated":false,"days":{"nag":7,"forfeit":21,"total":0}}', 1797034510);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (1, 2, 'ply', 1795220110, 0, -3, 1, 'D1-E1', 1797034510);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (1, 3, 'ply', 1795220110, 1, 2, 2, 'K3-J2', 1797034510);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (1, 4, 'ply', 1795220110, 0, -3, 3, 'E1-G1', 1797034510);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (1, 5, 'ply', 1795220110, 1, 2, 4, 'I1-H1', 1797034510);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (2, 1, 'start', 1795220110, NULL, NULL, NULL, '{"game":"dvonn","players":[1,2],"options":[],"seed":5843564257245783018,"from_position":false,"position":".,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,. w place 1","rated":true,"days":{"nag":7,"forfeit":21,"total":0}}', 1797034510);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (2, 2, 'ply', 1795220110, 0, 1, 1, 'F3', 1797034510);
INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES (2, 3, 'resignation', 1795220110, 1, 2, NULL, '', NULL);
INSERT INTO threads (board, player, root, last) VALUES (1, 2, '<turnpost.4d53b15d46d82b2d6690c696308abc5bc5011d41@localhost>', '<turnpost.b024e3324e9c439ec7ed16e4261953aadfe1a81e@localhost>');
INSERT INTO threads (board, player, root, last) VALUES (2, 1, '<turnpost.5d8996e7f53685ae528590764aeeea1f5172f2a6@localhost>', '<turnpost.bb13ee786eaebccddc24ef2a69d24e6b6ac61e46@localhost>');
INSERT INTO threads (board, player, root, last) VALUES (2, 2, '<turnpost.84ce2e8c68682e59f0fb51d37beac0fda664e6db@localhost>', '<turnpost.82f2eba03133d59e96543967be379f11d587be37@localhost>');
INSERT INTO letters (id, identity, received_at, door, sender, player, done, refused, unreadable, commands) VALUES (1, X'BCCFE15E1E8A5CE9C195079C99CD68EEF6C6839EA3D917442B91082F892CA4F7', 1795220110, 'submit', NULL, 1, 7, 1, 0, 'signup ann *** ann@example.org
signup bob *** bob@example.org
dvonn challenge -symmetry -seed=7 ann bob
dvonn move 1 ann *** D1-E1
dvonn move 1 bob *** K3-J2#2
dvonn move 1 ann *** E1-G1
dvonn move 1 bob *** I1-H1
dvonn move 1 ann *** G1-H1');
INSERT INTO letters (id, identity, received_at, door, sender, player, done, refused, unreadable, commands) VALUES (2, X'E2271F4F86AA85BDDBCDEC8FAC867C0BFB3B098275D92043525BFE7AC05BE517', 1795220110, 'submit', NULL, 1, 3, 0, 0, 'dvonn challenge ann bob
dvonn move 2 ann *** F3
dvonn resign 2 bob ***');
INSERT INTO outbox (id, letter, board, player, recipient, message_id, created_at, state, attempts, due_at, lease_until, last_error, finished_at) VALUES (1, 1, 1, 1, 'ann@example.org', '<turnpost.f28bd109b089ad4cacfdcb481bd7ee6ddea48164@localhost>', 1795220110, 'sent', 1, 1795220110, NULL, NULL, 1795220110);
INSERT INTO mail_bytes (mail, bytes) VALUES (1, X'46726F6D3A20610D0A0D0A620D0A');
INSERT INTO outbox (id, letter, board, player, recipient, message_id, created_at, state, attempts, due_at, lease_until, last_error, finished_at) VALUES (7, 2, 2, 1, 'ann@example.org', '<turnpost.5d8996e7f53685ae528590764aeeea1f5172f2a6@localhost>', 1795220110, 'waiting', 0, 1795220110, NULL, NULL, NULL);
INSERT INTO mail_bytes (mail, bytes) VALUES (7, X'46726F6D3A20610D0A0D0A620D0A');
INSERT INTO clocks (board, turn, remind_at, reminded, vacations, stop, moved, nudged_at, zone) VALUES (1, 5, NULL, 5, '1:2026-12-01..2026-12-07 ', 1, 0, 1795820110, 'Europe/Paris');
INSERT INTO ticks (only, last_at) VALUES (1, 1795906510);
INSERT INTO stops (id, from_at, to_at, told) VALUES (1, 1795220110, 1795230110, 1);
INSERT INTO vacations (player, first_day, last_day, starts_at, ends_at) VALUES (1, '2026-12-01', '2026-12-07', 1796083200, 1796688000);
INSERT INTO finishes (number, board) VALUES (1, 2);
INSERT INTO rated_through (only, number) VALUES (1, 1);
INSERT INTO robot_turns (board, event, arose_at, tries, lease_until) VALUES (1, 5, 1795220110, 1, 1795220710);
INSERT INTO analyses (board, asked_at, made, tries) VALUES (2, 1795220110, NULL, 0);
INSERT INTO analysis_readers (board, player, ply) VALUES (2, 1, 0);
INSERT INTO limit_hits (what, key, player, hits, last_at) VALUES ('claimed boards', 'ann', 1, 3, 1795220110);
INSERT INTO bounces (address_key, address, count, refused, refused_since, last_at) VALUES ('ann@example.org', 'ann@example.org', 1, 2, 1795220110, 1795230110);
INSERT INTO asked_addresses (address_key, asked_at) VALUES ('ann@example.org', 1795230110);
INSERT INTO mails_aside (id, letter, board, player, recipient, reason, created_at) VALUES (1, 1, 1, 1, 'ann@[127.0.0.1]', 'no mail can be sent to this address', 1795220110);
UPDATE players SET announced_at = 1795220110, seeks_told = 3 WHERE id = 1;
INSERT INTO senders (id, since) VALUES (3, 1795220110);

-- A letter with one refused command, a mail that nobody acted on, and a mail that came back with the server's words.
INSERT INTO letters (id, identity, received_at, door, sender, player, done, refused, commands, outcomes, message_id, proof) VALUES (90, X'9000000000000000000000000000000000000000000000000000000000000000', 1795220200, 'lmtp', 'ann@example.org', 1, 1, 1, 'dvonn move 1 ann *** D1-E1
dvonn show 1', 'refused: It is not your turn.
done', '<90@example.org>', 'password');
INSERT INTO letters (id, identity, received_at, door, sender, message_id, aside) VALUES (91, X'9100000000000000000000000000000000000000000000000000000000000000', 1795220201, 'lmtp', 'news@lists.example', '<91@lists.example>', 'automatic mail: it comes from a mailing list');
INSERT INTO outbox (id, letter, board, player, recipient, message_id, created_at, state, attempts, due_at, finished_at, bounced_at, came_back_with) VALUES (90, 90, 1, 2, 'bob@example.org', '<turnpost.90@localhost>', 1795220200, 'sent', 1, 1795220200, 1795220200, 1795220300, '5.1.1 550 no such mailbox');
INSERT INTO mail_bytes (mail, bytes) VALUES (90, X'46726F6D3A20610D0A0D0A620D0A');
INSERT INTO round_trips (code, sent_at, came_at) VALUES ('000102030405060708090a0b0c0d0e0f', 1795220110, NULL);
INSERT INTO acts (at, os_user, act, board, player, other, detail, reason) VALUES (1795230110, 'root', 'reseat', 1, 2, 1, 'seat 2', 'Ann has no time.');
INSERT INTO rating_steps (finish, player, game, rating, deviation, volatility, won, lost, tied) VALUES (1, 1, 'dvonn', 150000, 35000, 60000000, 0, 0, 0);
INSERT INTO messages (id, reader, writer, board, event, sent_at) VALUES (1, 1, 2, NULL, NULL, 1795220110);
INSERT INTO messages (id, reader, writer, board, event, sent_at) VALUES (2, 2, 1, 1, 5, 1795220110);

-- A mail that got the picture of board 1 when it was sent.
INSERT INTO outbox (id, letter, board, player, recipient, message_id, created_at, state, attempts, due_at, finished_at, pictured) VALUES (92, 90, 1, 2, 'bob@example.org', '<turnpost.92@localhost>', 1795220200, 'sent', 1, 1795220200, 1795220200, 4);
INSERT INTO mail_bytes (mail, bytes) VALUES (92, X'46726F6D3A20610D0A0D0A620D0A');
UPDATE players SET paused_until = 1796429710 WHERE id = 2;

-- A chat whose words are kept.
INSERT INTO messages (id, reader, writer, board, event, sent_at, words) VALUES (3, 1, 2, 1, 5, 1795220115, 'Well played.');

-- A browser that is signed in, and a link that nobody has used.
INSERT INTO sessions (id, player, code, begun_at, used_at, browser, board) VALUES (1, 1, zeroblob(32), 1795220110, 1795230110, 'Firefox on Linux', 2);
INSERT INTO sessions (id, player, code, begun_at) VALUES (2, 2, randomblob(32), 1795220110);

-- An invitation that nobody has answered, and a mailbox that wants none.
INSERT INTO invitations (id, player, game, options, code, address, made_at) VALUES (1, 1, 'dvonn', '{}', zeroblob(32), 'frieda@example.com', 1795230110);
INSERT INTO invited (mailbox, invited_at, refused) VALUES ('00ff', 1795230110, 1);

INSERT INTO settings VALUES (1, 'board', 'words'), (1, 'weekends', 'off');

-- A player who got three hints.
UPDATE seats SET hints = 3, hinted = (SELECT position FROM boards WHERE id = 1) WHERE board = 1 AND player = 2;

-- A bank of 20 days to which each move gives 36 hours back.
UPDATE boards SET bank_hours = 480, refill_hours = 36, forfeit_days = 0 WHERE id = 1;
UPDATE events SET text = json_set(text, '$.days.forfeit', 0, '$.days.bank', json('{"hours":480,"refill":36}')) WHERE board = 1 AND number = 1;
INSERT INTO vacations (player, first_day, last_day, starts_at, ends_at, automatic) VALUES (2, '2026-12-09', '2026-12-09', 1796774400, 1796860800, 1);
INSERT INTO free_weekends (player, zone, from_at, until_at) VALUES (1, 'UTC', 1795220110, 1795906510);
INSERT INTO free_weekends (player, zone, from_at) VALUES (1, 'Europe/Paris', 1795906510);

-- An event that waits for players, and what one of them is still to be told.
INSERT INTO contests (id, form, game, name, name_key, state, entrants, events, changed_at, due_at) VALUES (1, 'event', 'dvonn', 'Spring-Cup', 'spring-cup', 'open', 1, 2, 1795220110, 1803000000);
INSERT INTO contest_events (contest, number, kind, at, player, text) VALUES (1, 1, 'made', 1795220110, 1, '{"form":"event","game":"dvonn","name":"Spring-Cup","size":8,"rounds":1,"options":{"game":[],"position":null,"nag":null,"forfeit":null,"total":null,"unrated":false,"lots":false,"swap":false}}');
INSERT INTO contest_events (contest, number, kind, at, player, text) VALUES (1, 2, 'entered', 1795220110, 1, '{}');
INSERT INTO contest_news (player, contest, kind, at) VALUES (2, 1, 'off', 1795220110);
UPDATE players SET contests_told_at = 1795220110 WHERE id = 2;

-- Somebody was erased while another program read, and a machine that serves no more.
INSERT INTO erasures (only, number, since, rewrites) VALUES (1, 3, 1795220110, 1);
INSERT INTO serving (only, machine, started, seen) VALUES (1, 'old.example.org', 1795220110, 1795230110);

-- What the first events of a record come to; this one nobody can read, so the record is.
INSERT INTO contest_snapshots (contest, text) VALUES (1, '{}');

-- The server that it is of.
UPDATE identity SET id = '000102030405060708090a0b0c0d0e0f', address = 'play@turnpost.example', transport = 'directory';

-- A mail whose place a newer one may take.
UPDATE outbox SET follows = '' WHERE state = 'waiting';

-- A domain and a mailbox that the host has banned.
INSERT INTO bans (banned, sender, reason, at) VALUES ('@spam.example', '@spam.example', 'floods', 1795230110);
INSERT INTO bans (banned, sender, reason, at) VALUES ('00ff', 'eve@example.org', '', 1795230110);

-- An earlier userid, and the number of the last contest.
INSERT INTO former_names (player, name) VALUES (1, 'annie');
UPDATE contest_numbers SET last = 1;
