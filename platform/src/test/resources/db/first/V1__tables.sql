CREATE TABLE apple (home int NOT NULL, id bigint NOT NULL, PRIMARY KEY (home, id));
CREATE TABLE pear (home int NOT NULL, id bigint NOT NULL, month date NOT NULL, PRIMARY KEY (home, id, month))
  PARTITION BY RANGE (month);
CREATE TABLE pear_2026 PARTITION OF pear FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE season (name text PRIMARY KEY);
COMMENT ON TABLE season IS 'reference: read by joins everywhere';
CREATE TABLE gardener (name text PRIMARY KEY);
