package dev.torg.platform.topics;

import java.time.Duration;

/// A topic and how long it keeps its records.
public record TopicSpec(String name, Duration retention) {}
