-- Of what could not be read to its end: 1, an upload of the whole feed, until one could; 2, a part of it. Nobody knows what
-- the rest would have named.
ALTER TABLE feed_task ADD COLUMN damage smallint NOT NULL DEFAULT 0;
