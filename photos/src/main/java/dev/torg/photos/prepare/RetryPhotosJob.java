package dev.torg.photos.prepare;

import dev.torg.api.v1.PhotoRequest;
import dev.torg.photos.PhotoLane;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Sends deferred requests that are due. They are read and sent in one transaction, so a concurrent run by
/// a former holder of the lease is safe.
public final class RetryPhotosJob {
  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final Outbox outbox;
  private final PhotoStore photos = new PhotoStore();

  public RetryPhotosJob(Database database, Outbox outbox) {
    this.database = database;
    this.outbox = outbox;
  }

  /// The homes with due requests.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> photos.withDue(tx, homes, now));
  }

  /// Whether more requests are due.
  public boolean run(List<Home> homes, Instant now) {
    return EachHome.run(
        due(homes, now), home -> database.inTransaction(tx -> send(tx, home, now)) == PAGE_SIZE);
  }

  private int send(Tx tx, Home home, Instant now) throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>();
    for (byte[] request : photos.pollDue(tx, home, now, PAGE_SIZE)) {
      messages.add(message(home, request, EpochMicros.of(now) + messages.size()));
    }
    outbox.append(tx, messages);
    return messages.size();
  }

  /// Two targets may wait for one photo, so each row of the page gets a separate sequence number.
  private static OutboxMessage message(Home home, byte[] bytes, long seq) {
    PhotoRequest request = StoredProto.parse(PhotoRequest.parser(), bytes, "request");
    return new OutboxMessage(home, seq, PhotoLane.of(request).topic(), request.getPhotoId(), bytes);
  }
}
