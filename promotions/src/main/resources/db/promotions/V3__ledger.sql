-- The prepaid balance of a seller in a currency, locked by every entry. `last_id`: of the last entry.
CREATE TABLE ledger_account (
  home     int    NOT NULL,
  balance  bigint NOT NULL CHECK (balance >= 0),
  last_id  bigint NOT NULL,
  seller   text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller, currency)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Entries, a row for each of the two legs, whose amounts sum to zero. Never changed. `leg`: 0 the balance, 1 the payment
-- provider, 2 the revenue. `id`: a time in microseconds, raised above the account's previous one. `refers_to`: the
-- reference of the top-up or charge that an entry returns.
CREATE TABLE ledger_entry (
  home      int         NOT NULL,
  leg       smallint    NOT NULL,
  kind      smallint    NOT NULL,
  id        bigint      NOT NULL,
  amount    bigint      NOT NULL CHECK (amount <> 0),
  at        timestamptz NOT NULL,
  seller    text COLLATE "C" NOT NULL,
  currency  text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  refers_to text COLLATE "C",
  reason    text        NOT NULL,
  PRIMARY KEY (home, seller, id, currency, leg)
);
CREATE UNIQUE INDEX ledger_entry_reference ON ledger_entry (home, seller, currency, kind, reference) WHERE leg = 0;
CREATE INDEX ledger_entry_refers_to ON ledger_entry (home, seller, currency, refers_to)
  WHERE leg = 0 AND refers_to IS NOT NULL;

-- What a seller's intents have in common, locked before them. `waiting`: those that wait for the balance; `notified`: that
-- the seller was notified of it.
CREATE TABLE promotion_intent_seller (
  home     int     NOT NULL,
  waiting  int     NOT NULL CHECK (waiting >= 0),
  notified boolean NOT NULL,
  seller   text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller)
) WITH (fillfactor = 70);

-- Services that the offer with an external id should have. `state`: IntentState. `version`: grows with every arrival and
-- wake-up, so that the result of an attempt that began before is discarded. `arrived`: the time of the last arrival that
-- was applied, in microseconds. `run_at`: when it is examined; null: it waits for an event.
CREATE TABLE promotion_intent (
  home        int         NOT NULL,
  state       smallint    NOT NULL,
  attempts    int         NOT NULL,
  version     bigint      NOT NULL,
  arrived     bigint      NOT NULL,
  offer_id    bigint,
  run_at      timestamptz,
  seller      text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  services    text        NOT NULL,
  PRIMARY KEY (home, seller, external_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX promotion_intent_due ON promotion_intent (home, run_at) WHERE run_at IS NOT NULL;
CREATE INDEX promotion_intent_unpaid ON promotion_intent (home, seller, external_id) WHERE state = 2;
CREATE INDEX promotion_intent_removed ON promotion_intent (home, arrived) WHERE state = 5;

-- Sellers whose balance has grown: their intents that wait for it are examined again. `token` differs each time.
CREATE TABLE promotion_intent_retry (
  home   int    NOT NULL,
  token  bigint NOT NULL,
  seller text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, seller)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
