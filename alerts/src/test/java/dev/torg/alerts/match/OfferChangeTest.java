package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import dev.torg.api.v1.MatchingFields;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Photo;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfferChangeTest {
  private static final Timestamp FIRST = Timestamp.newBuilder().setSeconds(1_000).build();
  private static final Timestamp LATER = Timestamp.newBuilder().setSeconds(2_000).build();

  private static OfferEvent.Builder event(Status after, String... changed) {
    return OfferEvent.newBuilder()
        .setAfter(
            Offer.newBuilder()
                .setId("o")
                .setSellerId("user:7")
                .setStatus(after)
                .setActivatedAt(FIRST))
        .setAt(FIRST)
        .addAllChanged(List.of(changed));
  }

  private static OfferEvent.Builder event(Status before, Status after, String... changed) {
    return event(after, changed).setBefore(MatchingFields.newBuilder().setStatus(before));
  }

  private static OfferChange parse(OfferEvent.Builder event) throws Exception {
    return OfferChange.parse(event.build().toByteArray()).orElseThrow();
  }

  @Test
  void parse_onlyAStage_isNothing() throws Exception {
    assertThat(OfferChange.parse(OfferEvent.newBuilder().setAt(FIRST).build().toByteArray()))
        .isEmpty();
  }

  /// Status before (empty: there was no offer), status after, and the expected result.
  @ParameterizedTest
  @CsvSource({
    "        , ACTIVE,   true",
    "        , PENDING,  false",
    "PENDING,  ACTIVE,   true",
    "EXPIRED,  ACTIVE,   true",
    "BANNED,   ACTIVE,   true",
    "ACTIVE,   ACTIVE,   false",
    "ACTIVE,   EXPIRED,  false",
    "PENDING,  BANNED,   false",
  })
  void becomesActive_activeNowAndNotBefore(Status before, Status after, boolean enters)
      throws Exception {
    OfferChange change = parse(before == null ? event(after) : event(before, after));
    assertThat(change.becomesActive()).isEqualTo(enters);
    assertThat(change.isActive()).isEqualTo(after == Status.ACTIVE);
    assertThat(change.existed()).isEqualTo(before != null);
  }

  @Test
  void isReactivated_onlyIfItWasActiveEarlier() throws Exception {
    assertThat(parse(event(Status.EXPIRED, Status.ACTIVE).setAt(LATER)).isReactivated()).isTrue();
    assertThat(parse(event(Status.PENDING, Status.ACTIVE).setAt(FIRST)).isReactivated()).isFalse();
    assertThat(parse(event(Status.ACTIVE).setAt(LATER)).isReactivated()).isFalse();
    assertThat(parse(event(Status.ACTIVE, Status.ACTIVE).setAt(LATER)).isReactivated()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "category",
        "title",
        "description",
        "price",
        "region",
        "photos",
        "attributes.year"
      })
  void isEdited_fieldThatMatchingReads(String field) throws Exception {
    assertThat(parse(event(Status.ACTIVE, Status.ACTIVE, "views", field)).isEdited()).isTrue();
    assertThat(parse(event(Status.EXPIRED, Status.ACTIVE, field)).isEdited()).isFalse();
    assertThat(parse(event(Status.ACTIVE, Status.EXPIRED, field)).isEdited()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "contacts", "attributes", "expires_at", "promotions"})
  void isEdited_otherField_isFalse(String field) throws Exception {
    assertThat(parse(event(Status.ACTIVE, Status.ACTIVE, field)).isEdited()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,  ACTIVE,  price, true",
    "ACTIVE,  ACTIVE,  title, false",
    "EXPIRED, ACTIVE,  price, false",
    "ACTIVE,  EXPIRED, price, false",
  })
  void changesPrice_whileActive(Status before, Status after, String changed, boolean expected)
      throws Exception {
    assertThat(parse(event(before, after, changed)).changesPrice()).isEqualTo(expected);
  }

  @Test
  void isBanned_onlyByThisChangeAndIfItWasEverActive() throws Exception {
    assertThat(parse(event(Status.ACTIVE, Status.BANNED, "status")).isBanned()).isTrue();
    assertThat(parse(event(Status.BANNED, Status.BANNED, "title")).isBanned()).isFalse();
    assertThat(parse(event(Status.ACTIVE, Status.EXPIRED, "status")).isBanned()).isFalse();
    OfferEvent.Builder never = event(Status.PENDING, Status.BANNED, "status");
    never.getAfterBuilder().clearActivatedAt();
    assertThat(parse(never).isBanned()).isFalse();
  }

  @Test
  void before_isTheOfferAsMatchingSawIt() throws Exception {
    Money price = Money.newBuilder().setAmount(5).setCurrency("EUR").build();
    Value year = Value.newBuilder().setNumberValue(2015).build();
    MatchingFields fields =
        MatchingFields.newBuilder()
            .setStatus(Status.ACTIVE)
            .setCategory("cars")
            .setTitle("title")
            .setDescription("description")
            .setRegion("de")
            .setPrice(price)
            .putAttributes("year", year)
            .setHasPhotos(true)
            .build();
    OfferChange change = parse(event(Status.ACTIVE, "title").setBefore(fields).setSilent(true));
    assertThat(change.silent()).isTrue();
    assertThat(change.before())
        .contains(
            Offer.newBuilder()
                .setId("o")
                .setSellerId("user:7")
                .setStatus(Status.ACTIVE)
                .setCategory("cars")
                .setTitle("title")
                .setDescription("description")
                .setRegion("de")
                .setPrice(price)
                .putAttributes("year", year)
                .addPhotos(Photo.newBuilder().setStatus(Photo.Status.READY))
                .build());
    MatchingFields bare = MatchingFields.newBuilder().setStatus(Status.ACTIVE).build();
    Offer before = parse(event(Status.ACTIVE).setBefore(bare)).before().orElseThrow();
    assertThat(before.hasPrice()).isFalse();
    assertThat(before.getPhotosList()).isEmpty();
  }

  /// Every status is listed in the tables above, or behaves like EXPIRED: not active.
  @Test
  void before_anyOtherStatus_isEmpty() throws Exception {
    for (Status status :
        Arrays.stream(Status.values()).filter(s -> s != Status.UNRECOGNIZED).toList()) {
      assertThat(parse(event(status, Status.ACTIVE)).before().isPresent())
          .as(status.name())
          .isEqualTo(status == Status.ACTIVE);
    }
  }
}
