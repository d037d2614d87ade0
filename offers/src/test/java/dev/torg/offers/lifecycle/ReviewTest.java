package dev.torg.offers.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PhotoSizes;
import dev.torg.offers.category.CategoryNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReviewTest {
  /// The status after an edit, and the causes for which it is queued.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    OPEN,    ACTIVE,    ''",
    "EXPIRED,   OPEN,    EXPIRED,   ''",
    "WITHDRAWN, OPEN,    WITHDRAWN, ''",
    "PENDING,   OPEN,    PENDING,   ''",
    "BANNED,    OPEN,    BANNED,    EDITED",
    "SOLD,      OPEN,    SOLD,      ''",
    "REMOVED,   OPEN,    REMOVED,   ''",
    "ACTIVE,    HIDDEN,  PENDING,   PENDING EDITED",
    "EXPIRED,   HIDDEN,  PENDING,   PENDING EDITED",
    "WITHDRAWN, HIDDEN,  WITHDRAWN, ''",
    "PENDING,   HIDDEN,  PENDING,   ''",
    "BANNED,    HIDDEN,  BANNED,    EDITED",
    "SOLD,      HIDDEN,  SOLD,      EDITED",
    "REMOVED,   HIDDEN,  REMOVED,   ''",
    "ACTIVE,    VISIBLE, ACTIVE,    EDITED",
    "EXPIRED,   VISIBLE, EXPIRED,   EDITED",
    "WITHDRAWN, VISIBLE, WITHDRAWN, ''",
    "PENDING,   VISIBLE, PENDING,   ''",
    "BANNED,    VISIBLE, BANNED,    EDITED",
    "SOLD,      VISIBLE, SOLD,      EDITED",
    "REMOVED,   VISIBLE, REMOVED,   ''",
  })
  void edit_byStatusAndCategory(Status before, String category, Status after, String causes) {
    Offer shown = offer().setStatus(before).build();
    Offer.Builder edited = shown.toBuilder().setTitle("Another title");
    Decision.Change change =
        (Decision.Change) Review.edit(shown, edited, Optional.of(category(category)), List.of());
    assertThat(change.after().getStatus()).isEqualTo(after);
    assertThat(causes(change)).isEqualTo(causes);
    assertThat(change.edited()).isTrue();
  }

  @Test
  void edit_noChange_isNotReviewed() {
    for (Status status : List.of(Status.ACTIVE, Status.EXPIRED, Status.BANNED)) {
      Offer shown = offer().setStatus(status).build();
      Decision.Change change =
          (Decision.Change)
              Review.edit(shown, shown.toBuilder(), Optional.of(category("HIDDEN")), List.of());
      assertThat(change.after().getStatus()).isEqualTo(status);
      assertThat(causes(change)).isEmpty();
      assertThat(change.edited()).isFalse();
    }
  }

  @Test
  void edit_removedCategory_isNotReviewed() {
    Offer shown = offer().setStatus(Status.ACTIVE).build();
    Offer.Builder edited = shown.toBuilder().setTitle("Another title");
    Decision.Change change =
        (Decision.Change) Review.edit(shown, edited, Optional.empty(), List.of());
    assertThat(change.after().getStatus()).isEqualTo(Status.ACTIVE);
  }

  @Test
  void showsMore_everythingTheSellerStates() {
    assertThat(isMore(offer().setTitle("Another"))).isTrue();
    assertThat(isMore(offer().setDescription("Another"))).isTrue();
    assertThat(isMore(offer().setCategory("cars"))).isTrue();
    assertThat(isMore(offer().setRegion("de"))).isTrue();
    assertThat(isMore(offer().setExternalId("Another"))).isTrue();
    assertThat(isMore(offer().setPrice(Money.newBuilder().setAmount(6).setCurrency("EUR"))))
        .isTrue();
    assertThat(isMore(offer().clearPrice())).isTrue();
    assertThat(isMore(offer().clearAttributes())).isTrue();
  }

  @Test
  void showsMore_photos_onlyThoseThatAppear() {
    assertThat(isMore(offer().addPhotos(photo("c", Photo.Status.PENDING)))).isTrue();
    assertThat(isMore(offer().addPhotos(photo("c", Photo.Status.READY)))).isTrue();
    assertThat(isMore(offer().addPhotos(photo("c", Photo.Status.FAILED)))).isFalse();
    assertThat(isMore(offer().setPhotos(1, photo("b", Photo.Status.READY)))).isTrue();
    assertThat(isMore(offer().setPhotos(1, photo("b", Photo.Status.FAILED)))).isFalse();
    assertThat(isMore(offer().removePhotos(0))).isFalse();
    assertThat(
            isMore(
                offer()
                    .clearPhotos()
                    .addPhotos(photo("b", Photo.Status.PENDING))
                    .addPhotos(photo("a", Photo.Status.READY))))
        .isFalse();
    Photo reordered =
        photo("a", Photo.Status.READY).toBuilder()
            .setSizes(PhotoSizes.newBuilder().setThumb("https://cache.example/a"))
            .build();
    assertThat(isMore(offer().setPhotos(0, reordered))).isFalse();
  }

  private static boolean isMore(Offer.Builder after) {
    return Review.showsMore(offer().build(), after);
  }

  private static Offer.Builder offer() {
    return Offer.newBuilder()
        .setCategory("pets")
        .setTitle("A cat")
        .setPrice(Money.newBuilder().setAmount(5).setCurrency("EUR"))
        .putAttributes(
            "species", com.google.protobuf.Value.newBuilder().setStringValue("cat").build())
        .addPhotos(photo("a", Photo.Status.READY))
        .addPhotos(photo("b", Photo.Status.PENDING));
  }

  private static Photo photo(String id, Photo.Status status) {
    return Photo.newBuilder().setId(id).setStatus(status).build();
  }

  private static CategoryNode category(String kind) {
    return new CategoryNode(
        "pets",
        Optional.empty(),
        Map.of(),
        Map.of(),
        List.of(),
        !kind.equals("OPEN"),
        kind.equals("VISIBLE"));
  }

  private static String causes(Decision.Change change) {
    return String.join(
        " ",
        change.effects().stream()
            .map(effect -> ((Effect.Enqueued) effect).cause().name())
            .toList());
  }
}
