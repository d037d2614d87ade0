package dev.torg.offers.feed;

import static dev.torg.offers.wiring.OffersFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.offers.photo.PhotoPump;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.photos.PhotoSettings;
import dev.torg.photos.PhotoTopics;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.TestImages;
import dev.torg.testkit.TestSite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Photos of feeds that cannot be reached at first.
class FeedPhotosIT {
  private static final TestSite SITE = new TestSite();

  @RegisterExtension
  static final OffersFixture OFFERS =
      new OffersFixture(
          PhotoSettings.defaults(TestDirectory.create("feed-photos"))
              .withTrustedHosts(Set.of("127.0.0.1")));

  private final FeedSeller seller = new FeedSeller(OFFERS);
  private final PhotoPump pump = new PhotoPump(OFFERS);

  @AfterAll
  static void close() {
    SITE.close();
  }

  @Test
  void unreachablePhoto_namedAnHourLater_isRetried() {
    String item = item(SITE.put("/later", 503), SITE.put("/never", 404));
    seller.send(1, item);
    failForGood();
    assertThat(photos()).containsExactly(Status.FAILED, Status.FAILED);
    assertThat(seller.task(1).photosFailed()).isEqualTo(2);
    seller.reprice("a", 500);
    assertThat(seller.send(2, item).counts().unchanged()).isEqualTo(1);
    OFFERS.clock.advance(Duration.ofMinutes(61));
    SITE.put("/later", TestImages.jpeg(320, 200));
    assertThat(seller.send(3, item).counts().updated()).isEqualTo(1);
    assertThat(photos()).containsExactly(Status.PENDING, Status.FAILED);
    pump.run();
    assertThat(photos()).containsExactly(Status.READY, Status.FAILED);
    assertThat(seller.offer("a").getPrice().getAmount()).isEqualTo(500);
    OFFERS.clock.advance(Duration.ofMinutes(61));
    assertThat(seller.send(4, item).counts().unchanged()).isEqualTo(1);
  }

  /// Photos of a feed do not delay other photos, whatever their outcome.
  @Test
  void photosOfFeed_useBulkTopic() {
    String later = SITE.put("/unavailable", 503);
    seller.send(1, item(later));
    assertThat(topics(pump.deliver(pump.deliverRequests())))
        .containsExactly(PhotoTopics.BULK_REQUESTS);
    OFFERS.clock.advance(Duration.ofSeconds(11));
    OFFERS.retryPhotos();
    assertThat(topics(pump.deliver(pump.deliverRequests())))
        .containsExactly(PhotoTopics.BULK_REQUESTS);
    seller.send(2, item(SITE.put("/other", TestImages.jpeg(320, 200))));
    assertThat(topics(pump.deliver(pump.deliverRequests())))
        .containsExactly(PhotoTopics.BULK_REQUESTS, PhotoTopics.BULK_REQUESTS);
    OfferId offer = OfferId.parse(seller.offer("a").getId());
    await(OFFERS.photos().add(seller.caller, offer, later, Optional.empty()));
    assertThat(topics(pump.deliver(pump.deliverRequests()))).containsExactly(PhotoTopics.REQUESTS);
    pump.run();
    assertThat(photos()).contains(Status.READY);
    seller.send(3, item());
    assertThat(topics(pump.deliver(pump.deliverRequests())))
        .containsExactly(PhotoTopics.BULK_REQUESTS);
  }

  private static List<String> topics(List<Event> requests) {
    return requests.stream().map(Event::topic).toList();
  }

  private void failForGood() {
    pump.run();
    for (int seconds : new int[] {11, 61, 601}) {
      OFFERS.clock.advance(Duration.ofSeconds(seconds));
      OFFERS.retryPhotos();
      pump.run();
    }
  }

  private List<Status> photos() {
    return seller.offer("a").getPhotosList().stream().map(Photo::getStatus).toList();
  }

  private static String item(String... urls) {
    return "{\"externalId\":\"a\",\"category\":\"electronics\",\"title\":\"Phone\",\"photos\":[\"%s\"]}"
        .formatted(String.join("\",\"", urls))
        .replace("[\"\"]", "[]");
  }
}
