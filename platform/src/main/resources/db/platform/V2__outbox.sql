-- Events that commit with the change they tell of, until the relay has sent them.
-- The one table whose key does not start with the home: it is a queue, read in order by the group of
-- homes (homes_group = home mod 16). `seq` is the clock in µs, raised above the aggregate's former
-- one; two aggregates of a home may take the same µs, so topic and key complete the primary key.
CREATE TABLE outbox (
  home int NOT NULL,
  homes_group int NOT NULL,
  seq bigint NOT NULL,
  topic text NOT NULL,
  key text NOT NULL,
  payload bytea NOT NULL,
  PRIMARY KEY (homes_group, seq, home, topic, key)
) WITH (
  -- Payloads of a few kB stay in the row: no second table, no compression (Kafka's batches have it).
  toast_tuple_target = 8160,
  -- A queue: nearly all rows are dead soon. Vacuum by count, at full speed. The space is used again
  -- and not given back: cutting the file's end locks out every writer for that time.
  vacuum_truncate = false,
  toast.vacuum_truncate = false,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 100000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 50000,
  autovacuum_vacuum_cost_delay = 0
);
ALTER TABLE outbox ALTER COLUMN payload SET STORAGE EXTERNAL;

-- Keys that Kafka refuses. Their rows wait in the outbox, in order, while others pass.
CREATE TABLE outbox_blocked (
  home int NOT NULL,
  homes_group int NOT NULL,
  topic text NOT NULL,
  key text NOT NULL,
  reason text NOT NULL,
  attempts int NOT NULL,
  blocked_at timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (home, topic, key)
);
