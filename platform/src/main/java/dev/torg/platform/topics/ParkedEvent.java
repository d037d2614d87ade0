package dev.torg.platform.topics;

import java.time.Instant;

/// An event that a consumer could not process.
public record ParkedEvent(
    String consumer,
    Event event,
    String reason,
    int attempts,
    Instant parkedAt,
    boolean replayAsked) {}
