package dev.torg.platform.idempotency;

import com.google.common.hash.HashCode;
import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
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

  /// The code of a serialization failure, which has the transaction run again.
  private static final String SERIALIZATION_FAILURE = "40001";

  private static final String CLAIM =
      """
      INSERT INTO idempotency (home, caller, method, key, body_hash, created_at)
      SELECT home, caller, method, key, body_hash, created_at
        FROM unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::timestamptz[])
             AS k (home, caller, method, key, body_hash, created_at)
       ORDER BY home, caller, method, key
      ON CONFLICT (home, caller, method, key) DO NOTHING
      RETURNING home, caller, method, key
      """;

  private static final HomedSql FIND =
      HomedSql.of(
          """
          SELECT i.home, i.caller, i.method, i.key, i.body_hash, i.answer
            FROM unnest(?::int[], ?::text[], ?::text[], ?::text[]) AS k (home, caller, method, key)
            JOIN idempotency i USING (home, caller, method, key)
           WHERE i.answer IS NOT NULL AND :home(i)
          """);

  private static final HomedSql STORE =
      HomedSql.of(
          """
          UPDATE idempotency i SET answer = k.answer
            FROM unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::bytea[])
                 AS k (home, caller, method, key, answer)
           WHERE i.home = k.home AND i.caller = k.caller AND i.method = k.method AND i.key = k.key
             AND :home(i)
          """);

  private static final HomedSql RELEASE =
      HomedSql.of(
          """
          DELETE FROM idempotency i
           USING unnest(?::int[], ?::text[], ?::text[], ?::text[])
                 AS k (home, caller, method, key)
           WHERE i.home = k.home AND i.caller = k.caller AND i.method = k.method AND i.key = k.key
             AND :home(i)
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

  /// Returns for each request in its order what is to be done. Waits for a concurrent transaction that holds a
  /// key.
  public List<Claim> claim(Tx tx, List<IdempotentRequest> requests) throws SQLException {
    List<IdempotentRequest> firsts = firsts(requests);
    Set<Scope> fresh = insert(tx, firsts);
    Map<Scope, StoredResponse> retained =
        fresh.size() == firsts.size() ? Map.of() : find(tx, firsts);
    return decide(requests, fresh, retained);
  }

  /// Stores the responses of requests whose keys were acquired.
  public void store(Tx tx, List<ResponseToStore> responses) throws SQLException {
    if (!responses.isEmpty()) {
      tx.sql(STORE, responses, responseToStore -> responseToStore.request().home())
          .homes(responses, responseToStore -> responseToStore.request().home())
          .texts(responses, responseToStore -> responseToStore.request().caller())
          .texts(responses, responseToStore -> responseToStore.request().method())
          .texts(responses, responseToStore -> responseToStore.request().key())
          .bytes(responses, ResponseToStore::bytes)
          .update();
    }
  }

  /// Releases the keys of acquired requests that were refused: they may be corrected and sent again.
  public void release(Tx tx, List<IdempotentRequest> requests) throws SQLException {
    if (!requests.isEmpty()) {
      tx.sql(RELEASE, requests, IdempotentRequest::home)
          .homes(requests, IdempotentRequest::home)
          .texts(requests, IdempotentRequest::caller)
          .texts(requests, IdempotentRequest::method)
          .texts(requests, IdempotentRequest::key)
          .update();
    }
  }

  /// The stored response to each request, if it was completed with the same body: after a lost COMMIT response.
  public List<Optional<byte[]>> answers(Tx tx, List<IdempotentRequest> requests)
      throws SQLException {
    Map<Scope, StoredResponse> retained = find(tx, requests);
    return requests.stream()
        .map(
            request ->
                Optional.ofNullable(retained.get(request.scope()))
                    .filter(found -> found.bodyHash().equals(request.bodyHash()))
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
    tx.sql(CLAIM)
        .homes(requests, IdempotentRequest::home)
        .texts(requests, IdempotentRequest::caller)
        .texts(requests, IdempotentRequest::method)
        .texts(requests, IdempotentRequest::key)
        .bytes(requests, request -> request.bodyHash().asBytes())
        .instants(requests, IdempotentRequest::at)
        .each(row -> inserted.add(scope(row)));
    return inserted;
  }

  /// A statement of its own sees what rivals have committed while the insert waited for them.
  private static Map<Scope, StoredResponse> find(Tx tx, List<IdempotentRequest> requests)
      throws SQLException {
    Map<Scope, StoredResponse> found = new HashMap<>();
    tx.sql(FIND, requests, IdempotentRequest::home)
        .homes(requests, IdempotentRequest::home)
        .texts(requests, IdempotentRequest::caller)
        .texts(requests, IdempotentRequest::method)
        .texts(requests, IdempotentRequest::key)
        .each(row -> found.put(scope(row), storedResponse(row)));
    return found;
  }

  private static List<Claim> decide(
      List<IdempotentRequest> requests, Set<Scope> fresh, Map<Scope, StoredResponse> retained)
      throws SQLException {
    Map<Scope, Integer> firstAt = new HashMap<>();
    List<Claim> claims = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      IdempotentRequest request = requests.get(i);
      Integer first = firstAt.putIfAbsent(request.scope(), i);
      if (!fresh.contains(request.scope())) {
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
