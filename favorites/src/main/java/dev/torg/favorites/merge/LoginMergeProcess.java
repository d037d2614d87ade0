package dev.torg.favorites.merge;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LoginMergeStep;
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

/// Moves an anonymous person to a login: closes the anonymous side, then runs the steps one after the
/// other, remembering which it is at. Whoever meets an unfinished move may go on with it, several at
/// once too. Blocks.
public final class LoginMergeProcess {
  private static final Logger LOG = LoggerFactory.getLogger(LoginMergeProcess.class);

  /// A move older than this has lost its process.
  private static final Duration ABANDONED = Duration.ofMinutes(1);

  private static final int RESUME_PAGE_SIZE = 10;

  /// A move that has failed so often in a row needs an operator.
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

  /// How many of each kind were moved, now or before.
  public Map<FavoriteKind, Integer> move(String anonymous, String login) {
    database.inTransaction(
        tx -> {
          store.start(tx, anonymous, login, clock.instant());
          return true;
        });
    finish(anonymous);
    return find(anonymous).map(LoginMergeStore.Move::moved).orElse(Map.of());
  }

  /// Where an anonymous person has gone, with everything there; nothing if they have not.
  public Optional<String> finish(String anonymous) {
    Optional<LoginMergeStore.Move> move = find(anonymous);
    while (move.isPresent() && !move.get().finished()) {
      step(move.get());
      move = find(anonymous);
    }
    return move.map(LoginMergeStore.Move::login);
  }

  /// Where moves are due to be resumed.
  public List<Home> unfinished(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now.minus(ABANDONED), now));
  }

  /// Resumes moves whose process is gone, each on its own: one that fails is tried again later, and keeps
  /// no other from being resumed. Whether more may be due at once: only where this run has deferred or
  /// finished some, so that it cannot be called for ever.
  public boolean resume(List<Home> homes, Instant now) {
    return EachHome.run(homes, home -> resume(home, now));
  }

  private boolean resume(Home home, Instant now) {
    List<LoginMergeStore.DueMove> due =
        database.read(tx -> store.due(tx, home, now.minus(ABANDONED), now, RESUME_PAGE_SIZE));
    long tried = due.stream().filter(move -> resume(move, now)).count();
    return tried > 0 && due.size() == RESUME_PAGE_SIZE;
  }

  /// Whether it was tried.
  private boolean resume(LoginMergeStore.DueMove move, Instant now) {
    int attempt = move.attempts() + 1;
    Instant next = now.plus(LoginMergeBackoff.after(attempt));
    boolean tried = false;
    try {
      tried = database.inTransaction(tx -> store.defer(tx, move, next));
      if (tried) {
        LOG.info("resuming the move of {}, attempt {}", move.anonymous(), attempt);
        finish(move.anonymous());
      }
    } catch (RuntimeException e) {
      logFailure(move.anonymous(), attempt, next, e);
    }
    return tried;
  }

  private static void logFailure(String anonymous, int attempt, Instant next, RuntimeException e) {
    if (attempt < ALARMING_ATTEMPTS) {
      LOG.warn("the move of {} failed, next attempt at {}: {}", anonymous, next, e.toString());
    } else {
      LOG.error(
          "the move of {} failed {} times in a row, next attempt at {}",
          anonymous,
          attempt,
          next,
          e);
    }
  }

  private void step(LoginMergeStore.Move move) {
    if (move.step() >= steps.size()) {
      database.inTransaction(
          tx -> {
            store.finish(tx, move, clock.instant());
            return true;
          });
      return;
    }
    LoginMergeStep step = steps.get(move.step());
    boolean more = true;
    while (more) {
      more = step.page(move.anonymous(), move.login());
    }
    database.inTransaction(
        tx -> {
          store.advance(tx, move);
          return true;
        });
  }

  private Optional<LoginMergeStore.Move> find(String anonymous) {
    return database.read(tx -> store.find(tx, anonymous));
  }
}
