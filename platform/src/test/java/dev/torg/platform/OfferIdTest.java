package dev.torg.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfferIdTest {
  private static final int SAMPLES = 2_000;

  private final Random random = new Random(7);

  @Test
  void random_everyHome_leadsBackToIt() {
    for (int number = 0; number < Home.COUNT; number++) {
      Home home = new Home(number);
      OfferId id = OfferId.random(home);
      assertThat(id.home()).isEqualTo(home);
      assertThat(id.toString()).hasSize(16).startsWith("%03d".formatted(number));
    }
  }

  /// Among 10^12 times 256 ids, two of these are the same once in fifty thousand runs.
  @Test
  void random_hundredThousandOverAllHomes_noDuplicates() {
    Set<OfferId> ids = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      ids.add(OfferId.random(new Home(i % Home.COUNT)));
    }
    assertThat(ids).hasSize(100_000);
  }

  /// Of 10^12 ids two are the same once in two hundred runs, three pairs once in fifty million.
  @Test
  void random_hundredThousandInOneHome_hardlyAnyDuplicates() {
    Set<OfferId> ids = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      ids.add(OfferId.random(new Home(17)));
    }
    assertThat(ids).hasSizeGreaterThan(100_000 - 3);
  }

  @Test
  void parse_printedAndDisplayed_returnsSameId() {
    ids()
        .forEach(
            id -> {
              assertThat(OfferId.parse(id.toString())).isEqualTo(id);
              assertThat(OfferId.parse(id.display())).isEqualTo(id);
              assertThat(OfferId.parse(id.display().replace('-', ' '))).isEqualTo(id);
            });
  }

  @Test
  void parse_anySingleDigitWrong_isRefused() {
    ids()
        .forEach(
            id ->
                IntStream.range(0, 16)
                    .boxed()
                    .flatMap(at -> otherDigitsAt(id.toString(), at))
                    .forEach(OfferIdTest::assertRefused));
  }

  /// Luhn's one blind spot is 09 for 90.
  @Test
  void parse_twoNeighboursSwapped_isRefusedUnlessTheyAre0And9() {
    ids().forEach(id -> IntStream.range(0, 15).forEach(at -> checkSwap(id.toString(), at)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "231480937551308",
        "23148093755130830",
        "-231480937551308",
        "231480937551308x",
        "２314809375513083",
        "9990000000000004",
        "2560000000000002",
        "2314/8093/7551/3083"
      })
  void parse_notAnId_isInvalid(String text) {
    assertThatThrownBy(() -> OfferId.parse(text))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.INVALID));
  }

  @Test
  void display_firstHome_keepsLeadingZeros() {
    OfferId id = new OfferId(0);
    assertThat(id.display()).isEqualTo("0000-0000-0000-0000");
    assertThat(id.home()).isEqualTo(new Home(0));
  }

  private Stream<OfferId> ids() {
    return Stream.generate(() -> OfferId.random(new Home(random.nextInt(Home.COUNT))))
        .limit(SAMPLES);
  }

  private static Stream<String> otherDigitsAt(String digits, int at) {
    return IntStream.rangeClosed('0', '9')
        .filter(digit -> digit != digits.charAt(at))
        .mapToObj(digit -> digits.substring(0, at) + (char) digit + digits.substring(at + 1));
  }

  private static void checkSwap(String digits, int at) {
    char first = digits.charAt(at);
    char right = digits.charAt(at + 1);
    String swapped = digits.substring(0, at) + right + first + digits.substring(at + 2);
    boolean blindSpot = (first == '0' && right == '9') || (first == '9' && right == '0');
    if (first != right && !blindSpot) {
      assertRefused(swapped);
    }
  }

  private static void assertRefused(String digits) {
    assertThat(OfferId.isValid(Long.parseLong(digits))).as(digits).isFalse();
  }
}
