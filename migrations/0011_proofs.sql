-- Addresses are the same by ASCII case alone. Keys of earlier versions folded letters of other alphabets too.
UPDATE OR REPLACE addresses SET address_key = lower(address) WHERE address_key <> lower(address);
UPDATE OR REPLACE watchers SET address_key = lower(address) WHERE address_key <> lower(address);
UPDATE OR REPLACE bounces SET address_key = lower(address) WHERE address_key <> lower(address);

-- Nothing that an unproven letter stored may become valid by a later proof: not the password of an account that nobody
-- has confirmed, nor the further addresses that its signup named.
UPDATE players SET password_hash = NULL WHERE state = 'active' AND id > 0
    AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = players.id AND (confirmed_at IS NOT NULL OR stopped_at IS NOT NULL))
    AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.player = players.id)
    AND NOT EXISTS (SELECT 1 FROM seeks s WHERE s.player = players.id);
DELETE FROM addresses WHERE kept = 1;
ALTER TABLE addresses DROP COLUMN kept;
ALTER TABLE addresses DROP COLUMN named_at_signup;
