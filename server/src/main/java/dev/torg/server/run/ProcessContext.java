package dev.torg.server.run;

import dev.torg.platform.identity.TokenService;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.module.ModuleContext;
import dev.torg.server.config.Configuration;

/// What the modules of this process are built on.
record ProcessContext(
    Configuration configuration, ModuleContext module, KafkaCluster kafka, TokenService tokens) {}
