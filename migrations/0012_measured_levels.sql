-- Levels of the robot have ratings that were measured and stay. The next look at the ratings rates all games again.
DELETE FROM ratings;
DELETE FROM rating_steps;
UPDATE rated_through SET number = 0, steps_after = 0;
