-- A level of the robot has a rating if it was measured against programs of known rating. The next look at the ratings
-- rates all games again, and the next tick tells which players that moved.
CREATE TABLE ratings_before (
    game   TEXT NOT NULL,
    player INTEGER NOT NULL REFERENCES players (id),
    rating INTEGER NOT NULL,
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;
INSERT INTO ratings_before SELECT game, player, rating FROM ratings WHERE player > 0;
DELETE FROM ratings;
DELETE FROM rating_steps;
UPDATE rated_through SET number = 0, steps_after = 0;
