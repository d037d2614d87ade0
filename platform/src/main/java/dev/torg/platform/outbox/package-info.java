/// From a committed change to Kafka. A change [appends][dev.torg.platform.outbox.Outbox#append] its
/// events in its own transaction; the [Relay][dev.torg.platform.relay.Relay] of each group of
/// homes sends them in order and deletes exactly what Kafka has committed.
///
/// Events of one key arrive in the order of their `seq`, each at least once: a relay that dies
/// between Kafka's commit and its own sends the same rows again, in the same order. Consumers read
/// committed and ignore what they have seen.
@NullMarked
package dev.torg.platform.outbox;

import org.jspecify.annotations.NullMarked;
