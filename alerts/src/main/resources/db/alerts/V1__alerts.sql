-- What people were told as new: a row decides once for all. Partitioned by the month of the offer's first
-- activation, which never changes; partitions are made ahead and dropped after 6 months by a job.
CREATE TABLE told (
  home            int    NOT NULL,
  offer_id        bigint NOT NULL,
  activated_month date   NOT NULL,
  owner           text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, offer_id, activated_month)
) PARTITION BY RANGE (activated_month);

-- What a reader was told today and this hour, by source: the limits of a storm. One row a reader.
CREATE TABLE alert_budget (
  home    int    NOT NULL,
  -- Days and hours since 1970, UTC.
  day     int    NOT NULL,
  today   int    NOT NULL,
  hour    int    NOT NULL,
  owner   text COLLATE "C" NOT NULL,
  -- Alerts of this hour, a line each: SEARCH:<id>=<count>.
  sources text   NOT NULL,
  PRIMARY KEY (home, owner)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Audiences too large to tell at once, and bans that take notifications back, in the offer's home.
CREATE TABLE fanout (
  home        int         NOT NULL,
  -- 1 search, 2 seller, 3 price, 4 withdrawal.
  rule        smallint    NOT NULL,
  pages       int         NOT NULL,
  offer_id    bigint      NOT NULL,
  -- The offer's version that caused it: a later one starts it again.
  version     bigint      NOT NULL,
  people      bigint      NOT NULL,
  -- As counted when it began; 0 before.
  audience    bigint      NOT NULL,
  started_at  timestamptz NOT NULL,
  worked_at   timestamptz NOT NULL,
  finished_at timestamptz,
  -- Search, seller, or empty.
  target      text COLLATE "C" NOT NULL,
  -- The last person of the last page.
  cursor      text COLLATE "C" NOT NULL,
  body        bytea       NOT NULL,
  PRIMARY KEY (home, offer_id, rule, target)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX fanout_waiting ON fanout (home, worked_at) WHERE finished_at IS NULL;
CREATE INDEX fanout_finished ON fanout (home, finished_at) WHERE finished_at IS NOT NULL;

-- Price changes that wait for their debounce, in the offer's home.
CREATE TABLE price_due (
  home       int         NOT NULL,
  offer_id   bigint      NOT NULL,
  -- The latest version whose price changed: a run removes the row only if it is still that one.
  version    bigint      NOT NULL,
  changed_at timestamptz NOT NULL,
  -- Null: nothing is due; the row remembers the last run of an offer that many have saved.
  run_at     timestamptz,
  ran_at     timestamptz,
  PRIMARY KEY (home, offer_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX price_due_next ON price_due (home, run_at) WHERE run_at IS NOT NULL;

-- What waits for a reader's digest. Whoever adds or sends locks the reader's row of digest_due first.
CREATE TABLE digest (
  home     int         NOT NULL,
  -- 1 new, 2 price.
  kind     smallint    NOT NULL,
  offer_id bigint      NOT NULL,
  at       timestamptz NOT NULL,
  owner    text COLLATE "C" NOT NULL,
  body     bytea       NOT NULL,
  PRIMARY KEY (home, owner, offer_id, kind)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE digest_due (
  home   int         NOT NULL,
  -- When its first item was collected.
  since  timestamptz NOT NULL,
  run_at timestamptz NOT NULL,
  owner  text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX digest_due_next ON digest_due (home, run_at);
