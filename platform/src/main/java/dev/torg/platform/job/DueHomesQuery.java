package dev.torg.platform.job;

import dev.torg.platform.Home;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/// Asks in one statement where a job has something to do.
@FunctionalInterface
public interface DueHomesQuery {
  /// Those of the homes in which something is due at the given time.
  Collection<Home> find(List<Home> homes, Instant now) throws Exception;
}
