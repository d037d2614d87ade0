package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.FeedPromotion;
import dev.torg.api.v1.FeedPromotionsEvent;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.wiring.OffersFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What the topic of promotions in feeds announces.
class FeedPromotionsIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final FeedSeller seller = new FeedSeller(OFFERS);

  @Test
  void upload_itemsWithServices_areAnnouncedWithTheirOffers() {
    seller.send(3, item("a", "[\"premium\"]"), FeedSeller.item("b", "Plain"), item("c", "[]"));
    List<FeedPromotionsEvent> events = events();
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.getSellerId()).isEqualTo(seller.caller.subject());
              assertThat(event.getTaskId()).isEqualTo(3);
              assertThat(event.getSeq()).isPositive();
            });
    assertThat(text(events)).containsExactlyInAnyOrder("a premium", "c ");
    FeedPromotion first =
        events.stream()
            .flatMap(event -> event.getItemsList().stream())
            .filter(item -> item.getExternalId().equals("a"))
            .findFirst()
            .orElseThrow();
    assertThat(first.getOfferId()).isEqualTo(seller.offer("a").getId());
  }

  @Test
  void upload_noItemWithServices_announcesNothing() {
    seller.send(1, FeedSeller.items(0, 300, "Phone"));
    assertThat(events()).isEmpty();
  }

  /// Every feed repeats them, and neither they nor their change are a change of the offer.
  @Test
  void upload_unchangedItem_isAnnouncedAgain() {
    seller.send(1, item("a", "[\"premium\"]"));
    long version = seller.offer("a").getVersion();
    later();
    StoredFeedTask same = seller.send(2, item("a", "[\"premium\"]"));
    later();
    StoredFeedTask other = seller.send(3, item("a", "[\"turbo\"]"));
    assertThat(same.counts().unchanged()).isEqualTo(1);
    assertThat(other.counts().unchanged()).isEqualTo(1);
    assertThat(seller.offer("a").getVersion()).isEqualTo(version);
    assertThat(text(events())).containsExactly("a premium", "a premium", "a turbo");
    assertThat(events()).extracting(FeedPromotionsEvent::getTaskId).containsExactly(1L, 2L, 3L);
  }

  @Test
  void upload_itemTwice_announcesTheLast() {
    seller.send(1, item("a", "[\"premium\"]"), item("a", "[\"turbo\"]"));
    assertThat(text(events()).getLast()).isEqualTo("a turbo");
  }

  /// An item that a later task has changed, that is invalid, or whose offer refuses it.
  @Test
  void upload_itemThatIsNotAccepted_isNotAnnounced() {
    seller.send(5, FeedSeller.item("a", "Phone"), FeedSeller.item("b", "Phone"));
    seller.send(6, FeedSeller.item("a", "Phone"), FeedSeller.item("b", "Phone"));
    seller.part(
        7,
        item("c", "[\"premium\"]").replace("electronics", "unknown"),
        item("d", "[\"two words\"]"));
    assertThat(seller.errors(7)).containsExactlyInAnyOrder("1 c offer.invalid", "2 d feed.promote");
    assertThat(events()).isEmpty();
  }

  @Test
  void upload_csvAndYml_areAnnounced() {
    seller.send(
        1,
        FeedFormat.CSV,
        "externalId,category,title,promote\na,electronics,Phone,premium|raise\n"
            .getBytes(StandardCharsets.UTF_8));
    later();
    seller.send(
        2,
        FeedFormat.YML,
        """
        <yml_catalog><shop><offers><offer id="a"><name>Phone</name>
        <categoryId>electronics</categoryId><param name="promote">turbo</param>
        </offer></offers></shop></yml_catalog>
        """
            .getBytes(StandardCharsets.UTF_8));
    assertThat(text(events())).containsExactly("a premium raise", "a turbo");
  }

  /// Some events for many items, each below the size limit of events.
  @Test
  void upload_manyItems_areAnnouncedByChunk() {
    String services = "[\"" + "s".repeat(40) + "\",\"premium\"]";
    List<String> items = IntStream.range(0, 1_000).mapToObj(i -> item("i" + i, services)).toList();
    seller.send(1, items);
    assertThat(text(events())).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(events()).hasSizeBetween(4, 20);
  }

  private static String item(String externalId, String services) {
    String item = FeedSeller.item(externalId, "Phone");
    return item.substring(0, item.length() - 1) + ",\"promote\":" + services + "}";
  }

  /// The test's clock advances by a microsecond with every reading, less than the random offset of the numbers.
  private static void later() {
    OFFERS.clock.advance(Duration.ofSeconds(1));
  }

  private List<FeedPromotionsEvent> events() {
    return OFFERS
        .database()
        .read(
            tx ->
                tx.sql("SELECT payload FROM outbox WHERE topic = ? AND key = ? ORDER BY seq")
                    .set(OfferTopics.FEED_PROMOTIONS)
                    .set(seller.caller.subject())
                    .list(row -> parse(row.bytesAt(1))));
  }

  private static List<String> text(List<FeedPromotionsEvent> events) {
    return events.stream()
        .flatMap(event -> event.getItemsList().stream())
        .map(item -> item.getExternalId() + " " + String.join(" ", item.getServicesList()))
        .toList();
  }

  private static FeedPromotionsEvent parse(byte[] payload) {
    try {
      return FeedPromotionsEvent.parseFrom(payload);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
