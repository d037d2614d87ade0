package dev.torg.offers.photo;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.Preset;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.photos.PhotoImages;
import dev.torg.photos.PhotoSettings;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.TestImages;
import dev.torg.testkit.TestSite;
import java.awt.Color;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Photos of offers from the call to the image; [PhotoPump] replaces the topics.
class PhotosIT {
  @TempDir static Path directory;

  private static final Path STORE = TestDirectory.create("photos");
  private static final TestSite SITE = new TestSite();

  @RegisterExtension
  static final OffersFixture OFFERS =
      new OffersFixture(PhotoSettings.defaults(STORE).withTrustedHosts(Set.of("127.0.0.1")));

  private static final AtomicInteger COLORS = new AtomicInteger(1);

  private final PhotoPump pump = new PhotoPump(OFFERS);

  @AfterAll
  static void close() {
    SITE.close();
  }

  @Test
  void add_byAddress_isPendingThenReady() {
    Caller seller = user("by-address");
    Offer offer = published(seller);
    Photo photo = add(seller, offer, SITE.put("/by-address", jpeg()));
    assertThat(photo.getStatus()).isEqualTo(Status.PENDING);
    assertThat(OFFERS.images().etag(photo.getId(), "full")).isEmpty();
    pump.run();
    Offer after = now(seller, offer);
    assertThat(after.getVersion()).isEqualTo(3);
    assertThat(after.getPhotosList())
        .singleElement()
        .satisfies(
            ready -> {
              assertThat(ready.getId()).isEqualTo(photo.getId());
              assertThat(ready.getStatus()).isEqualTo(Status.READY);
              assertThat(ready.getSizes().getThumb())
                  .isEqualTo("/photos/" + photo.getId() + "/thumb");
            });
    assertThat(OFFERS.images().image(photo.getId(), "full")).isPresent();
    assertThat(OFFERS.images().image(photo.getId(), "huge")).isEmpty();
  }

  @Test
  void add_uploaded_isReadyAndUploadIsDeleted() throws IOException {
    Caller seller = user("uploaded");
    Offer offer = published(seller);
    Path file = Files.write(Files.createTempFile(directory, "up", ".txt"), jpeg());
    Photo photo = await(OFFERS.photos().upload(seller, id(offer), file, Optional.empty()));
    assertThat(uploads()).contains(photo.getId());
    pump.run();
    assertThat(now(seller, offer).getPhotos(0).getStatus()).isEqualTo(Status.READY);
    assertThat(uploads()).doesNotContain(photo.getId());
  }

  @Test
  void add_uploadRefused_leavesNothingBehind() throws IOException {
    Offer offer = published(user("owner"));
    Path file = Files.write(Files.createTempFile(directory, "up", ".jpg"), jpeg());
    List<String> before = uploads();
    assertThat(
            kindOf(() -> OFFERS.photos().upload(user("other"), id(offer), file, Optional.empty())))
        .isEqualTo("FORBIDDEN");
    assertThat(uploads()).isEqualTo(before);
  }

  @Test
  void add_sameKeyTwice_isOnePhoto() throws IOException {
    Caller seller = user("keyed");
    Offer offer = published(seller);
    Path file = Files.write(Files.createTempFile(directory, "up", ".jpg"), jpeg());
    Photo first = await(OFFERS.photos().upload(seller, id(offer), file, Optional.of("k")));
    List<String> before = uploads();
    Photo repeated = await(OFFERS.photos().upload(seller, id(offer), file, Optional.of("k")));
    assertThat(repeated).isEqualTo(first);
    assertThat(now(seller, offer).getPhotosCount()).isEqualTo(1);
    assertThat(uploads()).isEqualTo(before);
    assertThat(
            kindOf(() -> OFFERS.photos().add(seller, id(offer), SITE.at("/x"), Optional.of("k"))))
        .isEqualTo("CONFLICT");
  }

  @Test
  void add_sameImageTwice_isStoredOnce() throws IOException {
    Caller seller = user("twice");
    byte[] image = jpeg();
    Offer first = published(seller);
    Offer second = published(seller);
    long before = stored();
    Photo photo = add(seller, first, SITE.put("/twice-1", image));
    Photo two = add(seller, second, SITE.put("/twice-2", image));
    pump.run();
    assertThat(stored() - before).isEqualTo(3);
    assertThat(OFFERS.images().image(photo.getId(), "card"))
        .hasValueSatisfying(
            ofTheFirst ->
                assertThat(OFFERS.images().image(two.getId(), "card"))
                    .hasValueSatisfying(
                        ofTheSecond ->
                            assertThat(ofTheSecond.bytes()).hasSameContentAs(ofTheFirst.bytes())));
    assertThat(now(seller, second).getPhotos(0).getStatus()).isEqualTo(Status.READY);
  }

  @Test
  void add_notAnImage_failsWithTheReasonAndIsAProblem() {
    Caller seller = user("lying");
    Offer offer = published(seller);
    add(
        seller,
        offer,
        SITE.put("/lying.jpg", "<html>".repeat(10).getBytes(StandardCharsets.UTF_8)));
    assertThat(problems(seller)).isZero();
    pump.run();
    Photo failed = now(seller, offer).getPhotos(0);
    assertThat(failed.getStatus()).isEqualTo(Status.FAILED);
    assertThat(failed.getError()).isEqualTo("not a JPEG, PNG or WebP image");
    assertThat(problems(seller)).isEqualTo(1);
    await(OFFERS.photos().requireMayAdd(seller, id(offer), false));
    remove(seller, offer, failed.getId());
    assertThat(problems(seller)).isZero();
  }

  @Test
  void add_privateAddress_fails() {
    Caller seller = user("ssrf");
    Offer offer = published(seller);
    add(seller, offer, "http://localhost:" + SITE.port() + "/secret");
    add(seller, offer, "http://169.254.169.254/latest/meta-data");
    pump.run();
    assertThat(now(seller, offer).getPhotosList())
        .allSatisfy(
            photo -> {
              assertThat(photo.getStatus()).isEqualTo(Status.FAILED);
              assertThat(photo.getError()).isEqualTo("the address is not on the public network");
            });
    assertThat(SITE.requested()).noneMatch(path -> path.endsWith("/secret"));
  }

  @Test
  void add_unreachable_isRetriedThenFails() {
    Caller seller = user("unreachable");
    Offer offer = published(seller);
    add(seller, offer, SITE.put("/busy", 503));
    pump.run();
    for (Duration pause : List.of(ofSeconds(4), ofSeconds(16))) {
      assertThat(now(seller, offer).getPhotos(0).getStatus()).isEqualTo(Status.PENDING);
      OFFERS.clock.advance(pause);
      OFFERS.retryPhotos();
      pump.run();
    }
    Photo failed = now(seller, offer).getPhotos(0);
    assertThat(failed.getStatus()).isEqualTo(Status.FAILED);
    assertThat(failed.getError()).isEqualTo("unreachable: the server answers 503");
    assertThat(SITE.requested().stream().filter(path -> path.endsWith("/busy"))).hasSize(3);
  }

  @Test
  void add_reachableLater_isReady() {
    Caller seller = user("later");
    Offer offer = published(seller);
    add(seller, offer, SITE.put("/later", 500));
    pump.run();
    SITE.put("/later", jpeg());
    OFFERS.retryPhotos();
    pump.run();
    assertThat(now(seller, offer).getPhotos(0).getStatus()).isEqualTo(Status.PENDING);
    OFFERS.clock.advance(ofSeconds(11));
    OFFERS.retryPhotos();
    pump.run();
    assertThat(now(seller, offer).getPhotos(0).getStatus()).isEqualTo(Status.READY);
  }

  @Test
  void prepare_redelivered_isNotFetchedAgain() {
    Caller seller = user("redelivered");
    Offer offer = published(seller);
    add(seller, offer, SITE.put("/redelivered", jpeg()));
    List<Event> requests = pump.deliverRequests();
    pump.deliver(requests);
    pump.deliver(requests);
    List<Event> responses = pump.deliverAnswers();
    assertThat(responses).hasSize(2);
    pump.deliver(responses);
    pump.deliver(responses);
    Offer after = now(seller, offer);
    assertThat(after.getPhotos(0).getStatus()).isEqualTo(Status.READY);
    assertThat(after.getVersion()).isEqualTo(3);
    assertThat(SITE.requested().stream().filter(path -> path.endsWith("/redelivered"))).hasSize(1);
  }

  @Test
  void remove_lastPhotoOfContent_deletesImages() throws IOException {
    Caller seller = user("forgotten");
    byte[] image = jpeg();
    Offer first = published(seller);
    Offer second = published(seller);
    long before = stored();
    Photo photo = add(seller, first, SITE.put("/forgotten-1", image));
    Photo two = add(seller, second, SITE.put("/forgotten-2", image));
    pump.run();
    remove(seller, first, photo.getId());
    pump.run();
    assertThat(OFFERS.images().image(two.getId(), "full")).isPresent();
    assertThat(stored() - before).isEqualTo(3);
    remove(seller, second, two.getId());
    List<Event> removal = pump.deliverRequests();
    pump.deliver(removal);
    pump.deliver(removal);
    assertThat(stored() - before).isZero();
    assertThat(OFFERS.images().image(two.getId(), "full")).isEmpty();
    Photo repeated = add(seller, first, SITE.at("/forgotten-1"));
    pump.run();
    assertThat(OFFERS.images().image(repeated.getId(), "full")).isPresent();
  }

  @Test
  void remove_consumedBeforeRequest_preparesNothing() throws IOException {
    Caller seller = user("overtaken");
    Offer offer = published(seller);
    long before = stored();
    Photo photo = add(seller, offer, SITE.put("/overtaken", jpeg()));
    List<Event> request = pump.deliverRequests();
    remove(seller, offer, photo.getId());
    pump.deliver(pump.deliverRequests());
    pump.deliver(request);
    assertThat(pump.deliverAnswers()).isEmpty();
    assertThat(stored()).isEqualTo(before);
    assertThat(SITE.requested()).noneMatch(path -> path.endsWith("/overtaken"));
  }

  @Test
  void answer_unknownOffer_isRefused() {
    Caller seller = user("unknown");
    Offer offer = published(seller);
    add(seller, offer, SITE.put("/unknown", jpeg()));
    pump.deliver(pump.deliverRequests());
    Event answer = pump.deliverAnswers().getFirst();
    byte[] other =
        PhotoPump.answer(answer).toBuilder()
            .setOfferId(OfferId.random(seller.home()).toString())
            .build()
            .toByteArray();
    Event wrong = new Event(answer.topic(), 0, 0, "k", 1, other, answer.at(), false);
    assertThatThrownBy(() -> pump.deliver(List.of(wrong))).hasRootCauseMessage("no such offer");
  }

  @Test
  void change_byOthers_isRefused() {
    Offer offer = published(user("mine"));
    Caller other = user("other");
    assertThat(kindOf(() -> OFFERS.photos().add(other, id(offer), SITE.at("/x"), Optional.empty())))
        .isEqualTo("FORBIDDEN");
    assertThat(kindOf(() -> OFFERS.photos().requireMayAdd(other, id(offer), false)))
        .isEqualTo("FORBIDDEN");
  }

  /// The moderator has not seen the image that became ready meanwhile.
  @Test
  void answer_readyPhoto_invalidatesOlderApproval() {
    Caller seller = user("pending");
    Offer offer = await(OFFERS.offers().publish(seller, pet("Cat")));
    add(seller, offer, SITE.put("/pending", jpeg()));
    long seen = now(seller, offer).getVersion();
    pump.run();
    Opinion delayed =
        Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).setOfferVersion(seen).build();
    assertThat(kindOf(() -> OFFERS.moderation().applyOpinion(moderator("m"), id(offer), delayed)))
        .isEqualTo("CONFLICT");
    assertThat(now(seller, offer).getStatus()).isEqualTo(Offer.Status.PENDING);
    giveOpinion(offer, Opinion.Verdict.OK);
    assertThat(now(seller, offer).getStatus()).isEqualTo(Offer.Status.ACTIVE);
  }

  @Test
  void add_approvedPremoderatedOffer_isReviewedNowAndWhenReady() {
    Caller seller = user("reviewed");
    Offer offer = approvedPet(seller);
    add(seller, offer, SITE.put("/reviewed", jpeg()));
    assertThat(now(seller, offer).getStatus()).isEqualTo(Offer.Status.PENDING);
    giveOpinion(offer, Opinion.Verdict.OK);
    assertThat(now(seller, offer).getStatus()).isEqualTo(Offer.Status.ACTIVE);
    pump.run();
    Offer ready = now(seller, offer);
    assertThat(ready.getPhotos(0).getStatus()).isEqualTo(Status.READY);
    assertThat(ready.getStatus()).isEqualTo(Offer.Status.PENDING);
    giveOpinion(offer, Opinion.Verdict.OK);
    assertThat(now(seller, offer).getStatus()).isEqualTo(Offer.Status.ACTIVE);
  }

  @Test
  void removeAndOrder_approvedPremoderatedOffer_areNotReviewed() {
    Caller seller = user("rearranged");
    Offer offer = approvedPet(seller);
    Photo first = add(seller, offer, SITE.put("/rearranged-1", jpeg()));
    Photo second = add(seller, offer, SITE.put("/rearranged-2", jpeg()));
    pump.run();
    giveOpinion(offer, Opinion.Verdict.OK);
    List<String> order = List.of(second.getId(), first.getId());
    await(OFFERS.photos().order(seller, id(offer), order));
    remove(seller, offer, first.getId());
    pump.run();
    assertThat(now(seller, offer).getStatus()).isEqualTo(Offer.Status.ACTIVE);
  }

  /// A sold offer is final: it cannot be hidden until a moderator has seen the photo.
  @Test
  void answer_readyAfterAPremoderatedOfferWasSold_removesThePhoto() {
    Caller seller = user("sold");
    Offer offer = approvedPet(seller);
    Photo photo = add(seller, offer, SITE.put("/sold", jpeg()));
    giveOpinion(offer, Opinion.Verdict.OK);
    await(OFFERS.offers().markSold(seller, id(offer), Optional.empty(), true));
    pump.run();
    Offer after = now(seller, offer);
    assertThat(after.getStatus()).isEqualTo(Offer.Status.SOLD);
    assertThat(after.getPhotosList()).isEmpty();
    assertThat(OFFERS.images().access(photo.getId(), Optional.empty()))
        .isEqualTo(PhotoImages.Access.NONE);
  }

  private static Offer approvedPet(Caller seller) {
    Offer offer = await(OFFERS.offers().publish(seller, pet("Cat")));
    giveOpinion(offer, Opinion.Verdict.OK);
    return offer;
  }

  private static Duration ofSeconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static void giveOpinion(Offer offer, Opinion.Verdict verdict) {
    await(
        OFFERS
            .moderation()
            .applyOpinion(
                moderator("m"), id(offer), Opinion.newBuilder().setVerdict(verdict).build()));
  }

  /// A unique image.
  private static byte[] jpeg() {
    return TestImages.jpeg(320, 200, new Color(COLORS.getAndAdd(4_000)));
  }

  private static Offer published(Caller seller) {
    return await(OFFERS.offers().publish(seller, car("Audi", 100)));
  }

  private static Photo add(Caller seller, Offer offer, String url) {
    return await(OFFERS.photos().add(seller, id(offer), url, Optional.empty()));
  }

  private static void remove(Caller seller, Offer offer, String photo) {
    await(OFFERS.photos().remove(seller, id(offer), photo));
  }

  private static Offer now(Caller seller, Offer offer) {
    return await(OFFERS.offers().get(Optional.of(seller), id(offer)));
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }

  private static long problems(Caller seller) {
    return await(OFFERS.dashboard().counts(seller, seller.subject()))
        .getOrDefault(Preset.Name.WITH_PROBLEMS, 0L);
  }

  private static List<String> uploads() throws IOException {
    return files("uploads");
  }

  private static long stored() throws IOException {
    return files("sizes").size();
  }

  private static List<String> files(String under) throws IOException {
    Path path = STORE.resolve(under);
    if (!Files.exists(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(path)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}
