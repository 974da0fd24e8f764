-- The archive: which finished rated boards reached a position. It follows from the events.

-- `key` is a hash of the game and the position, in 48 bits. `next` is the number of the event with the ply that was
-- played there, or 0 at the end of the game.
CREATE TABLE positions (
    key   INTEGER NOT NULL,
    board INTEGER NOT NULL,
    next  INTEGER NOT NULL,
    PRIMARY KEY (key, board, next)
) STRICT, WITHOUT ROWID;

-- Boards whose positions the timer has yet to add.
CREATE TABLE unarchived (
    board INTEGER PRIMARY KEY
) STRICT;

CREATE TRIGGER board_to_archive AFTER UPDATE OF state ON boards
WHEN new.state = 'finished' AND old.state <> 'finished' AND new.rated = 1
BEGIN
    INSERT OR IGNORE INTO unarchived VALUES (new.id);
END;

CREATE TRIGGER new_board_to_archive AFTER INSERT ON boards WHEN new.state = 'finished' AND new.rated = 1
BEGIN
    INSERT OR IGNORE INTO unarchived VALUES (new.id);
END;

INSERT INTO unarchived SELECT id FROM boards WHERE state = 'finished' AND rated = 1;
