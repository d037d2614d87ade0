-- From this time on an entry is not shown. Null: never.
ALTER TABLE notification ADD COLUMN expires_at timestamptz;

-- Entries of one topic, also those that were read or not, from the newest on.
CREATE INDEX notification_topic ON notification (home, owner, topic, read, id);
CREATE INDEX notification_read ON notification (home, owner, id) WHERE read;

-- Expired entries: of a home for the job that removes them, of an owner for the unread counts until then.
CREATE INDEX notification_expiry ON notification (home, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX notification_unread_expiry ON notification (home, owner, expires_at)
  WHERE NOT read AND expires_at IS NOT NULL;

-- How far the deletion of old entries of a home has come, and when it continues.
CREATE TABLE bell_purge (
  home        int         NOT NULL,
  next_at     timestamptz NOT NULL,
  after_owner text COLLATE "C" NOT NULL,
  PRIMARY KEY (home)
);
