-- Who does the background work of which group of homes. One row a group; the holder renews `until`,
-- and whoever takes the lease over raises `epoch`. All times are the database's: no process's clock
-- decides. These tables stay local to the coordinator on Citus: they are tiny and belong to no home.
CREATE TABLE lease (
  work text NOT NULL,
  homes_group int NOT NULL,
  owner text NOT NULL,
  epoch bigint NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (work, homes_group)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- The processes that compete for some work: each one's fair share follows from their number.
CREATE TABLE lease_member (
  work text NOT NULL,
  owner text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (work, owner)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
