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
import org.junit.jupiter.api.Test;

class PhotoListTest {
  private static final String A = "https://shop.example/a.jpg";
  private static final String B = "https://shop.example/b.jpg";
  private static final String C = "https://shop.example/c.jpg";
  private static final long NOW = 1_000_000_000_000L;

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
    PhotoList first = wanted(A, B);
    PhotoList photos = PhotoList.of(first.shown(), first.part());
    assertThat(photos.replaceWith(List.of(A, B), 8, NOW + 1)).isFalse();
    assertThat(photos.requested()).isEmpty();
    assertThat(photos.shown()).isEqualTo(first.shown());
  }

  @Test
  void replaceWith_otherAddresses_keepsExistingPhotos() {
    PhotoList first = wanted(A, B);
    PhotoList photos = PhotoList.of(first.shown(), first.part());
    assertThat(photos.replaceWith(List.of(C, A), 8, NOW + 1)).isTrue();
    assertThat(photos.requested()).extracting(PhotoSource::getUrl).containsExactly(C);
    assertThat(photos.shown().get(1)).isEqualTo(first.shown().getFirst());
    assertThat(photos.part().getPhotosList()).extracting(PhotoSource::getUrl).containsExactly(C, A);
  }

  @Test
  void replaceWith_twiceAndBlankAndTooMany_areExcluded() {
    assertThat(wanted(A, " " + A, "", B).shown()).hasSize(2);
    String[] urls = IntStream.range(0, 40).mapToObj(i -> A + i).toArray(String[]::new);
    assertThat(wanted(urls).shown()).hasSize(PhotoList.MAX_PHOTOS);
  }

  @Test
  void replaceWith_badAddress_failsAtOnce() {
    PhotoList photos = wanted(A, "ftp://shop.example/a.jpg", "x".repeat(5_000));
    assertThat(photos.failed()).isEqualTo(2);
    assertThat(photos.requested()).hasSize(1);
    assertThat(photos.shown().get(1).getStatus()).isEqualTo(Status.FAILED);
    assertThat(photos.shown().get(1).getError()).contains("http");
  }

  @Test
  void replaceWith_unreachableBefore_isRetriedAfterAnHour() {
    PhotoList failed = answered(wanted(A), failure(true));
    assertThat(failed.replaceWith(List.of(A), 8, NOW + TimeUnit.MINUTES.toMicros(50))).isFalse();
    assertThat(failed.replaceWith(List.of(A), 8, NOW + TimeUnit.MINUTES.toMicros(70))).isTrue();
    assertThat(failed.requested()).hasSize(1);
    assertThat(failed.shown().getFirst().getStatus()).isEqualTo(Status.PENDING);
  }

  @Test
  void replaceWith_notAnImageBefore_isNotRetried() {
    PhotoList failed = answered(wanted(A), failure(false));
    assertThat(failed.replaceWith(List.of(A), 8, NOW + TimeUnit.DAYS.toMicros(9))).isFalse();
  }

  @Test
  void answer_twice_countsOnce() {
    PhotoList photos = wanted(A);
    PhotoEvent ready = ready().setPhotoId(photos.shown().getFirst().getId()).build();
    assertThat(photos.answer(ready, NOW + 5)).isPresent();
    assertThat(photos.answer(ready, NOW + 5)).isEmpty();
    assertThat(photos.shown().getFirst().getSizes().getCard()).isEqualTo("/c");
  }

  @Test
  void answer_late_doesNotOverrideNewerOne() {
    PhotoList photos = wanted(A);
    String id = photos.shown().getFirst().getId();
    photos.answer(ready().setPhotoId(id).build(), NOW + 5);
    assertThat(photos.answer(failure(false).setPhotoId(id).build(), NOW + 4)).isEmpty();
    assertThat(photos.shown().getFirst().getStatus()).isEqualTo(Status.READY);
  }

  @Test
  void answer_removedPhoto_isDropped() {
    PhotoList photos = wanted(A, B);
    String id = photos.shown().getFirst().getId();
    photos.remove(id);
    assertThat(photos.answer(ready().setPhotoId(id).build(), NOW)).isEmpty();
    assertThat(photos.shown()).hasSize(1);
  }

  @Test
  void order_mustNameEachOnce() {
    PhotoList photos = wanted(A, B);
    List<String> ids = photos.shown().stream().map(Photo::getId).toList();
    assertThat(photos.order(ids)).isFalse();
    assertThat(photos.order(ids.reversed())).isTrue();
    assertThat(photos.part().getPhotosList()).extracting(PhotoSource::getUrl).containsExactly(B, A);
    List<List<String>> bad =
        List.of(
            List.of(),
            List.of(ids.getFirst()),
            List.of(ids.getFirst(), ids.getFirst()),
            List.of(ids.getFirst(), "other"));
    bad.forEach(order -> assertThatThrownBy(() -> photos.order(order)).isInstanceOf(Failure.class));
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

  private static PhotoList wanted(String... urls) {
    PhotoList photos = empty();
    photos.replaceWith(List.of(urls), 7, NOW);
    return photos;
  }

  private static PhotoList answered(PhotoList photos, PhotoEvent.Builder response) {
    photos.answer(response.setPhotoId(photos.shown().getFirst().getId()).build(), NOW);
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
