-- The number of ids that the last change of the bell allocated: `seq` and those below it. A column, so that the upsert
-- needs no parameter in its DO UPDATE, which Citus does not support in every form of the statement.
ALTER TABLE bell ADD COLUMN ids int NOT NULL DEFAULT 1;
