-- Addresses are the same by ASCII case alone. Keys of earlier versions folded letters of other alphabets too.
UPDATE OR REPLACE addresses SET address_key = lower(address) WHERE address_key <> lower(address);
UPDATE OR REPLACE watchers SET address_key = lower(address) WHERE address_key <> lower(address);
UPDATE OR REPLACE bounces SET address_key = lower(address) WHERE address_key <> lower(address);
