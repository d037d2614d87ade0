/// Kafka as Torg uses it: the topics with their partitions and durability
/// ([TopicAdmin][dev.torg.platform.kafka.TopicAdmin]), and consumers that apply events
/// ([ConsumerLoop][dev.torg.platform.kafka.ConsumerLoop]).
///
/// A consumer may receive a record twice, or after a rebalance from a zombie, so its effect is either
/// idempotent by its own keys or a [Projection][dev.torg.platform.projection.Projection], whose rows only move
/// to a higher `seq`. A record that cannot be processed is [parked][dev.torg.platform.kafka.ParkedEventStore]
/// with the reason and does not block its partition.
@NullMarked
package dev.torg.platform.kafka;

import org.jspecify.annotations.NullMarked;
