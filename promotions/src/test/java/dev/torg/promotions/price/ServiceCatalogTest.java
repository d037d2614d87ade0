package dev.torg.promotions.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.torg.offers.category.CategoryFile;
import dev.torg.platform.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceCatalogTest {
  private final ServiceCatalog services =
      PriceMatrixFile.defaults(CategoryFile.defaultTree()).services();

  @Test
  void require_knownServices_keepsTheOrder() {
    assertThat(services.require(List.of("premium", "raise")))
        .extracting(ServiceDefinition::name)
        .containsExactly("premium", "raise");
  }

  @ParameterizedTest
  @CsvSource({
    "'',              promotion.service-missing",
    "top,             promotion.service-unknown",
    "raise top,       promotion.service-unknown",
    "Raise,           promotion.service-unknown",
    "raise raise,     promotion.services-overlap",
    "turbo raise,     promotion.services-overlap",
    "highlight turbo, promotion.services-overlap",
    "turbo turbo,     promotion.services-overlap",
  })
  void require_otherServices_areRefused(String requested, String code) {
    List<String> names = requested.isEmpty() ? List.of() : List.of(requested.split(" "));
    Failure failure = catchThrowableOfType(Failure.class, () -> services.require(names));
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
  }

  @ParameterizedTest
  @CsvSource({
    "raise premium,                 premium raise",
    "turbo raise highlight premium, turbo",
    "highlight turbo,               turbo",
    "former,                        former",
  })
  void withoutParts_namesWhatWasBought(String ended, String bought) {
    assertThat(services.withoutParts(List.of(ended.split(" ")))).containsExactly(bought.split(" "));
  }

  @Test
  void activatedBy_bundle_isItselfAndItsParts() {
    assertThat(services.activatedBy(services.find("turbo").orElseThrow()))
        .containsExactly("turbo", "raise", "highlight", "premium");
    assertThat(services.activatedBy(services.find("raise").orElseThrow())).containsExactly("raise");
  }
}
