package dev.torg.offers.promotion;

import dev.torg.api.v1.PromotedService;
import dev.torg.api.v1.PromotionEvent;
import dev.torg.offers.category.Violations;
import dev.torg.offers.lifecycle.ApplyPromotions;
import dev.torg.offers.store.OfferWriter;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Applies the events on [dev.torg.offers.OfferTopics#PROMOTIONS] to offers; events about other entities are ignored. An
/// event that cannot be parsed or refers to an unknown offer fails and is parked.
public final class PromotionEventsConsumer implements EventHandler {
  private static final String OFFER = "offer";
  private static final int MAX_SERVICES = 100;
  private static final int MAX_NAME = 100;

  private final OfferWriter writer;
  private final InstantSource clock;

  public PromotionEventsConsumer(OfferWriter writer, InstantSource clock) {
    this.writer = writer;
    this.clock = clock;
  }

  /// Of several events about one offer, only the last is applied.
  @Override
  public void handle(List<Event> events) throws Exception {
    Map<OfferId, ApplyPromotions> last = new LinkedHashMap<>();
    for (Event event : events) {
      PromotionEvent promotionEvent = PromotionEvent.parseFrom(event.payload());
      if (promotionEvent.getEntityType().equals(OFFER)) {
        ApplyPromotions command = command(promotionEvent);
        last.merge(command.id(), command, (a, b) -> a.seq() > b.seq() ? a : b);
      }
    }
    List<CompletableFuture<?>> applied = new ArrayList<>();
    last.values().forEach(command -> applied.add(writer.apply(command)));
    for (CompletableFuture<?> result : applied) {
      await(result);
    }
  }

  private ApplyPromotions command(PromotionEvent event) {
    List<String> services =
        event.getServicesList().stream().map(PromotedService::getService).distinct().toList();
    if (event.getSeq() <= 0
        || services.size() > MAX_SERVICES
        || !services.stream().allMatch(PromotionEventsConsumer::isName)) {
      throw Failure.invalid(
          "promotion-event.invalid",
          "an event must have a positive number and at most 100 services with names",
          List.of());
    }
    long now = EpochMicros.of(clock.instant());
    return new ApplyPromotions(OfferId.parse(event.getEntityId()), services, event.getSeq(), now);
  }

  private static boolean isName(String name) {
    return !name.isBlank() && name.length() <= MAX_NAME && Violations.isReadable(name);
  }

  private static void await(CompletableFuture<?> result) throws Exception {
    try {
      result.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
