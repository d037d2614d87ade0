package dev.torg.offers.photo;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.photos.FetchLimits;
import dev.torg.photos.PhotoSettings;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.net.HostResolver;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.TestImages;
import dev.torg.testkit.TestSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// A site that does not respond does not delay photos of other sites.
class SlowSitesIT {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final FetchLimits LIMITS =
      new FetchLimits(1_000_000, MINUTE, MINUTE, MINUTE, 3, 2, 4, Duration.ofMillis(300));

  @TempDir static Path directory;

  private static final TestSite SITE = new TestSite();

  @RegisterExtension
  static final OffersFixture OFFERS =
      new OffersFixture(
          PhotoSettings.defaults(TestDirectory.create("slow-sites"))
              .withTrustedHosts(Set.of("127.0.0.1"))
              .withFetch(LIMITS, HostResolver.SYSTEM));

  private final PhotoPump pump = new PhotoPump(OFFERS);
  private final CountDownLatch responses = new CountDownLatch(1);

  @AfterAll
  static void close() {
    SITE.close();
  }

  @Test
  void batch_stalledSite_doesNotDelayOtherPhotos() throws Exception {
    Caller slow = user("slow");
    Offer waiting = await(OFFERS.offers().publish(slow, car("Slow", 100)));
    for (int i = 0; i < 5; i++) {
      String url = SITE.put("/slow-" + i, this::stall);
      await(OFFERS.photos().add(slow, id(waiting), url, Optional.empty()));
    }
    Caller quick = user("quick");
    Offer offer = await(OFFERS.offers().publish(quick, car("Quick", 100)));
    Path file = Files.write(directory.resolve("up.jpg"), TestImages.jpeg(320, 200));
    await(OFFERS.photos().upload(quick, id(offer), file, Optional.empty()));
    CompletableFuture.runAsync(pump::run).get(20, TimeUnit.SECONDS);
    assertThat(photos(quick, offer)).containsExactly(Status.READY);
    assertThat(photos(slow, waiting)).containsOnly(Status.PENDING);
    responses.countDown();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              OFFERS.clock.advance(Duration.ofSeconds(20));
              OFFERS.retryPhotos();
              pump.run();
              return photos(slow, waiting).stream().allMatch(Status.READY::equals);
            });
  }

  private void stall(HttpExchange call) throws IOException {
    try {
      responses.await(1, TimeUnit.MINUTES);
      TestSite.send(call, 200, TestImages.jpeg(320, 200));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<Status> photos(Caller seller, Offer offer) {
    return await(OFFERS.offers().get(Optional.of(seller), id(offer))).getPhotosList().stream()
        .map(Photo::getStatus)
        .toList();
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }
}
