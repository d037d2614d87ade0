package dev.torg.offers.feed;

import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.feed.FeedItemStore.ItemMark;
import dev.torg.offers.feed.FeedItemStore.StoredItem;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.offers.lifecycle.PublishOffer;
import dev.torg.offers.lifecycle.UpsertFromFeed;
import dev.torg.offers.lifecycle.UpsertFromFeed.Kind;
import dev.torg.offers.store.OfferWriteResult;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.coalesce.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Task 10, upload 7. Items have the hash 99; stored items belong to the owner's offer [#ID].
class ChunkPlanTest {
  private static final Instant CLOCK = EpochMicros.instant(NOW);
  private static final Duration DAY = Duration.ofDays(1);
  private static final UploadId UPLOAD =
      new UploadId(new StoredFeedTask.Key(OWNER.subject(), 10), 7);
  private static final long SAME = 99;
  private static final long OTHER = 98;

  @Test
  void decide_unknownItem_createsOfferInSellersHome() {
    ChunkPlan plan = plan(item("a"));
    assertThat(plan.unknown()).containsExactly("a");
    plan.decide(NOW);
    UpsertFromFeed upsert = (UpsertFromFeed) plan.commands().getFirst();
    assertThat(upsert.kind()).isEqualTo(Kind.CREATE);
    assertThat(upsert.id().home()).isEqualTo(OWNER.home());
    assertThat(upsert.seller()).isEqualTo(OWNER.subject());
    assertThat(upsert.at()).isEqualTo(NOW);
    assertThat(upsert.item().feedTask()).isEqualTo(10);
    assertThat(plan.added()).containsExactly(new ItemMark("a", upsert.id(), SAME));
    assertThat(plan.marked()).isEmpty();
    plan.written(List.of(done(NOW)));
    assertThat(plan.counts(0)).isEqualTo(counts(1, 0, 0, 0, 0, 0));
  }

  /// The command for a stored item, whether its row is marked, and how it is counted.
  @ParameterizedTest
  @CsvSource({
    // status, task, upload, hash, command, marked, counted as
    "ACTIVE,    9,  1, 99, ,      true,  unchanged",
    "ACTIVE,    9,  1, 98, UPDATE, true,  updated",
    "EXPIRED,   9,  1, 99, UNCHANGED, true,  updated",
    "EXPIRED,   9,  1, 98, UPDATE, true,  updated",
    "REMOVED,   9,  1, 99, UPDATE, true,  updated",
    "REMOVED,   10, 7, 99, ,      false, ignored",
    "ACTIVE,    10, 7, 99, ,      false, duplicates",
    "ACTIVE,    10, 7, 98, UPDATE, true,  duplicates",
    "ACTIVE,    10, 6, 99, ,      true,  nothing",
    "ACTIVE,    11, 1, 98, ,      false, ignored",
    "SOLD,      9,  1, 99, ,      true,  unchanged",
    "SOLD,      9,  1, 98, UPDATE, true,  updated",
    "WITHDRAWN, 9,  1, 99, ,      true,  unchanged",
    "BANNED,    9,  1, 98, UPDATE, true,  updated",
  })
  void decide_storedItem_dependsOnStoredState(
      Status status, long task, int upload, long hash, Kind command, boolean marked, String as) {
    ChunkPlan plan = plan(item("a"));
    plan.addStored(Map.of("a", stored("a", task, upload, hash, status, null)));
    plan.decide(NOW);
    assertThat(plan.commands())
        .extracting(c -> ((UpsertFromFeed) c).kind())
        .isEqualTo(command == null ? List.of() : List.of(command));
    assertThat(plan.commands()).allMatch(c -> c.id().equals(ID));
    assertThat(plan.added()).isEmpty();
    assertThat(plan.marked()).isEqualTo(marked ? List.of(new ItemMark("a", ID, SAME)) : List.of());
    plan.written(plan.commands().stream().map(_ -> done(NOW)).toList());
    assertThat(plan.counts(0)).isEqualTo(counted(as));
  }

  /// Removed too long ago to be restored: another offer replaces it in the item's row.
  @Test
  void decide_offerRemovedLongAgo_createsAnother() {
    ChunkPlan plan = plan(item("a"));
    Instant removed = CLOCK.minus(DAY.multipliedBy(31));
    plan.addStored(Map.of("a", stored("a", 9, 1, SAME, Status.REMOVED, removed)));
    assertThat(plan.unknown()).containsExactly("a");
    plan.decide(NOW);
    UpsertFromFeed upsert = (UpsertFromFeed) plan.commands().getFirst();
    assertThat(upsert.kind()).isEqualTo(Kind.CREATE);
    assertThat(upsert.id()).isNotEqualTo(ID);
    assertThat(plan.added()).isEmpty();
    assertThat(plan.marked()).containsExactly(new ItemMark("a", upsert.id(), SAME));
  }

  /// The seller published it manually before the feed named it.
  @ParameterizedTest
  @CsvSource({"0, updated", "-1, unchanged"})
  void decide_offerPublishedManually_isAssignedToItem(long updatedAt, String as) {
    ChunkPlan plan = plan(item("a"));
    plan.unclaimed(Map.of("a", ID));
    plan.decide(NOW);
    UpsertFromFeed upsert = (UpsertFromFeed) plan.commands().getFirst();
    assertThat(upsert.kind()).isEqualTo(Kind.UPDATE);
    assertThat(upsert.id()).isEqualTo(ID);
    assertThat(plan.added()).containsExactly(new ItemMark("a", ID, SAME));
    plan.written(List.of(done(NOW + updatedAt)));
    assertThat(plan.counts(0)).isEqualTo(counted(as));
  }

  @Test
  void written_refusedItem_failsAndIsRetriedNextTime() {
    ChunkPlan plan = plan(item("a"), item("b"));
    plan.addStored(Map.of("a", stored("a", 9, 1, OTHER, Status.SOLD, null)));
    plan.decide(NOW);
    Failure refused = Failure.conflict("offer.not-editable", "an offer that is SOLD is final");
    plan.written(List.of(Outcome.failed(refused), done(NOW)));
    assertThat(plan.refused()).containsExactly("a");
    assertThat(plan.failures())
        .extracting(FeedEntry.Invalid::code)
        .containsExactly("offer.not-editable");
    assertThat(plan.counts(1)).isEqualTo(new FeedCounts(1, 0, 0, 0, 1, 0, 0));
  }

  @Test
  void written_idInUse_repeatsChunk() {
    ChunkPlan plan = plan(item("a"));
    plan.decide(NOW);
    assertThatThrownBy(() -> plan.written(List.of(Outcome.failed(PublishOffer.idInUse()))))
        .isInstanceOf(FeedChunkWriter.ConcurrentWriteException.class);
  }

  /// Its offer stays as it is and is not removed: the mark is updated and the hash is unchanged.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,  9,  true",
    "SOLD,    9,  true",
    "ACTIVE,  10, false",
    "ACTIVE,  11, false",
    "REMOVED, 9,  false",
  })
  void decide_invalidItem_keepsItsOffer(Status status, long task, boolean marked) {
    FeedEntry.Invalid invalid = new FeedEntry.Invalid(1, "a", "feed.field", "bad", 1);
    ChunkPlan plan = plan(invalid);
    plan.addStored(Map.of("a", stored("a", task, 1, OTHER, status, null)));
    plan.decide(NOW);
    assertThat(plan.marked()).isEqualTo(marked ? List.of(new ItemMark("a", ID, OTHER)) : List.of());
    assertThat(plan.commands()).isEmpty();
    assertThat(plan.failures()).containsExactly(invalid);
  }

  @Test
  void decide_invalidItemTwice_isMarkedOnce() {
    ChunkPlan plan =
        plan(
            new FeedEntry.Invalid(1, "a", "feed.field", "bad", 1),
            new FeedEntry.Invalid(2, "a", "feed.field", "bad", 2));
    plan.addStored(Map.of("a", stored("a", 9, 1, OTHER, Status.ACTIVE, null)));
    plan.decide(NOW);
    assertThat(plan.marked()).hasSize(1);
  }

  @Test
  void decide_invalidAndValidItemOfOneId_appliesValidOne() {
    ChunkPlan plan = plan(item("a"), new FeedEntry.Invalid(2, "a", "feed.field", "bad", 2));
    plan.addStored(Map.of("a", stored("a", 9, 1, SAME, Status.ACTIVE, null)));
    plan.decide(NOW);
    assertThat(plan.marked()).containsExactly(new ItemMark("a", ID, SAME));
    assertThat(plan.counts(1)).isEqualTo(new FeedCounts(0, 0, 1, 0, 1, 0, 0));
  }

  @Test
  void decide_itemRepeatedInTheChunk_isADuplicate() {
    ChunkPlan plan = plan(item("a"), item("a"), item("a"));
    plan.decide(NOW);
    plan.written(List.of(done(NOW)));
    assertThat(plan.counts(0)).isEqualTo(counts(1, 0, 0, 0, 0, 2));
  }

  /// The promotions of an item are announced whether it has changed or not, unless a later task or the offer itself has
  /// refused it.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,  9,  1, 99, true",
    "ACTIVE,  9,  1, 98, true",
    "REMOVED, 9,  1, 99, true",
    "ACTIVE,  10, 7, 99, true",
    "ACTIVE,  10, 6, 99, true",
    "ACTIVE,  11, 1, 98, false",
    "REMOVED, 10, 7, 99, false",
  })
  void promotions_storedItem_areThoseOfAcceptedItems(
      Status status, long task, int upload, long hash, boolean announced) {
    ChunkPlan plan = plan(item("a", Optional.of(List.of("premium"))));
    plan.addStored(Map.of("a", stored("a", task, upload, hash, status, null)));
    plan.decide(NOW);
    plan.written(plan.commands().stream().map(_ -> done(NOW)).toList());
    assertThat(plan.promotions())
        .isEqualTo(
            announced
                ? List.of(new ChunkPlan.ItemPromotion("a", ID, List.of("premium")))
                : List.of());
  }

  @Test
  void promotions_refusedOrPlainItem_areNone() {
    ChunkPlan plan =
        plan(
            item("a", Optional.of(List.of("premium"))),
            item("b"),
            item("c", Optional.of(List.of())));
    plan.addStored(Map.of("a", stored("a", 9, 1, OTHER, Status.SOLD, null)));
    plan.decide(NOW);
    Failure refused = Failure.conflict("offer.not-editable", "an offer that is SOLD is final");
    plan.written(List.of(Outcome.failed(refused), done(NOW), done(NOW)));
    assertThat(plan.promotions())
        .extracting(ChunkPlan.ItemPromotion::externalId)
        .containsExactly("c");
  }

  private static ChunkPlan plan(FeedEntry... entries) {
    Chunk chunk = Chunk.of(Arrays.asList(entries), TERMS.rules());
    FeedItemAction.Rules rules =
        new FeedItemAction.Rules(DAY.multipliedBy(45), DAY.multipliedBy(3), CLOCK);
    return new ChunkPlan(UPLOAD, chunk, TERMS, rules);
  }

  private static FeedEntry.Item item(String externalId) {
    return item(externalId, Optional.empty());
  }

  private static FeedEntry.Item item(String externalId, Optional<List<String>> promote) {
    Offer content = content(OPEN, "A title").toBuilder().setExternalId(externalId).build();
    return new FeedEntry.Item(1, externalId, content, List.of(), promote, SAME, 10);
  }

  private static StoredItem stored(
      String externalId,
      long task,
      int upload,
      long hash,
      Status status,
      @Nullable Instant removedAt) {
    Instant removed = status == Status.REMOVED && removedAt == null ? CLOCK.minus(DAY) : removedAt;
    Instant due = status == Status.ACTIVE ? CLOCK.plus(DAY.multipliedBy(50)) : null;
    return new StoredItem(
        externalId, ID, task, upload, hash, removed, status.getNumber(), due, null);
  }

  private static Outcome<OfferWriteResult> done(long updatedAt) {
    Offer offer = Offer.newBuilder().setUpdatedAt(EpochMicros.timestamp(updatedAt)).build();
    return Outcome.done(new OfferWriteResult.Current(offer));
  }

  private static FeedCounts counted(String as) {
    return switch (as) {
      case "updated" -> counts(0, 1, 0, 0, 0, 0);
      case "unchanged" -> counts(0, 0, 1, 0, 0, 0);
      case "ignored" -> counts(0, 0, 0, 0, 1, 0);
      case "duplicates" -> counts(0, 0, 0, 0, 0, 1);
      default -> FeedCounts.NONE;
    };
  }

  private static FeedCounts counts(
      int created, int updated, int unchanged, int failed, int ignored, int duplicates) {
    return new FeedCounts(created, updated, unchanged, 0, failed, ignored, duplicates);
  }
}
