package dev.torg.server.run;

import dev.torg.platform.db.Database;
import dev.torg.platform.identity.TokenService;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.outbox.Outbox;
import dev.torg.server.config.Configuration;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/// What every module is built on.
record ModuleContext(
    Configuration configuration,
    Database database,
    KafkaCluster kafka,
    Outbox outbox,
    TokenService tokens,
    InstantSource clock,
    MeterRegistry metrics) {}
