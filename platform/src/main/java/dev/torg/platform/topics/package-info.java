/// Kafka as Torg uses it: the topics with their partitions and durability
/// ([Topics][dev.torg.platform.topics.Topics]), and the way from a topic back into an effect
/// ([ConsumerLoop][dev.torg.platform.topics.ConsumerLoop]).
///
/// A consumer may see a record twice, or after a rebalance from a zombie, so its effect is either
/// idempotent by its own keys or a [Projection][dev.torg.platform.topics.Projection], whose rows only
/// move to a higher `seq`. A record that cannot be processed is
/// [parked][dev.torg.platform.topics.Parked] with the reason and stops nobody.
@NullMarked
package dev.torg.platform.topics;

import org.jspecify.annotations.NullMarked;
