package dev.torg.alerts;

/// The Kafka topics that this module writes, all keyed by recipient.
public final class AlertTopics {
  /// Alerts for small audiences.
  public static final String NORMAL = "torg.alerts";

  /// Alerts for large audiences.
  public static final String BULK = "torg.alerts.bulk";

  /// Alerts of storms: many offers of one seller, or for one search, at once.
  public static final String STORM = "torg.alerts.storm";

  private AlertTopics() {}
}
