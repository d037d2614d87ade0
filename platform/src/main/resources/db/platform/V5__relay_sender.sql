-- Which process sent the events of a group last, by its transactional id at Kafka: who takes the group
-- over fences that one first. Local to the coordinator on Citus, like the leases.
CREATE TABLE relay_sender (
  homes_group int PRIMARY KEY,
  sender text NOT NULL
);
