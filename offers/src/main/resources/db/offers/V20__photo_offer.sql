-- The offer that shows the photo; its status decides who may see the pictures. Null: a draft shows it, or the row was
-- written before this column was there and the job photos.owners has not come to it yet.
ALTER TABLE photo ADD COLUMN offer_id bigint;

-- Homes whose offers have photos from before the column, and the last offer whose photos have got it; a row goes when
-- its home is done.
CREATE TABLE photo_owner_backfill (
  home     int    NOT NULL,
  offer_id bigint NOT NULL,
  PRIMARY KEY (home)
);
INSERT INTO photo_owner_backfill (home, offer_id)
SELECT home, -1 FROM generate_series(0, 255) AS home WHERE EXISTS (SELECT FROM photo);
