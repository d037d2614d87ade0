package dev.torg.offers.stage;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Stage;
import dev.torg.api.v1.StageChanged;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.offers.stage.StageStore.StageRow;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/// Writes and reads stages. The event of a change contains the stage's name and version but not its state.
public final class StageService {
  private static final int MAX_BYTES = 64 * 1024;
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+([-_.][a-z0-9]+)*");
  private static final int MAX_NAME = 60;

  private final Database database;
  private final Outbox outbox;
  private final InstantSource clock;
  private final Executor blocking;
  private final StageStore stages = new StageStore();

  public StageService(Database database, Outbox outbox, InstantSource clock, Executor blocking) {
    this.database = database;
    this.outbox = outbox;
    this.clock = clock;
    this.blocking = blocking;
  }

  /// A given version must be the current one; 0 means that the stage must not exist yet.
  public CompletableFuture<Stage> put(
      OfferId offer, String stage, byte[] data, OptionalLong version) {
    checkName(stage);
    checkSize(data);
    long at = EpochMicros.of(clock.instant());
    return CompletableFuture.supplyAsync(
        () -> database.inTransaction(tx -> put(tx, offer, stage, data, version, at)), blocking);
  }

  public CompletableFuture<Stage> get(OfferId offer, String stage) {
    checkName(stage);
    return CompletableFuture.supplyAsync(
        () ->
            database
                .read(tx -> stages.read(tx, offer, stage))
                .map(row -> encode(stage, row))
                .orElseThrow(() -> Failure.notFound("stage.not-found", "no such stage")),
        blocking);
  }

  private Stage put(Tx tx, OfferId offer, String stage, byte[] data, OptionalLong version, long at)
      throws SQLException {
    requireLiving(stages.lockOffer(tx, offer));
    long seq = stages.nextSeq(tx, offer, at);
    long former = stages.read(tx, offer, stage).map(StageRow::version).orElse(0L);
    requireVersion(version, former);
    StageRow row = new StageRow(former + 1, seq, data);
    stages.save(tx, offer, stage, row);
    outbox.append(tx, List.of(event(offer, stage, row, at)));
    return encode(stage, row);
  }

  private static void requireLiving(Optional<Boolean> archived) {
    if (archived.isEmpty()) {
      throw OfferAccess.notFound();
    }
    if (archived.get()) {
      throw Failure.conflict("offer.archived", "the offer is in the archive");
    }
  }

  private static void requireVersion(OptionalLong expected, long current) {
    if (expected.isPresent() && expected.getAsLong() != current) {
      throw Failure.conflict(
          "stage.version-not-current", "the stage has changed: its version is " + current);
    }
  }

  /// Its `seq` comes from the sequence of stages, so it does not wait for writers of the offer.
  private static OutboxMessage event(OfferId offer, String stage, StageRow row, long at) {
    OfferEvent event =
        OfferEvent.newBuilder()
            .setOfferId(offer.toString())
            .setSeq(row.seq())
            .setAt(EpochMicros.timestamp(at))
            .addChanged("stages." + stage)
            .setStage(StageChanged.newBuilder().setStage(stage).setVersion(row.version()))
            .build();
    return new OutboxMessage(
        offer.home(), row.seq(), OfferTopics.OFFERS, offer.toString(), event.toByteArray());
  }

  private static Stage encode(String stage, StageRow row) {
    return Stage.newBuilder()
        .setStage(stage)
        .setData(ByteString.copyFrom(row.data()))
        .setVersion(row.version())
        .build();
  }

  private static void checkName(String stage) {
    if (stage.length() > MAX_NAME || !NAME.matcher(stage).matches()) {
      throw Failure.invalid(
          "stage.name",
          "bad stage name",
          "stage",
          "must be at most 60 lower-case letters and digits, joined by - _ or .");
    }
  }

  private static void checkSize(byte[] data) {
    if (data.length > MAX_BYTES) {
      throw Failure.invalid(
          "stage.too-large", "the stage is too large", "data", "must be at most 64 kB");
    }
  }
}
