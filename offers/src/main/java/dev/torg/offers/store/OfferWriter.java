package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.offers.life.OfferCommand;
import dev.torg.offers.photo.FailedPhotos;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.coalesce.WriteCoalescer;
import dev.torg.platform.coalesce.WriteHandler;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.idempotency.AnswerCodec;
import dev.torg.platform.idempotency.IdempotencyStore;
import dev.torg.platform.idempotency.KeyedRequest;
import dev.torg.platform.idempotency.OncePerKey;
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

  private final WriteCoalescer<Request, Written> coalescer;

  public OfferWriter(
      Database database,
      CoalescerSettings settings,
      Outbox outbox,
      FailedPhotos failedPhotos,
      Duration archiveAfter,
      MeterRegistry registry) {
    this.coalescer =
        new WriteCoalescer<>(
            settings,
            database,
            new OncePerKey<>(
                new Handler(new BatchWriter(outbox, failedPhotos, archiveAfter)),
                new IdempotencyStore(),
                Request::keyed,
                new AnswerAsBytes()),
            registry);
  }

  /// The future completes on a writer's thread: what hangs on it must not block.
  public CompletableFuture<Written> submit(OfferCommand command) {
    return submit(command, Optional.empty());
  }

  /// Once for each idempotency key.
  public CompletableFuture<Written> submit(OfferCommand command, Optional<KeyedRequest> keyed) {
    long token = ThreadLocalRandom.current().nextLong();
    return coalescer.submit(new Request(command, token, keyed));
  }

  /// For commands that never lead elsewhere.
  public CompletableFuture<Offer> change(OfferCommand command) {
    return submit(command).thenApply(OfferWriter::here);
  }

  @Override
  public void close() {
    coalescer.close();
  }

  private static Offer here(Written written) {
    return switch (written) {
      case Written.Here here -> here.offer();
      case Written.Elsewhere elsewhere ->
          throw new IllegalStateException("led to " + elsewhere.offer());
    };
  }

  /// Only publications come with a key, and what they made is the answer.
  private static final class AnswerAsBytes implements AnswerCodec<Written> {
    @Override
    public byte[] encode(Written answer) {
      return here(answer).toByteArray();
    }

    @Override
    public Written decode(byte[] bytes) {
      return new Written.Here(OfferStore.parse(bytes));
    }
  }

  private record Handler(BatchWriter writer) implements WriteHandler<Request, Written> {
    @Override
    public Home home(Request request) {
      return request.id().home();
    }

    @Override
    public Object lockKey(Request request) {
      return request.command().lockKey();
    }

    @Override
    public List<Outcome<Written>> apply(Tx tx, List<Request> requests) throws SQLException {
      return writer.write(tx, requests);
    }

    /// The row's token is the last writer's. Who finds another one there cannot tell and says so.
    @Override
    public List<Optional<Written>> recover(Tx tx, List<Request> requests) throws SQLException {
      Map<OfferId, OfferStore.Tokened> rows = writer.written(tx, requests);
      return requests.stream().map(request -> written(rows, request)).toList();
    }

    private static Optional<Written> written(
        Map<OfferId, OfferStore.Tokened> rows, Request request) {
      return Optional.ofNullable(rows.get(request.id()))
          .filter(row -> row.token() == request.token())
          .map(row -> new Written.Here(row.offer()));
    }
  }
}
