package dev.torg.platform.lease;

/// Work that one process at a time does for a group of homes.
@FunctionalInterface
public interface LeasedWork {
  /// Called on a virtual thread of its own each time a lease was acquired, and again after a step failed:
  /// prepares what the steps need.
  LeaseStep begin(Lease lease) throws Exception;
}
