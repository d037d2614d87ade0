package dev.torg.platform.outbox;

import dev.torg.platform.Home;

/// An event for a topic. Events of one key are ordered by `seq`, which the aggregate's row stores
/// ([EventSequence]). Home, seq, topic and key together are unique.
@SuppressWarnings("ArrayRecordComponent") // Tens of thousands a second: the bytes are not copied.
public record OutboxMessage(Home home, long seq, String topic, String key, byte[] payload) {}
