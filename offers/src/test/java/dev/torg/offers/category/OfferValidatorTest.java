package dev.torg.offers.category;

import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Value;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfferValidatorTest {
  private final OfferValidator rules = new OfferValidator(CategoryFile.defaultTree());

  @Test
  void check_validOffer_findsItsCategory() {
    assertThat(rules.check(car("Audi A3", 100)).category().id()).isEqualTo("cars");
  }

  @Test
  void check_manyViolations_areReportedTogether() {
    Offer offer =
        Offer.newBuilder()
            .setCategory("cars")
            .setTitle("A\u0007")
            .setDescription("a\u0000b")
            .setRegion("DE/Hessen")
            .setPrice(Money.newBuilder().setAmount(-1).setCurrency("XXZ"))
            .putAttributes("year", text("2015"))
            .putAttributes("colour", text("red"))
            .build();
    assertThat(fields(offer))
        .contains(
            "offer.title",
            "offer.description",
            "offer.region",
            "offer.price.amount",
            "offer.price.currency",
            "offer.attributes.year",
            "offer.attributes.colour",
            "offer.attributes.brand");
  }

  static Stream<Arguments> badAttributes() {
    return Stream.of(
        Arguments.of("cars", "year", text("2015")),
        Arguments.of("cars", "year", number(2015.5)),
        Arguments.of("cars", "year", number(1500)),
        Arguments.of("cars", "year", number(Double.NaN)),
        Arguments.of("cars", "year", number(1e300)),
        Arguments.of("cars", "year", Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build()),
        Arguments.of("cars", "year", Value.getDefaultInstance()),
        Arguments.of("cars", "brand", number(1)),
        Arguments.of("cars", "brand", text(" ")),
        Arguments.of("cars", "brand", text("b".repeat(61))),
        Arguments.of("cars", "brand", text("b\ud800")),
        Arguments.of("cars", "fuel", text("water")),
        Arguments.of("cars", "fuel", list("petrol")),
        Arguments.of("cars", "damaged", text("true")),
        Arguments.of("flats-sale", "areaM2", number(0)),
        Arguments.of("flats-sale", "areaM2", number(Double.POSITIVE_INFINITY)),
        Arguments.of("houses", "utilities", text("gas")),
        Arguments.of("houses", "utilities", list("gas", "gas")),
        Arguments.of("houses", "utilities", list("gas", "steam")),
        Arguments.of("cars", "vin2", text("x")));
  }

  @ParameterizedTest
  @MethodSource("badAttributes")
  void check_badAttribute_isNamedByItsPath(String category, String key, Value value) {
    Offer offer =
        Offer.newBuilder()
            .setCategory(category)
            .setTitle("Some title")
            .putAttributes(key, value)
            .build();
    assertThat(fields(offer)).contains("offer.attributes." + key);
  }

  static Stream<Arguments> badOffers() {
    Offer valid = car("Audi A3", 100);
    return Stream.of(
        Arguments.of("offer.category", valid.toBuilder().setCategory("").build()),
        Arguments.of("offer.category", valid.toBuilder().setCategory("spaceships").build()),
        Arguments.of("offer.title", valid.toBuilder().setTitle("ab").build()),
        Arguments.of("offer.title", valid.toBuilder().setTitle("  a  ").build()),
        Arguments.of("offer.title", valid.toBuilder().setTitle("a".repeat(201)).build()),
        Arguments.of("offer.title", valid.toBuilder().setTitle("two\nlines").build()),
        Arguments.of("offer.description", valid.toBuilder().setDescription("a\u001b[0m").build()),
        Arguments.of("offer.description", valid.toBuilder().setDescription("\udc00x").build()),
        Arguments.of("offer.description", valid.toBuilder().setDescription("\u0085").build()),
        Arguments.of(
            "offer.description", valid.toBuilder().setDescription("a".repeat(40_001)).build()),
        Arguments.of("offer", valid.toBuilder().setDescription("я".repeat(60_000)).build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de//hessen").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("/de").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de hessen").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de/").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion(".").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de/../ru").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de/./hessen").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de/.hidden").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de/-").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("DE/hessen").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("ru/Москва").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de\\hessen").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("de?x=1").build()),
        Arguments.of("offer.region", valid.toBuilder().setRegion("a".repeat(201)).build()),
        Arguments.of("offer.externalId", valid.toBuilder().setExternalId("a".repeat(201)).build()),
        Arguments.of("offer.price.currency", priced(valid, 1, "EURO")),
        Arguments.of("offer.price.currency", priced(valid, 1, "")),
        Arguments.of("offer.price.currency", priced(valid, 1, "XXX")),
        Arguments.of("offer.price.currency", priced(valid, 1, "XTS")),
        Arguments.of("offer.price.amount", priced(valid, Long.MAX_VALUE, "EUR")),
        Arguments.of("offer.price.amount", priced(valid, -5, "EUR")));
  }

  @ParameterizedTest
  @MethodSource("badOffers")
  void check_badField_isNamedByItsPath(String path, Offer offer) {
    assertThat(fields(offer)).contains(path);
  }

  @Test
  void check_surrogatePairsAndLineBreaks_areFine() {
    Offer offer =
        car("Audi 😀", 1).toBuilder().setDescription("a\n\tb 🚗").setRegion("ru/москва").build();
    assertThat(rules.check(offer).content()).isEqualTo(offer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"de", "de/hessen/65474", "us/st.louis", "fr/île-de-france", "a/b_c"})
  void check_regionOfLowerCaseSegments_isFine(String region) {
    rules.check(car("Audi", 1).toBuilder().setRegion(region).build());
  }

  @Test
  void checkDraft_incomplete_isFine() {
    rules.checkDraft(Offer.getDefaultInstance());
    rules.checkDraft(Offer.newBuilder().setCategory("cars").setTitle("x").build());
  }

  @Test
  void checkDraft_unreadable_isRefused() {
    Offer draft =
        Offer.newBuilder().setTitle("a\u0000").setCategory("nowhere").setRegion("b\u0000").build();
    Failure failure = catchThrowableOfType(Failure.class, () -> rules.checkDraft(draft));
    assertThat(failure.violations())
        .extracting(Violation::field)
        .containsExactlyInAnyOrder("offer.title", "offer.category", "offer.region");
  }

  private List<String> fields(Offer offer) {
    Failure failure = catchThrowableOfType(Failure.class, () -> rules.check(offer));
    assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
    return failure.violations().stream().map(Violation::field).toList();
  }

  private static Offer priced(Offer offer, long amount, String currency) {
    return offer.toBuilder()
        .setPrice(Money.newBuilder().setAmount(amount).setCurrency(currency))
        .build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static Value list(String... values) {
    ListValue.Builder list = ListValue.newBuilder();
    for (String value : values) {
      list.addValues(text(value));
    }
    return Value.newBuilder().setListValue(list).build();
  }
}
