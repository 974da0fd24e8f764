-- The contest that an act of the log is about: with its reason it is part of the contest's record.
ALTER TABLE acts ADD COLUMN contest INTEGER;

DROP TRIGGER acts_are_not_changed;

UPDATE acts SET contest = (SELECT contest FROM boards WHERE id = board) WHERE board IS NOT NULL;
UPDATE acts SET contest = (SELECT id FROM contests WHERE name = replace(detail, ', by its organiser', ''))
WHERE act IN ('withdraw', 'start contest', 'end contest');

-- The same text as before: `restore` refuses a copy with a trigger that a new database does not have.
CREATE TRIGGER acts_are_not_changed BEFORE UPDATE ON acts
WHEN NOT (new.reason = '' AND new.number IS old.number AND new.at IS old.at AND new.os_user IS old.os_user
    AND new.act IS old.act AND new.board IS old.board AND new.mail IS old.mail AND new.player IS old.player
    AND new.other IS old.other AND new.detail IS old.detail
    AND EXISTS (SELECT 1 FROM players p WHERE p.state = 'deleted' AND (p.id IN (old.player, old.other)
        OR EXISTS (SELECT 1 FROM seats s WHERE s.board = old.board AND s.player = p.id))))
BEGIN
    SELECT RAISE(ABORT, 'acts are not changed');
END;

CREATE INDEX acts_on_contests ON acts (contest) WHERE contest IS NOT NULL;
