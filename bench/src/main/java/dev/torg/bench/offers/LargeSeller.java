package dev.torg.bench.offers;

import dev.torg.bench.load.Load;
import dev.torg.bench.load.LoadResult;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/// A seller with very many offers and one with ten: a page of the list and the counts must cost both the same.
///
/// The rows are copied by SQL from one real offer, which is quicker than publishing a million; the measurement
/// uses the real API.
final class LargeSeller {
  /// Rows of one transaction: it ends well within the client's response timeout.
  private static final int STEP = 20_000;

  private static final String OFFERS =
      """
      INSERT INTO offer (home, id, kind, version, seq, edited_version, status, presets, created_at, due_at, seller, token, body)
      SELECT ?, k.id, 'offer', 1, 1, 1, o.status, o.presets, o.created_at + (? + k.n) * interval '1 ms', o.due_at, ?, 0, o.body
        FROM unnest(?::bigint[]) WITH ORDINALITY AS k (id, n),
             (SELECT * FROM offer WHERE kind = 'offer' LIMIT 1) AS o
      """;

  private static final String PRESETS =
      """
      INSERT INTO seller_preset (home, seller, preset, created_at, offer_id)
      SELECT o.home, o.seller, p.preset, o.created_at, o.id
        FROM unnest(?::bigint[]) AS k (id) JOIN offer o ON o.home = ? AND o.id = k.id AND o.kind = 'offer',
             unnest(?::int[]) AS p (preset)
      """;

  private static final String COUNTS =
      """
      INSERT INTO seller_preset_count (home, seller, preset, count)
      SELECT home, seller, preset, count(*) FROM seller_preset WHERE home = ? AND seller = ? GROUP BY 1, 2, 3
      """;

  private final String address;
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();

  LargeSeller(String address) {
    this.address = address;
  }

  static void create(String database, String seller, int offers) {
    Home home = Home.of(seller);
    long[] ids =
        LongStream.generate(() -> OfferId.random(home).number()).distinct().limit(offers).toArray();
    try (Database db = Database.connect("jdbc:" + database, 4)) {
      List<Integer> presets =
          db.read(
              tx -> tx.sql("SELECT DISTINCT preset FROM seller_preset").list(row -> row.intAt(1)));
      for (int from = 0; from < offers; from += STEP) {
        long[] chunk = Arrays.copyOfRange(ids, from, Math.min(offers, from + STEP));
        int before = from;
        db.inTransaction(
            tx -> {
              tx.sql(OFFERS).set(home).set(before).set(seller).longs(chunk).update();
              return tx.sql(PRESETS)
                  .longs(chunk)
                  .set(home)
                  .ints(presets, Integer::intValue)
                  .update();
            });
      }
      db.inTransaction(tx -> tx.sql(COUNTS).set(home).set(seller).update());
      db.read(tx -> tx.sql("ANALYZE offer, seller_preset, seller_preset_count").update());
    }
  }

  LoadResult pages(String user, Duration time) {
    return load(user, "/v1/sellers/me/offers?preset=ALL&pageSize=20", time);
  }

  LoadResult counts(String user, Duration time) {
    return load(user, "/v1/sellers/me/presets", time);
  }

  private LoadResult load(String user, String path, Duration time) {
    try (ApiClient anonymous = new ApiClient(address)) {
      ApiClient seller = anonymous.loggedInAs(user);
      return Load.closedLoop(
          4, time, () -> CompletableFuture.supplyAsync(() -> seller.get(path), threads));
    }
  }
}
