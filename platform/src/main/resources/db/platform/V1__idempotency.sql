-- The answers to requests that came with an idempotency key, kept for 7 days. A row is written in the
-- transaction of the effect itself: a rival with the same key waits on the row, and no state 'running'
-- can get stuck.
CREATE TABLE idempotency (
  home       int         NOT NULL,
  caller     text        NOT NULL,
  method     text        NOT NULL,
  key        text        NOT NULL,
  body_hash  bytea       NOT NULL,
  answer     bytea,                  -- null only inside the transaction that claims the key
  created_at timestamptz NOT NULL,
  PRIMARY KEY (home, caller, method, key)
);

CREATE INDEX idempotency_created_at ON idempotency (home, created_at);
