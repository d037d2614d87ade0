package dev.torg.platform.idempotency;

import com.google.common.hash.HashCode;
import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.idempotency.KeyedRequest.Scope;
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

/// Keeps the keys and answers of requests. Rows are inserted in key order, so that two batches that
/// share keys wait for each other and never in a circle; a row is seen by others only together with
/// its answer and its effect.
public final class IdempotencyStore {
  /// How long an answer can be had again.
  public static final Duration KEPT = Duration.ofDays(7);

  /// The code of a serialization failure, which has the transaction run again.
  private static final String RUN_AGAIN = "40001";

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

  /// An answer to keep for a request that was claimed fresh.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Answer(KeyedRequest request, byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(HashCode bodyHash, byte[] answer) {}

  /// Says for each request in its order what is to be done. Waits for a rival that holds a key.
  public List<Claim> claim(Tx tx, List<KeyedRequest> requests) throws SQLException {
    List<KeyedRequest> firsts = firsts(requests);
    Set<Scope> fresh = insert(tx, firsts);
    Map<Scope, Kept> kept = fresh.size() == firsts.size() ? Map.of() : find(tx, firsts);
    return decide(requests, fresh, kept);
  }

  /// Keeps the answers to fresh requests.
  public void store(Tx tx, List<Answer> answers) throws SQLException {
    if (!answers.isEmpty()) {
      tx.sql(STORE, answers, answer -> answer.request().home())
          .homes(answers, answer -> answer.request().home())
          .texts(answers, answer -> answer.request().caller())
          .texts(answers, answer -> answer.request().method())
          .texts(answers, answer -> answer.request().key())
          .bytes(answers, Answer::bytes)
          .update();
    }
  }

  /// Lets go of the keys of fresh requests that were refused: they may be corrected and sent again.
  public void release(Tx tx, List<KeyedRequest> requests) throws SQLException {
    if (!requests.isEmpty()) {
      tx.sql(RELEASE, requests, KeyedRequest::home)
          .homes(requests, KeyedRequest::home)
          .texts(requests, KeyedRequest::caller)
          .texts(requests, KeyedRequest::method)
          .texts(requests, KeyedRequest::key)
          .update();
    }
  }

  /// The kept answer to each request, if it was done, by the same body: after a lost COMMIT.
  public List<Optional<byte[]>> answers(Tx tx, List<KeyedRequest> requests) throws SQLException {
    Map<Scope, Kept> kept = find(tx, requests);
    return requests.stream()
        .map(
            request ->
                Optional.ofNullable(kept.get(request.scope()))
                    .filter(found -> found.bodyHash().equals(request.bodyHash()))
                    .map(Kept::answer))
        .toList();
  }

  /// Deletes answers of a home that are past their time, at most so many, and says how many.
  public int purge(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(PURGE).set(home).set(home).set(now.minus(KEPT)).set(limit).update();
  }

  private static List<KeyedRequest> firsts(List<KeyedRequest> requests) {
    Set<Scope> seen = HashSet.newHashSet(requests.size());
    return requests.stream().filter(request -> seen.add(request.scope())).toList();
  }

  private static Set<Scope> insert(Tx tx, List<KeyedRequest> requests) throws SQLException {
    Set<Scope> inserted = HashSet.newHashSet(requests.size());
    tx.sql(CLAIM)
        .homes(requests, KeyedRequest::home)
        .texts(requests, KeyedRequest::caller)
        .texts(requests, KeyedRequest::method)
        .texts(requests, KeyedRequest::key)
        .bytes(requests, request -> request.bodyHash().asBytes())
        .instants(requests, KeyedRequest::at)
        .each(row -> inserted.add(scope(row)));
    return inserted;
  }

  /// A statement of its own sees what rivals have committed while the insert waited for them.
  private static Map<Scope, Kept> find(Tx tx, List<KeyedRequest> requests) throws SQLException {
    Map<Scope, Kept> found = new HashMap<>();
    tx.sql(FIND, requests, KeyedRequest::home)
        .homes(requests, KeyedRequest::home)
        .texts(requests, KeyedRequest::caller)
        .texts(requests, KeyedRequest::method)
        .texts(requests, KeyedRequest::key)
        .each(row -> found.put(scope(row), kept(row)));
    return found;
  }

  private static List<Claim> decide(
      List<KeyedRequest> requests, Set<Scope> fresh, Map<Scope, Kept> kept) throws SQLException {
    Map<Scope, Integer> firstAt = new HashMap<>();
    List<Claim> claims = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      KeyedRequest request = requests.get(i);
      Integer first = firstAt.putIfAbsent(request.scope(), i);
      if (!fresh.contains(request.scope())) {
        claims.add(again(request, kept.get(request.scope())));
      } else if (first == null) {
        claims.add(new Claim.Fresh());
      } else {
        boolean same = requests.get(first).bodyHash().equals(request.bodyHash());
        claims.add(same ? new Claim.Twin(first) : new Claim.Conflict());
      }
    }
    return claims;
  }

  private static Claim again(KeyedRequest request, @Nullable Kept kept) throws SQLException {
    if (kept == null) {
      throw new SQLTransientException("the key was purged meanwhile", RUN_AGAIN);
    }
    return kept.bodyHash().equals(request.bodyHash())
        ? new Claim.Answered(kept.answer())
        : new Claim.Conflict();
  }

  private static Scope scope(Row row) throws SQLException {
    return new Scope(row.homeAt(1), row.textAt(2), row.textAt(3), row.textAt(4));
  }

  private static Kept kept(Row row) throws SQLException {
    return new Kept(HashCode.fromBytes(row.bytesAt(5)), row.bytesAt(6));
  }
}
