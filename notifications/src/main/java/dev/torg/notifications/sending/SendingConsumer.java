package dev.torg.notifications.sending;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.SentNotification;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Consumes `torg.notifications`: writes the messages of many recipients in one transaction, or one per shard. A
/// message that arrives again writes nothing.
public final class SendingConsumer implements EventHandler {
  private final Database database;
  private final StoredTemplates templates;
  private final ReceivedNotificationWriter writer;
  private final InstantSource clock;

  public SendingConsumer(
      Database database,
      StoredTemplates templates,
      ReceivedNotificationWriter writer,
      InstantSource clock) {
    this.database = database;
    this.templates = templates;
    this.writer = writer;
    this.clock = clock;
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    List<ReceivedNotification> received = new ArrayList<>();
    for (Event event : events) {
      received.add(parse(event));
    }
    EachShard.run(
        database.shards().split(received, ReceivedNotification::home),
        shard -> database.transact(tx -> writer.write(tx, shard, clock.instant())));
  }

  private ReceivedNotification parse(Event event) throws InvalidProtocolBufferException {
    SentNotification message = SentNotification.parseFrom(event.payload());
    if (!SendRequestValidator.isRecipient(event.key())
        || !SendRequestValidator.isId(message.getId())) {
      throw new IllegalArgumentException("not a notification to " + event.key());
    }
    return ReceivedNotification.of(event.key(), message, templates);
  }
}
