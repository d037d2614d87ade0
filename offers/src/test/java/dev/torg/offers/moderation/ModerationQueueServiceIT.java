package dev.torg.offers.moderation;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.ModerationQueue;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Home;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ModerationQueueServiceIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final ModerationQueueService queue = OFFERS.queue();
  private final List<String> waiting = new ArrayList<>();

  private static void clearQueue(List<Home> homes) {
    OFFERS
        .database()
        .transact(
            tx ->
                tx.sql("DELETE FROM moderation_queue WHERE home = ANY (?)")
                    .ints(homes, Home::number)
                    .update());
  }

  @BeforeEach
  void fill() {
    OFFERS.homesByShard().forEach(ModerationQueueServiceIT::clearQueue);
    for (int i = 0; i < 12; i++) {
      waiting.add(await(OFFERS.offers().publish(user("s" + i), pet("Pet " + i))).getId());
    }
  }

  @Test
  void page_acrossHomes_isOldestFirst() {
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      ModerationQueue page = await(queue.page(5, token));
      seen.addAll(ids(page));
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    assertThat(seen).isEqualTo(waiting);
  }

  @Test
  void claim_claimsOldestUntilItExpires() {
    assertThat(ids(await(queue.claim(moderator("a"), 3)))).isEqualTo(waiting.subList(0, 3));
    assertThat(ids(await(queue.claim(moderator("b"), 3)))).isEqualTo(waiting.subList(3, 6));
    assertThat(await(queue.page(1, "")).getEntries(0).getClaimedBy()).isEqualTo("user:a");
    OFFERS.clock.advance(Duration.ofMinutes(16));
    assertThat(ids(await(queue.claim(moderator("b"), 0)))).isEqualTo(waiting.subList(0, 1));
  }

  @Test
  void claim_concurrentModerators_assignsEachEntryOnce() {
    List<CompletableFuture<ModerationQueue>> claims = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      claims.add(queue.claim(moderator("m" + i), 2));
    }
    List<String> claimed = new ArrayList<>();
    claims.forEach(claim -> claimed.addAll(ids(await(claim))));
    assertThat(claimed).doesNotHaveDuplicates();
    assertThat(Set.copyOf(claimed)).isEqualTo(new HashSet<>(waiting));
  }

  private static List<String> ids(ModerationQueue queue) {
    return queue.getEntriesList().stream().map(entry -> entry.getOffer().getId()).toList();
  }
}
