-- Contests: events, the seasons of leagues, ladders.

-- All of a row but `due_at` follows from the events of the contest; `admin verify` compares them.
CREATE TABLE contests (
    id       INTEGER PRIMARY KEY,
    form     TEXT    NOT NULL CHECK (form IN ('event', 'league', 'season', 'ladder')),
    game     TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,               -- lower case, for looking up
    state    TEXT    NOT NULL CHECK (state IN ('open', 'running', 'closed')),
    entrants INTEGER NOT NULL,                      -- who joined and did not leave
    events   INTEGER NOT NULL,                      -- the number of the last event
    changed_at INTEGER NOT NULL,                    -- the last event
    due_at   INTEGER                                -- when the timer looks at it; NULL: not before something happens
) STRICT;

CREATE INDEX contests_due ON contests (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX contests_by_game ON contests (game, form, id);

-- The record of a contest.
CREATE TABLE contest_events (
    contest INTEGER NOT NULL REFERENCES contests (id),
    number  INTEGER NOT NULL,                       -- from 1 (the making), without gaps
    kind    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    player  INTEGER REFERENCES players (id),        -- whom it is about; NULL: everybody
    text    TEXT    NOT NULL,
    PRIMARY KEY (contest, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX contest_events_of_players ON contest_events (player, contest) WHERE player IS NOT NULL;

-- The boards of a contest: each pair has one.
ALTER TABLE boards ADD COLUMN contest INTEGER REFERENCES contests (id);
ALTER TABLE boards ADD COLUMN pair INTEGER;
CREATE UNIQUE INDEX boards_of_contests ON boards (contest, pair) WHERE contest IS NOT NULL;

-- What a player is still to be told of contests, in one mail a day.
CREATE TABLE contest_news (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used again: a mail is named after the last it tells
    player  INTEGER NOT NULL REFERENCES players (id),
    contest INTEGER NOT NULL REFERENCES contests (id),
    kind    TEXT    NOT NULL,
    at      INTEGER NOT NULL
) STRICT;

CREATE INDEX contest_news_of_players ON contest_news (player);

-- When a player was last mailed such news.
ALTER TABLE players ADD COLUMN contests_told_at INTEGER;
