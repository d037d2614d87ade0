package dev.torg.queries;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.feature.Feature;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OfferFeatureExtractorTest {
  private static final CategoryParents CATEGORIES =
      id -> Optional.ofNullable(Map.of("cars", "transport").get(id));

  private static final OfferFeatures EXPECTED =
      OfferFeatures.builder()
          .categoryPath(List.of("transport", "cars"))
          .seller("user:7")
          .region("de/hessen")
          .price(129_900, "EUR")
          .value("brand", "BMW")
          .number("year", 2015)
          .flag("abs", true)
          .photos(true)
          .title("An old car")
          .description("with rust")
          .build();

  private static final Offer OFFER =
      Offer.newBuilder()
          .setCategory("cars")
          .setSellerId("user:7")
          .setRegion("de/hessen")
          .setPrice(Money.newBuilder().setAmount(129_900).setCurrency("EUR"))
          .putAttributes("brand", text("BMW"))
          .putAttributes("year", Value.newBuilder().setNumberValue(2015).build())
          .putAttributes("abs", Value.newBuilder().setBoolValue(true).build())
          .addPhotos(Photo.newBuilder().setStatus(Photo.Status.READY))
          .setTitle("An old car")
          .setDescription("with rust")
          .build();

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static List<Feature> facts(OfferFeatures features) {
    return List.of(features.facts());
  }

  private static List<String> fields(OfferFeatures features) {
    return Arrays.stream(features.fields())
        .map(field -> field.name() + Arrays.toString(field.values()))
        .toList();
  }

  @Test
  void of_wholeOffer_hasEveryPart() {
    OfferFeatures features = OfferFeatureExtractor.of(OFFER, CATEGORIES);
    assertThat(features.categories()).containsExactly(EXPECTED.categories());
    assertThat(features.regions()).containsExactly(EXPECTED.regions());
    assertThat(facts(features)).containsExactlyInAnyOrderElementsOf(facts(EXPECTED));
    assertThat(fields(features)).isEqualTo(fields(EXPECTED));
    assertThat(features.text()).usingRecursiveComparison().isEqualTo(EXPECTED.text());
  }

  @Test
  void withoutText_hasAllButTheText() {
    OfferFeatures features = OfferFeatureExtractor.withoutText(OFFER, CATEGORIES);
    assertThat(facts(features)).containsExactlyInAnyOrderElementsOf(facts(EXPECTED));
    assertThat(features.text())
        .usingRecursiveComparison()
        .isEqualTo(OfferFeatures.builder().categoryPath(List.of("cars")).build().text());
  }

  @Test
  void of_categoryNotInTree_isItsOwnPath() {
    Offer offer = OFFER.toBuilder().setCategory("gramophones").build();
    assertThat(OfferFeatureExtractor.of(offer, CATEGORIES).categories())
        .containsExactly(
            OfferFeatures.builder().categoryPath(List.of("gramophones")).build().categories());
  }

  @Test
  void of_noRegionNoPrice_hasNone() {
    OfferFeatures features =
        OfferFeatureExtractor.of(OFFER.toBuilder().clearRegion().clearPrice().build(), CATEGORIES);
    assertThat(features.regions()).isEmpty();
    assertThat(fields(features)).hasSize(1).allMatch(field -> field.contains("year"));
  }

  @ParameterizedTest
  @EnumSource(value = Photo.Status.class, mode = EnumSource.Mode.EXCLUDE, names = "UNRECOGNIZED")
  void of_photos_onlyReadyOnesCount(Photo.Status status) {
    Offer offer =
        OFFER.toBuilder().clearPhotos().addPhotos(Photo.newBuilder().setStatus(status)).build();
    assertThat(
            facts(OfferFeatureExtractor.of(offer, CATEGORIES))
                .equals(facts(OfferFeatureExtractor.of(OFFER, CATEGORIES))))
        .isEqualTo(status == Photo.Status.READY);
  }

  @Test
  void of_listAttribute_hasEachValueAndNothingElse() {
    ListValue colours =
        ListValue.newBuilder()
            .addValues(text("red"))
            .addValues(text("blue"))
            .addValues(Value.newBuilder().setNullValue(NullValue.NULL_VALUE))
            .addValues(Value.newBuilder().setStructValue(Struct.getDefaultInstance()))
            .build();
    Offer offer =
        Offer.newBuilder()
            .setCategory("cars")
            .setSellerId("user:7")
            .putAttributes("colour", Value.newBuilder().setListValue(colours).build())
            .build();
    OfferFeatures expected =
        OfferFeatures.builder()
            .categoryPath(List.of("transport", "cars"))
            .seller("user:7")
            .photos(false)
            .value("colour", "red")
            .value("colour", "blue")
            .build();
    assertThat(facts(OfferFeatureExtractor.of(offer, CATEGORIES)))
        .containsExactlyInAnyOrderElementsOf(facts(expected));
  }
}
