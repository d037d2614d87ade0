package dev.torg.platform.kafka;

import java.time.Instant;

/// An event that a consumer could not process.
public record ParkedEvent(
    String consumer,
    Event event,
    String reason,
    int attempts,
    Instant parkedAt,
    boolean replayRequested) {}
