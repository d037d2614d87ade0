-- A notification that a service sent, in the home of sender and id. Kept forever: a repeated request writes nothing.
CREATE TABLE accepted_notification (
  home        int         NOT NULL,
  recipients  int         NOT NULL,
  accepted_at timestamptz NOT NULL,
  sender      text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  body_hash   bytea       NOT NULL,
  PRIMARY KEY (home, sender, id)
);

-- Waits for `send_at` in the recipient's home.
CREATE TABLE scheduled_notification (
  home    int         NOT NULL,
  send_at timestamptz NOT NULL,
  owner   text COLLATE "C" NOT NULL,
  key     text COLLATE "C" NOT NULL,
  body    bytea       NOT NULL,
  PRIMARY KEY (home, owner, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX scheduled_notification_due ON scheduled_notification (home, send_at);

-- Versions of templates, in the home of the template's id. Never changed.
CREATE TABLE notification_template (
  home       int         NOT NULL,
  version    int         NOT NULL,
  updated_at timestamptz NOT NULL,
  id         text COLLATE "C" NOT NULL,
  body       bytea       NOT NULL,
  PRIMARY KEY (home, id, version)
);
