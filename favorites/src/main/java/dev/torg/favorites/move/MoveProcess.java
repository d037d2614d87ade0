package dev.torg.favorites.move;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.MoveStep;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Lease;
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
public final class MoveProcess {
  private static final Logger LOG = LoggerFactory.getLogger(MoveProcess.class);

  /// A move older than this has lost its process.
  private static final Duration ABANDONED = Duration.ofMinutes(1);

  private static final int RESUMED_AT_ONCE = 10;

  private final Database database;
  private final List<MoveStep> steps;
  private final InstantSource clock;
  private final MoveStore store = new MoveStore();

  public MoveProcess(Database database, List<MoveStep> steps, InstantSource clock) {
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
    return find(anonymous).map(MoveStore.Move::moved).orElse(Map.of());
  }

  /// Where an anonymous person has gone, with everything there; nothing if they have not.
  public Optional<String> finish(String anonymous) {
    Optional<MoveStore.Move> move = find(anonymous);
    while (move.isPresent() && !move.get().finished()) {
      step(move.get());
      move = find(anonymous);
    }
    return move.map(MoveStore.Move::login);
  }

  /// Where moves were cut off.
  public List<Home> unfinished(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesUnfinished(tx, homes, now.minus(ABANDONED)));
  }

  /// Goes on with moves whose process is gone; whether there may be more.
  public boolean resume(Lease lease, Instant now) {
    int found = 0;
    for (Home home : lease.homes()) {
      List<String> left =
          database.read(tx -> store.unfinished(tx, home, now.minus(ABANDONED), RESUMED_AT_ONCE));
      left.forEach(this::resume);
      found += left.size();
    }
    return found > 0;
  }

  private void resume(String anonymous) {
    try {
      LOG.info("going on with the move of {}", anonymous);
      finish(anonymous);
    } catch (Failure e) {
      LOG.warn("the move of {} is not finished yet: {}", anonymous, e.toString());
    }
  }

  private void step(MoveStore.Move move) {
    if (move.step() >= steps.size()) {
      database.inTransaction(
          tx -> {
            store.finish(tx, move, clock.instant());
            return true;
          });
      return;
    }
    MoveStep step = steps.get(move.step());
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

  private Optional<MoveStore.Move> find(String anonymous) {
    return database.read(tx -> store.find(tx, anonymous));
  }
}
