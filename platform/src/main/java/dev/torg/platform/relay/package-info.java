/// The relay: reads the outbox, sends its messages to Kafka, deletes what Kafka has acknowledged.
@NullMarked
package dev.torg.platform.relay;

import org.jspecify.annotations.NullMarked;
