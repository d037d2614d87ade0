package dev.torg.alerts.seller;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Records events that sellers are notified of, one transaction per shard. Events that were recorded before change
/// nothing. Blocks.
final class SellerNoticeRecorder {
  private final Database database;
  private final InstantSource clock;
  private final SellerNoticeStore store = new SellerNoticeStore();

  SellerNoticeRecorder(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  void record(List<SellerNotice> notices) {
    Map<List<Object>, SellerNotice> distinct = new LinkedHashMap<>();
    notices.forEach(
        notice ->
            distinct.putIfAbsent(
                List.of(notice.seller(), notice.kind(), notice.subject()), notice));
    EachShard.run(
        database.shards().split(distinct.values(), SellerNotice::home),
        ofShard -> database.transact(tx -> store.insert(tx, ofShard, clock.instant())));
  }
}
