package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static dev.torg.offers.lifecycle.OfferSituations.money;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import dev.torg.api.v1.MatchingFields;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.platform.EpochMicros;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OfferDiffTest {
  static Stream<Arguments> edits() {
    return Stream.of(
        edit("", o -> o),
        edit("category", o -> o.setCategory("jobs")),
        edit("title", o -> o.setTitle("Other")),
        edit("description", o -> o.setDescription("Other")),
        edit("price", o -> o.setPrice(money(99))),
        edit("price", Offer.Builder::clearPrice),
        edit("region", o -> o.setRegion("fr")),
        edit("attributes.brand", o -> o.putAttributes("brand", text("sony"))),
        edit("attributes.brand", o -> o.removeAttributes("brand")),
        edit("attributes.color", o -> o.putAttributes("color", text("red"))),
        edit("photos", o -> o.addPhotos(Photo.newBuilder().setId("p"))),
        edit("status", o -> o.setStatus(Status.SOLD)),
        edit("externalId", o -> o.setExternalId("sku-2")),
        edit("activatedAt", Offer.Builder::clearActivatedAt),
        edit("expiresAt", o -> o.setExpiresAt(EpochMicros.timestamp(NOW))),
        edit("promotions", o -> o.addPromotions("top")),
        edit("banReasons", o -> o.addBanReasons("spam")),
        // The event contains these in other fields.
        edit("", o -> o.setVersion(99)),
        edit("", o -> o.setUpdatedAt(EpochMicros.timestamp(NOW))));
  }

  @ParameterizedTest
  @MethodSource("edits")
  void between_oneField_namesItAsInJson(String expected, UnaryOperator<Offer.Builder> edit) {
    Offer before = offer(Status.ACTIVE).shown();
    Offer after = edit.apply(before.toBuilder()).build();
    List<String> changed = expected.isEmpty() ? List.of() : List.of(expected);
    assertThat(OfferDiff.between(before, after)).isEqualTo(changed);
    assertThat(OfferDiff.between(after, before)).isEqualTo(changed);
  }

  @Test
  void between_severalAttributes_areNamedInOrder() {
    Offer before = offer(Status.ACTIVE).shown();
    Offer after =
        before.toBuilder()
            .removeAttributes("brand")
            .putAttributes("year", text("2015"))
            .putAttributes("age", text("old"))
            .setTitle("Other")
            .build();
    assertThat(OfferDiff.between(before, after))
        .containsExactly("title", "attributes.age", "attributes.brand", "attributes.year");
  }

  @Test
  void between_nothingAndAnOffer_namesAllThatIsSet() {
    assertThat(OfferDiff.between(Offer.getDefaultInstance(), content(OPEN, "A title")))
        .containsExactly(
            "category",
            "title",
            "description",
            "price",
            "region",
            "attributes.brand",
            "externalId");
  }

  @Test
  void matching_containsFieldsOfQueries() {
    Offer offer = offer(Status.ACTIVE).shown();
    assertThat(OfferDiff.matching(offer))
        .isEqualTo(
            MatchingFields.newBuilder()
                .setStatus(Status.ACTIVE)
                .setCategory(offer.getCategory())
                .setTitle(offer.getTitle())
                .setDescription(offer.getDescription())
                .setRegion(offer.getRegion())
                .setPrice(offer.getPrice())
                .putAllAttributes(offer.getAttributesMap())
                .build());
  }

  @Test
  void matching_withoutAPrice_hasNone() {
    Offer free = offer(Status.ACTIVE).shown().toBuilder().clearPrice().build();
    assertThat(OfferDiff.matching(free).hasPrice()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"READY, true", "PENDING, false", "FAILED, false"})
  void matching_hasPhotos_onlyOnceOneIsReady(Photo.Status status, boolean expected) {
    Offer offer = offer(Status.ACTIVE).photo("f", Photo.Status.FAILED).photo("p", status).shown();
    assertThat(OfferDiff.matching(offer).getHasPhotos()).isEqualTo(expected);
  }

  @Test
  void samePrice_freeAndWithoutAPrice_differ() {
    Offer none = Offer.getDefaultInstance();
    Offer free = none.toBuilder().setPrice(money(0)).build();
    Offer unset = none.toBuilder().setPrice(dev.torg.api.v1.Money.getDefaultInstance()).build();
    assertThat(OfferDiff.samePrice(none, none)).isTrue();
    assertThat(OfferDiff.samePrice(free, free)).isTrue();
    assertThat(OfferDiff.samePrice(none, unset)).isFalse();
    assertThat(OfferDiff.samePrice(free, none)).isFalse();
    assertThat(OfferDiff.samePrice(free, none.toBuilder().setPrice(money(1)).build())).isFalse();
  }

  private static Arguments edit(String expected, UnaryOperator<Offer.Builder> edit) {
    return Arguments.of(expected, edit);
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}
