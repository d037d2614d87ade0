package dev.torg.promotions.apply;

import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.ReadCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.promotions.PromotedEntity;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Reads active services. Concurrent reads share a statement. A service whose time is over is not active, whether a job has
/// removed it yet or not.
public final class PromotionReader implements AutoCloseable {
  private static final int PARALLEL_READS = 2;

  private final PromotionStore store = new PromotionStore();
  private final ReadCoalescer<PromotedEntity, List<ActiveService>> coalescer;
  private final InstantSource clock;

  public PromotionReader(Database database, InstantSource clock, MeterRegistry metrics) {
    this.clock = clock;
    this.coalescer =
        new ReadCoalescer<>(
            CoalescerSettings.of("promotions.read", database, PARALLEL_READS),
            database,
            PromotedEntity::home,
            store::find,
            metrics);
  }

  /// Those of the entities that have active services, in their order. The future completes on a reader's thread, so
  /// dependent stages must not block.
  public CompletableFuture<Map<PromotedEntity, List<ActiveService>>> active(
      Collection<PromotedEntity> entities) {
    Map<PromotedEntity, CompletableFuture<Optional<List<ActiveService>>>> reads =
        new LinkedHashMap<>();
    entities.forEach(entity -> reads.computeIfAbsent(entity, coalescer::get));
    return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
        .thenApply(_ -> active(reads));
  }

  private Map<PromotedEntity, List<ActiveService>> active(
      Map<PromotedEntity, CompletableFuture<Optional<List<ActiveService>>>> reads) {
    Instant now = clock.instant();
    Map<PromotedEntity, List<ActiveService>> found = new LinkedHashMap<>();
    reads.forEach(
        (entity, read) -> {
          List<ActiveService> active = active(read.join().orElse(List.of()), now);
          if (!active.isEmpty()) {
            found.put(entity, active);
          }
        });
    return found;
  }

  private static List<ActiveService> active(List<ActiveService> services, Instant now) {
    return services.stream()
        .filter(service -> service.isActiveAt(now))
        .sorted(Comparator.comparing(ActiveService::service))
        .toList();
  }

  @Override
  public void close() {
    coalescer.close();
  }
}
