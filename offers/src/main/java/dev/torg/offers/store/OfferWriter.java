package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.photo.PhotoFailureListener;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.coalesce.WriteCoalescer;
import dev.torg.platform.coalesce.WriteHandler;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.idempotency.IdempotencyStore;
import dev.torg.platform.idempotency.IdempotentRequest;
import dev.torg.platform.idempotency.IdempotentWriteHandler;
import dev.torg.platform.idempotency.ResponseCodec;
import dev.torg.platform.outbox.Outbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/// Takes commands and answers when they are durable. Concurrent ones share a transaction.
public final class OfferWriter implements AutoCloseable {
  /// Where every change of an offer is told.
  public static final String TOPIC = "torg.offers";

  private final WriteCoalescer<OfferWriteRequest, OfferWriteResult> coalescer;

  public OfferWriter(
      Database database,
      CoalescerSettings settings,
      Outbox outbox,
      PhotoFailureListener failedPhotos,
      Duration archiveAfter,
      MeterRegistry registry) {
    this.coalescer =
        new WriteCoalescer<>(
            settings,
            database,
            new IdempotentWriteHandler<>(
                new Handler(new OfferWriteHandler(outbox, failedPhotos, archiveAfter)),
                new IdempotencyStore(),
                OfferWriteRequest::keyed,
                new OfferResponseCodec()),
            registry);
  }

  /// The future completes on a writer's thread: what hangs on it must not block.
  public CompletableFuture<OfferWriteResult> submit(OfferCommand command) {
    return submit(command, Optional.empty());
  }

  /// Once for each idempotency key.
  public CompletableFuture<OfferWriteResult> submit(
      OfferCommand command, Optional<IdempotentRequest> keyed) {
    long token = ThreadLocalRandom.current().nextLong();
    return coalescer.submit(new OfferWriteRequest(command, token, keyed));
  }

  /// For commands that never lead elsewhere.
  public CompletableFuture<Offer> apply(OfferCommand command) {
    return submit(command).thenApply(OfferWriter::current);
  }

  @Override
  public void close() {
    coalescer.close();
  }

  private static Offer current(OfferWriteResult written) {
    return switch (written) {
      case OfferWriteResult.Current here -> here.offer();
      case OfferWriteResult.ExistingOffer elsewhere ->
          throw new IllegalStateException("led to " + elsewhere.offer());
    };
  }

  /// Only publications come with a key, and what they made is the answer.
  private static final class OfferResponseCodec implements ResponseCodec<OfferWriteResult> {
    @Override
    public byte[] encode(OfferWriteResult answer) {
      return current(answer).toByteArray();
    }

    @Override
    public OfferWriteResult decode(byte[] bytes) {
      return new OfferWriteResult.Current(OfferStore.parse(bytes));
    }
  }

  private record Handler(OfferWriteHandler writer)
      implements WriteHandler<OfferWriteRequest, OfferWriteResult> {
    @Override
    public Home home(OfferWriteRequest request) {
      return request.id().home();
    }

    @Override
    public Object lockKey(OfferWriteRequest request) {
      return request.command().lockKey();
    }

    @Override
    public List<Outcome<OfferWriteResult>> apply(Tx tx, List<OfferWriteRequest> requests)
        throws SQLException {
      return writer.write(tx, requests);
    }

    /// The row's token is the last writer's. Who finds another one there cannot tell and says so.
    @Override
    public List<Optional<OfferWriteResult>> recover(Tx tx, List<OfferWriteRequest> requests)
        throws SQLException {
      Map<OfferId, OfferStore.RowWithToken> rows = writer.written(tx, requests);
      return requests.stream().map(request -> written(rows, request)).toList();
    }

    private static Optional<OfferWriteResult> written(
        Map<OfferId, OfferStore.RowWithToken> rows, OfferWriteRequest request) {
      return Optional.ofNullable(rows.get(request.id()))
          .filter(row -> row.token() == request.token())
          .map(row -> new OfferWriteResult.Current(row.offer()));
    }
  }
}
