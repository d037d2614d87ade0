package dev.torg.offers.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.api.v1.PhotoSizes;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.photos.PhotoIds;
import dev.torg.platform.Failure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhotoListTest {
  private static final String A = "https://shop.example/a.jpg";
  private static final String B = "https://shop.example/b.jpg";
  private static final String C = "https://shop.example/c.jpg";
  private static final long NOW = 1_000_000_000_000L;
  private static final long HOUR = TimeUnit.HOURS.toMicros(1);

  @Test
  void replaceWith_new_requestsAllInOrder() {
    PhotoList photos = empty();
    assertThat(photos.replaceWith(List.of(A, B), 7, NOW)).isTrue();
    assertThat(photos.requested()).extracting(PhotoSource::getUrl).containsExactly(A, B);
    assertThat(photos.requested()).extracting(PhotoSource::getFeedTask).containsOnly(7L);
    assertThat(photos.shown()).extracting(Photo::getStatus).containsOnly(Status.PENDING);
  }

  @Test
  void replaceWith_same_changesNothing() {
    PhotoList first = requested(A, B);
    PhotoList photos = PhotoList.of(first.shown(), first.part());
    assertThat(photos.replaceWith(List.of(A, B), 8, NOW + 1)).isFalse();
    assertThat(photos.requested()).isEmpty();
    assertThat(photos.shown()).isEqualTo(first.shown());
  }

  @Test
  void replaceWith_otherAddresses_keepsExistingPhotos() {
    PhotoList first = requested(A, B);
    PhotoList photos = PhotoList.of(first.shown(), first.part());
    assertThat(photos.replaceWith(List.of(C, A), 8, NOW + 1)).isTrue();
    assertThat(photos.requested()).extracting(PhotoSource::getUrl).containsExactly(C);
    assertThat(photos.shown().get(1)).isEqualTo(first.shown().getFirst());
    assertThat(photos.part().getPhotosList()).extracting(PhotoSource::getUrl).containsExactly(C, A);
  }

  @Test
  void replaceWith_twiceAndBlankAndTooMany_areExcluded() {
    assertThat(requested(A, " " + A, "", B).shown()).hasSize(2);
    String[] urls = IntStream.range(0, 40).mapToObj(i -> A + i).toArray(String[]::new);
    assertThat(requested(urls).shown()).hasSize(PhotoList.MAX_PHOTOS);
  }

  @Test
  void replaceWith_badAddress_failsAtOnce() {
    PhotoList photos = requested(A, "ftp://shop.example/a.jpg", "x".repeat(5_000));
    assertThat(photos.failed()).isEqualTo(2);
    assertThat(photos.requested()).hasSize(1);
    assertThat(photos.shown().get(1).getStatus()).isEqualTo(Status.FAILED);
    assertThat(photos.shown().get(1).getError()).contains("http");
  }

  @ParameterizedTest
  @CsvSource({"2000, PENDING", "2001, FAILED"})
  void replaceWith_longAddress_failsBeyondTheLimit(int length, Status expected) {
    PhotoList photos = requested(A + "?" + "x".repeat(length - A.length() - 1));
    assertThat(photos.shown()).extracting(Photo::getStatus).containsExactly(expected);
  }

  @Test
  void replaceWith_unreachableBefore_isRetriedAfterAnHour() {
    PhotoList failed = withAnswer(requested(A), failure(true));
    assertThat(failed.replaceWith(List.of(A), 8, NOW + TimeUnit.MINUTES.toMicros(50))).isFalse();
    assertThat(failed.replaceWith(List.of(A), 8, NOW + TimeUnit.MINUTES.toMicros(70))).isTrue();
    assertThat(failed.requested()).hasSize(1);
    assertThat(failed.shown().getFirst().getStatus()).isEqualTo(Status.PENDING);
  }

  @Test
  void replaceWith_notAnImageBefore_isNotRetried() {
    PhotoList failed = withAnswer(requested(A), failure(false));
    assertThat(failed.replaceWith(List.of(A), 8, NOW + TimeUnit.DAYS.toMicros(9))).isFalse();
  }

  @Test
  void retryFailed_unreachableFeedPhoto_isRequestedAgain() {
    PhotoList failed = withAnswer(requested(A, B), failure(true));
    String id = failed.shown().getFirst().getId();

    assertThat(failed.retryFailed(8, NOW + HOUR)).isTrue();
    assertThat(failed.requested()).extracting(PhotoSource::getUrl).containsExactly(A);
    assertThat(failed.requested()).extracting(PhotoSource::getFeedTask).containsExactly(8L);
    assertThat(failed.removed()).containsExactly(id);
    assertThat(failed.shown()).extracting(Photo::getStatus).containsOnly(Status.PENDING);
  }

  @Test
  void retryFailed_ownersPhoto_isNotRequestedAgain() {
    PhotoList photos = empty();
    photos.add("own", Optional.of(A));
    PhotoList failed = withAnswer(photos, failure(true));

    assertThat(failed.retryFailed(8, NOW + HOUR)).isFalse();
    assertThat(failed.requested()).isEmpty();
    assertThat(failed.shown()).extracting(Photo::getId).containsExactly("own");
  }

  /// The earliest photo of a feed that failed for a transient reason decides.
  @Test
  void nextRetryAt_severalPhotos_isAnHourAfterFirstTransientFailure() {
    PhotoSource unreachable = source("a", 7, true, NOW);
    PhotoSource unreachableLater = source("b", 7, true, NOW + 1);
    PhotoSource notAnImage = source("c", 7, false, NOW - 1);
    PhotoSource owners = source("d", 0, true, NOW - 1);

    assertThat(PhotoList.nextRetryAt(part(unreachableLater, notAnImage, owners, unreachable)))
        .hasValue(NOW + HOUR);
    assertThat(PhotoList.nextRetryAt(part(notAnImage, owners))).isEmpty();
  }

  @Test
  void requestPending_requestsPendingPhotosOnly() {
    PhotoList photos = oneOfEachStatus();
    photos.requestPending();
    assertThat(photos.requested()).extracting(PhotoSource::getId).containsExactly("PENDING");
  }

  @Test
  void requestForOffer_requestsAllButFailedPhotos() {
    PhotoList photos = oneOfEachStatus();
    photos.requestForOffer();
    assertThat(photos.requested())
        .extracting(PhotoSource::getId)
        .containsExactly("PENDING", "READY");
  }

  @Test
  void of_photoMissingInPart_keepsPhotoWithoutAddress() {
    PhotoList photos = PhotoList.of(List.of(photo("a", Status.READY)), part());
    assertThat(photos.shown()).containsExactly(photo("a", Status.READY));
    assertThat(photos.part()).isEqualTo(part(PhotoSource.newBuilder().setId("a").build()));
  }

  @Test
  void answer_twice_countsOnce() {
    PhotoList photos = requested(A);
    PhotoEvent ready = ready().setPhotoId(photos.shown().getFirst().getId()).build();
    assertThat(photos.applyAnswer(ready, NOW + 5)).isPresent();
    assertThat(photos.applyAnswer(ready, NOW + 5)).isEmpty();
    assertThat(photos.shown().getFirst().getSizes().getCard()).isEqualTo("/c");
  }

  @Test
  void answer_late_doesNotOverrideNewerOne() {
    PhotoList photos = requested(A);
    String id = photos.shown().getFirst().getId();
    photos.applyAnswer(ready().setPhotoId(id).build(), NOW + 5);
    assertThat(photos.applyAnswer(failure(false).setPhotoId(id).build(), NOW + 4)).isEmpty();
    assertThat(photos.shown().getFirst().getStatus()).isEqualTo(Status.READY);
  }

  @Test
  void answer_removedPhoto_isDropped() {
    PhotoList photos = requested(A, B);
    String id = photos.shown().getFirst().getId();
    photos.remove(id);
    assertThat(photos.applyAnswer(ready().setPhotoId(id).build(), NOW)).isEmpty();
    assertThat(photos.shown()).hasSize(1);
  }

  @Test
  void order_mustNameEachOnce() {
    PhotoList photos = requested(A, B);
    List<String> ids = photos.shown().stream().map(Photo::getId).toList();
    assertThat(photos.order(ids)).isFalse();
    assertThat(photos.order(ids.reversed())).isTrue();
    assertThat(photos.part().getPhotosList()).extracting(PhotoSource::getUrl).containsExactly(B, A);
    List<List<String>> invalid =
        List.of(
            List.of(),
            List.of(ids.getFirst()),
            List.of(ids.getFirst(), ids.getFirst()),
            List.of(ids.getFirst(), "other"));
    invalid.forEach(
        order -> assertThatThrownBy(() -> photos.order(order)).isInstanceOf(Failure.class));
  }

  @Test
  void add_returnsThePendingPhoto() {
    PhotoList photos = empty();
    assertThat(photos.add("own", Optional.empty())).isEqualTo(photo("own", Status.PENDING));
    assertThat(photos.shown()).containsExactly(photo("own", Status.PENDING));
  }

  @Test
  void add_beyondTheLimit_isRefused() {
    PhotoList photos = empty();
    for (int i = 0; i < PhotoList.MAX_PHOTOS; i++) {
      photos.add(PhotoIds.random(), Optional.of(A));
    }
    assertThatThrownBy(() -> photos.add(PhotoIds.random(), Optional.empty()))
        .isInstanceOf(Failure.class);
  }

  private static PhotoList empty() {
    return PhotoList.of(List.of(), PhotosPart.getDefaultInstance());
  }

  private static PhotoList oneOfEachStatus() {
    List<Photo> shown =
        Stream.of(Status.PENDING, Status.READY, Status.FAILED)
            .map(status -> photo(status.name(), status))
            .toList();
    return PhotoList.of(shown, part());
  }

  private static Photo photo(String id, Status status) {
    return Photo.newBuilder().setId(id).setStatus(status).build();
  }

  private static PhotosPart part(PhotoSource... sources) {
    return PhotosPart.newBuilder().addAllPhotos(List.of(sources)).build();
  }

  private static PhotoSource source(String id, long feedTask, boolean isTransient, long at) {
    return PhotoSource.newBuilder()
        .setId(id)
        .setFeedTask(feedTask)
        .setPassing(isTransient)
        .setAnsweredAt(at)
        .build();
  }

  private static PhotoList requested(String... urls) {
    PhotoList photos = empty();
    photos.replaceWith(List.of(urls), 7, NOW);
    return photos;
  }

  private static PhotoList withAnswer(PhotoList photos, PhotoEvent.Builder response) {
    photos.applyAnswer(response.setPhotoId(photos.shown().getFirst().getId()).build(), NOW);
    return PhotoList.of(photos.shown(), photos.part());
  }

  private static PhotoEvent.Builder ready() {
    return PhotoEvent.newBuilder()
        .setStatus(Status.READY)
        .setSizes(PhotoSizes.newBuilder().setThumb("/t").setCard("/c").setFull("/f"));
  }

  private static PhotoEvent.Builder failure(boolean isTransient) {
    return PhotoEvent.newBuilder().setStatus(Status.FAILED).setError("no").setPassing(isTransient);
  }
}
