package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PromotedEntity;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SQL over promotions, in the home of the entity. A transaction locks the rows of `promotion_target` in key order before it
/// changes anything else of these entities.
final class PromotionStore {
  /// A row that was only asked for is not written more often than this.
  private static final Duration CHANGE_RESOLUTION = Duration.ofDays(1);

  private static final BatchColumns<PromotedEntity> ENTITIES =
      BatchColumns.of(PromotedEntity::home)
          .texts("entity_type", PromotedEntity::type)
          .texts("entity_id", PromotedEntity::id);

  private static final BatchColumns<PromotionTarget> TARGETS =
      BatchColumns.<PromotionTarget>of(target -> target.entity().home())
          .texts("entity_type", target -> target.entity().type())
          .texts("entity_id", target -> target.entity().id())
          .texts("seller", PromotionTarget::seller)
          .longs("seq", PromotionTarget::seq)
          .ints("status", target -> target.status().getNumber())
          .longs("status_version", PromotionTarget::statusVersion)
          .instants("raised_at", target -> target.raisedAt().orElse(null));

  private static final BatchSql<PromotionTarget> INSERT_TARGETS =
      TARGETS.sql(
          """
          INSERT INTO promotion_target AS t
                 (home, entity_type, entity_id, seller, seq, status, status_version, raised_at, changed_at)
          SELECT k.home, k.entity_type, k.entity_id, k.seller, k.seq, k.status, k.status_version, k.raised_at,
                 ?::timestamptz
            FROM :rows(k)
           ORDER BY k.home, k.entity_type, k.entity_id
          ON CONFLICT (home, entity_type, entity_id) DO UPDATE
             SET changed_at = excluded.changed_at WHERE t.changed_at < ?
          """);

  private static final BatchSql<PromotedEntity> LOCK_TARGETS =
      ENTITIES.sql(
          """
          SELECT t.home, t.entity_type, t.entity_id, t.seller, t.seq, t.status, t.status_version, t.raised_at
            FROM :batch(k)
            JOIN promotion_target t
              ON t.home = k.home AND t.entity_type = k.entity_type AND t.entity_id = k.entity_id
           WHERE :shard(t)
           ORDER BY t.home, t.entity_type, t.entity_id FOR UPDATE OF t
          """);

  private static final BatchSql<PromotionTarget> UPDATE_TARGETS =
      TARGETS.sql(
          """
          UPDATE promotion_target t
             SET seq = k.seq, status = k.status, status_version = k.status_version, raised_at = k.raised_at,
                 changed_at = ?
            FROM :batch(k)
           WHERE t.home = k.home AND t.entity_type = k.entity_type AND t.entity_id = k.entity_id
             AND :shard(t)
          """);

  private static final String PURGE_TARGETS =
      """
      DELETE FROM promotion_target WHERE home = ? AND changed_at < ? AND (entity_type, entity_id) IN (
        SELECT t.entity_type, t.entity_id FROM promotion_target t
         WHERE t.home = ? AND t.changed_at < ?
           AND NOT EXISTS (SELECT FROM promotion p
                            WHERE p.home = t.home AND p.entity_type = t.entity_type AND p.entity_id = t.entity_id)
         LIMIT ?)
      """;

  private static final BatchSql<PromotedEntity> FIND =
      ENTITIES.sql(
          """
          SELECT p.home, p.entity_type, p.entity_id, p.service, p.since, p.until, p.source
            FROM :batch(k)
            JOIN promotion p
              ON p.home = k.home AND p.entity_type = k.entity_type AND p.entity_id = k.entity_id
           WHERE :shard(p)
          """);

  /// A service of an entity.
  record Key(PromotedEntity entity, String service) {}

  /// When a service is to be examined.
  record Expiry(Instant runAt, PromotedEntity entity, String service) {}

  private record Promotion(PromotedEntity entity, ActiveService active) {}

  private static final BatchSql<Promotion> PUT =
      BatchColumns.<Promotion>of(promotion -> promotion.entity().home())
          .texts("entity_type", promotion -> promotion.entity().type())
          .texts("entity_id", promotion -> promotion.entity().id())
          .texts("service", promotion -> promotion.active().service())
          .instants("since", promotion -> promotion.active().since())
          .instants("until", promotion -> promotion.active().until())
          .texts("source", promotion -> promotion.active().source())
          .sql(
              """
              INSERT INTO promotion (home, entity_type, entity_id, service, since, until, source)
              SELECT k.home, k.entity_type, k.entity_id, k.service, k.since, k.until, k.source FROM :rows(k)
               ORDER BY k.home, k.entity_type, k.entity_id, k.service
              ON CONFLICT (home, entity_type, entity_id, service) DO UPDATE
                 SET since = excluded.since, until = excluded.until, source = excluded.source
              """);

  private static final BatchSql<Key> DELETE =
      BatchColumns.<Key>of(key -> key.entity().home())
          .texts("entity_type", key -> key.entity().type())
          .texts("entity_id", key -> key.entity().id())
          .texts("service", Key::service)
          .sql(
              """
              DELETE FROM promotion p USING :batch(k)
               WHERE p.home = k.home AND p.entity_type = k.entity_type AND p.entity_id = k.entity_id
                 AND p.service = k.service AND :shard(p)
              """);

  private static final BatchColumns<Expiry> EXPIRIES =
      BatchColumns.<Expiry>of(expiry -> expiry.entity().home())
          .instants("run_at", Expiry::runAt)
          .texts("entity_type", expiry -> expiry.entity().type())
          .texts("entity_id", expiry -> expiry.entity().id())
          .texts("service", Expiry::service);

  private static final BatchSql<Expiry> INSERT_EXPIRIES =
      EXPIRIES.sql(
          """
          INSERT INTO promotion_expiry (home, run_at, entity_type, entity_id, service)
          SELECT k.home, k.run_at, k.entity_type, k.entity_id, k.service FROM :rows(k)
           ORDER BY k.home, k.run_at, k.entity_type, k.entity_id, k.service
          ON CONFLICT (home, run_at, entity_type, entity_id, service) DO NOTHING
          """);

  private static final BatchSql<Expiry> DELETE_EXPIRIES =
      EXPIRIES.sql(
          """
          DELETE FROM promotion_expiry e USING :batch(k)
           WHERE e.home = k.home AND e.run_at = k.run_at AND e.entity_type = k.entity_type
             AND e.entity_id = k.entity_id AND e.service = k.service AND :shard(e)
          """);

  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM promotion_expiry e
                              WHERE e.home = k.home AND e.run_at <= ? AND :shard(e))
              """);

  private static final String DUE =
      """
      SELECT home, run_at, entity_type, entity_id, service FROM promotion_expiry
       WHERE home = ? AND run_at <= ?
       ORDER BY home, run_at, entity_type, entity_id, service LIMIT ?
      """;

  /// Locks those that exist, and keeps them from being purged.
  void insertTargets(Tx tx, Collection<PromotionTarget> targets, Instant now) throws SQLException {
    tx.sql(INSERT_TARGETS, sorted(targets)).set(now).set(now.minus(CHANGE_RESOLUTION)).update();
  }

  /// Locks the existing rows and reads what belongs to them.
  Map<PromotedEntity, EntityPromotions> lock(Tx tx, Collection<PromotedEntity> entities)
      throws SQLException {
    List<PromotedEntity> distinct = entities.stream().distinct().sorted().toList();
    List<PromotionTarget> targets = tx.sql(LOCK_TARGETS, distinct).list(PromotionStore::target);
    Map<PromotedEntity, List<ActiveService>> services =
        find(tx, targets.stream().map(PromotionTarget::entity).toList());
    Map<PromotedEntity, EntityPromotions> locked = new HashMap<>();
    for (PromotionTarget target : targets) {
      locked.put(
          target.entity(),
          new EntityPromotions(target, services.getOrDefault(target.entity(), List.of())));
    }
    return locked;
  }

  /// All services of the entities, also those that have ended and wait for the job.
  Map<PromotedEntity, List<ActiveService>> find(Tx tx, List<PromotedEntity> entities)
      throws SQLException {
    Map<PromotedEntity, List<ActiveService>> found = new HashMap<>();
    tx.sql(FIND, entities)
        .each(
            row ->
                found
                    .computeIfAbsent(entity(row, 1), _ -> new ArrayList<>())
                    .add(
                        new ActiveService(
                            row.textAt(4), row.instantAt(5), row.instantAt(6), row.textAt(7))));
    return found;
  }

  void updateTargets(Tx tx, Collection<PromotionTarget> targets, Instant now) throws SQLException {
    tx.sql(UPDATE_TARGETS, sorted(targets)).set(now).update();
  }

  /// Writes what has changed, with the times at which what is active is to be examined.
  void write(Tx tx, Collection<EntityPromotions> changed) throws SQLException {
    List<Promotion> put = new ArrayList<>();
    List<Key> removed = new ArrayList<>();
    for (EntityPromotions promotions : changed) {
      PromotedEntity entity = promotions.target().entity();
      promotions.written().forEach(active -> put.add(new Promotion(entity, active)));
      promotions.removed().forEach(service -> removed.add(new Key(entity, service)));
    }
    tx.sql(DELETE, removed).update();
    tx.sql(PUT, put).update();
    tx.sql(INSERT_EXPIRIES, put.stream().map(PromotionStore::expiry).toList()).update();
  }

  private static Expiry expiry(Promotion promotion) {
    return new Expiry(promotion.active().until(), promotion.entity(), promotion.active().service());
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  /// The oldest due rows of a home.
  List<Expiry> due(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE)
        .set(home)
        .set(now)
        .set(limit)
        .list(
            row ->
                new Expiry(
                    row.instantAt(2),
                    new PromotedEntity(row.homeAt(1), row.textAt(3), row.textAt(4)),
                    row.textAt(5)));
  }

  void deleteExpiries(Tx tx, List<Expiry> expiries) throws SQLException {
    tx.sql(DELETE_EXPIRIES, expiries).update();
  }

  /// Deletes rows without services that have not changed since then. A row that is locked meanwhile is examined again.
  int purgeTargets(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(PURGE_TARGETS).set(home).set(before).set(home).set(before).set(limit).update();
  }

  private static List<PromotionTarget> sorted(Collection<PromotionTarget> targets) {
    return targets.stream().sorted(Comparator.comparing(PromotionTarget::entity)).toList();
  }

  private static PromotedEntity entity(Row row, int column) throws SQLException {
    return new PromotedEntity(row.homeAt(column), row.textAt(column + 1), row.textAt(column + 2));
  }

  private static PromotionTarget target(Row row) throws SQLException {
    return new PromotionTarget(
        entity(row, 1),
        row.textAt(4),
        row.longAt(5),
        Status.forNumber(row.intAt(6)),
        row.longAt(7),
        row.optionalInstantAt(8));
  }
}
