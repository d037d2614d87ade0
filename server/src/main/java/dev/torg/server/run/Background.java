package dev.torg.server.run;

import dev.torg.platform.lease.Jobs;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.Parked;
import dev.torg.server.config.Role;
import java.util.Set;

/// Where rooms hang their work beside the calls: jobs, consumers, and whatever else must end before
/// the rooms do.
///
/// @param partitions of each topic
record Background(
    Set<Role> roles, Kafka kafka, int partitions, Parked parked, Jobs jobs, Ending ending) {
  boolean does(Role role) {
    return roles.contains(role);
  }

  void run(ConsumerLoop loop) {
    ending.add(loop).start();
  }
}
