-- The part `photos` of a draft; null while it has none.
ALTER TABLE draft ADD COLUMN photos bytea;

-- What has become of a photo, whichever offers or drafts it was asked for: written once, with the answer to
-- torg.photos. It lives in the home of its own id and leads from there to the stored content.
CREATE TABLE photo (
  home    int         NOT NULL,
  -- The number of a torg.v1.Photo.Status: READY or FAILED.
  status  smallint    NOT NULL,
  -- Of a failed one: trying again later may help.
  passing boolean     NOT NULL,
  at      timestamptz NOT NULL,
  id      text COLLATE "C" NOT NULL,
  -- Of a failed one: why.
  error   text        NOT NULL,
  -- Of a ready one: SHA-256 of the bytes it was prepared from, under which its sizes are stored.
  content bytea,
  PRIMARY KEY (home, id)
);

-- Requests that met a trouble that may pass, in the home of the photo's id.
CREATE TABLE photo_retry (
  home     int         NOT NULL,
  run_at   timestamptz NOT NULL,
  photo_id text COLLATE "C" NOT NULL,
  -- The offer or draft that waits for it.
  target   text COLLATE "C" NOT NULL,
  request  bytea       NOT NULL,
  PRIMARY KEY (home, photo_id, target)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX photo_retry_due ON photo_retry (home, run_at);
