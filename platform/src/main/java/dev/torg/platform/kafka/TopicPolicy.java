package dev.torg.platform.kafka;

/// How durable topics must be, and how many partitions a new one gets (never changed later: keys
/// stay where they are).
public record TopicPolicy(int partitions, int replicas, int minInsync, boolean weakAllowed) {
  /// One broker whose disk is forced on every append, for each partition that a transaction touches.
  public static final TopicPolicy EMBEDDED = new TopicPolicy(4, 1, 1, true);

  /// A cluster that loses nothing with any one broker.
  public static final TopicPolicy EXTERNAL = new TopicPolicy(64, 3, 2, false);

  /// A cluster accepted without checks: `--allow-weak-kafka`.
  public static final TopicPolicy EXTERNAL_UNCHECKED = new TopicPolicy(64, 3, 2, true);
}
