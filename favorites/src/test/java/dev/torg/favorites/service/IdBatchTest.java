package dev.torg.favorites.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.favorites.write.FavoriteCommands.OfferToSave;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdBatchTest {
  private static final OfferId OFFER = OfferId.random(new Home(3));
  private static final OfferId OTHER = OfferId.random(new Home(4));

  @ParameterizedTest
  @ValueSource(ints = {0, 501, 10_000})
  void of_noneOrTooMany_isInvalid(int size) {
    List<String> ids = Collections.nCopies(size, OFFER.toString());
    assertThatThrownBy(() -> IdBatch.offers(ids))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.code()).isEqualTo("batch.size");
              assertThat(failure.violations().getFirst().field()).isEqualTo("offerIds");
            });
  }

  @Test
  void of_fiveHundred_isAccepted() {
    assertThat(IdBatch.offers(Collections.nCopies(500, OFFER.toString())).items())
        .containsExactly(OFFER);
  }

  @Test
  void items_duplicateIds_areMerged() {
    IdBatch<String> batch = IdBatch.sellers(List.of("7", "user:7", "a b", "8"));
    assertThat(batch.items()).containsExactly("user:7", "user:8");
    assertThat(batch.results(Set.of()))
        .extracting(ItemResult::id)
        .containsExactly("7", "user:7", "a b", "8");
  }

  @Test
  void results_eachIdHasItsOwn() {
    IdBatch<OfferId> batch =
        IdBatch.offers(List.of("lamp", OFFER.toString(), OTHER.toString(), OFFER.toString()));
    assertThat(batch.results(OFFER::equals, Set.of()))
        .extracting(ItemResult::failed)
        .containsExactly(Failure.Kind.INVALID, null, Failure.Kind.NOT_FOUND, null);
    assertThat(batch.results(Set.of(OTHER.toString())))
        .extracting(ItemResult::failed)
        .containsExactly(Failure.Kind.INVALID, null, Failure.Kind.EXHAUSTED, null);
    assertThat(batch.results(OTHER::equals, Set.of(OFFER.toString())))
        .extracting(ItemResult::failed)
        .containsExactly(
            Failure.Kind.INVALID, Failure.Kind.NOT_FOUND, null, Failure.Kind.NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "anon:1", "service:x", "user:", "user:a/b"})
  void sellers_thatAreNoUsers_areInvalid(String id) {
    IdBatch<String> batch = IdBatch.sellers(List.of(id));
    assertThat(batch.items()).isEmpty();
    assertThat(batch.results(Set.of())).containsExactly(new ItemResult(id, Failure.Kind.INVALID));
  }

  @Test
  void toSave_keepsTheOrderAndOmitsUnknownOnes() {
    OfferToSave existing = new OfferToSave(OTHER.toString(), 1, 2);
    assertThat(IdBatch.toSave(List.of(OFFER, OTHER), Map.of(OTHER, existing)))
        .containsExactly(existing);
  }
}
