package dev.torg.platform.idempotency;

import dev.torg.platform.Home;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.coalesce.WriteHandler;
import dev.torg.platform.db.Tx;
import dev.torg.platform.idempotency.IdempotencyStore.ResponseToStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Wraps a coalescer's handler so that items with an idempotency key are applied once per key. Items without
/// one pass through. After a lost COMMIT response the stored response shows the outcome of an item.
public final class IdempotentWriteHandler<I, O> implements WriteHandler<I, O> {
  private final WriteHandler<I, O> handler;
  private final IdempotencyStore store;
  private final Function<? super I, Optional<IdempotentRequest>> request;
  private final ResponseCodec<O> codec;

  /// The request's home must be the item's.
  public IdempotentWriteHandler(
      WriteHandler<I, O> handler,
      IdempotencyStore store,
      Function<? super I, Optional<IdempotentRequest>> request,
      ResponseCodec<O> codec) {
    this.handler = handler;
    this.store = store;
    this.request = request;
    this.codec = codec;
  }

  @Override
  public Home home(I item) {
    return handler.home(item);
  }

  @Override
  public int orderingKey(I item) {
    return handler.orderingKey(item);
  }

  @Override
  public Object lockKey(I item) {
    return handler.lockKey(item);
  }

  @Override
  public List<Outcome<O>> apply(Tx tx, List<I> items) throws SQLException {
    List<Entry> entries = entries(items);
    List<Entry> keyed = entries.stream().filter(Entry::isKeyed).toList();
    if (keyed.isEmpty()) {
      return handler.apply(tx, items);
    }
    claim(tx, keyed);
    run(tx, entries.stream().filter(Entry::isToRun).toList());
    storeResponses(tx, keyed.stream().filter(Entry::isToRun).toList());
    return entries.stream().map(entry -> entry.outcome(keyed)).toList();
  }

  @Override
  public List<Optional<O>> recover(Tx tx, List<I> items) throws SQLException {
    List<Entry> entries = entries(items);
    List<Entry> keyed = entries.stream().filter(Entry::isKeyed).toList();
    List<Entry> plain = entries.stream().filter(entry -> !entry.isKeyed()).toList();
    List<Optional<O>> results =
        new ArrayList<>(items.stream().map(i -> Optional.<O>empty()).toList());
    if (!keyed.isEmpty()) {
      List<Optional<byte[]>> responses = store.responses(tx, requests(keyed));
      for (int i = 0; i < keyed.size(); i++) {
        results.set(keyed.get(i).index, responses.get(i).map(codec::decode));
      }
    }
    if (!plain.isEmpty()) {
      List<Optional<O>> responses = handler.recover(tx, plain.stream().map(e -> e.item).toList());
      for (int i = 0; i < plain.size(); i++) {
        results.set(plain.get(i).index, responses.get(i));
      }
    }
    return results;
  }

  private void claim(Tx tx, List<Entry> keyed) throws SQLException {
    List<Claim> claims = store.claim(tx, requests(keyed));
    for (int i = 0; i < keyed.size(); i++) {
      keyed.get(i).claim = claims.get(i);
    }
  }

  private void run(Tx tx, List<Entry> entries) throws SQLException {
    if (entries.isEmpty()) {
      return;
    }
    List<Outcome<O>> outcomes = handler.apply(tx, entries.stream().map(e -> e.item).toList());
    for (int i = 0; i < entries.size(); i++) {
      entries.get(i).outcome = outcomes.get(i);
    }
  }

  /// Stores the responses of completed items and releases the keys of refused ones.
  private void storeResponses(Tx tx, List<Entry> ran) throws SQLException {
    List<ResponseToStore> done = new ArrayList<>();
    List<IdempotentRequest> refused = new ArrayList<>();
    for (Entry entry : ran) {
      IdempotentRequest request = entry.request.orElseThrow();
      switch (entry.ran()) {
        case Outcome.Done<O>(O value) ->
            done.add(new ResponseToStore(request, codec.encode(value)));
        case Outcome.Failed<O> failed -> refused.add(request);
      }
    }
    store.store(tx, done);
    store.release(tx, refused);
  }

  private List<Entry> entries(List<I> items) {
    List<Entry> entries = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      entries.add(new Entry(i, items.get(i)));
    }
    return entries;
  }

  private List<IdempotentRequest> requests(List<Entry> keyed) {
    return keyed.stream().map(entry -> entry.request.orElseThrow()).toList();
  }

  /// An item of the batch with its claim and outcome.
  private final class Entry {
    private final int index;
    private final I item;
    private final Optional<IdempotentRequest> request;
    private Claim claim = new Claim.Acquired();
    private @Nullable Outcome<O> outcome;

    Entry(int index, I item) {
      this.index = index;
      this.item = item;
      this.request = IdempotentWriteHandler.this.request.apply(item);
    }

    boolean isKeyed() {
      return request.isPresent();
    }

    boolean isToRun() {
      return claim instanceof Claim.Acquired;
    }

    Outcome<O> ran() {
      if (outcome == null) {
        throw new IllegalStateException("the handler gave no outcome for an item");
      }
      return outcome;
    }

    Outcome<O> outcome(List<Entry> keyed) {
      return switch (claim) {
        case Claim.Acquired() -> ran();
        case Claim.Replayed(byte[] response) -> Outcome.done(codec.decode(response));
        case Claim.DuplicateInBatch(int first) -> keyed.get(first).ran();
        case Claim.Conflict conflict -> Outcome.failed(conflict.failure());
      };
    }
  }
}
