package dev.torg.offers.photo;

import dev.torg.api.v1.PhotoEvent;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.TestOffers;
import dev.torg.platform.topics.Event;
import dev.torg.platform.topics.EventHandler;
import java.util.ArrayList;
import java.util.List;

/// Stands for relay and topics: takes what waits in the outbox to its handler, once or more often.
public final class PhotoPump {
  private static final String TAKE =
      "DELETE FROM outbox WHERE topic = ? RETURNING key, seq, payload";

  private final TestOffers offers;

  public PhotoPump(TestOffers offers) {
    this.offers = offers;
  }

  /// Until nothing is left to be prepared or heard.
  public void run() {
    while (!deliver(takeRequests()).isEmpty() | !deliver(takeAnswers()).isEmpty()) {
      Thread.onSpinWait();
    }
  }

  public List<Event> takeRequests() {
    return take(PhotoRequests.TOPIC);
  }

  public List<Event> takeAnswers() {
    return take("torg.photos");
  }

  /// Gives events of one topic to whoever reads it, and gives them back.
  public List<Event> deliver(List<Event> events) {
    if (!events.isEmpty()) {
      try {
        handler(events.getFirst().topic()).handle(events);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return events;
  }

  public static PhotoRequest request(Event event) {
    try {
      return PhotoRequest.parseFrom(event.payload());
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  public static PhotoEvent answer(Event event) {
    try {
      return PhotoEvent.parseFrom(event.payload());
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private EventHandler handler(String topic) {
    return topic.equals(PhotoRequests.TOPIC)
        ? offers.photoConsumer().handler()
        : offers.consumers().stream()
            .filter(consumer -> consumer.spec().topics().contains(topic))
            .findFirst()
            .orElseThrow()
            .handler();
  }

  private List<Event> take(String topic) {
    return new ArrayList<>(
        offers
            .database()
            .inTransaction(
                tx ->
                    tx.sql(TAKE)
                        .set(topic)
                        .list(
                            row ->
                                new Event(
                                    topic,
                                    0,
                                    0,
                                    row.textAt(1),
                                    row.longAt(2),
                                    row.bytesAt(3),
                                    offers.clock.instant(),
                                    false))));
  }
}
