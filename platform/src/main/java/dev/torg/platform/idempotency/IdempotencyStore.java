package dev.torg.platform.idempotency;

import com.google.common.hash.HashCode;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.idempotency.IdempotentRequest.Scope;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Stores the keys and responses of requests. Rows are inserted in key order, so that two batches that share
/// keys wait for each other without a deadlock; a row becomes visible only together with its response and its
/// effect.
public final class IdempotencyStore {
  /// How long a response can be replayed.
  public static final Duration RETENTION = Duration.ofDays(7);

  /// The code of a serialization failure, on which the transaction is retried.
  private static final String SERIALIZATION_FAILURE = "40001";

  private static final BatchColumns<IdempotentRequest> KEYS =
      BatchColumns.of(IdempotentRequest::home)
          .texts("caller", IdempotentRequest::caller)
          .texts("method", IdempotentRequest::method)
          .texts("key", IdempotentRequest::key);

  private static final BatchSql<IdempotentRequest> CLAIM =
      KEYS.bytes("body_hash", request -> request.bodyHash().asBytes())
          .instants("created_at", IdempotentRequest::at)
          .sql(
              """
              INSERT INTO idempotency (home, caller, method, key, body_hash, created_at)
              SELECT k.home, k.caller, k.method, k.key, k.body_hash, k.created_at FROM :rows(k)
               ORDER BY k.home, k.caller, k.method, k.key
              ON CONFLICT (home, caller, method, key) DO NOTHING
              RETURNING home, caller, method, key
              """);

  private static final BatchSql<IdempotentRequest> FIND =
      KEYS.sql(
          """
          SELECT i.home, i.caller, i.method, i.key, i.body_hash, i.answer
            FROM :batch(k) JOIN idempotency i USING (home, caller, method, key)
           WHERE i.answer IS NOT NULL AND :shard(i)
          """);

  private static final BatchSql<ResponseToStore> STORE =
      BatchColumns.<ResponseToStore>of(response -> response.request().home())
          .texts("caller", response -> response.request().caller())
          .texts("method", response -> response.request().method())
          .texts("key", response -> response.request().key())
          .bytes("answer", ResponseToStore::bytes)
          .sql(
              """
              UPDATE idempotency i SET answer = k.answer FROM :batch(k)
               WHERE i.home = k.home AND i.caller = k.caller AND i.method = k.method
                 AND i.key = k.key AND :shard(i)
              """);

  private static final BatchSql<IdempotentRequest> RELEASE =
      KEYS.sql(
          """
          DELETE FROM idempotency i USING :batch(k)
           WHERE i.home = k.home AND i.caller = k.caller AND i.method = k.method
             AND i.key = k.key AND :shard(i)
          """);

  private static final String PURGE =
      """
      DELETE FROM idempotency
       WHERE home = ? AND (caller, method, key) IN
             (SELECT caller, method, key FROM idempotency
               WHERE home = ? AND created_at < ? ORDER BY created_at LIMIT ?)
      """;

  /// The response to store for a request whose key was acquired.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record ResponseToStore(IdempotentRequest request, byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record StoredResponse(HashCode bodyHash, byte[] response) {}

  /// Returns the claim of each request, in order. Waits for a concurrent transaction that holds a
  /// key.
  public List<Claim> claim(Tx tx, List<IdempotentRequest> requests) throws SQLException {
    List<IdempotentRequest> firsts = firsts(requests);
    Set<Scope> acquired = insert(tx, firsts);
    Map<Scope, StoredResponse> retained =
        acquired.size() == firsts.size() ? Map.of() : find(tx, firsts);
    return decide(requests, acquired, retained);
  }

  /// Stores the responses of requests whose keys were acquired.
  public void store(Tx tx, List<ResponseToStore> responses) throws SQLException {
    tx.sql(STORE, responses).update();
  }

  /// Releases the keys of acquired requests that were refused: they may be corrected and sent again.
  public void release(Tx tx, List<IdempotentRequest> requests) throws SQLException {
    tx.sql(RELEASE, requests).update();
  }

  /// The stored response to each request, if it was completed with the same body: after a lost COMMIT response.
  public List<Optional<byte[]>> responses(Tx tx, List<IdempotentRequest> requests)
      throws SQLException {
    Map<Scope, StoredResponse> retained = find(tx, requests);
    return requests.stream()
        .map(
            request ->
                Optional.ofNullable(retained.get(request.scope()))
                    .filter(stored -> stored.bodyHash().equals(request.bodyHash()))
                    .map(StoredResponse::response))
        .toList();
  }

  /// Deletes expired responses of a home, at most `limit`, and returns how many.
  public int purge(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(PURGE).set(home).set(home).set(now.minus(RETENTION)).set(limit).update();
  }

  private static List<IdempotentRequest> firsts(List<IdempotentRequest> requests) {
    Set<Scope> seen = HashSet.newHashSet(requests.size());
    return requests.stream().filter(request -> seen.add(request.scope())).toList();
  }

  private static Set<Scope> insert(Tx tx, List<IdempotentRequest> requests) throws SQLException {
    Set<Scope> inserted = HashSet.newHashSet(requests.size());
    tx.sql(CLAIM, requests).each(row -> inserted.add(scope(row)));
    return inserted;
  }

  /// A separate statement sees what concurrent transactions committed while the insert waited for
  /// them.
  private static Map<Scope, StoredResponse> find(Tx tx, List<IdempotentRequest> requests)
      throws SQLException {
    Map<Scope, StoredResponse> responses = new HashMap<>();
    tx.sql(FIND, requests).each(row -> responses.put(scope(row), storedResponse(row)));
    return responses;
  }

  private static List<Claim> decide(
      List<IdempotentRequest> requests, Set<Scope> acquired, Map<Scope, StoredResponse> retained)
      throws SQLException {
    Map<Scope, Integer> firstAt = new HashMap<>();
    List<Claim> claims = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      IdempotentRequest request = requests.get(i);
      Integer first = firstAt.putIfAbsent(request.scope(), i);
      if (!acquired.contains(request.scope())) {
        claims.add(repeatedClaim(request, retained.get(request.scope())));
      } else if (first == null) {
        claims.add(new Claim.Acquired());
      } else {
        boolean same = requests.get(first).bodyHash().equals(request.bodyHash());
        claims.add(same ? new Claim.DuplicateInBatch(first) : new Claim.Conflict());
      }
    }
    return claims;
  }

  private static Claim repeatedClaim(
      IdempotentRequest request, @Nullable StoredResponse storedResponse) throws SQLException {
    if (storedResponse == null) {
      throw new SQLTransientException("the key was purged meanwhile", SERIALIZATION_FAILURE);
    }
    return storedResponse.bodyHash().equals(request.bodyHash())
        ? new Claim.Replayed(storedResponse.response())
        : new Claim.Conflict();
  }

  private static Scope scope(Row row) throws SQLException {
    return new Scope(row.homeAt(1), row.textAt(2), row.textAt(3), row.textAt(4));
  }

  private static StoredResponse storedResponse(Row row) throws SQLException {
    return new StoredResponse(HashCode.fromBytes(row.bytesAt(5)), row.bytesAt(6));
  }
}
