package dev.torg.offers.feed;

import static dev.torg.offers.feed.FeedSeller.counts;
import static dev.torg.offers.feed.FeedSeller.item;
import static dev.torg.offers.feed.FeedSeller.items;
import static dev.torg.offers.feed.FeedSeller.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.LockWaits;
import dev.torg.offers.lifecycle.RemoveByFeed;
import dev.torg.offers.store.OfferBatchWriter;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Interrupted uploads, interrupted removals, and concurrent feeds.
class FeedCrashIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final FeedSeller seller = new FeedSeller(OFFERS);

  @Test
  void interruptedUpload_repeated_isCompleted() {
    List<String> feed = items(0, 2_000, "Phone");
    assertThatThrownBy(
            () ->
                seller.send(
                    1,
                    true,
                    false,
                    new SequenceInputStream(
                        file(joined(feed.subList(0, 1_500))), new InterruptedInput())))
        .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("feed.cut-off"));
    assertThat(seller.task(1).status()).isEqualTo(Status.RUNNING);
    assertThat(counts(seller.send(1, feed)))
        .isEqualTo(
            "FINISHED created=2000 updated=0 unchanged=0 removed=0 failed=0 ignored=0 duplicates=0");
    assertThat(seller.count(Name.ALL)).isEqualTo(2_000);
    assertThat(seller.offers()).hasSize(2_000);
  }

  @Test
  void failures_repeatedUpload_countOnce() {
    String invalid = item("bad", "x");
    assertThatThrownBy(
            () ->
                seller.send(
                    1,
                    true,
                    false,
                    new SequenceInputStream(
                        file(joined(withBad(items(0, 600, "Phone"), invalid))),
                        new InterruptedInput())))
        .isInstanceOf(Failure.class);
    StoredFeedTask task = seller.send(1, withBad(items(0, 600, "Phone"), invalid));
    assertThat(task.counts().failed()).isEqualTo(1);
    assertThat(seller.errors(1)).hasSize(1);
  }

  @Test
  void interruptedRemoval_isCompletedByJob() {
    seller.send(1, items(0, 2_500, "Phone"));
    seller.part(2, items(0, 100, "Phone").toArray(String[]::new));
    beginRemoval(2);
    OFFERS
        .feeds()
        .removals()
        .run(List.of(seller.caller.home()), OFFERS.clock.instant().plus(Duration.ofMinutes(1)));
    assertThat(counts(seller.task(2)))
        .isEqualTo(
            "FINISHED created=0 updated=0 unchanged=100 removed=2400 failed=0 ignored=0 duplicates=0");
    assertThat(seller.count(Name.ALL)).isEqualTo(100);
  }

  @Test
  void failedUpload_doesNotStopRemoval() {
    seller.send(1, items(0, 30, "Phone"));
    seller.part(2, items(0, 29, "Phone").toArray(String[]::new));
    beginRemoval(2);
    OFFERS
        .database()
        .inTransaction(
            tx -> {
              new FeedTaskStore()
                  .fail(
                      tx,
                      seller.key(2),
                      StoredFeedTask.ReadFailure.PART,
                      "cut off",
                      OFFERS.clock.instant());
              return true;
            });
    assertThat(seller.finish(2, false).status()).isEqualTo(Status.FINISHED);
    assertThat(seller.offers()).hasSize(29);
  }

  @Test
  void twoFeedsAtOnce_laterTaskWins() {
    seller.send(1, items(0, 1_500, "Old"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Object>> both = new ArrayList<>();
      for (long task = 2; task <= 3; task++) {
        long number = task;
        both.add(
            CompletableFuture.supplyAsync(
                () -> outcome(number, items(0, 1_500, "Title of " + number)), threads));
      }
      both.forEach(CompletableFuture::join);
    }
    assertThat(seller.task(3).status()).isEqualTo(Status.FINISHED);
    assertThat(seller.task(2).status()).isIn(Status.FINISHED, Status.FAILED);
    assertThat(seller.offers())
        .hasSize(1_500)
        .allSatisfy(offer -> assertThat(offer).contains("Title of 3"));
    assertThat(seller.count(Name.ALL)).isEqualTo(1_500);
  }

  @Test
  void sameTaskConcurrently_appliesItemsOnce() {
    List<String> feed = items(0, 1_500, "Phone");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<Object> first = CompletableFuture.supplyAsync(() -> part(feed), threads);
      CompletableFuture<Object> other = CompletableFuture.supplyAsync(() -> part(feed), threads);
      first.join();
      other.join();
    }
    StoredFeedTask task = seller.finish(1, false);
    assertThat(task.counts().created()).isEqualTo(1_500);
    assertThat(seller.offers()).hasSize(1_500);
  }

  /// Two feeds of one seller: the later one reaches an item while the removal of the earlier one holds its
  /// lock.
  @Test
  void itemWaitingForRemoval_restoresItsOffer() {
    seller.send(1, item("a", "Phone"), item("b", "Other"));
    String id = seller.offer("a").getId();
    seller.part(2, item("b", "Other"));
    beginRemoval(2);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      OFFERS
          .database()
          .inTransaction(
              tx -> {
                removePage(tx, 2);
                CompletableFuture<StoredFeedTask> later =
                    CompletableFuture.supplyAsync(
                        () -> seller.part(3, item("a", "Phone"), item("b", "Other")), threads);
                LockWaits.awaitOne(OFFERS.database());
                return later;
              })
          .join();
    }
    assertThat(counts(seller.task(3)))
        .isEqualTo(
            "RUNNING created=0 updated=1 unchanged=1 removed=0 failed=0 ignored=0 duplicates=0");
    assertThat(seller.offer("a").getId()).isEqualTo(id);
    assertThat(OFFERS.events(id).getLast().getSilent()).isTrue();
  }

  private void beginRemoval(long task) {
    OFFERS
        .database()
        .inTransaction(
            tx -> {
              FeedTaskStore tasks = new FeedTaskStore();
              tasks.lockSeller(tx, seller.caller.subject(), 0);
              tasks.close(tx, seller.key(task), "", OFFERS.clock.instant());
              tasks.set(tx, seller.key(task), Status.RUNNING, true, "", OFFERS.clock.instant());
              return true;
            });
  }

  /// As at the end of a feed.
  private void removePage(Tx tx, long task) throws SQLException {
    Instant now = OFFERS.clock.instant();
    FeedItemStore items = new FeedItemStore();
    List<FeedItemStore.RemovedItem> omitted = items.lockOlder(tx, seller.key(task), "", 10);
    new OfferBatchWriter(new Outbox(), new FeedPhotoFailureCounter(), Duration.ofDays(45))
        .write(
            tx,
            omitted.stream()
                .map(item -> new RemoveByFeed(item.offer(), EpochMicros.of(now)))
                .toList());
    items.remove(tx, seller.key(task), omitted, now);
  }

  private Object part(List<String> feed) {
    return seller.part(1, feed.toArray(String[]::new));
  }

  /// The older of two tasks may be refused as finished.
  private Object outcome(long task, List<String> feed) {
    try {
      return seller.send(task, feed);
    } catch (Failure e) {
      assertThat(e.kind()).isEqualTo(Failure.Kind.CONFLICT);
      assertThat(task).isEqualTo(2);
      return e;
    }
  }

  private static List<String> withBad(List<String> items, String invalid) {
    List<String> all = new ArrayList<>(items);
    all.addFirst(invalid);
    return all;
  }

  private static InputStream file(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A sender that disconnects.
  private static final class InterruptedInput extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("gone");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      throw new IOException("gone");
    }
  }
}
