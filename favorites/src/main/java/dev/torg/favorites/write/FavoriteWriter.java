package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteLimits;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.coalesce.WriteCoalescer;
import dev.torg.platform.coalesce.WriteHandler;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.MergedIdentity;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/// Runs commands, many in one transaction. Commands of one owner keep their order, and the owner's limits
/// are checked under the lock of the owner's row.
///
/// The owner's row stores the token of the last request of the transaction that changed it. After a COMMIT
/// with an unknown outcome, this token shows that all requests of that owner in the batch were committed,
/// with the results decided then.
public final class FavoriteWriter implements AutoCloseable {
  private static final BatchSql<String> TOKENS =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT o.owner, o.token FROM :batch(k)
                JOIN favorite_owner o ON o.home = k.home AND o.owner = k.owner
               WHERE :shard(o)
              """);

  private final FavoritesStore store;
  private final Function<String, FavoriteLimits> limits;
  private final InstantSource clock;
  private final WriteCoalescer<FavoriteWriteRequest, FavoriteCommandResult> coalescer;

  public FavoriteWriter(
      Database database,
      CoalescerSettings settings,
      FavoritesStore store,
      Function<String, FavoriteLimits> limits,
      InstantSource clock,
      MeterRegistry registry) {
    this.store = store;
    this.limits = limits;
    this.clock = clock;
    this.coalescer = new WriteCoalescer<>(settings, database, new Handler(), registry);
  }

  /// The future completes on a writer's thread, so dependent stages must not block.
  public CompletableFuture<FavoriteCommandResult> submit(FavoriteCommand command) {
    long token = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    return coalescer.submit(
        new FavoriteWriteRequest(command, token, clock.instant().truncatedTo(ChronoUnit.MICROS)));
  }

  @Override
  public void close() {
    coalescer.close();
  }

  private final class Handler implements WriteHandler<FavoriteWriteRequest, FavoriteCommandResult> {
    @Override
    public Home home(FavoriteWriteRequest request) {
      return Home.of(request.command.owner());
    }

    @Override
    public Object lockKey(FavoriteWriteRequest request) {
      return request.command.owner();
    }

    @Override
    public List<Outcome<FavoriteCommandResult>> apply(Tx tx, List<FavoriteWriteRequest> requests)
        throws SQLException {
      FavoritesReadSet reads = new FavoritesReadSet();
      for (FavoriteWriteRequest request : requests) {
        reads.owners.add(request.command.owner());
        request.command.declareReads(reads);
      }
      FavoritesUnitOfWork work = store.load(tx, reads, limits);
      List<Outcome<FavoriteCommandResult>> outcomes = new ArrayList<>(requests.size());
      for (FavoriteWriteRequest request : requests) {
        Outcome<FavoriteCommandResult> outcome = decide(work, request);
        request.decided = outcome;
        outcomes.add(outcome);
      }
      store.flush(tx, work, requests.getLast().at);
      return outcomes;
    }

    private Outcome<FavoriteCommandResult> decide(
        FavoritesUnitOfWork work, FavoriteWriteRequest request) {
      OwnerRow owner = work.owner(request.command.owner());
      if (owner.isMerged()) {
        return Outcome.failed(MergedIdentity.failure());
      }
      owner.token = request.token;
      try {
        return Outcome.done(request.command.decide(work));
      } catch (Failure e) {
        return Outcome.failed(e);
      }
    }

    @Override
    public List<Optional<FavoriteCommandResult>> recover(Tx tx, List<FavoriteWriteRequest> requests)
        throws SQLException {
      Map<String, Long> last = new HashMap<>();
      requests.forEach(request -> last.put(request.command.owner(), request.token));
      Map<String, Long> stored = tokens(tx, List.copyOf(last.keySet()));
      List<Optional<FavoriteCommandResult>> results = new ArrayList<>();
      for (FavoriteWriteRequest request : requests) {
        String owner = request.command.owner();
        boolean committed = Objects.equals(last.get(owner), stored.get(owner));
        results.add(
            committed
                    && request.decided
                        instanceof Outcome.Done<FavoriteCommandResult>(FavoriteCommandResult value)
                ? Optional.of(value)
                : Optional.empty());
      }
      return results;
    }

    private Map<String, Long> tokens(Tx tx, List<String> owners) throws SQLException {
      Map<String, Long> tokens = new HashMap<>();
      tx.sql(TOKENS, owners).each(row -> tokens.put(row.textAt(1), row.longAt(2)));
      return tokens;
    }
  }
}
