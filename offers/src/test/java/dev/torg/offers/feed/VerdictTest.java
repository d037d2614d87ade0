package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.feed.ItemStore.Known;
import dev.torg.offers.feed.read.Entry;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final Instant NOW = Instant.parse("2026-11-16T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration ARCHIVE = DAY.multipliedBy(45);
  private static final OfferId OFFER = OfferId.random(new Home(1));
  private static final Upload UPLOAD = new Upload(new Task.Key("user:1", 10), 7);
  private static final Entry.Item ITEM =
      new Entry.Item(1, "a", Offer.getDefaultInstance(), List.of(), 99, 100);

  @Test
  void unknownItem_isCreated() {
    assertThat(Verdict.of(ITEM, null, UPLOAD, rules())).isEqualTo(Verdict.CREATE);
  }

  @Test
  void knownItem_isComparedByItsHash() {
    assertThat(verdict(active(9, 1, 99))).isEqualTo(Verdict.UNCHANGED);
    assertThat(verdict(active(9, 1, 98))).isEqualTo(Verdict.UPDATE);
  }

  @Test
  void itemOfThisTask_countsOnce() {
    assertThat(verdict(active(10, 7, 99))).isEqualTo(Verdict.REPEATED);
    assertThat(verdict(active(10, 6, 99))).isEqualTo(Verdict.BROUGHT_BEFORE);
    assertThat(verdict(active(10, 7, 98))).isEqualTo(Verdict.UPDATE_REPEATED);
  }

  @Test
  void itemOfALaterTask_isIgnored() {
    assertThat(verdict(active(11, 1, 98))).isEqualTo(Verdict.IGNORE);
  }

  @Test
  void removedOffer_comesBackByALaterTaskOnly() {
    assertThat(verdict(removed(9, NOW.minus(DAY)))).isEqualTo(Verdict.REVIVE);
    assertThat(verdict(removed(10, NOW.minus(DAY)))).isEqualTo(Verdict.IGNORE);
    assertThat(verdict(removed(11, NOW.minus(DAY)))).isEqualTo(Verdict.IGNORE);
  }

  @Test
  void removedOffer_after30Days_isCreatedAnew() {
    assertThat(verdict(removed(9, NOW.minus(DAY.multipliedBy(29))))).isEqualTo(Verdict.REVIVE);
    assertThat(verdict(removed(9, NOW.minus(DAY.multipliedBy(31))))).isEqualTo(Verdict.CREATE);
  }

  @Test
  void offerRemovedByHand_comesBackToo() {
    Instant due = NOW.minus(DAY).plus(ARCHIVE);
    assertThat(verdict(known(9, 1, 99, null, Status.REMOVED, due))).isEqualTo(Verdict.REVIVE);
    assertThat(verdict(known(10, 7, 99, null, Status.REMOVED, due))).isEqualTo(Verdict.IGNORE);
    Instant longAgo = NOW.minus(DAY.multipliedBy(31)).plus(ARCHIVE);
    assertThat(verdict(known(9, 1, 99, null, Status.REMOVED, longAgo))).isEqualTo(Verdict.CREATE);
  }

  @Test
  void soldOfferThatAFeedOmitted_isStillTheItems() {
    Known sold = known(9, 1, 99, NOW.minus(DAY), Status.SOLD, null);
    assertThat(verdict(sold)).isEqualTo(Verdict.UNCHANGED);
    Known other = known(9, 1, 98, NOW.minus(DAY), Status.SOLD, null);
    assertThat(verdict(other)).isEqualTo(Verdict.UPDATE);
  }

  @Test
  void unchangedItem_whoseOfferEnds_isPutOnSaleAgain() {
    Instant soon = NOW.plus(Duration.ofDays(2));
    assertThat(verdict(known(9, 1, 99, null, Status.ACTIVE, soon))).isEqualTo(Verdict.UPDATE);
    assertThat(verdict(known(9, 1, 99, null, Status.EXPIRED, NOW))).isEqualTo(Verdict.UPDATE);
    assertThat(verdict(known(9, 1, 99, null, Status.WITHDRAWN, null))).isEqualTo(Verdict.UNCHANGED);
    assertThat(verdict(known(9, 1, 99, null, Status.BANNED, null))).isEqualTo(Verdict.UNCHANGED);
  }

  @Test
  void unchangedItem_withPhotosToTryAgain_isBroughtAgainWhenTheyAreDue() {
    assertThat(verdict(photos(9, Status.ACTIVE, NOW))).isEqualTo(Verdict.UPDATE);
    assertThat(verdict(photos(9, Status.ACTIVE, NOW.plusSeconds(1)))).isEqualTo(Verdict.UNCHANGED);
    assertThat(verdict(photos(9, Status.SOLD, NOW))).isEqualTo(Verdict.UNCHANGED);
    assertThat(verdict(photos(10, Status.ACTIVE, NOW))).isEqualTo(Verdict.REPEATED);
  }

  private static Known photos(long task, Status status, Instant due) {
    return new Known("a", OFFER, task, 7, 99, null, status.getNumber(), null, due);
  }

  private static Verdict verdict(Known known) {
    return Verdict.of(ITEM, known, UPLOAD, rules());
  }

  private static Verdict.Rules rules() {
    return new Verdict.Rules(ARCHIVE, DAY.multipliedBy(3), NOW);
  }

  private static Known active(long task, int upload, long hash) {
    return known(task, upload, hash, null, Status.ACTIVE, NOW.plus(Duration.ofDays(50)));
  }

  private static Known removed(long task, Instant at) {
    return known(task, 1, 99, at, Status.REMOVED, at.plus(ARCHIVE));
  }

  private static Known known(
      long task,
      int upload,
      long hash,
      @Nullable Instant removedAt,
      Status status,
      @Nullable Instant due) {
    return new Known("a", OFFER, task, upload, hash, removedAt, status.getNumber(), due, null);
  }
}
