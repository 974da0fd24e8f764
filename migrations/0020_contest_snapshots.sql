-- What the first events of a long record come to, so that nobody has to read them all each time. It may be missing: the
-- record has everything, and `admin verify` compares.
CREATE TABLE contest_snapshots (
    contest INTEGER PRIMARY KEY REFERENCES contests (id),
    text    TEXT    NOT NULL                        -- JSON
) STRICT;

-- What of a contest is in play, among many boards that are over.
CREATE INDEX boards_in_play_of_contests ON boards (contest, pair) WHERE contest IS NOT NULL AND state = 'running';
