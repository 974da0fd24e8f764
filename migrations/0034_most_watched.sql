-- How many addresses watched a board of a contest when it ended: then its watchers are forgotten.
CREATE TABLE watched (
    board    INTEGER PRIMARY KEY REFERENCES boards (id),
    watchers INTEGER NOT NULL
) STRICT;
