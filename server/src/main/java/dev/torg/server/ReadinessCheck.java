package dev.torg.server;

import java.util.function.BooleanSupplier;

/// Something without which this process cannot serve: the database, Kafka, a loaded index. The check may wait a little
/// and may throw, which counts as no.
public record ReadinessCheck(String name, BooleanSupplier isReady) {}
