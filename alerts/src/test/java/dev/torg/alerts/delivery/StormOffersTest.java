package dev.torg.alerts.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Five offers in the second block, activated a second after each other. The offer at relative position 3 is no
/// longer active; there is none at 5.
class StormOffersTest {
  private static final int FIRST = StormNotifiedStore.BLOCK;
  private static final Instant BEGIN = Instant.parse("2026-05-04T12:00:00Z");
  private static final List<Numbered> OFFERS =
      IntStream.range(0, 5).mapToObj(StormOffersTest::numbered).toList();
  private static final OfferId INACTIVE = OFFERS.get(3).id();

  @ParameterizedTest
  @CsvSource({
    "-1,   0 1 2 3 4 5, 0 1 2 4",
    "-1,   0 3 5,       0",
    "-1,   '',          ''",
    "0,    0 1 2 3 4 5, 1 2 4",
    "1500, 0 1 2 3 4 5, 2 4",
    "2000, 0 1 2 3 4 5, 4",
    "4000, 0 1 2 3 4 5, ''",
  })
  void activatedAfter_ruleOfSomeAge_keepsActiveOffersThatAreNewer(
      long ruleMillis, String matched, String expected) {
    BitSet positions = bits(matched);

    assertThat(offers(BEGIN, Map.of()).activatedAfter(positions, BEGIN.plusMillis(ruleMillis)))
        .isEqualTo(bits(expected));
    assertThat(positions).as("unchanged").isEqualTo(bits(matched));
  }

  /// The oldest offer may be as old as the limit.
  @ParameterizedTest
  @CsvSource({"0, 0 1 2 4", "1, 1 2 4", "1000, 1 2 4", "1001, 2 4"})
  void activatedAfter_offersBeyondTheAgeLimit_areNotNew(long millisLater, String expected) {
    Instant now = BEGIN.plus(AlertEligibility.MAX_OFFER_AGE).plusMillis(millisLater);

    assertThat(
            offers(now, Map.of())
                .activatedAfter(bits("0 1 2 3 4"), BEGIN.minus(Duration.ofDays(1))))
        .isEqualTo(bits(expected));
  }

  @Test
  void position_anyOffer_isRelativeToTheBlock() {
    StormOffers offers = offers(BEGIN, Map.of());

    assertThat(offers.ids()).containsExactlyInAnyOrderElementsOf(ids());
    for (int i = 0; i < OFFERS.size(); i++) {
      assertThat(offers.position(OFFERS.get(i).id())).isEqualTo(i);
    }
  }

  @Test
  void sample_someTitlesKnown_prefersOfferWithTitle() {
    StormOffers offers = offers(BEGIN, Map.of(OFFERS.get(2).id(), "A bike"));

    assertThat(offers.sample(bits("0 1 2 4"))).contains(OFFERS.get(2));
    assertThat(offers.sample(bits("1 4"))).contains(OFFERS.get(1));
    assertThat(offers.sample(new BitSet())).isEqualTo(Optional.empty());
  }

  @Test
  void title_unknown_isEmpty() {
    StormOffers offers = offers(BEGIN, Map.of(OFFERS.get(2).id(), "A bike"));

    assertThat(offers.title(OFFERS.get(2).id())).isEqualTo("A bike");
    assertThat(offers.title(OFFERS.get(1).id())).isEmpty();
  }

  private static StormOffers offers(Instant now, Map<OfferId, String> titles) {
    Set<OfferId> active = new HashSet<>(ids());
    active.remove(INACTIVE);
    return new StormOffers(FIRST, OFFERS, active, now, titles);
  }

  private static List<OfferId> ids() {
    return OFFERS.stream().map(Numbered::id).toList();
  }

  private static Numbered numbered(int position) {
    return new Numbered(
        FIRST + position, OfferId.random(Home.of("user:seller")), BEGIN.plusSeconds(position));
  }

  private static BitSet bits(String positions) {
    BitSet bits = new BitSet();
    if (!positions.isEmpty()) {
      for (String position : positions.split(" ", -1)) {
        bits.set(Integer.parseInt(position));
      }
    }
    return bits;
  }
}
