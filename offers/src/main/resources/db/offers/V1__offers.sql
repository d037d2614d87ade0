-- An offer is its parts by kind: 'offer' (the main row), 'moderation', 'stage/<name>' …
-- The main row holds the offer as people see it and is locked first by whoever changes that.
-- Edits change no indexed column and stay on their page: fillfactor leaves room for the next
-- version, and the body stays inline up to a page so that an edit touches no TOAST table.
CREATE TABLE offer (
  home           int      NOT NULL,
  -- The main row only: a bit for each preset that lists the offer.
  presets        smallint,
  status         smallint,
  -- Set when the body has moved to offer_archive: its month there.
  archived       date,
  id             bigint   NOT NULL,
  version        bigint   NOT NULL,
  -- The sequence number of this part's last event.
  seq            bigint   NOT NULL,
  -- The version of the owner's last edit: what a moderator must have seen to approve.
  edited_version bigint,
  -- The request that wrote last, for whoever lost the answer to its COMMIT.
  token          bigint,
  created_at     timestamptz,
  -- When time alone changes the offer next: expiry, or the move to the archive.
  due_at         timestamptz,
  kind           text COLLATE "C" NOT NULL,
  seller         text COLLATE "C",
  external_id    text COLLATE "C",
  body           bytea,
  PRIMARY KEY (home, id, kind)
) WITH (fillfactor = 70, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE offer ALTER COLUMN body SET STORAGE MAIN;

CREATE INDEX offer_by_seller ON offer (home, seller, created_at, id) WHERE kind = 'offer';
CREATE INDEX offer_by_external_id ON offer (home, seller, external_id, created_at, id)
  WHERE external_id IS NOT NULL;
CREATE INDEX offer_due ON offer (home, due_at) WHERE due_at IS NOT NULL;

-- Bodies of offers that are over. The stub stays in `offer`: ids stay unique, look-ups know where to go.
CREATE TABLE offer_archive (
  home    int      NOT NULL,
  month   date     NOT NULL,
  id      bigint   NOT NULL,
  version bigint   NOT NULL,
  seq     bigint   NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  body    bytea    NOT NULL,
  PRIMARY KEY (home, id, kind, month)
) PARTITION BY RANGE (month);

CREATE TABLE price_point (
  home     int         NOT NULL,
  offer_id bigint      NOT NULL,
  at       timestamptz NOT NULL,
  -- Null: negotiable from then on.
  amount   bigint,
  currency text COLLATE "C",
  PRIMARY KEY (home, offer_id, at)
);

-- The seller's cabinet. Rows and counts change in the transaction that changes the offer.
CREATE TABLE seller_preset (
  home       int         NOT NULL,
  preset     smallint    NOT NULL,
  created_at timestamptz NOT NULL,
  offer_id   bigint      NOT NULL,
  seller     text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, preset, created_at, offer_id)
);

CREATE TABLE seller_preset_count (
  home     int      NOT NULL,
  preset   smallint NOT NULL,
  -- Raised by every correction, so that two repairs at once do not both apply theirs.
  repaired integer  NOT NULL DEFAULT 0,
  count    bigint   NOT NULL,
  seller   text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, preset)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- What only grows: 'sold', and 'earned/EUR' in minor units.
CREATE TABLE seller_counter (
  home     int      NOT NULL,
  repaired integer  NOT NULL DEFAULT 0,
  value    numeric  NOT NULL,
  seller   text COLLATE "C" NOT NULL,
  counter  text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, counter)
) WITH (fillfactor = 50);

-- One row for each offer sold here, ever: the counters above are their sums.
CREATE TABLE offer_sale (
  home     int         NOT NULL,
  offer_id bigint      NOT NULL,
  amount   bigint,
  at       timestamptz NOT NULL,
  seller   text COLLATE "C" NOT NULL,
  currency text COLLATE "C",
  PRIMARY KEY (home, seller, offer_id)
);

-- What moderators said, in the order in which Torg heard it.
CREATE TABLE opinion (
  home     int         NOT NULL,
  offer_id bigint      NOT NULL,
  number   integer     NOT NULL,
  -- False: it came too late, or the offer was in no state to follow it.
  applied  boolean     NOT NULL,
  at       timestamptz NOT NULL,
  body     bytea       NOT NULL,
  PRIMARY KEY (home, offer_id, number)
);

CREATE TABLE report (
  home     int         NOT NULL,
  offer_id bigint      NOT NULL,
  at       timestamptz NOT NULL,
  reporter text COLLATE "C" NOT NULL,
  reason   text        NOT NULL,
  text     text        NOT NULL,
  PRIMARY KEY (home, offer_id, reporter)
);

-- Offers that wait for a moderator.
CREATE TABLE moderation_queue (
  home          int         NOT NULL,
  -- A bit for each cause: pending, edited, reported.
  causes        smallint    NOT NULL,
  reports       integer     NOT NULL DEFAULT 0,
  offer_id      bigint      NOT NULL,
  since         timestamptz NOT NULL,
  claimed_until timestamptz,
  claimed_by    text,
  PRIMARY KEY (home, offer_id)
);
CREATE INDEX moderation_queue_oldest ON moderation_queue (since, home, offer_id);

CREATE TABLE draft (
  home       int         NOT NULL,
  id         uuid        NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Set when published: a repeated publication answers with that offer.
  offer_id   bigint,
  owner      text COLLATE "C" NOT NULL,
  -- Set while a login takes the draft over: it can be read but no longer changed here.
  taken_by   text,
  body       bytea       NOT NULL,
  PRIMARY KEY (home, owner, id)
);
CREATE INDEX draft_idle ON draft (home, updated_at);

-- An owner has at most one current draft.
CREATE TABLE current_draft (
  home     int      NOT NULL,
  draft_id uuid     NOT NULL,
  owner    text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner)
);

-- A takeover in progress, in the login's home. docs/data-model.md tells its steps.
CREATE TABLE draft_takeover (
  home       int         NOT NULL,
  started_at timestamptz NOT NULL,
  -- True once the login's side is done and only the anonymous side is left to wipe.
  applied    boolean     NOT NULL DEFAULT false,
  owner      text COLLATE "C" NOT NULL,
  anonymous  text COLLATE "C" NOT NULL,
  category   text        NOT NULL,
  PRIMARY KEY (home, owner, anonymous)
);
