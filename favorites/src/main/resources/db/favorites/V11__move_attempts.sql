-- A move that cannot be finished is tried again after a growing pause, so that it neither keeps the job busy nor hides
-- the moves behind it.
ALTER TABLE move
  -- By the job, since the last step was completed.
  ADD COLUMN attempts int NOT NULL DEFAULT 0,
  -- Not before; null until the job has tried once.
  ADD COLUMN next_try timestamptz;
