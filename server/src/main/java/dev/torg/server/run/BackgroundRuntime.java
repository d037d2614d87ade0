package dev.torg.server.run;

import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.server.config.Role;
import java.util.Set;

/// Where modules register their background work: jobs, consumers, and whatever else must end before the modules
/// do.
///
/// @param partitions of each topic
record BackgroundRuntime(
    Set<Role> roles,
    KafkaCluster kafka,
    int partitions,
    ParkedEventStore parkedEvents,
    LeaseCoordinator leases,
    JobScheduler jobs,
    ShutdownStack shutdown) {
  boolean does(Role role) {
    return roles.contains(role);
  }

  void run(ConsumerLoop loop) {
    shutdown.add(loop).start();
  }
}
