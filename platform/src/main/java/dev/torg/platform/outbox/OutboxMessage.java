package dev.torg.platform.outbox;

import dev.torg.platform.Home;

/// An event on its way to a topic: of one key in the order of `seq`, which the aggregate's row keeps
/// ([EventSequence]). Home, seq, topic and key together are unique.
@SuppressWarnings("ArrayRecordComponent") // Tens of thousands a second: the bytes are not copied.
public record OutboxMessage(Home home, long seq, String topic, String key, byte[] payload) {}
