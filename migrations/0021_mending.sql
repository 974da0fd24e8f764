-- The board whose link signed the browser in, which is all that it plays; NULL for one that a mail for that signed in.
ALTER TABLE sessions ADD COLUMN board INTEGER REFERENCES boards (id) ON DELETE CASCADE;

-- Which of those so far came by the link of a board, nobody has written down.
DELETE FROM sessions;
