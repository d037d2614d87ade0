package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.api.v1.FavoriteCounts;
import dev.torg.api.v1.GetFavoriteCountsRequest;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("skip-fake-citus")
class LoginMergeKilledIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final int SAVED = 1500;

  /// More than an anonymous identity may save by default.
  private static final FavoriteSettings LARGE =
      FavoriteSettings.defaults().withLimits(FavoriteLimits.USERS, FavoriteLimits.USERS);

  /// Kills the merging process twice, then lets one complete. After each kill the login removes the newest
  /// favorites that have been merged.
  @Test
  void merge_processKilled_losesAndDuplicatesNothing() throws Exception {
    try (FavoritesFixture fixture = new FavoritesFixture(TABLES, LARGE)) {
      String anonymous = fixture.tokens.issueAnonymous().subject();
      String login = newUser();
      List<String> offers = new ArrayList<>();
      for (int i = 0; i < SAVED / 500; i++) {
        offers.addAll(fixture.offers(500));
        fixture.save(anonymous, offers.subList(i * 500, offers.size()));
      }
      Set<String> removed = new TreeSet<>();
      for (int kills = 1; kills <= 2; kills++) {
        int before = count(fixture, login);
        Process process = start(anonymous, login);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> count(fixture, login) > before + 100 || !process.isAlive());
        process.destroyForcibly().waitFor();
        List<String> newest = List.copyOf(saved(fixture, login).reversed()).subList(0, 50);
        fixture.remove(login, newest);
        removed.addAll(newest);
      }
      offers.removeAll(removed);
      assertThat(count(fixture, login)).isGreaterThan(0);
      Process last = start(anonymous, login);
      assertThat(last.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(last.exitValue()).isZero();
      assertThat(count(fixture, login)).isEqualTo(SAVED - removed.size());
      assertThat(count(fixture, anonymous)).isZero();
      assertThat(saved(fixture, login)).isEqualTo(new TreeSet<>(offers));
      assertThat(saved(fixture, anonymous)).isEmpty();
    }
  }

  private static Process start(String anonymous, String login) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            LoginMergeUntilKilled.class.getName(),
            TABLES.url(),
            anonymous,
            login)
        .inheritIO()
        .start();
  }

  private static int count(FavoritesFixture fixture, String owner) {
    FavoriteCounts counts =
        fixture.as(
            owner, GetFavoriteCountsRequest.getDefaultInstance(), FavoriteRpc::getFavoriteCounts);
    return counts.getCountsOrThrow("OFFER");
  }

  private static TreeSet<String> saved(FavoritesFixture fixture, String owner) {
    return new TreeSet<>(
        fixture.database.<List<String>>read(
            tx ->
                tx.sql("SELECT favorite_id FROM favorite WHERE home = ? AND owner = ? AND kind = 1")
                    .set(Home.of(owner))
                    .set(owner)
                    .list(row -> row.textAt(1))));
  }
}
