package dev.torg.platform.relay;

import dev.torg.platform.Home;
import java.time.Instant;

/// A key whose events Kafka refuses: they wait in the outbox, in order, and are retried at growing intervals.
public record BlockedKey(
    Home home,
    String topic,
    String key,
    String reason,
    int attempts,
    Instant blockedAt,
    Instant retryAt) {}
