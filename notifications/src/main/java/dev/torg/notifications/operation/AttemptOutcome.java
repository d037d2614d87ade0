package dev.torg.notifications.operation;

/// What became of an operation, as the record of deliveries states it.
public enum AttemptOutcome {
  /// The attempt began. Its outcome is not recorded yet, or never, if the process ended.
  SENDING,
  /// The provider accepted the message, at least for one of several devices.
  DELIVERED,
  /// The provider definitely did not take it. There may be a further attempt.
  REFUSED,
  /// The provider will never take it.
  REJECTED,
  /// The contact or device does not exist any more.
  TARGET_GONE,
  /// The provider may have taken it. There is no further attempt.
  UNKNOWN,
  /// The person's settings, limits or contacts prevented it.
  SUPPRESSED,
  /// The entry was read, withdrawn or deleted before.
  CANCELLED
}
