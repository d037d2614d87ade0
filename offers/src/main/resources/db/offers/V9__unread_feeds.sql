-- The first external ids of uploads that have begun and were not read to their ends: under way, or cut off. An upload that begins
-- with the same item and is read to its end makes up for one that was cut off.
ALTER TABLE feed_task ADD COLUMN unread text[] NOT NULL DEFAULT '{}';
