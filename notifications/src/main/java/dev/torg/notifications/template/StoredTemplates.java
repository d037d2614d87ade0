package dev.torg.notifications.template;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.Optional;

/// Templates, cached: the newest version of each for a moment, versions as long as there is memory.
public final class StoredTemplates {
  /// How long another process may use the version before the newest one.
  private static final Duration NEWEST_MAX_AGE = Duration.ofSeconds(2);

  private static final int MAX_NEWEST = 10_000;

  /// Serialized bytes; compiled templates occupy some times as much.
  private static final int MAX_CACHED_BYTES = 8 << 20;

  private final Database database;
  private final TemplateStore store = new TemplateStore();

  private final Cache<String, Integer> newest =
      Caffeine.newBuilder().maximumSize(MAX_NEWEST).expireAfterWrite(NEWEST_MAX_AGE).build();

  private final Cache<Version, CompiledTemplate> versions =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CACHED_BYTES)
          .<Version, CompiledTemplate>weigher(
              (_, compiled) -> compiled.template().getSerializedSize())
          .build();

  private record Version(String id, int version) {}

  public StoredTemplates(Database database) {
    this.database = database;
  }

  /// The newest version. Blocks if it is not cached.
  public Optional<CompiledTemplate> newest(String id) {
    Integer cached = newest.getIfPresent(id);
    return cached == null ? readNewest(id) : Optional.of(version(id, cached));
  }

  private Optional<CompiledTemplate> readNewest(String id) {
    Optional<NotificationTemplate> found = database.read(tx -> store.newest(tx, id));
    found.ifPresent(template -> newest.put(id, template.getVersion()));
    return found.map(
        template ->
            versions.get(
                new Version(id, template.getVersion()), _ -> CompiledTemplate.of(template)));
  }

  /// A version that a notification names. Blocks if it is not cached.
  public CompiledTemplate version(String id, int version) {
    return versions.get(
        new Version(id, version),
        _ ->
            database
                .read(tx -> store.find(tx, id, version))
                .map(CompiledTemplate::of)
                .orElseThrow(
                    () -> new IllegalStateException("no template " + id + " version " + version)));
  }

  void changed(String id) {
    newest.invalidate(id);
  }
}
