package dev.torg.favorites.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.favorites.FavoriteKind;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeCursorTest {
  @ParameterizedTest
  @CsvSource({
    "BLOCK,      b, BLOCK,      a, true",
    "BLOCK,      b, BLOCK,      b, true",
    "BLOCK,      b, BLOCK,      c, false",
    "BLOCK,      b, OFFER,      a, false",
    "OFFER,      a, BLOCK,      z, true",
    "OFFER,      b, SEARCH,     a, false",
    "SELLER,     b, SEARCH,     z, true",
    "NOTE,       b, OFFER,      z, true",
    "NOTE,       b, COLLECTION, a, false",
    "COLLECTION, b, NOTE,       z, true",
    "COLLECTION, b, COLLECTION, b, true",
    "COLLECTION, b, COLLECTION, c, false",
  })
  void covers_row_isInTheOrderOfTheMerge(
      FavoriteKind last, String lastId, FavoriteKind kind, String id, boolean covered) {
    assertThat(MergeCursor.at(row(last, lastId)).covers(row(kind, id))).isEqualTo(covered);
  }

  @ParameterizedTest
  @CsvSource({
    "b, 5, b, 4, true",
    "b, 5, b, 5, true",
    "b, 5, b, 6, false",
    "b, 5, a, 9, true",
    "b, 5, c, 1, false",
    "b, '', b, 1, false",
  })
  void covers_offerOfCollection_isInTheOrderOfTheMerge(
      String last, String lastOffer, String collection, String offer, boolean covered) {
    MergeCursor cursor = MergeCursor.at(row(FavoriteKind.COLLECTION, last), lastOffer, "x");
    assertThat(cursor.covers(row(FavoriteKind.COLLECTION, collection), offer)).isEqualTo(covered);
  }

  @Test
  void start_coversNothing() {
    assertThat(MergeCursor.START.covers(row(FavoriteKind.BLOCK, ""))).isFalse();
  }

  private static FavoriteRow row(FavoriteKind kind, String id) {
    return FavoriteRow.of(new FavoriteKey("anon:1", kind, id), Instant.EPOCH);
  }
}
