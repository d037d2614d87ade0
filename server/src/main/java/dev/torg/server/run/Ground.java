package dev.torg.server.run;

import dev.torg.platform.db.Database;
import dev.torg.platform.identity.Tokens;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.topics.Kafka;
import dev.torg.server.config.Configuration;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/// What every room stands on.
record Ground(
    Configuration configuration,
    Database database,
    Kafka kafka,
    Outbox outbox,
    Tokens tokens,
    InstantSource clock,
    MeterRegistry metrics) {}
