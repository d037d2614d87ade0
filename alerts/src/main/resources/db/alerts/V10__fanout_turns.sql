-- Turns go round by seller or search: the next target of a home, and of its fan-outs the one that waited longest.
CREATE INDEX fanout_turn ON fanout (home, rule, target, worked_at) WHERE finished_at IS NULL;
DROP INDEX fanout_waiting;
