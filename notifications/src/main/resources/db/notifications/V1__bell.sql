-- One row a reader: locked by whoever changes the reader's notifications, so that counts are exact and
-- ids grow in the order of commits. `seq` is the clock in µs, raised by every change.
CREATE TABLE bell (
  home     int    NOT NULL,
  seq      bigint NOT NULL,
  owner    text COLLATE "C" NOT NULL,
  -- Set when an anonymous reader was moved to a login: nothing is written here any more.
  moved_to text COLLATE "C",
  PRIMARY KEY (home, owner)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE notification (
  home       int         NOT NULL,
  -- How many events an entry stands for: more than 1 where a storm was collapsed.
  size       int         NOT NULL,
  id         bigint      NOT NULL,
  -- The id, or the `seq` of the bell when the entry last grew.
  seq        bigint      NOT NULL,
  offer_id   bigint,
  created_at timestamptz NOT NULL,
  read       boolean     NOT NULL,
  owner      text COLLATE "C" NOT NULL,
  -- What the entry is about, once per reader for good: a second writing of it is ignored.
  key        text COLLATE "C" NOT NULL,
  topic      text COLLATE "C" NOT NULL,
  body       bytea       NOT NULL,
  PRIMARY KEY (home, owner, id)
);
CREATE UNIQUE INDEX notification_key ON notification (home, owner, key);
CREATE INDEX notification_unread ON notification (home, owner, id) WHERE NOT read;
CREATE INDEX notification_grown ON notification (home, owner, seq) WHERE seq <> id;
CREATE INDEX notification_unread_offer ON notification (home, offer_id, owner)
  WHERE NOT read AND offer_id IS NOT NULL;

CREATE TABLE unread (
  home  int NOT NULL,
  count int NOT NULL,
  owner text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, topic)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE notification_settings (
  home  int   NOT NULL,
  owner text COLLATE "C" NOT NULL,
  body  bytea NOT NULL,
  PRIMARY KEY (home, owner)
);
