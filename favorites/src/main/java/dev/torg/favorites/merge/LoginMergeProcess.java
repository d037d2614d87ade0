package dev.torg.favorites.merge;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.LoginMerges;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Merges an anonymous identity into a login: closes the anonymous side, then runs the steps in order and
/// records the current one. Any process may continue an unfinished merge, several at once too. Blocks.
public final class LoginMergeProcess implements LoginMerges {
  private static final Logger LOG = LoggerFactory.getLogger(LoginMergeProcess.class);

  /// The process of an unfinished merge older than this has ended.
  private static final Duration ABANDONED = Duration.ofMinutes(1);

  private static final int RESUME_PAGE_SIZE = 10;

  /// A merge that has failed so many times in a row needs an operator.
  public static final int ALARMING_ATTEMPTS = 5;

  private final Database database;
  private final List<LoginMergeStep> steps;
  private final InstantSource clock;
  private final LoginMergeStore store = new LoginMergeStore();

  public LoginMergeProcess(Database database, List<LoginMergeStep> steps, InstantSource clock) {
    this.database = database;
    this.steps = List.copyOf(steps);
    this.clock = clock;
  }

  boolean isStarted(String anonymous) {
    return find(anonymous).isPresent();
  }

  /// Merges and returns the number of favorites moved of each kind, by this call or an earlier one.
  public Map<FavoriteKind, Integer> merge(String anonymous, String login) {
    database.transact(tx -> store.start(tx, anonymous, login, clock.instant()));
    loginOf(anonymous);
    return find(anonymous).map(LoginMergeStore.MergeProgress::moved).orElse(Map.of());
  }

  @Override
  public Optional<String> loginOf(String anonymous) {
    Optional<LoginMergeStore.MergeProgress> merge = find(anonymous);
    while (merge.isPresent() && !merge.get().finished()) {
      step(merge.get());
      merge = find(anonymous);
    }
    return merge.map(LoginMergeStore.MergeProgress::login);
  }

  /// Homes with merges that are due to be resumed.
  public List<Home> unfinished(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now.minus(ABANDONED), now));
  }

  /// Resumes merges whose process has ended. A merge that fails is reattempted later and does not prevent
  /// others from being resumed. Returns whether more may be due: only if this run has deferred or finished
  /// some, so that repeated calls end.
  public boolean resume(List<Home> homes, Instant now) {
    return EachHome.run(homes, home -> resume(home, now));
  }

  private boolean resume(Home home, Instant now) {
    List<LoginMergeStore.DueMerge> due =
        database.read(tx -> store.due(tx, home, now.minus(ABANDONED), now, RESUME_PAGE_SIZE));
    long attempted = due.stream().filter(merge -> resume(merge, now)).count();
    return attempted > 0 && due.size() == RESUME_PAGE_SIZE;
  }

  /// Whether it was attempted.
  private boolean resume(LoginMergeStore.DueMerge merge, Instant now) {
    int attempt = merge.attempts() + 1;
    Instant next = now.plus(LoginMergeBackoff.after(attempt));
    boolean attempted = false;
    try {
      attempted = database.inTransaction(tx -> store.defer(tx, merge, next));
      if (attempted) {
        LOG.info("resuming the login merge of {}, attempt {}", merge.anonymous(), attempt);
        loginOf(merge.anonymous());
      }
    } catch (RuntimeException e) {
      logFailure(merge.anonymous(), attempt, next, e);
    }
    return attempted;
  }

  private static void logFailure(String anonymous, int attempt, Instant next, RuntimeException e) {
    if (attempt < ALARMING_ATTEMPTS) {
      LOG.warn(
          "the login merge of {} failed, next attempt at {}: {}", anonymous, next, e.toString());
    } else {
      LOG.error(
          "the login merge of {} failed {} times in a row, next attempt at {}",
          anonymous,
          attempt,
          next,
          e);
    }
  }

  private void step(LoginMergeStore.MergeProgress merge) {
    if (merge.step() >= steps.size()) {
      database.transact(tx -> store.finish(tx, merge, clock.instant()));
      return;
    }
    LoginMergeStep step = steps.get(merge.step());
    boolean more = true;
    while (more) {
      more = step.page(merge.anonymous(), merge.login());
    }
    database.transact(tx -> store.advance(tx, merge));
  }

  private Optional<LoginMergeStore.MergeProgress> find(String anonymous) {
    return database.read(tx -> store.find(tx, anonymous));
  }
}
