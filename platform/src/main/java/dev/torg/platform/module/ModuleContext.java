package dev.torg.platform.module;

import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/// What every module is built on. A process creates one and passes it to the wiring of each module.
public record ModuleContext(
    Database database, Outbox outbox, InstantSource clock, MeterRegistry metrics) {}
