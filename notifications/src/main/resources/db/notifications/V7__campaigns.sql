-- A campaign, in the home of its sender and id.
CREATE TABLE campaign (
  home         int         NOT NULL,
  -- 1 uploading, 2 started, 3 paused, 4 cancelled, 5 finished
  state        smallint    NOT NULL,
  -- Whether the sender may add recipients.
  accepting    boolean     NOT NULL,
  created_at   timestamptz NOT NULL,
  -- Null until it starts, if the sender gave no time.
  send_at      timestamptz,
  -- When its last recipient was written, or removed after it was cancelled.
  finished_at  timestamptz,
  sender       text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  request_hash bytea       NOT NULL,
  -- The request without its recipients.
  request      bytea       NOT NULL,
  -- The content by language, rendered from the version of the template at the time of the request.
  content      bytea       NOT NULL,
  PRIMARY KEY (home, sender, id)
);
CREATE INDEX campaign_unfinished ON campaign (state) WHERE finished_at IS NULL;

-- A campaign in a home of its recipients. Locked by transactions that add recipients, and by the one that ends this.
CREATE TABLE campaign_home (
  home     int     NOT NULL,
  -- No recipients are added any more.
  closed   boolean NOT NULL,
  -- No recipient is left.
  done     boolean NOT NULL,
  -- Distinct recipients that were added.
  accepted bigint  NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  -- How far a criterion was expanded.
  cursor   text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, campaign)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX campaign_home_undone ON campaign_home (home, campaign) WHERE NOT done;

-- A recipient that waits: deleted by the transaction that writes the notification.
CREATE TABLE campaign_recipient (
  home       int NOT NULL,
  -- Seconds after the campaign's time. Null: none.
  due_offset int,
  campaign   text COLLATE "C" NOT NULL,
  recipient  text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, campaign, recipient)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX campaign_recipient_due ON campaign_recipient (home, campaign, due_offset)
  WHERE due_offset IS NOT NULL;

-- What became of the messages of a campaign, by the home of their recipients.
CREATE TABLE campaign_progress (
  home     int      NOT NULL,
  -- 1 written, 2 delivered, 3 suppressed, 4 failed
  outcome  smallint NOT NULL,
  count    bigint   NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  reason   text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, campaign, outcome, reason)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
