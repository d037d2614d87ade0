package dev.torg.offers.store;

import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.photo.PhotoFailureListener;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Writes many commands of one home in the caller's transaction: for whoever has hundreds of them at
/// hand and rows of its own to write with them.
public final class OfferBatchWriter {
  private final OfferWriteHandler writer;

  public OfferBatchWriter(Outbox outbox, PhotoFailureListener failedPhotos, Duration archiveAfter) {
    this.writer = new OfferWriteHandler(outbox, failedPhotos, archiveAfter);
  }

  /// One outcome a command, in their order. A command that is refused leaves no trace.
  public List<Outcome<OfferWriteResult>> write(Tx tx, List<? extends OfferCommand> commands)
      throws SQLException {
    if (commands.isEmpty()) {
      return List.of();
    }
    ThreadLocalRandom tokens = ThreadLocalRandom.current();
    return writer.write(
        tx,
        commands.stream()
            .map(command -> new OfferWriteRequest(command, tokens.nextLong(), Optional.empty()))
            .toList());
  }
}
