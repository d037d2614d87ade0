package dev.torg.offers.feed;

import static dev.torg.offers.feed.FeedSeller.items;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.FeedEvent;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.wiring.OffersFixture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What the topic of feeds announces.
class FeedTaskEventsIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final FeedSeller seller = new FeedSeller(OFFERS);

  private List<FeedEvent> events() {
    return OFFERS
        .database()
        .read(
            tx ->
                tx.sql("SELECT payload FROM outbox WHERE topic = 'torg.feeds' ORDER BY seq")
                    .list(row -> parse(row.bytesAt(1))))
        .stream()
        .filter(event -> event.getSellerId().equals(seller.caller.subject()))
        .toList();
  }

  private static FeedEvent parse(byte[] payload) {
    try {
      return FeedEvent.parseFrom(payload);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(FeedEvent event) {
    return event.getTask().getTaskId()
        + " "
        + event.getTask().getStatus()
        + " "
        + event.getTask().getCreated()
        + "/"
        + event.getTask().getRemoved()
        + " "
        + event.getReplacedBy();
  }

  @Test
  void finishedFeed_isAnnouncedOnceWithItsCounts() {
    seller.send(1, items(0, 30, "Phone"));
    seller.send(2, items(5, 30, "Phone"));
    seller.finish(2, false);
    assertThat(events())
        .extracting(FeedTaskEventsIT::text)
        .containsExactly("1 FINISHED 30/0 0", "2 FINISHED 0/5 0");
  }

  @Test
  void stoppedFeed_isAnnouncedAgainWhenItFinishes() {
    seller.send(1, items(0, 100, "Phone"));
    seller.send(2, items(0, 10, "Phone"));
    seller.finish(2, true);
    List<FeedEvent> events = events();
    assertThat(events)
        .extracting(FeedTaskEventsIT::text)
        .containsExactly("1 FINISHED 100/0 0", "2 STOPPED 0/0 0", "2 FINISHED 0/90 0");
    assertThat(events.get(1).getTask().getMessage()).isNotEmpty();
    assertThat(events.get(2).getSeq()).isGreaterThan(events.get(1).getSeq());
  }

  @Test
  void unreadableFeed_isAnnounced() {
    seller.send(1, FeedFormat.CSV, "externalId,title\n\"a".getBytes(StandardCharsets.UTF_8));
    assertThat(events()).extracting(FeedTaskEventsIT::text).containsExactly("1 FAILED 0/0 0");
  }

  @Test
  void stoppedFeed_thatALaterOneReplaces_isAnnouncedAsReplaced() {
    seller.send(1, items(0, 100, "Phone"));
    seller.send(2, items(0, 10, "Phone"));
    seller.send(3, items(0, 100, "Phone"));
    assertThat(events())
        .extracting(FeedTaskEventsIT::text)
        .containsExactlyInAnyOrder(
            "1 FINISHED 100/0 0", "2 STOPPED 0/0 0", "2 FAILED 0/0 3", "3 FINISHED 0/0 0");
  }
}
