-- Everything is in the home of the payer, who is the seller of what is promoted. docs/data-model.md describes the tables.

-- A payment. `refund_due` is what is to be returned and is not confirmed by the provider yet. `check_at`: when a job acts
-- on it next; null: it waits for nothing.
CREATE TABLE payment (
  home               int         NOT NULL,
  status             smallint    NOT NULL,
  attempts           int         NOT NULL,
  audits             int         NOT NULL,
  total              bigint      NOT NULL CHECK (total > 0),
  refund_due         bigint      NOT NULL CHECK (refund_due >= 0),
  refunded           bigint      NOT NULL CHECK (refunded >= 0),
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  check_at           timestamptz,
  id                 text COLLATE "C" NOT NULL,
  payer              text COLLATE "C" NOT NULL,
  purpose            text COLLATE "C" NOT NULL,
  reference          text COLLATE "C" NOT NULL,
  provider           text COLLATE "C" NOT NULL,
  provider_reference text COLLATE "C",
  url                text,
  currency           text COLLATE "C" NOT NULL,
  reason             text,
  request_hash       bytea       NOT NULL,
  body               bytea       NOT NULL,
  PRIMARY KEY (home, id),
  CHECK (refunded + refund_due <= total)
);
CREATE INDEX payment_by_payer ON payment (home, payer, created_at, id);
CREATE INDEX payment_due ON payment (home, check_at) WHERE check_at IS NOT NULL;

-- Each change of a payment. Never changed.
CREATE TABLE payment_audit (
  home        int         NOT NULL,
  n           int         NOT NULL,
  from_status smallint    NOT NULL,
  to_status   smallint    NOT NULL,
  at          timestamptz NOT NULL,
  payment_id  text COLLATE "C" NOT NULL,
  cause       text        NOT NULL,
  detail      text        NOT NULL,
  PRIMARY KEY (home, payment_id, n)
);

-- A webhook as it was received. `retry_at`: when a job processes it; null after it was processed.
CREATE TABLE payment_webhook (
  home         int         NOT NULL,
  attempts     int         NOT NULL,
  outcome      smallint    NOT NULL,
  received_at  timestamptz NOT NULL,
  retry_at     timestamptz,
  processed_at timestamptz,
  provider     text COLLATE "C" NOT NULL,
  event_id     text COLLATE "C" NOT NULL,
  payment_id   text COLLATE "C",
  body         bytea       NOT NULL,
  PRIMARY KEY (home, provider, event_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX payment_webhook_due ON payment_webhook (home, retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX payment_webhook_processed ON payment_webhook (home, processed_at) WHERE processed_at IS NOT NULL;

-- Something that was or is promoted: locked first by every change of its promotions. `seq` of its last event; the status
-- of the offer as of `status_version`, 0 if torg.offers has not reported any since the row was inserted.
CREATE TABLE promotion_target (
  home           int      NOT NULL,
  status         smallint NOT NULL,
  seq            bigint   NOT NULL,
  status_version bigint   NOT NULL,
  raised_at      timestamptz,
  entity_type    text COLLATE "C" NOT NULL,
  entity_id      text COLLATE "C" NOT NULL,
  seller         text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, entity_type, entity_id)
) WITH (fillfactor = 80);

-- The active services. `source`: the payment or ledger entry that paid for it.
CREATE TABLE promotion (
  home        int         NOT NULL,
  since       timestamptz NOT NULL,
  until       timestamptz NOT NULL,
  entity_type text COLLATE "C" NOT NULL,
  entity_id   text COLLATE "C" NOT NULL,
  service     text COLLATE "C" NOT NULL,
  source      text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, entity_type, entity_id, service)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- What became of each service of a payment: its key makes the application happen once.
CREATE TABLE promotion_application (
  home       int         NOT NULL,
  outcome    smallint    NOT NULL,
  amount     bigint      NOT NULL,
  at         timestamptz NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  service    text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, payment_id, service)
);

-- When to examine a promotion. A row may be out of date: the promotion was extended or has ended.
CREATE TABLE promotion_expiry (
  home        int         NOT NULL,
  run_at      timestamptz NOT NULL,
  entity_type text COLLATE "C" NOT NULL,
  entity_id   text COLLATE "C" NOT NULL,
  service     text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, run_at, entity_type, entity_id, service)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
