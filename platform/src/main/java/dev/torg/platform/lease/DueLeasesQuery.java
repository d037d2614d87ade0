package dev.torg.platform.lease;

import java.util.Collection;
import java.util.List;

/// Finds due work with one statement for all leases of a work that this process holds: sixteen groups that each
/// poll separately cost the database sixteen times as much.
@FunctionalInterface
public interface DueLeasesQuery {
  /// Returns the leases whose steps shall run now.
  Collection<Lease> find(List<Lease> held) throws Exception;
}
