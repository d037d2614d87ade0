package dev.torg.alerts.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.StormAlert;
import java.util.BitSet;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecipientStormTest {
  private static final int BLOCK = StormNotifiedStore.BLOCK;
  private static final String RECIPIENT = "user:recipient";
  private static final String SELLER = "user:seller";
  private static final AlertReason FOLLOWED = AlertReason.seller(SELLER);
  private static final AlertReason SEARCH = AlertReason.search("a");
  private static final AlertReason OTHER_SEARCH = AlertReason.search("b");

  @Test
  void of_positionsOfSeveralBlocks_areRelativeToTheirBlock() {
    StormAlert alert =
        storm(Map.of(FOLLOWED, OfferPositions.of(7, BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK)));

    assertThat(RecipientStorm.of(alert, 0).matches())
        .isEqualTo(Map.of(FOLLOWED, bits(7, BLOCK - 1)));
    assertThat(RecipientStorm.of(alert, 1).matches())
        .isEqualTo(Map.of(FOLLOWED, bits(0, BLOCK - 1)));
    assertThat(RecipientStorm.of(alert, 2).matches()).isEqualTo(Map.of(FOLLOWED, bits(0)));
    assertThat(RecipientStorm.of(alert, 2).key())
        .isEqualTo(new StormNotifiedStore.Key(RECIPIENT, SELLER, 2));
  }

  /// The recipient may follow the seller, although only searches caused the alert.
  @Test
  void of_searchesOnly_addsSellerWithOffersOfAllSearches() {
    RecipientStorm storm =
        RecipientStorm.of(
            storm(Map.of(SEARCH, OfferPositions.of(1, 2), OTHER_SEARCH, OfferPositions.of(2, 5))),
            0);

    assertThat(storm.matches())
        .isEqualTo(Map.of(SEARCH, bits(1, 2), OTHER_SEARCH, bits(2, 5), FOLLOWED, bits(1, 2, 5)));
    assertThat(storm.offers()).isEqualTo(bits(1, 2, 5));
  }

  @Test
  void of_sellerNamed_keepsItsOwnOffers() {
    RecipientStorm storm =
        RecipientStorm.of(
            storm(Map.of(SEARCH, OfferPositions.of(1, 2), FOLLOWED, OfferPositions.of(9))), 0);

    assertThat(storm.matches()).isEqualTo(Map.of(SEARCH, bits(1, 2), FOLLOWED, bits(9)));
    assertThat(storm.offers()).isEqualTo(bits(1, 2, 9));
  }

  @Test
  void with_sameAndOtherReasons_hasOffersOfBoth() {
    StormNotifiedStore.Key key = new StormNotifiedStore.Key(RECIPIENT, SELLER, 3);
    RecipientStorm first = new RecipientStorm(key, Map.of(SEARCH, bits(1), OTHER_SEARCH, bits(2)));
    RecipientStorm second = new RecipientStorm(key, Map.of(SEARCH, bits(4), FOLLOWED, bits(5)));

    assertThat(first.with(second))
        .isEqualTo(
            new RecipientStorm(
                key, Map.of(SEARCH, bits(1, 4), OTHER_SEARCH, bits(2), FOLLOWED, bits(5))));
    assertThat(first.matches()).as("unchanged").containsEntry(SEARCH, bits(1));
    assertThat(second.matches()).as("unchanged").containsEntry(SEARCH, bits(4));
  }

  @Test
  void to_login_isTheSameStormForTheLogin() {
    RecipientStorm storm = RecipientStorm.of(storm(Map.of(SEARCH, OfferPositions.of(1))), 0);

    RecipientStorm ofLogin = storm.to("user:login");
    assertThat(ofLogin.recipient()).isEqualTo("user:login");
    assertThat(ofLogin.seller()).isEqualTo(SELLER);
    assertThat(ofLogin.matches()).isEqualTo(storm.matches());
  }

  private static StormAlert storm(Map<AlertReason, OfferPositions> matches) {
    return new StormAlert(RECIPIENT, SELLER, matches);
  }

  private static BitSet bits(int... positions) {
    BitSet bits = new BitSet();
    IntStream.of(positions).forEach(bits::set);
    return bits;
  }
}
