package dev.torg.offers.feed;

import static dev.torg.offers.feed.FeedSeller.counts;
import static dev.torg.offers.feed.FeedSeller.item;
import static dev.torg.offers.feed.FeedSeller.items;
import static dev.torg.offers.wiring.OffersFixture.await;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.lifecycle.ExpireOffer;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FeedIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final FeedSeller seller = new FeedSeller(OFFERS);

  @Test
  void feed_ofNewItems_createsActiveOffers() {
    assertThat(counts(seller.send(1, items(0, 700, "Phone"))))
        .isEqualTo(
            "FINISHED created=700 updated=0 unchanged=0 removed=0 failed=0 ignored=0 duplicates=0");
    assertThat(seller.count(Name.ACTIVE)).isEqualTo(700);
    Offer offer = seller.offer("i42");
    assertThat(offer.getTitle()).isEqualTo("Phone 42");
    assertThat(offer.getStatus()).isEqualTo(Offer.Status.ACTIVE);
    OfferEvent event = OFFERS.events(offer.getId()).getFirst();
    assertThat(event.getSilent()).isFalse();
  }

  @Test
  void secondFeed_updatesChangedAndRemovesMissingOffers() {
    seller.send(1, items(0, 50, "Phone"));
    List<String> next = new ArrayList<>(items(0, 40, "Phone"));
    next.set(3, item("i3", "Changed"));
    next.add(item("new", "New one"));
    assertThat(counts(seller.send(2, next)))
        .isEqualTo(
            "FINISHED created=1 updated=1 unchanged=39 removed=10 failed=0 ignored=0 duplicates=0");
    assertThat(seller.offers()).hasSize(41).contains("i3 Changed", "new New one");
    assertThat(seller.count(Name.ALL)).isEqualTo(41);
    assertThat(OFFERS.events(seller.offer("i5").getId())).hasSize(1);
    assertThat(OFFERS.events(seller.offer("i3").getId())).hasSize(2);
  }

  @Test
  void itemTwice_inOneFeed_lastWinsAndIsCounted() {
    List<String> feed = new ArrayList<>(items(0, 600, "Phone"));
    feed.add(item("i5", "Later, another chunk"));
    feed.addFirst(item("i1", "Earlier"));
    feed.addFirst(item("i1", "Earliest"));
    StoredFeedTask task = seller.send(1, feed);
    assertThat(task.counts().created()).isEqualTo(600);
    assertThat(task.counts().duplicates()).isEqualTo(3);
    assertThat(seller.offer("i5").getTitle()).isEqualTo("Later, another chunk");
    assertThat(seller.offer("i1").getTitle()).isEqualTo("Phone 1");
  }

  @Test
  void badItems_areReportedAndOthersApplied() {
    seller.send(1, item("a", "Good"), item("b", "Good too"));
    StoredFeedTask task =
        seller.send(
            2,
            item("a", "x"),
            "{not json",
            "{\"externalId\":\"c\",\"category\":\"nowhere\",\"title\":\"Lost\"}",
            item("b", "Still good"));
    assertThat(counts(task))
        .isEqualTo(
            "FINISHED created=0 updated=1 unchanged=0 removed=0 failed=3 ignored=0 duplicates=0");
    assertThat(seller.errors(2))
        .containsExactly("1 a offer.invalid", "2  feed.json", "3 c offer.invalid");
    assertThat(seller.offers()).containsExactly("a Good", "b Still good");
  }

  @Test
  void badItems_alikeInOneLine_areAllReported() {
    String offers =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    """
                    <offer id="s%1$d"><categoryId>1</categoryId><name>x</name></offer>\
                    <offer id="n%1$d"><categoryId>1</categoryId><name>A&nbsp;lamp</name></offer>\
                    """
                        .formatted(i))
            .collect(Collectors.joining());
    String yml =
        "<yml_catalog><shop><categories><category id=\"1\">electronics</category></categories>"
            + "<offers>%s</offers></shop></yml_catalog>".formatted(offers);
    StoredFeedTask task = seller.send(1, FeedFormat.YML, yml.getBytes(StandardCharsets.UTF_8));
    assertThat(task.counts().failed()).isEqualTo(10);
    assertThat(seller.errors(1)).hasSize(10);
  }

  /// As spreadsheets write it.
  @Test
  void csv_otherEncoding_failsWithReason() {
    byte[] file = "externalId,category,title\na,electronics,A lamp\n".getBytes(UTF_16LE);
    assertThat(seller.send(1, FeedFormat.CSV, file).status()).isEqualTo(Status.FAILED);
    assertThat(seller.task(1).message()).isNotEmpty().hasSizeLessThan(1_000);
  }

  @Test
  void finish_afterInterruptedUpload_isStoppedUntilUploadIsRepeated() {
    seller.send(1, items(0, 30, "Phone"));
    assertThatThrownBy(() -> seller.send(2, false, false, interrupted(items(0, 20, "Phone"))))
        .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("feed.cut-off"));
    StoredFeedTask stopped = seller.finish(2, false);
    assertThat(stopped.status()).isEqualTo(Status.STOPPED);
    assertThat(stopped.message()).contains("'i0'").contains("would be removed");
    seller.part(2, item("i29", "Phone 29"));
    assertThat(seller.finish(2, false).status()).isEqualTo(Status.STOPPED);
    seller.part(2, items(0, 29, "Phone").toArray(String[]::new));
    assertThat(seller.finish(2, false).status()).isEqualTo(Status.FINISHED);
    assertThat(seller.offers()).hasSize(30);
  }

  private static InputStream interrupted(List<String> items) {
    byte[] sent = (String.join("\n", items) + "\n").getBytes(StandardCharsets.UTF_8);
    InputStream end =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the connection is gone");
          }
        };
    return new SequenceInputStream(new ByteArrayInputStream(sent), end);
  }

  @Test
  void list_largestNumber_isShown() {
    seller.send(1, item("a", "First"));
    seller.send(Long.MAX_VALUE, item("a", "Last"));
    assertThat(
            OFFERS
                .feeds()
                .service()
                .list(seller.caller, seller.caller.subject(), Long.MAX_VALUE, 9))
        .extracting(task -> task.key().taskId())
        .containsExactly(Long.MAX_VALUE, 1L);
  }

  @Test
  void badItem_idInLastField_keepsItsOffer() {
    seller.send(1, item("a", "Good"), item("b", "Other"));
    StoredFeedTask task =
        seller.send(2, "{\"price\":\"much\",\"externalId\":\"a\"}", item("b", "Other"));
    assertThat(task.counts().removed()).isZero();
    assertThat(seller.errors(2)).containsExactly("1 a feed.field");
    assertThat(seller.offers()).containsExactly("a Good", "b Other");
  }

  @Test
  void taskId_notAboveTheLastFinished_isConflict() {
    seller.send(5, item("a", "First"));
    assertThatThrownBy(() -> seller.send(5, item("a", "Again")))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.CONFLICT));
    assertThatThrownBy(() -> seller.send(4, item("a", "Older"))).isInstanceOf(Failure.class);
    assertThat(seller.send(6, item("a", "Newer")).status()).isEqualTo(Status.FINISHED);
  }

  @Test
  void parts_ofOneTask_areOneFeed() {
    seller.send(1, items(0, 30, "Phone"));
    assertThat(seller.part(2, item("i0", "Phone 0")).status()).isEqualTo(Status.RUNNING);
    seller.part(2, FeedSeller.items(1, 29, "Phone").toArray(String[]::new));
    assertThat(seller.offers()).hasSize(30);
    assertThat(counts(seller.finish(2, false)))
        .isEqualTo(
            "FINISHED created=0 updated=0 unchanged=29 removed=1 failed=0 ignored=0 duplicates=0");
    assertThat(seller.offers()).hasSize(29);
    assertThat(seller.finish(2, false).status()).isEqualTo(Status.FINISHED);
  }

  @Test
  void unreadablePart_followedByReadablePart_stillStopsRemoval() {
    seller.send(1, items(0, 30, "Phone"));
    assertThat(seller.send(2, false, false, truncated("i0")).status()).isEqualTo(Status.FAILED);
    StoredFeedTask next = seller.part(2, items(1, 29, "Phone").toArray(String[]::new));
    assertThat(next.status()).isEqualTo(Status.RUNNING);
    assertThat(next.message()).contains("ends in the middle");
    StoredFeedTask stopped = seller.finish(2, false);
    assertThat(stopped.status()).isEqualTo(Status.STOPPED);
    assertThat(stopped.message()).contains("could not be read").contains("1 offers");
    assertThat(seller.send(2, items(1, 29, "Phone")).status()).isEqualTo(Status.STOPPED);
    assertThat(seller.offers()).hasSize(30);
    assertThat(seller.finish(2, true).counts().removed()).isEqualTo(1);
  }

  @Test
  void unreadableFeed_followedByPart_stillStopsRemoval() {
    seller.send(1, items(0, 30, "Phone"));
    seller.send(2, true, false, truncated("i0"));
    seller.part(2, item("i1", "Phone 1"));
    assertThat(seller.finish(2, false).status()).isEqualTo(Status.STOPPED);
    assertThat(seller.send(2, items(0, 29, "Phone")).counts().removed()).isEqualTo(1);
  }

  private static String truncated(String externalId) {
    return item(externalId, "Phone 0") + "\n{\"externalId\":\"i1\",\"cat";
  }

  @Test
  void emptyFeed_isStoppedUnlessForced() {
    seller.send(1, items(0, 3, "Phone"));
    StoredFeedTask stopped = seller.send(2, true, false, "\n\n");
    assertThat(stopped.status()).isEqualTo(Status.STOPPED);
    assertThat(stopped.message()).contains("no items").contains("3 offers");
    assertThat(seller.offers()).hasSize(3);
    assertThat(seller.finish(2, true).counts().removed()).isEqualTo(3);
    assertThat(seller.offers()).isEmpty();
  }

  @Test
  void feed_thatWouldRemoveMoreThanHalf_isStoppedUnlessForced() {
    seller.send(1, items(0, 60, "Phone"));
    StoredFeedTask stopped = seller.send(2, items(0, 29, "Phone"));
    assertThat(stopped.status()).isEqualTo(Status.STOPPED);
    assertThat(stopped.message()).contains("31 of 60");
    assertThat(seller.offers()).hasSize(60);
    assertThat(seller.send(3, items(0, 30, "Phone")).status()).isEqualTo(Status.FINISHED);
    assertThat(seller.offers()).hasSize(30);
    assertThat(seller.task(2).status()).isEqualTo(Status.FAILED);
    assertThatThrownBy(() -> seller.finish(2, true))
        .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("feed.task-old"))
        .hasMessageContaining("a later task");
    assertThatThrownBy(() -> seller.finish(2, false)).hasMessageContaining("a later task");
    assertThat(seller.force(4, item("i0", "Phone 0")).counts().removed()).isEqualTo(29);
  }

  @Test
  void offersRemovedByOwner_omittedByFeed_doNotStopIt() {
    seller.send(1, items(0, 40, "Phone"));
    for (int i = 0; i < 25; i++) {
      OfferId id = OfferId.parse(seller.offer("i" + i).getId());
      await(OFFERS.offers().apply(seller.caller, id, Action.REMOVE));
    }
    StoredFeedTask task = seller.send(2, items(25, 40, "Phone"));
    assertThat(task.status()).isEqualTo(Status.FINISHED);
    assertThat(task.counts().removed()).isZero();
  }

  @Test
  void returningItem_restoresItsOfferSilently() {
    seller.send(1, item("a", "Phone"), item("b", "Other"));
    Offer before = seller.offer("a");
    seller.send(2, item("b", "Other"));
    assertThat(seller.listed("a")).isEmpty();
    assertThat(counts(seller.send(3, item("a", "Phone again"), item("b", "Other"))))
        .isEqualTo(
            "FINISHED created=0 updated=1 unchanged=1 removed=0 failed=0 ignored=0 duplicates=0");
    Offer after = seller.offer("a");
    assertThat(after.getId()).isEqualTo(before.getId());
    assertThat(after.getStatus()).isEqualTo(Offer.Status.ACTIVE);
    assertThat(after.getActivatedAt()).isEqualTo(before.getActivatedAt());
    assertThat(OFFERS.events(after.getId()))
        .extracting(OfferEvent::getSilent)
        .containsExactly(false, false, true);
    assertThat(seller.count(Name.ACTIVE)).isEqualTo(2);
  }

  @Test
  void lateItem_olderTask_restoresNothing() {
    seller.send(1, item("a", "Phone"), item("b", "Other"));
    seller.part(2, item("b", "Other"));
    seller.part(3, item("b", "Other of 3"));
    assertThat(counts(seller.part(2, item("b", "Late"))))
        .isEqualTo(
            "RUNNING created=0 updated=0 unchanged=1 removed=0 failed=0 ignored=1 duplicates=0");
    seller.finish(3, false);
    assertThatThrownBy(() -> seller.part(2, item("a", "Late"))).isInstanceOf(Failure.class);
    assertThat(seller.offers()).containsExactly("b Other of 3");
  }

  @Test
  void bannedOffer_inFeed_staysBanned() {
    seller.send(1, item("a", "Phone"), item("b", "Other"));
    OfferId id = OfferId.parse(seller.offer("a").getId());
    FeedModeration.ban(OFFERS, id);
    seller.send(2, item("a", "Innocent phone"), item("b", "Other"));
    assertThat(seller.offer("a").getStatus()).isEqualTo(Offer.Status.BANNED);
    assertThat(seller.offer("a").getTitle()).isEqualTo("Innocent phone");
    seller.send(3, item("b", "Other"));
    seller.send(4, item("a", "Innocent phone"), item("b", "Other"));
    assertThat(seller.offer("a").getStatus()).isEqualTo(Offer.Status.BANNED);
    assertThat(seller.offer("a").getId()).isEqualTo(id.toString());
  }

  @Test
  void premoderatedItem_restored_isReviewed() {
    OfferId id = approvedPet();
    seller.send(2, item("b", "Other"));
    seller.send(3, pet("A tiger"), item("b", "Other"));
    assertThat(seller.offer("p").getStatus()).isEqualTo(Offer.Status.PENDING);
    FeedModeration.approve(OFFERS, id);
    assertThat(seller.offer("p").getStatus()).isEqualTo(Offer.Status.ACTIVE);
    seller.send(4, item("b", "Other"));
    seller.send(5, pet("A tiger"), item("b", "Other"));
    assertThat(seller.offer("p").getStatus()).isEqualTo(Offer.Status.PENDING);
  }

  private OfferId approvedPet() {
    seller.send(1, pet("A cat"), item("b", "Other"));
    OfferId id = OfferId.parse(seller.offer("p").getId());
    FeedModeration.approve(OFFERS, id);
    assertThat(seller.offer("p").getStatus()).isEqualTo(Offer.Status.ACTIVE);
    return id;
  }

  private static String pet(String title) {
    return "{\"externalId\":\"p\",\"category\":\"pets\",\"title\":\"%s\",\"attributes\":{\"species\":\"cat\"}}"
        .formatted(title);
  }

  @Test
  void soldOffer_omittedThenNamed_staysSold() {
    seller.send(1, item("a", "Phone"), item("b", "Other"));
    OfferId id = OfferId.parse(seller.offer("a").getId());
    await(OFFERS.offers().markSold(seller.caller, id, java.util.Optional.empty(), true));
    assertThat(seller.send(2, item("b", "Other")).counts().removed()).isZero();
    assertThat(seller.offer("a").getStatus()).isEqualTo(Offer.Status.SOLD);
    assertThat(seller.send(3, item("a", "Phone"), item("b", "Other")).counts().unchanged())
        .isEqualTo(2);
    assertThat(seller.offer("a").getStatus()).isEqualTo(Offer.Status.SOLD);
    seller.send(4, item("b", "Other"));
    seller.send(5, item("a", "Newer phone"), item("b", "Other"));
    assertThat(seller.errors(5)).containsExactly("1 a offer.not-editable");
    assertThat(seller.offer("a").getStatus()).isEqualTo(Offer.Status.SOLD);
  }

  @Test
  void offerPublishedManually_sameExternalId_isAssignedToItem() {
    Offer published =
        await(
            OFFERS
                .offers()
                .publish(
                    seller.caller,
                    OffersFixture.car("By hand", 100).toBuilder().setExternalId("car").build()));
    String feed =
        "{\"externalId\":\"car\",\"category\":\"cars\",\"title\":\"By"
            + " feed\",\"attributes\":{\"brand\":\"audi\"}}";
    assertThat(counts(seller.send(1, feed)))
        .isEqualTo(
            "FINISHED created=0 updated=1 unchanged=0 removed=0 failed=0 ignored=0 duplicates=0");
    assertThat(seller.offer("car").getId()).isEqualTo(published.getId());
    assertThat(seller.offer("car").getTitle()).isEqualTo("By feed");
  }

  @Test
  void offersOutsideTheFeed_areNotRemoved() {
    await(OFFERS.offers().publish(seller.caller, OffersFixture.car("By hand", 100)));
    seller.send(1, item("a", "Phone"));
    seller.force(2, item("b", "Other"));
    assertThat(seller.count(Name.ALL)).isEqualTo(2);
  }

  @Test
  void offerRemovedByOwner_isRestoredByNextTaskOnly() {
    seller.send(1, item("a", "Phone"), item("b", "Other"));
    OfferId id = OfferId.parse(seller.offer("a").getId());
    await(OFFERS.offers().apply(seller.caller, id, Action.REMOVE));
    seller.send(2, item("a", "Phone"), item("b", "Other"));
    assertThat(seller.offer("a").getId()).isEqualTo(id.toString());
  }

  /// Runs last, because it moves the clock: the events of all tests then appear overdue, and every later
  /// feed would wait for a relay to send them.
  @Test
  @Order(Integer.MAX_VALUE)
  void expiredOffer_stillInFeed_isReactivated() {
    seller.send(1, item("a", "Phone"));
    Offer before = seller.offer("a");
    OFFERS.clock.advance(Duration.ofDays(61));
    OfferId id = OfferId.parse(before.getId());
    await(OFFERS.writer().apply(new ExpireOffer(id, EpochMicros.of(OFFERS.clock.instant()))));
    assertThat(seller.offer("a").getStatus()).isEqualTo(Offer.Status.EXPIRED);
    assertThat(seller.send(2, item("a", "Phone")).counts().updated()).isEqualTo(1);
    Offer after = seller.offer("a");
    assertThat(after.getId()).isEqualTo(before.getId());
    assertThat(after.getStatus()).isEqualTo(Offer.Status.ACTIVE);
    assertThat(after.getActivatedAt()).isEqualTo(before.getActivatedAt());
    assertThat(OFFERS.events(before.getId()).getLast().getSilent()).isTrue();
  }

  @Test
  void soldOffer_isNotEditedAndReportsIt() {
    seller.send(1, item("a", "Phone"));
    OfferId id = OfferId.parse(seller.offer("a").getId());
    await(OFFERS.offers().markSold(seller.caller, id, java.util.Optional.empty(), true));
    assertThat(seller.send(2, item("a", "Phone")).counts().unchanged()).isEqualTo(1);
    assertThat(seller.send(3, item("a", "Other phone")).counts().failed()).isEqualTo(1);
    assertThat(seller.errors(3)).containsExactly("1 a offer.not-editable");
    assertThat(seller.send(4, item("a", "Other phone")).counts().failed()).isEqualTo(1);
  }

  @Test
  void externalIdChangedByOwner_belongsToAnotherItem() {
    seller.send(1, item("a", "Phone"), item("b", "Other"));
    seller.rename("a", "c");
    StoredFeedTask task =
        seller.send(2, item("a", "Phone"), item("b", "Other"), item("c", "Third"));
    assertThat(task.counts().created()).isEqualTo(1);
    seller.send(3, item("a", "Phone"), item("b", "Other"));
    assertThat(seller.offers()).containsExactly("b Other", "c Phone");
  }

  @Test
  void truncatedFeed_failsAndRemovesNothing() {
    seller.send(1, items(0, 5, "Phone"));
    StoredFeedTask task =
        seller.send(2, true, false, item("i0", "Phone 0") + "\n{\"externalId\":\"i1\",\"cat");
    assertThat(task.status()).isEqualTo(Status.FAILED);
    assertThat(task.message()).contains("line 2").contains("ends in the middle");
    assertThat(seller.offers()).hasSize(5);
    assertThatThrownBy(() -> seller.finish(2, false)).isInstanceOf(Failure.class);
    assertThat(seller.send(2, items(0, 4, "Phone")).counts().removed()).isEqualTo(1);
  }

  @Test
  void photosOfItem_areRequestedAndFollowFeed() {
    StoredFeedTask task =
        seller.send(1, photos("a", "https://shop.example/1.jpg", "no address"), item("b", "Other"));
    assertThat(task.photosFailed()).isEqualTo(1);
    assertThat(seller.offer("a").getPhotosList())
        .extracting(Photo::getStatus)
        .containsExactly(Photo.Status.PENDING, Photo.Status.FAILED);
    String first = seller.offer("a").getPhotos(0).getId();
    seller.send(
        2,
        photos("a", "https://shop.example/2.jpg", "https://shop.example/1.jpg"),
        item("b", "Other"));
    assertThat(seller.offer("a").getPhotosList()).hasSize(2);
    assertThat(seller.offer("a").getPhotos(1).getId()).isEqualTo(first);
    seller.send(3, item("a", "Phone"), item("b", "Other"));
    assertThat(seller.offer("a").getPhotosList()).isEmpty();
  }

  private static String photos(String externalId, String... urls) {
    return "{\"externalId\":\"%s\",\"category\":\"electronics\",\"title\":\"Phone\",\"photos\":[\"%s\"]}"
        .formatted(externalId, String.join("\",\"", urls));
  }

  @Test
  void itemWithInvalidCharacter_failsAlone() {
    StoredFeedTask task = seller.send(1, item("a\\u0000b", "Phone"), item("b", "Other"));
    assertThat(task.status()).isEqualTo(Status.FINISHED);
    assertThat(task.counts().failed()).isEqualTo(1);
    assertThat(task.counts().created()).isEqualTo(1);
  }

  @Test
  void upload_forAnotherSeller_isForbidden() {
    FeedSeller other = new FeedSeller(OFFERS);
    assertThatThrownBy(() -> OFFERS.feeds().service().finish(other.caller, seller.key(1), false))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.FORBIDDEN));
  }
}
