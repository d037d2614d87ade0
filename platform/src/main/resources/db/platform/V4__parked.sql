-- Records that a consumer could not process, with the reason, until somebody has them replayed.
-- The home is that of the record's key.
CREATE TABLE parked (
  home int NOT NULL,
  consumer text NOT NULL,
  topic text NOT NULL,
  part int NOT NULL,
  record_offset bigint NOT NULL,
  key text NOT NULL,
  seq bigint NOT NULL,
  payload bytea NOT NULL,
  record_at timestamptz NOT NULL,
  reason text NOT NULL,
  attempts int NOT NULL,
  parked_at timestamptz NOT NULL,
  replay boolean NOT NULL,
  PRIMARY KEY (home, consumer, topic, part, record_offset)
);
CREATE INDEX parked_replay ON parked (consumer) WHERE replay;
