-- Of the part `photos`: when a feed that names the offer again has those of its photos tried again that could not be reached.
-- Null when there are none, and in rows written before this column was there.
ALTER TABLE offer ADD COLUMN retry_at timestamptz;
