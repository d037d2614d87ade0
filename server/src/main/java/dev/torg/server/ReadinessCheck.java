package dev.torg.server;

import java.util.function.BooleanSupplier;

/// A condition without which this process cannot serve: the database, Kafka, a loaded index. The
/// check may block briefly and may throw, which counts as not ready.
public record ReadinessCheck(String name, BooleanSupplier isReady) {}
