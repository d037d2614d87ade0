-- One row a person: locked by whoever changes what the person saves, so that counts are exact, and
-- FOR SHARE by whoever must be sure that a rule still holds. `seq` orders the person's events.
CREATE TABLE favorite_owner (
  home        int    NOT NULL,
  offers      int    NOT NULL,
  searches    int    NOT NULL,
  sellers     int    NOT NULL,
  notes       int    NOT NULL,
  collections int    NOT NULL,
  seq         bigint NOT NULL,
  -- The request that wrote last, for whoever lost the answer to its COMMIT.
  token       bigint NOT NULL,
  owner       text COLLATE "C" NOT NULL,
  -- Set when an anonymous person has moved to a login: nothing is saved here any more.
  moved_to    text COLLATE "C",
  PRIMARY KEY (home, owner)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE favorite (
  home             int         NOT NULL,
  -- 1 offer, 2 search, 3 seller, 4 note, 5 collection, 6 blocked seller.
  kind             smallint    NOT NULL,
  -- 1 instant, 2 daily, 3 off; 0 where nothing is delivered.
  delivery         smallint    NOT NULL,
  -- Of a collection: its offers.
  size             int         NOT NULL,
  -- Of a search: matches told since its owner last touched it.
  new_matches      int         NOT NULL DEFAULT 0,
  -- Of an offer: the price its owner knows, and the offer's version then.
  price_hash       bigint      NOT NULL,
  price_version    bigint      NOT NULL,
  created_at       timestamptz NOT NULL,
  last_notified_at timestamptz,
  owner            text COLLATE "C" NOT NULL,
  -- Offer id, search id, seller, collection id.
  favorite_id      text COLLATE "C" NOT NULL,
  -- Of a search or a collection.
  name             text COLLATE "C" NOT NULL,
  body             bytea       NOT NULL,
  PRIMARY KEY (home, owner, kind, favorite_id)
);
CREATE INDEX favorite_by_time ON favorite (home, owner, kind, created_at, favorite_id);
CREATE UNIQUE INDEX favorite_collection_name ON favorite (home, owner, name) WHERE kind = 5;

CREATE TABLE collection_offer (
  home       int         NOT NULL,
  added_at   timestamptz NOT NULL,
  owner      text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  offer_id   text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, collection, offer_id)
);
CREATE INDEX collection_offer_by_time
  ON collection_offer (home, owner, collection, added_at, offer_id);
CREATE INDEX collection_offer_by_offer ON collection_offer (home, owner, offer_id);

-- A move of an anonymous person to a login, in the anonymous home, for good.
CREATE TABLE move (
  home        int         NOT NULL,
  -- The step in hand, counted from 0.
  step        int         NOT NULL,
  started_at  timestamptz NOT NULL,
  finished_at timestamptz,
  anonymous   text COLLATE "C" NOT NULL,
  login       text COLLATE "C" NOT NULL,
  -- How many of each kind were taken over, in the order of the kinds.
  moved       int[]       NOT NULL,
  PRIMARY KEY (home, anonymous)
);
CREATE INDEX move_unfinished ON move (home, started_at) WHERE finished_at IS NULL;

-- Projections of torg.favorites in the homes of what was saved. A removed row stays 7 days.
CREATE TABLE offer_saver (
  home          int         NOT NULL,
  offer_id      bigint      NOT NULL,
  seq           bigint      NOT NULL,
  created_at    timestamptz NOT NULL,
  removed_at    timestamptz,
  owner         text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, offer_id, owner)
);
CREATE INDEX offer_saver_removed ON offer_saver (home, removed_at) WHERE removed_at IS NOT NULL;

-- The count of an offer is the sum of its slots; a slot belongs to some partitions of the topic.
CREATE TABLE offer_save_count (
  home     int    NOT NULL,
  slot     int    NOT NULL,
  count    int    NOT NULL,
  offer_id bigint NOT NULL,
  PRIMARY KEY (home, offer_id, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE seller_follower (
  home       int         NOT NULL,
  delivery   int         NOT NULL,
  seq        bigint      NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  seller     text COLLATE "C" NOT NULL,
  owner      text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, owner)
);
CREATE INDEX seller_follower_removed ON seller_follower (home, removed_at)
  WHERE removed_at IS NOT NULL;

CREATE TABLE search_subscriber (
  home       int         NOT NULL,
  delivery   int         NOT NULL,
  seq        bigint      NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  search_id  text COLLATE "C" NOT NULL,
  owner      text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, search_id, owner)
);
CREATE INDEX search_subscriber_removed ON search_subscriber (home, removed_at)
  WHERE removed_at IS NOT NULL;

-- The distinct searches. Live while anybody subscribes.
CREATE TABLE search (
  home      int     NOT NULL,
  live      boolean NOT NULL,
  seq       bigint  NOT NULL,
  since     timestamptz NOT NULL,
  search_id text COLLATE "C" NOT NULL,
  query     bytea   NOT NULL,
  PRIMARY KEY (home, search_id)
);
