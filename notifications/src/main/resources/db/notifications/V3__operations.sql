-- The queue of deliveries on other channels than the bell. What is delivered is read from the entry when the operation
-- is due.
CREATE TABLE delivery_operation (
  home            int         NOT NULL,
  -- Attempts that were made and definitely refused.
  attempts        int         NOT NULL,
  notification_id bigint      NOT NULL,
  -- Never claimed before this time; 'infinity' while the owner's identity is merged into a login.
  due_at          timestamptz NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz,
  -- The time that `due_at` had before the merge began.
  resume_at       timestamptz,
  -- Part of a campaign: claimed after the others.
  bulk            boolean     NOT NULL,
  -- Held back by quiet hours or a minimum gap: several become one summary.
  held            boolean     NOT NULL,
  owner           text COLLATE "C" NOT NULL,
  channel         text COLLATE "C" NOT NULL,
  topic           text COLLATE "C" NOT NULL,
  campaign        text COLLATE "C",
  source_id       text COLLATE "C",
  min_app_version text COLLATE "C",
  ios_category    text COLLATE "C",
  -- The devices that a repeated attempt is limited to.
  devices         text COLLATE "C",
  PRIMARY KEY (home, owner, notification_id, channel)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX delivery_operation_due ON delivery_operation (home, channel, bulk, due_at, owner);

-- What a person received on a channel, of one topic or, under an empty topic, of all.
CREATE TABLE delivery_count (
  home       int         NOT NULL,
  hour_count int         NOT NULL,
  day_count  int         NOT NULL,
  week_count int         NOT NULL,
  hour_start timestamptz NOT NULL,
  day_start  timestamptz NOT NULL,
  week_start timestamptz NOT NULL,
  last_at    timestamptz NOT NULL,
  owner      text COLLATE "C" NOT NULL,
  channel    text COLLATE "C" NOT NULL,
  topic      text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, channel, topic)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- The anonymous identities whose counts were added to a login's, so that they are added once.
CREATE TABLE delivery_count_merge (
  home      int  NOT NULL,
  owner     text COLLATE "C" NOT NULL,
  anonymous text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, anonymous)
);

-- Attempts and their outcomes, and operations that were suppressed or cancelled, for 30 days.
CREATE TABLE delivery_attempt (
  home            int         NOT NULL,
  -- From 1.
  attempt         int         NOT NULL,
  notification_id bigint      NOT NULL,
  at              timestamptz NOT NULL,
  owner           text COLLATE "C" NOT NULL,
  channel         text COLLATE "C" NOT NULL,
  outcome         text COLLATE "C" NOT NULL,
  reason          text COLLATE "C" NOT NULL,
  source_id       text COLLATE "C",
  PRIMARY KEY (home, notification_id, owner, channel, attempt)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX delivery_attempt_source ON delivery_attempt (home, source_id, owner)
  WHERE source_id IS NOT NULL;
CREATE INDEX delivery_attempt_at ON delivery_attempt (home, at);
