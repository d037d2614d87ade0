package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.GetSaveCountRequest;
import dev.torg.api.v1.SaveCount;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.write.AlertRuleStore;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProjectionsIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void followers_pages_areInOrderAndComplete() {
    TreeSet<String> users = new TreeSet<>();
    for (int i = 0; i < 25; i++) {
      String owner = newUser();
      users.add(owner);
      FIXTURE.follow(owner, "user:star", i % 2 == 0 ? Delivery.INSTANT : Delivery.DAILY);
    }
    FIXTURE.project();
    List<String> seen = new ArrayList<>();
    List<Audiences.Member> page = FIXTURE.wiring.audiences().followers("user:star", "", 10);
    while (!page.isEmpty()) {
      page.forEach(member -> seen.add(member.owner()));
      page = FIXTURE.wiring.audiences().followers("user:star", page.getLast().owner(), 10);
    }
    assertThat(seen).containsExactlyElementsOf(users);
    assertThat(FIXTURE.wiring.audiences().followers("user:star", "", 1000))
        .extracting(Audiences.Member::delivery)
        .contains(Delivery.INSTANT, Delivery.DAILY);
  }

  @Test
  void followers_ofSeveralSellersAtOnce_areTheFirstOfEach() {
    for (int i = 0; i < 5; i++) {
      FIXTURE.follow(newUser(), "user:many", Delivery.INSTANT);
    }
    String lone = newUser();
    FIXTURE.follow(lone, "user:few", Delivery.OFF);
    FIXTURE.project();
    var members =
        FIXTURE.wiring.audiences().followers(List.of("user:many", "user:few", "user:none"), 3);
    assertThat(members).containsOnlyKeys("user:many", "user:few");
    assertThat(members.get("user:many")).hasSize(3);
    assertThat(members.get("user:few")).extracting(Audiences.Member::owner).containsExactly(lone);
    assertThat(FIXTURE.wiring.audiences().followerCount("user:many")).isEqualTo(5);
  }

  @Test
  void event_ofSettingsOnly_doesNotReportAdded() {
    String owner = newUser();
    FIXTURE.follow(owner, "user:added", Delivery.INSTANT);
    FIXTURE.follow(owner, "user:added", Delivery.DAILY);
    assertThat(FIXTURE.favoriteEvents(owner))
        .extracting(event -> event.getAdded())
        .containsExactly(true, false);
  }

  @Test
  void savers_haveTheTimeOfSaving() {
    String owner = newUser();
    String offer = FIXTURE.offer();
    FIXTURE.save(owner, List.of(offer));
    FIXTURE.project();
    AlertRule rule = rule(owner, offer);
    assertThat(FIXTURE.wiring.audiences().savers(OfferId.parse(offer), "", 10))
        .containsExactly(new Audiences.Member(owner, rule.createdAt(), Delivery.INSTANT));
  }

  /// Many users save and remove a few offers; events arrive in batches of several concurrent consumers, each
  /// twice and old ones late: the counts equal those of a model.
  @Test
  void saveCount_redeliveredAndLate_isExact() {
    List<String> offers = FIXTURE.offers(3);
    List<Set<String>> model = List.of(new HashSet<>(), new HashSet<>(), new HashSet<>());
    Random random = new Random(7);
    List<String> users = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      users.add(newUser());
    }
    for (int i = 0; i < 200; i++) {
      String owner = users.get(random.nextInt(users.size()));
      int offer = random.nextInt(3);
      if (random.nextInt(3) > 0) {
        FIXTURE.save(owner, List.of(offers.get(offer)));
        model.get(offer).add(owner);
      } else {
        FIXTURE.remove(owner, List.of(offers.get(offer)));
        model.get(offer).remove(owner);
      }
    }
    List<Event> events = FIXTURE.events("torg.favorites");
    List<Event> delayed = new ArrayList<>(events);
    Collections.shuffle(delayed, random);
    CompletableFuture<Void> zombie = CompletableFuture.runAsync(() -> FIXTURE.project(delayed));
    FIXTURE.project(events);
    zombie.join();
    FIXTURE.project(delayed);
    for (int i = 0; i < 3; i++) {
      assertThat(saveCount(offers.get(i))).isEqualTo(model.get(i).size());
      assertThat(FIXTURE.wiring.audiences().savers(OfferId.parse(offers.get(i)), "", 1000))
          .extracting(Audiences.Member::owner)
          .containsExactlyInAnyOrderElementsOf(model.get(i));
    }
  }

  private static int saveCount(String offer) {
    SaveCount count =
        FIXTURE.as(
            newUser(),
            GetSaveCountRequest.newBuilder().setId(offer).build(),
            FavoriteRpc::getSaveCount);
    return count.getCount();
  }

  private static AlertRule rule(String owner, String offer) {
    AlertRuleKey key = new AlertRuleKey(owner, FavoriteKind.OFFER, offer);
    return FIXTURE
        .database
        .inTransaction(tx -> new AlertRuleStore().lockForShare(tx, List.of(key)))
        .rule(key)
        .orElseThrow();
  }
}
