-- What stands beside a drafted move goes to the opponent with it.
ALTER TABLE drafts ADD COLUMN words TEXT NOT NULL DEFAULT '';
