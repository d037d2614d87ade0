package dev.torg.platform.lease;

import java.util.Collection;
import java.util.List;

/// Finds out where there is something to do, in one question for all leases of a work that this
/// process holds: sixteen groups that each ask for themselves cost the database sixteen times as much.
@FunctionalInterface
public interface DueLeasesQuery {
  /// Those of the leases whose steps shall not rest any longer.
  Collection<Lease> find(List<Lease> held) throws Exception;
}
