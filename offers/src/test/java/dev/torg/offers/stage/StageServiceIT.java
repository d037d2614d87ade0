package dev.torg.offers.stage;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Stage;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StageServiceIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("seller");

  private final StageService stages = OFFERS.stages();
  private final Offer offer = await(OFFERS.offers().publish(SELLER, car("Audi", 1)));
  private final OfferId id = OfferId.parse(offer.getId());

  @Test
  void put_andGet_keepsItsOwnVersion() {
    assertThat(put("scoring", 1, 0).getVersion()).isEqualTo(1);
    assertThat(put("scoring", 2, 1).getVersion()).isEqualTo(2);
    assertThat(put("other", 3, 0).getVersion()).isEqualTo(1);
    Stage stage = await(stages.get(id, "scoring"));
    assertThat(stage.getData().toByteArray()).containsExactly(2);
    assertThat(stage.getVersion()).isEqualTo(2);
    assertThat(await(OFFERS.offers().get(Optional.empty(), id))).isEqualTo(offer);
  }

  @Test
  void put_versionNotCurrent_isConflict() {
    put("scoring", 1, 0);
    assertThat(kindOf(() -> stages.put(id, "scoring", new byte[1], OptionalLong.of(0))))
        .isEqualTo("CONFLICT");
    assertThat(kindOf(() -> stages.put(id, "scoring", new byte[1], OptionalLong.of(2))))
        .isEqualTo("CONFLICT");
  }

  @Test
  void put_badNameSizeOrOffer_isRefused() {
    assertThat(kindOf(() -> stages.put(id, "Bad Name", new byte[1], OptionalLong.empty())))
        .isEqualTo("INVALID");
    assertThat(kindOf(() -> stages.put(id, "big", new byte[65_537], OptionalLong.empty())))
        .isEqualTo("INVALID");
    assertThat(kindOf(() -> stages.put(id, "big", new byte[65_536], OptionalLong.empty())))
        .isEqualTo("OK");
    assertThat(kindOf(() -> stages.put(new OfferId(0), "x", new byte[1], OptionalLong.empty())))
        .isEqualTo("NOT_FOUND");
    assertThat(kindOf(() -> stages.get(id, "nothing"))).isEqualTo("NOT_FOUND");
  }

  @Test
  void put_eventContainsNoData() {
    put("scoring", 1, 0);
    OfferEvent event = OFFERS.events(offer.getId()).getLast();
    assertThat(event.hasAfter()).isFalse();
    assertThat(event.getStage().getStage()).isEqualTo("scoring");
    assertThat(event.getStage().getVersion()).isEqualTo(1);
    assertThat(event.getChangedList()).containsExactly("stages.scoring");
  }

  @Test
  void put_concurrentWithEdits_affectsNeither() {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(stages.put(id, "stage-" + i % 4, new byte[] {1}, OptionalLong.empty()));
      all.add(OFFERS.offers().update(SELLER, id, car("Audi", i), OptionalLong.empty()));
    }
    all.forEach(OffersFixture::await);
    assertThat(await(OFFERS.offers().get(Optional.empty(), id)).getVersion()).isEqualTo(41);
    for (int i = 0; i < 4; i++) {
      assertThat(await(stages.get(id, "stage-" + i)).getVersion()).isEqualTo(10);
    }
  }

  private Stage put(String stage, int data, long version) {
    return await(stages.put(id, stage, new byte[] {(byte) data}, OptionalLong.of(version)));
  }
}
