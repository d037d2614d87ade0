package dev.torg.platform.kafka;

/// A consumer and its handler, as a module supplies them for a [ConsumerLoop].
public record ConsumerBinding(ConsumerSpec spec, EventHandler handler) {}
