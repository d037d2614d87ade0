package dev.torg.platform.lease;

/// Somebody else does this work now. The step that hears it changes nothing and ends.
public final class LeaseLost extends RuntimeException {
  public LeaseLost(Lease lease) {
    super(
        "lease %s/%d of epoch %d was taken over"
            .formatted(lease.work(), lease.group(), lease.epoch()),
        null,
        false,
        false);
  }
}
