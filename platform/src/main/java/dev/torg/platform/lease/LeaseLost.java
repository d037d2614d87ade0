package dev.torg.platform.lease;

/// Another process holds the lease now. The step that receives it changes nothing and ends.
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
