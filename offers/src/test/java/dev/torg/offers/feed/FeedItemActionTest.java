package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.feed.FeedItemStore.StoredItem;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeedItemActionTest {
  private static final Instant NOW = Instant.parse("2026-11-16T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration ARCHIVE = DAY.multipliedBy(45);
  private static final OfferId OFFER = OfferId.random(new Home(1));
  private static final UploadId UPLOAD = new UploadId(new StoredFeedTask.Key("user:1", 10), 7);
  private static final FeedEntry.Item ITEM =
      new FeedEntry.Item(1, "a", Offer.getDefaultInstance(), List.of(), Optional.empty(), 99, 100);

  @Test
  void unknownItem_isCreated() {
    assertThat(FeedItemAction.of(ITEM, null, UPLOAD, rules())).isEqualTo(FeedItemAction.CREATE);
  }

  @Test
  void storedItem_isComparedByHash() {
    assertThat(verdict(active(9, 1, 99))).isEqualTo(FeedItemAction.UNCHANGED);
    assertThat(verdict(active(9, 1, 98))).isEqualTo(FeedItemAction.UPDATE);
  }

  @Test
  void itemOfThisTask_countsOnce() {
    assertThat(verdict(active(10, 7, 99))).isEqualTo(FeedItemAction.REPEATED);
    assertThat(verdict(active(10, 6, 99))).isEqualTo(FeedItemAction.ALREADY_APPLIED);
    assertThat(verdict(active(10, 7, 98))).isEqualTo(FeedItemAction.UPDATE_REPEATED);
  }

  @Test
  void itemOfALaterTask_isIgnored() {
    assertThat(verdict(active(11, 1, 98))).isEqualTo(FeedItemAction.IGNORE);
  }

  @Test
  void removedOffer_isRestoredByLaterTaskOnly() {
    assertThat(verdict(removed(9, NOW.minus(DAY)))).isEqualTo(FeedItemAction.REVIVE);
    assertThat(verdict(removed(10, NOW.minus(DAY)))).isEqualTo(FeedItemAction.IGNORE);
    assertThat(verdict(removed(11, NOW.minus(DAY)))).isEqualTo(FeedItemAction.IGNORE);
  }

  @Test
  void removedOffer_after30Days_createsNewOffer() {
    assertThat(verdict(removed(9, NOW.minus(DAY.multipliedBy(29)))))
        .isEqualTo(FeedItemAction.REVIVE);
    assertThat(verdict(removed(9, NOW.minus(DAY.multipliedBy(31)))))
        .isEqualTo(FeedItemAction.CREATE);
  }

  @Test
  void offerRemovedByOwner_isRestoredToo() {
    Instant due = NOW.minus(DAY).plus(ARCHIVE);
    assertThat(verdict(storedItem(9, 1, 99, null, Status.REMOVED, due)))
        .isEqualTo(FeedItemAction.REVIVE);
    assertThat(verdict(storedItem(10, 7, 99, null, Status.REMOVED, due)))
        .isEqualTo(FeedItemAction.IGNORE);
    Instant longAgo = NOW.minus(DAY.multipliedBy(31)).plus(ARCHIVE);
    assertThat(verdict(storedItem(9, 1, 99, null, Status.REMOVED, longAgo)))
        .isEqualTo(FeedItemAction.CREATE);
  }

  @Test
  void soldOffer_omittedByFeed_staysAssignedToItem() {
    StoredItem sold = storedItem(9, 1, 99, NOW.minus(DAY), Status.SOLD, null);
    assertThat(verdict(sold)).isEqualTo(FeedItemAction.UNCHANGED);
    StoredItem other = storedItem(9, 1, 98, NOW.minus(DAY), Status.SOLD, null);
    assertThat(verdict(other)).isEqualTo(FeedItemAction.UPDATE);
  }

  @Test
  void unchangedItem_offerExpires_isReactivated() {
    Instant nearExpiry = NOW.plus(Duration.ofDays(2));
    assertThat(verdict(storedItem(9, 1, 99, null, Status.ACTIVE, nearExpiry)))
        .isEqualTo(FeedItemAction.UPDATE);
    assertThat(verdict(storedItem(9, 1, 99, null, Status.EXPIRED, NOW)))
        .isEqualTo(FeedItemAction.UPDATE);
    assertThat(verdict(storedItem(9, 1, 99, null, Status.WITHDRAWN, null)))
        .isEqualTo(FeedItemAction.UNCHANGED);
    assertThat(verdict(storedItem(9, 1, 99, null, Status.BANNED, null)))
        .isEqualTo(FeedItemAction.UNCHANGED);
  }

  @Test
  void unchangedItem_photosDueForRetry_isUpdated() {
    assertThat(verdict(photos(9, Status.ACTIVE, NOW))).isEqualTo(FeedItemAction.UPDATE);
    assertThat(verdict(photos(9, Status.ACTIVE, NOW.plusSeconds(1))))
        .isEqualTo(FeedItemAction.UNCHANGED);
    assertThat(verdict(photos(9, Status.SOLD, NOW))).isEqualTo(FeedItemAction.UNCHANGED);
    assertThat(verdict(photos(10, Status.ACTIVE, NOW))).isEqualTo(FeedItemAction.REPEATED);
  }

  private static StoredItem photos(long task, Status status, Instant due) {
    return new StoredItem("a", OFFER, task, 7, 99, null, status.getNumber(), null, due);
  }

  private static FeedItemAction verdict(StoredItem storedItem) {
    return FeedItemAction.of(ITEM, storedItem, UPLOAD, rules());
  }

  private static FeedItemAction.Rules rules() {
    return new FeedItemAction.Rules(ARCHIVE, DAY.multipliedBy(3), NOW);
  }

  private static StoredItem active(long task, int upload, long hash) {
    return storedItem(task, upload, hash, null, Status.ACTIVE, NOW.plus(Duration.ofDays(50)));
  }

  private static StoredItem removed(long task, Instant at) {
    return storedItem(task, 1, 99, at, Status.REMOVED, at.plus(ARCHIVE));
  }

  private static StoredItem storedItem(
      long task,
      int upload,
      long hash,
      @Nullable Instant removedAt,
      Status status,
      @Nullable Instant due) {
    return new StoredItem("a", OFFER, task, upload, hash, removedAt, status.getNumber(), due, null);
  }
}
