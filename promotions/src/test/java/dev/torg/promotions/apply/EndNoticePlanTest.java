package dev.torg.promotions.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndNoticePlanTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:59:59Z");
  private static final EndTexts TEXTS = new EndTexts("en", "https://torg.example");

  private static EndedOffer ended(int number, String... services) {
    Offer offer = Offer.newBuilder().setId("id" + number).setTitle("100 % Golf " + number).build();
    return new EndedOffer(offer, List.of(services), 7);
  }

  private static List<BellEntry> entries(int sentBefore, int offers) {
    EndNoticePlan plan = new EndNoticePlan("user:1", sentBefore, DeliveryRequest.NONE, NOW);
    return plan.entries(
        IntStream.range(0, offers).mapToObj(number -> ended(number, "raise")).toList(), TEXTS);
  }

  private static Notification one(String language, String... services) {
    return new EndTexts(language, "").one(ended(1, services));
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "0, 3, 3", "2, 1, 1", "1, 2, 2"})
  void aFewOffers_haveEntriesOfTheirOwn(int sentBefore, int offers, int expected) {
    assertThat(entries(sentBefore, offers))
        .hasSize(expected)
        .hasOnlyElementsOfType(NewNotification.class)
        .extracting(BellEntry::key)
        .doesNotHaveDuplicates()
        .startsWith("promotion-ended:id0:7");
  }

  @ParameterizedTest
  @CsvSource({"0, 4", "3, 1", "2, 2", "900, 1000"})
  void many_areOneEntry_thatGrowsWithinTheHour(int sentBefore, int offers) {
    assertThat(entries(sentBefore, offers))
        .singleElement()
        .isInstanceOfSatisfying(
            AggregatedNotification.class,
            many -> {
              assertThat(many.by()).isEqualTo(offers);
              assertThat(many.key())
                  .isEqualTo("promotions-ended:user:1:" + EndNoticePlan.hour(NOW));
              Notification content = many.content().apply(sentBefore + offers);
              assertThat(content.getTitle())
                  .isEqualTo(
                      "Paid services of %d of your offers have ended"
                          .formatted(sentBefore + offers));
              assertThat(content.getOpen().getWeb()).isEqualTo("https://torg.example/my/offers");
            });
  }

  @Test
  void hour_changesAtTheHour() {
    assertThat(EndNoticePlan.hour(NOW.plusSeconds(1))).isEqualTo(EndNoticePlan.hour(NOW) + 1);
  }

  @Test
  void texts_nameOfferAndServices_andOpenTheOffer() {
    assertThat(one("en", "turbo").getTitle())
        .isEqualTo("A paid service of your offer ‘100 % Golf 1’ has ended");
    assertThat(one("en", "premium", "raise").getTitle())
        .isEqualTo("Paid services of your offer ‘100 % Golf 1’ have ended");
    assertThat(one("en", "premium", "raise").getText()).isEqualTo("premium, raise");
    assertThat(one("ru", "raise").getTitle())
        .isEqualTo("Платная услуга для объявления ‘100 % Golf 1’ завершена");
    assertThat(one("en", "raise").getOpen().getWeb()).isEqualTo("/offers/id1");
    assertThat(TEXTS.one(ended(1, "raise")).getOpen().getIos())
        .isEqualTo("https://torg.example/offers/id1");
  }
}
