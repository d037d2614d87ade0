package dev.torg.platform.job;

import dev.torg.platform.Home;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/// Finds in one statement where a job has something to do.
@FunctionalInterface
public interface DueHomesQuery {
  /// Returns the homes in which something is due at the given time.
  Collection<Home> find(List<Home> homes, Instant now) throws Exception;
}
