-- Events that sellers are notified of, in the seller's home. A row that was sent is kept while its event may be delivered
-- again.
CREATE TABLE seller_notice (
  home    int         NOT NULL,
  -- SellerNoticeKind.
  kind    int         NOT NULL,
  at      timestamptz NOT NULL,
  -- When it is sent; null: it was sent.
  run_at  timestamptz,
  seller  text COLLATE "C" NOT NULL,
  -- Identifies the event: offer and version, photo or due date; task and change.
  subject text COLLATE "C" NOT NULL,
  -- What the text needs: an Offer or a FeedTask. Empty when it was sent.
  body    bytea NOT NULL,
  PRIMARY KEY (home, seller, kind, subject)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX seller_notice_due ON seller_notice (home, run_at) WHERE run_at IS NOT NULL;
CREATE INDEX seller_notice_waiting ON seller_notice (home, seller, kind, run_at) WHERE run_at IS NOT NULL;
CREATE INDEX seller_notice_at ON seller_notice (home, at);

-- How many events of a kind a seller was notified of in an hour (UTC, since 1970): beyond a few they are counted in one
-- entry.
CREATE TABLE seller_notice_count (
  home   int NOT NULL,
  kind   int NOT NULL,
  hour   int NOT NULL,
  sent   int NOT NULL,
  seller text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, kind)
) WITH (fillfactor = 70);

-- The last offer, in the order in which they expire, that was examined for the notice before its end.
CREATE TABLE expiry_notice (
  home       int         NOT NULL PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  offer_id   bigint      NOT NULL
) WITH (fillfactor = 50);
