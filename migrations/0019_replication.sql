-- What a database needs beside another program that reads it all the time, and beside a second machine.

-- There is a row while the files may still hold what was erased from the tables. The clocks take it out once nobody reads.
CREATE TABLE erasures (
    only     INTEGER PRIMARY KEY CHECK (only = 1),
    number   INTEGER NOT NULL,                  -- of the last one: another may come while the files are cleaned
    since    INTEGER NOT NULL,                  -- the first of them
    rewrites INTEGER NOT NULL                   -- whether the whole file is to be written anew, not the log alone emptied
) STRICT;
INSERT INTO erasures SELECT 1, 1, max(finished_at), 0 FROM outbox WHERE secret = 2 HAVING max(finished_at) IS NOT NULL;

-- The row above tells it.
DROP INDEX outbox_farewells;

-- The machine that serves this database. Another one does not, until this one was not seen for a while.
CREATE TABLE serving (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    machine TEXT    NOT NULL,
    started INTEGER NOT NULL,
    seen    INTEGER NOT NULL
) STRICT;
