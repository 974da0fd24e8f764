-- What players have set, a row each; without a row the default holds. `announce` and `weekends` follow from when they began.
CREATE TABLE settings (
    player INTEGER NOT NULL REFERENCES players (id),
    word   TEXT    NOT NULL,
    value  TEXT    NOT NULL,
    PRIMARY KEY (player, word)
) STRICT, WITHOUT ROWID;

INSERT INTO settings SELECT id, 'mail', iif(html = 0, 'text', 'html') FROM players WHERE html = 0 OR picture = 0;
INSERT INTO settings SELECT id, 'board', drawing FROM players WHERE drawing <> 'full';
INSERT INTO settings SELECT id, 'broadcast', 'off' FROM players WHERE broadcast = 0;
INSERT INTO settings SELECT id, 'digest', 'on' FROM players WHERE digest = 1;
INSERT INTO settings SELECT id, 'openness', 'on' FROM players WHERE openness = 1;
INSERT INTO settings SELECT id, 'afterword', 'off' FROM players WHERE afterword = 0;
INSERT INTO settings SELECT id, 'confirm', 'off' FROM players WHERE confirm = 0;

ALTER TABLE players DROP COLUMN html;
ALTER TABLE players DROP COLUMN picture;
ALTER TABLE players DROP COLUMN drawing;
ALTER TABLE players DROP COLUMN broadcast;
ALTER TABLE players DROP COLUMN digest;
ALTER TABLE players DROP COLUMN openness;
ALTER TABLE players DROP COLUMN afterword;
ALTER TABLE players DROP COLUMN confirm;
