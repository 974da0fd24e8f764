-- What a player has noted of another. Nobody else sees it.
CREATE TABLE player_notes (
    player INTEGER NOT NULL REFERENCES players (id), -- who wrote it
    about  INTEGER NOT NULL REFERENCES players (id),
    words  TEXT    NOT NULL,
    PRIMARY KEY (player, about)
) STRICT, WITHOUT ROWID;
