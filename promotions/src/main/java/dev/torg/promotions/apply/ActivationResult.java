package dev.torg.promotions.apply;

/// What became of an [Activation].
public enum ActivationResult {
  ACTIVATED,
  /// One of the services is active and cannot be extended.
  ALREADY_ACTIVE,
  /// The offer is sold.
  SOLD,
  /// The offer is banned.
  BANNED,
  /// The offer was removed or does not exist.
  GONE
}
