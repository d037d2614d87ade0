package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.WriteCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.platform.idempotency.IdempotencyStore;
import dev.torg.platform.idempotency.IdempotentRequest;
import dev.torg.platform.idempotency.IdempotentWriteHandler;
import dev.torg.platform.idempotency.ResponseCodec;
import dev.torg.platform.outbox.Outbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/// Submits commands. A result means that the change is durable. Concurrent commands share a transaction.
public final class OfferWriter implements AutoCloseable {
  private final WriteCoalescer<OfferWriteRequest, OfferWriteResult> coalescer;

  public OfferWriter(
      Database database,
      CoalescerSettings settings,
      Outbox outbox,
      PhotoFailureListener failureListener,
      Duration archiveAfter,
      MeterRegistry registry) {
    this.coalescer =
        new WriteCoalescer<>(
            settings,
            database,
            new IdempotentWriteHandler<>(
                new OfferWriteHandler(outbox, failureListener, archiveAfter),
                new IdempotencyStore(),
                OfferWriteRequest::keyed,
                new OfferResponseCodec()),
            registry);
  }

  /// The future completes on a writer's thread, so dependent stages must not block.
  public CompletableFuture<OfferWriteResult> submit(OfferCommand command) {
    return submit(command, Optional.empty());
  }

  /// Applies the command once per idempotency key.
  public CompletableFuture<OfferWriteResult> submit(
      OfferCommand command, Optional<IdempotentRequest> keyed) {
    long token = ThreadLocalRandom.current().nextLong();
    return coalescer.submit(new OfferWriteRequest(command, token, keyed));
  }

  /// For commands that never result in another offer.
  public CompletableFuture<Offer> apply(OfferCommand command) {
    return submit(command).thenApply(OfferWriter::current);
  }

  @Override
  public void close() {
    coalescer.close();
  }

  private static Offer current(OfferWriteResult result) {
    return switch (result) {
      case OfferWriteResult.Current current -> current.offer();
      case OfferWriteResult.ExistingOffer existing ->
          throw new IllegalStateException("unexpected result: existing offer " + existing.offer());
    };
  }

  /// The response of a keyed command is the offer.
  private static final class OfferResponseCodec implements ResponseCodec<OfferWriteResult> {
    @Override
    public byte[] encode(OfferWriteResult result) {
      return current(result).toByteArray();
    }

    @Override
    public OfferWriteResult decode(byte[] bytes) {
      return new OfferWriteResult.Current(OfferStore.parse(bytes));
    }
  }
}
