-- What the coalescer's tests write. `entry` has no unique token on purpose: what is applied twice shows.
CREATE TABLE account (home int NOT NULL, name text NOT NULL, total bigint NOT NULL, PRIMARY KEY (home, name));
CREATE TABLE entry (home int NOT NULL, name text NOT NULL, position bigint NOT NULL, token bigint NOT NULL, amount bigint NOT NULL,
  PRIMARY KEY (home, name, position, token));
CREATE INDEX entry_token ON entry (token);
