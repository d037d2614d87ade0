package dev.torg.offers.feed;

import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.feed.format.FeedEntry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChunkTest {
  @Test
  void of_sameIdTwice_retainsLastValidOne() {
    Chunk chunk =
        chunk(item("a", "First"), item("b", "Other"), item("a", "Second"), item("a", "x"));
    assertThat(chunk.items().keySet()).containsExactly("b", "a");
    assertThat(chunk.items().get("a").item().content().getTitle()).isEqualTo("Second");
    assertThat(chunk.repeated()).isEqualTo(1);
    assertThat(chunk.failures()).extracting(FeedEntry.Invalid::externalId).containsExactly("a");
  }

  @Test
  void of_badItem_isAFailureThatNamesTheFields() {
    FeedEntry.Invalid failure = chunk(item("a", "x")).failures().getFirst();
    assertThat(failure.code()).isEqualTo("offer.invalid");
    assertThat(failure.message()).contains("offer.title");
    assertThat(failure.line()).isEqualTo(1);
  }

  /// Several items in one line that differ only in their ids.
  @Test
  void of_similarBadItems_haveDifferentFingerprints() {
    Chunk chunk = chunk(item("a", "x"), item("b", "x"));
    assertThat(chunk.failures()).extracting(FeedEntry.Invalid::fingerprint).doesNotHaveDuplicates();
  }

  @Test
  void externalIds_includeThoseOfFailuresOnce() {
    FeedEntry.Invalid nameless = new FeedEntry.Invalid(1, "", "feed.json", "not JSON", 1);
    Chunk chunk =
        chunk(item("a", "Good"), item("a", "x"), item("b", "x"), item("b", "y"), nameless);
    assertThat(chunk.externalIds()).containsExactly("a", "b");
    assertThat(chunk.failures()).hasSize(4);
  }

  @Test
  void halves_containEachItemAndFailureOnce() {
    Chunk chunk =
        chunk(
            item("a", "One"),
            item("b", "Two"),
            item("c", "Three"),
            item("c", "x"),
            item("a", "One"));
    List<Chunk> halves = chunk.halves();
    assertThat(halves.getFirst().items().keySet()).containsExactly("b");
    assertThat(halves.getLast().items().keySet()).containsExactly("c", "a");
    assertThat(halves.getFirst().failures()).hasSize(1);
    assertThat(halves.getLast().failures()).isEmpty();
    assertThat(halves).extracting(Chunk::repeated).containsExactly(1, 0);
  }

  private static Chunk chunk(FeedEntry... entries) {
    return Chunk.of(List.of(entries), TERMS.rules());
  }

  private static FeedEntry.Item item(String externalId, String title) {
    return new FeedEntry.Item(
        1, externalId, content(OPEN, title), List.of(), Optional.empty(), title.hashCode(), 10);
  }
}
