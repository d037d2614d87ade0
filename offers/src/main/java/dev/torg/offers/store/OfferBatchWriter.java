package dev.torg.offers.store;

import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Writes many commands of one home in the caller's transaction, for callers that write further rows in the
/// same transaction.
public final class OfferBatchWriter {
  private final OfferWriteHandler handler;

  public OfferBatchWriter(
      Outbox outbox, PhotoFailureListener failureListener, Duration archiveAfter) {
    this.handler = new OfferWriteHandler(outbox, failureListener, archiveAfter);
  }

  /// Returns one outcome per command, in their order. A refused command has no effect.
  public List<Outcome<OfferWriteResult>> write(Tx tx, List<? extends OfferCommand> commands)
      throws SQLException {
    if (commands.isEmpty()) {
      return List.of();
    }
    ThreadLocalRandom tokens = ThreadLocalRandom.current();
    return handler.apply(
        tx,
        commands.stream()
            .map(command -> new OfferWriteRequest(command, tokens.nextLong(), Optional.empty()))
            .toList());
  }
}
