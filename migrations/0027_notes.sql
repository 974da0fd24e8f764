-- The private notes of players on their boards, one for each ply. `shown`: anybody reads them once the game is over.
CREATE TABLE notes (
    board    INTEGER NOT NULL REFERENCES boards (id),
    player   INTEGER NOT NULL REFERENCES players (id),
    ply      INTEGER NOT NULL,
    noted_at INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    shown    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (board, player, ply)
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_of_player ON notes (player);
