-- Mails and SMS of the development outbox, all in one home: one developer reads them, the newest first.
CREATE TABLE dev_outbox (
  home    int         NOT NULL,
  at      timestamptz NOT NULL,
  id      uuid        NOT NULL,
  channel text COLLATE "C" NOT NULL,
  address text        NOT NULL,
  subject text        NOT NULL,
  text    text        NOT NULL,
  html    text        NOT NULL,
  PRIMARY KEY (home, at, id)
);
