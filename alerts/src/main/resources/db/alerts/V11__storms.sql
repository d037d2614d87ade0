-- A seller whose offers have come in storms (many at once, such as a feed), in the seller's home. Kept for good: positions
-- are never given again.
CREATE TABLE storm (
  home          int    NOT NULL,
  -- The highest position given to an offer of this seller.
  last_position int    NOT NULL,
  -- The last entry of the seller's logs (storm_match).
  last_seq      bigint NOT NULL,
  seller        text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- The positions of offers among their seller's: a set of them is a few bytes. Kept as long as `told`.
CREATE TABLE storm_offer (
  home         int         NOT NULL,
  position     int         NOT NULL,
  offer_id     bigint      NOT NULL,
  activated_at timestamptz NOT NULL,
  seller       text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, offer_id)
);
CREATE UNIQUE INDEX storm_offer_position ON storm_offer (home, seller, position);
CREATE INDEX storm_offer_activated ON storm_offer (home, activated_at);

-- An audience of a seller's storm, and how far it was walked.
CREATE TABLE storm_target (
  home      int         NOT NULL,
  -- 1 search, 2 seller.
  rule      smallint    NOT NULL,
  last_seq  bigint      NOT NULL,
  -- The log up to here was sent to the whole audience.
  done_seq  bigint      NOT NULL,
  -- The walk under way brings the log up to here.
  round_seq bigint      NOT NULL,
  worked_at timestamptz NOT NULL,
  -- No sooner than this comes the next page.
  run_at    timestamptz NOT NULL,
  seller    text COLLATE "C" NOT NULL,
  -- Search or seller.
  target    text COLLATE "C" NOT NULL,
  -- The last reader of the last page; empty: no walk is under way.
  cursor    text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, rule, target)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX storm_target_turn ON storm_target (home, seller, worked_at) WHERE last_seq > done_seq;

-- What an audience is to hear of: removed when it was walked.
CREATE TABLE storm_match (
  home      int      NOT NULL,
  rule      smallint NOT NULL,
  seq       bigint   NOT NULL,
  seller    text COLLATE "C" NOT NULL,
  target    text COLLATE "C" NOT NULL,
  positions bytea    NOT NULL,
  PRIMARY KEY (home, seller, rule, target, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- The offers of storms that a reader was notified of, in the reader's home: a bit per position, 8,192 positions a row.
-- With `told` it decides what is news. Changed only by whoever has locked the reader's row of alert_budget.
CREATE TABLE storm_notified (
  home      int  NOT NULL,
  -- position / 8192.
  block     int  NOT NULL,
  -- When it changed last.
  day       date NOT NULL,
  owner     text COLLATE "C" NOT NULL,
  seller    text COLLATE "C" NOT NULL,
  -- Bit i % 8 of byte i / 8 is position 8192 * block + i.
  positions bytea NOT NULL,
  PRIMARY KEY (home, owner, seller, block)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX storm_notified_day ON storm_notified (home, day);

-- How many offers an item of a digest stands for; kind 3: those of a storm.
ALTER TABLE digest ADD COLUMN offers int NOT NULL DEFAULT 1;
