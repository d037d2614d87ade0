-- When the row was inserted, changed, or last asked for: those without services are deleted long after that.
ALTER TABLE promotion_target ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE promotion_target ALTER COLUMN changed_at DROP DEFAULT;

-- Of how many offers a seller was notified in an hour (UTC, since 1970) that services have ended: beyond a few they are
-- counted in one entry.
CREATE TABLE promotion_notice_count (
  home   int NOT NULL,
  hour   int NOT NULL,
  sent   int NOT NULL,
  seller text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller)
) WITH (fillfactor = 70);
