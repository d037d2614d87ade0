package dev.torg.platform.lease;

/// Somebody else does this work now. The step that hears it changes nothing and ends.
public final class LeaseLost extends RuntimeException {
  LeaseLost(String work, int group, long epoch) {
    super(
        "lease %s/%d of epoch %d was taken over".formatted(work, group, epoch), null, false, false);
  }
}
