-- What the feeds of one seller share. Locked by whoever begins, ends or finishes a task.
CREATE TABLE feed_seller (
  home    int    NOT NULL,
  -- How many uploads there were: each has its number.
  uploads int    NOT NULL,
  -- The last task that was let through to its removal. Nothing at or below it is taken any more.
  closed  bigint NOT NULL,
  seller  text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller)
);

CREATE TABLE feed_task (
  home          int         NOT NULL,
  -- As FeedTask.Status.
  status        smallint    NOT NULL,
  -- All items have come, and what they did not name is being removed.
  removing      boolean     NOT NULL DEFAULT false,
  created       int         NOT NULL DEFAULT 0,
  updated       int         NOT NULL DEFAULT 0,
  unchanged     int         NOT NULL DEFAULT 0,
  removed       int         NOT NULL DEFAULT 0,
  failed        int         NOT NULL DEFAULT 0,
  ignored       int         NOT NULL DEFAULT 0,
  duplicates    int         NOT NULL DEFAULT 0,
  -- Rows in feed_error.
  errors        int         NOT NULL DEFAULT 0,
  task_id       bigint      NOT NULL,
  started_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  seller        text COLLATE "C" NOT NULL,
  message       text        NOT NULL DEFAULT '',
  PRIMARY KEY (home, seller, task_id)
) WITH (fillfactor = 50);

CREATE INDEX feed_task_removing ON feed_task (home) WHERE removing;

-- Photos of a task that failed. Apart from the task, because it is counted under the locks of offers and before any preset,
-- while a task's own counts are the last that a chunk of items writes.
CREATE TABLE feed_photos (
  home    int    NOT NULL,
  failed  int    NOT NULL,
  task_id bigint NOT NULL,
  seller  text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, task_id)
) WITH (fillfactor = 50);

-- An item of a seller's feed and the offer it became. Nothing that an unchanged item writes is indexed, so that its
-- mark stays on its page: a feed of a million unchanged items is a million short writes without an index entry.
CREATE TABLE feed_item (
  home        int    NOT NULL,
  -- The upload that brought it last: a second item with the same id in one upload is a repetition.
  upload      int    NOT NULL,
  offer_id    bigint NOT NULL,
  -- The task that brought it last, or the one that removed its offer.
  task_id     bigint NOT NULL,
  -- Of what the feed said last; 0: not known.
  hash        bigint NOT NULL,
  -- Set while its offer is removed because a feed did not name it.
  removed_at  timestamptz,
  seller      text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, external_id)
) WITH (fillfactor = 55, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX feed_item_removed ON feed_item (home, removed_at) WHERE removed_at IS NOT NULL;

-- Why single items failed: the first of a task, up to a bound.
CREATE TABLE feed_error (
  home        int    NOT NULL,
  line        int    NOT NULL,
  task_id     bigint NOT NULL,
  -- Of the item as it came: an upload that is repeated says nothing new.
  fingerprint bigint NOT NULL,
  seller      text COLLATE "C" NOT NULL,
  external_id text   NOT NULL,
  code        text   NOT NULL,
  message     text   NOT NULL,
  PRIMARY KEY (home, seller, task_id, line, fingerprint)
);
