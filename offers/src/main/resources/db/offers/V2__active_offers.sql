-- What active offers are looked through by. Null in rows written before these columns were there, until
-- their next change; edits that keep category and region stay HOT.
ALTER TABLE offer ADD COLUMN category text COLLATE "C";
ALTER TABLE offer ADD COLUMN region text COLLATE "C";

CREATE INDEX offer_active ON offer (category, region) WHERE kind = 'offer' AND status = 1;
