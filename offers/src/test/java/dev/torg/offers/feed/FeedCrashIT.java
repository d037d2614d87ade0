package dev.torg.offers.feed;

import static dev.torg.offers.feed.FeedSeller.counts;
import static dev.torg.offers.feed.FeedSeller.item;
import static dev.torg.offers.feed.FeedSeller.items;
import static dev.torg.offers.feed.FeedSeller.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.TestOffers;
import dev.torg.platform.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Uploads that are cut off, removals that are cut off, and feeds that meet.
class FeedCrashIT {
  @RegisterExtension static final TestOffers ROOM = new TestOffers();

  private final FeedSeller seller = new FeedSeller(ROOM);

  @Test
  void uploadCutOff_isCompletedByUploadingAgain() {
    List<String> feed = items(0, 2_000, "Phone");
    assertThatThrownBy(
            () ->
                seller.send(
                    1,
                    true,
                    false,
                    new SequenceInputStream(file(joined(feed.subList(0, 1_500))), new Cut())))
        .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("feed.cut-off"));
    assertThat(seller.task(1).status()).isEqualTo(Status.RUNNING);
    assertThat(counts(seller.send(1, feed)))
        .isEqualTo(
            "FINISHED created=2000 updated=0 unchanged=0 removed=0 failed=0 ignored=0 duplicates=0");
    assertThat(seller.count(Name.ALL)).isEqualTo(2_000);
    assertThat(seller.offers()).hasSize(2_000);
  }

  @Test
  void failures_ofAnUploadThatIsRepeated_countOnce() {
    String bad = item("bad", "x");
    assertThatThrownBy(
            () ->
                seller.send(
                    1,
                    true,
                    false,
                    new SequenceInputStream(
                        file(joined(withBad(items(0, 600, "Phone"), bad))), new Cut())))
        .isInstanceOf(Failure.class);
    Task task = seller.send(1, withBad(items(0, 600, "Phone"), bad));
    assertThat(task.counts().failed()).isEqualTo(1);
    assertThat(seller.errors(1)).hasSize(1);
  }

  @Test
  void removalCutOff_isCompletedByTheJob() {
    seller.send(1, items(0, 2_500, "Phone"));
    seller.part(2, items(0, 100, "Phone").toArray(String[]::new));
    ROOM.database()
        .inTransaction(
            tx -> {
              TaskStore tasks = new TaskStore();
              tasks.lockSeller(tx, seller.caller.subject(), 0);
              tasks.close(tx, seller.key(2), "", ROOM.clock.instant());
              tasks.set(tx, seller.key(2), Status.RUNNING, true, "", ROOM.clock.instant());
              return true;
            });
    ROOM.feeds()
        .jobs()
        .completeRemovals(
            List.of(seller.caller.home()), ROOM.clock.instant().plus(Duration.ofMinutes(1)));
    assertThat(counts(seller.task(2)))
        .isEqualTo(
            "FINISHED created=0 updated=0 unchanged=100 removed=2400 failed=0 ignored=0 duplicates=0");
    assertThat(seller.count(Name.ALL)).isEqualTo(100);
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
  void sameTaskTwiceAtOnce_doublesNothing() {
    List<String> feed = items(0, 1_500, "Phone");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<Object> one = CompletableFuture.supplyAsync(() -> part(feed), threads);
      CompletableFuture<Object> other = CompletableFuture.supplyAsync(() -> part(feed), threads);
      one.join();
      other.join();
    }
    Task task = seller.finish(1, false);
    assertThat(task.counts().created()).isEqualTo(1_500);
    assertThat(seller.offers()).hasSize(1_500);
  }

  private Object part(List<String> feed) {
    return seller.part(1, feed.toArray(String[]::new));
  }

  /// The older of two tasks may be told that its time is over.
  private Object outcome(long task, List<String> feed) {
    try {
      return seller.send(task, feed);
    } catch (Failure e) {
      assertThat(e.kind()).isEqualTo(Failure.Kind.CONFLICT);
      assertThat(task).isEqualTo(2);
      return e;
    }
  }

  private static List<String> withBad(List<String> items, String bad) {
    List<String> all = new ArrayList<>(items);
    all.addFirst(bad);
    return all;
  }

  private static InputStream file(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The sender goes away.
  private static final class Cut extends InputStream {
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
