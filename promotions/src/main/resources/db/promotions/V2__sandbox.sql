-- The sandbox, a payment provider that takes no money. Its payments are in the homes of Torg's payments. `status`: 1
-- pending, 2 declined, 3 paid. `events`: how many webhooks were created for the payment.
CREATE TABLE sandbox_payment (
  home        int         NOT NULL,
  status      smallint    NOT NULL,
  events      int         NOT NULL,
  amount      bigint      NOT NULL CHECK (amount > 0),
  refunded    bigint      NOT NULL CHECK (refunded BETWEEN 0 AND amount),
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  id          text COLLATE "C" NOT NULL,
  currency    text COLLATE "C" NOT NULL,
  description text        NOT NULL,
  return_url  text        NOT NULL,
  lines       text        NOT NULL,
  PRIMARY KEY (home, id)
);

-- A refund; its key makes it happen once.
CREATE TABLE sandbox_refund (
  home       int         NOT NULL,
  amount     bigint      NOT NULL CHECK (amount > 0),
  at         timestamptz NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  refund_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, payment_id, refund_key)
);

-- A call of the webhook that is to be made. `copy`: repetitions of an event have numbers from 1.
CREATE TABLE sandbox_webhook (
  home       int         NOT NULL,
  copy       int         NOT NULL,
  attempts   int         NOT NULL,
  due_at     timestamptz NOT NULL,
  event_id   text COLLATE "C" NOT NULL,
  body       text        NOT NULL,
  PRIMARY KEY (home, event_id, copy)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX sandbox_webhook_due ON sandbox_webhook (home, due_at);
