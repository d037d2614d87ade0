-- Subscriptions that have just been projected and for which recent offers are still to be looked through, in the home
-- of the search or seller. Written by the transaction that projects the subscription, deleted when the scan is done.
CREATE TABLE subscription_backfill (
  home       int         NOT NULL,
  -- 2 search, 3 seller.
  kind       smallint    NOT NULL,
  -- Of the event that asked for it.
  seq        bigint      NOT NULL,
  -- When the owner saved the subscription.
  created_at timestamptz NOT NULL,
  -- Offers first activated from then on are to be looked at; it moves on while the scan does.
  look_from  timestamptz NOT NULL,
  -- Search id or seller.
  target     text COLLATE "C" NOT NULL,
  owner      text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, kind, target, owner)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX subscription_backfill_next ON subscription_backfill (look_from);
