package dev.torg.alerts.seller;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.FeedEvent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.Offers;
import dev.torg.photos.PhotoTopics;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.CrossPartitionBatcher;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Records what the events of a topic mean to sellers. Events that mean nothing to them, which are nearly all of
/// `torg.offers` and of `torg.photos`, cost no statement. Blocks.
public final class SellerNoticeConsumer {
  private final Offers offers;
  private final SellerNoticeRecorder recorder;

  public SellerNoticeConsumer(Database database, Offers offers, InstantSource clock) {
    this.offers = offers;
    this.recorder = new SellerNoticeRecorder(database, clock);
  }

  /// One group per topic: none delays another.
  public List<ConsumerBinding> bindings() {
    return List.of(
        binding("alerts.seller.offers", OfferTopics.OFFERS, this::handleOffers),
        binding("alerts.seller.photos", PhotoTopics.ANSWERS, this::handlePhotos),
        binding("alerts.seller.feeds", OfferTopics.FEEDS, this::handleFeeds));
  }

  private static ConsumerBinding binding(String group, String topic, EventHandler handler) {
    return new ConsumerBinding(ConsumerSpec.of(group, topic), new CrossPartitionBatcher(handler));
  }

  public void handleOffers(List<Event> events) throws InvalidProtocolBufferException {
    List<SellerNotice> notices = new ArrayList<>();
    for (Event event : events) {
      SellerNotice.of(OfferEvent.parseFrom(event.payload())).ifPresent(notices::add);
    }
    recorder.record(notices);
  }

  public void handleFeeds(List<Event> events) throws InvalidProtocolBufferException {
    List<SellerNotice> notices = new ArrayList<>();
    for (Event event : events) {
      SellerNotice.of(FeedEvent.parseFrom(event.payload())).ifPresent(notices::add);
    }
    recorder.record(notices);
  }

  /// An answer may arrive before it is applied to the offer, so the offer is read only for its seller and title and for
  /// whether it still has the photo.
  public void handlePhotos(List<Event> events) throws InvalidProtocolBufferException {
    List<PhotoEvent> failed = new ArrayList<>();
    for (Event event : events) {
      PhotoEvent answer = PhotoEvent.parseFrom(event.payload());
      if (answer.getStatus() == Photo.Status.FAILED && offer(answer).isPresent()) {
        failed.add(answer);
      }
    }
    Set<OfferId> ids = new LinkedHashSet<>();
    failed.forEach(answer -> offer(answer).ifPresent(ids::add));
    Map<OfferId, Offer> byId = ids.isEmpty() ? Map.of() : offers.find(ids).join();
    recorder.record(
        failed.stream()
            .flatMap(
                answer ->
                    offer(answer).map(byId::get).stream()
                        .flatMap(offer -> SellerNotice.of(answer, offer).stream()))
            .toList());
  }

  /// Empty for photos of drafts. The consumer that applies answers parks those that name no offer.
  private static Optional<OfferId> offer(PhotoEvent answer) {
    if (answer.hasDraft()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OfferId.parse(answer.getOfferId()));
    } catch (Failure e) {
      return Optional.empty();
    }
  }
}
