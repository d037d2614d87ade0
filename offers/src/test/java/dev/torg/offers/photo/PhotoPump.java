package dev.torg.offers.photo;

import dev.torg.api.v1.PhotoEvent;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.photos.PhotoTopics;
import dev.torg.platform.Home;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Replaces relay and topics: delivers outbox rows to their handlers, once or repeatedly.
public final class PhotoPump {
  private static final String TAKE_EVENTS =
      "DELETE FROM outbox WHERE home = ANY (?) AND topic = ? RETURNING key, seq, payload";

  private final OffersFixture offers;

  public PhotoPump(OffersFixture offers) {
    this.offers = offers;
  }

  /// Delivers until nothing is left to be prepared or applied.
  public void run() {
    while (!deliver(deliverRequests()).isEmpty() | !deliver(deliverAnswers()).isEmpty()) {
      Thread.onSpinWait();
    }
  }

  /// The requests of both lanes.
  public List<Event> deliverRequests() {
    List<Event> requests = take(PhotoTopics.REQUESTS);
    requests.addAll(take(PhotoTopics.BULK_REQUESTS));
    return requests;
  }

  public List<Event> deliverAnswers() {
    return take(PhotoTopics.ANSWERS);
  }

  /// Delivers events to the consumers of their topics and returns them.
  public List<Event> deliver(List<Event> events) {
    events.stream()
        .collect(Collectors.groupingBy(Event::topic, LinkedHashMap::new, Collectors.toList()))
        .forEach(this::deliver);
    return events;
  }

  private void deliver(String topic, List<Event> events) {
    try {
      handler(topic).handle(events);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
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
    return Stream.concat(offers.photoConsumers().stream(), offers.consumers().stream())
        .filter(consumer -> consumer.spec().topics().contains(topic))
        .findFirst()
        .orElseThrow()
        .handler();
  }

  private List<Event> take(String topic) {
    List<Event> events = new ArrayList<>();
    offers.homesByShard().forEach(homes -> events.addAll(take(topic, homes)));
    return events;
  }

  private List<Event> take(String topic, List<Home> homes) {
    return offers
        .database()
        .inTransaction(
            tx ->
                tx.sql(TAKE_EVENTS)
                    .ints(homes, Home::number)
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
                                false)));
  }
}
