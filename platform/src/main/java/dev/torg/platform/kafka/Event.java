package dev.torg.platform.kafka;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/// A record as a consumer receives it. `seq` orders the events of a key (0 when the producer set none);
/// `replayed` is true when the group had committed past it when the partition was assigned to this process.
@SuppressWarnings("ArrayRecordComponent") // Tens of thousands a second: the bytes are not copied.
public record Event(
    String topic,
    int partition,
    long offset,
    String key,
    long seq,
    byte[] payload,
    Instant at,
    boolean replayed) {

  /// The header that carries `seq`, eight bytes.
  public static final String SEQ = "seq";

  private static final byte[] NOTHING = {};

  /// Memory of the objects around the payload and the key: an estimate.
  private static final int OVERHEAD_BYTES = 200;

  /// An estimate of the memory that the event occupies until it is handled.
  long bytes() {
    return OVERHEAD_BYTES + payload.length + key.length();
  }

  static long bytes(List<Event> events) {
    long bytes = 0;
    for (Event event : events) {
      bytes += event.bytes();
    }
    return bytes;
  }

  public static byte[] encode(long seq) {
    return ByteBuffer.allocate(Long.BYTES).putLong(seq).array();
  }

  static Event of(KafkaCluster kafka, ConsumerRecord<String, byte[]> received, long committed) {
    byte[] payload = received.value();
    String key = received.key();
    return new Event(
        kafka.localName(received.topic()),
        received.partition(),
        received.offset(),
        key == null ? "" : key,
        seq(received),
        payload == null ? NOTHING : payload,
        Instant.ofEpochMilli(received.timestamp()),
        received.offset() < committed);
  }

  private static long seq(ConsumerRecord<String, byte[]> received) {
    Header header = received.headers().lastHeader(SEQ);
    return header == null || header.value().length != Long.BYTES
        ? 0
        : ByteBuffer.wrap(header.value()).getLong();
  }
}
