package dev.torg.notifications.operation;

import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryOutcome.Delivered;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.notifications.operation.OperationRows.Queued;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Records the outcomes of attempts, and queues those again that were definitely refused. Both happen once, however often
/// the same outcomes are recorded: an attempt that has an outcome already is left alone.
///
/// The anonymous identity that a message was sent to may have been merged into a login since. Its attempts have moved then,
/// and the outcome is recorded, and the message queued again, for the login.
public final class OutcomeRecorder {
  private final Database database;
  private final CampaignProgress campaigns;
  private final RetryPolicy retries;
  private final OperationStore operations = new OperationStore();
  private final DeliveryAttemptStore attempts = new DeliveryAttemptStore();
  private final MovedEntryStore moved = new MovedEntryStore();

  public OutcomeRecorder(Database database, CampaignProgress campaigns, RetryPolicy retries) {
    this.database = database;
    this.campaigns = campaigns;
    this.retries = retries;
  }

  /// One operation and what became of its message.
  private record Result(DeliveryOperation operation, String key, SentMessage sent) {
    DeliveryAttempt attempt() {
      DeliveryOutcome outcome = sent.outcome();
      return DeliveryAttempt.of(
          operation, sent.at(), SentMessage.recorded(outcome), SentMessage.reason(outcome));
    }

    /// @param isDelivered to another target
    DeliveryOperation refused(boolean isDelivered) {
      return operation.refused(sent.refusedDevices(), isDelivered);
    }
  }

  /// Of any shards. Returns messages to an identity whose merge is in progress: to be recorded again a little later.
  public List<SentMessage> record(List<SentMessage> sent) {
    List<Result> results =
        sent.stream()
            .flatMap(
                one ->
                    one.message().parts().stream()
                        .map(part -> new Result(part.operation(), part.key(), one)))
            .toList();
    List<Result> atLogins = new ArrayList<>();
    Set<SentMessage> waiting = new LinkedHashSet<>();
    for (Result missing : recordOfShards(results)) {
      Optional<String> login = database.read(tx -> moved.login(tx, missing.operation().owner()));
      Optional<Result> now = login.flatMap(owner -> ofLogin(missing, owner));
      now.ifPresent(atLogins::add);
      if (login.isPresent() && now.isEmpty()) {
        waiting.add(missing.sent());
      }
    }
    recordOfShards(atLogins).forEach(missing -> waiting.add(missing.sent()));
    return List.copyOf(waiting);
  }

  /// Returns those of which the attempt does not exist.
  private List<Result> recordOfShards(List<Result> results) {
    return EachShard.map(
            database.shards().split(results, result -> result.operation().home()),
            shard -> database.inTransaction(tx -> record(tx, shard)))
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private List<Result> record(Tx tx, List<Result> results) throws SQLException {
    Map<DeliveryAttemptStore.Key, Result> missing = new HashMap<>();
    results.forEach(result -> missing.put(DeliveryAttemptStore.Key.of(result.attempt()), result));
    Set<String> merged = moved.lockNotMerged(tx, refusedOwners(results));
    List<DeliveryAttempt> recordable =
        missing.values().stream()
            .filter(result -> !merged.contains(result.operation().owner()))
            .map(Result::attempt)
            .toList();
    List<Result> recorded =
        attempts.record(tx, recordable).stream()
            .map(key -> Optional.ofNullable(missing.remove(key)).orElseThrow())
            .toList();
    queueAgain(tx, recorded);
    return List.copyOf(missing.values());
  }

  private static Set<String> refusedOwners(List<Result> results) {
    return results.stream()
        .filter(result -> result.sent().isRefused())
        .map(result -> result.operation().owner())
        .collect(Collectors.toSet());
  }

  private void queueAgain(Tx tx, List<Result> recorded) throws SQLException {
    List<Queued> again = new ArrayList<>();
    CampaignCounts counts = new CampaignCounts();
    for (Result result : recorded) {
      Optional<Instant> retryAt = retryAt(result);
      boolean isDelivered = result.sent().outcome() instanceof Delivered;
      retryAt.ifPresent(at -> again.add(new Queued(result.refused(isDelivered), at)));
      if (isDelivered) {
        counts.add(result.operation(), CampaignProgress.Outcome.DELIVERED, "");
      } else if (retryAt.isEmpty()) {
        counts.add(
            result.operation(),
            CampaignProgress.Outcome.FAILED,
            SentMessage.reason(result.sent().outcome()));
      }
    }
    operations.insert(tx, again);
    List<CampaignProgress.Count> counted = counts.list();
    if (!counted.isEmpty()) {
      campaigns.add(tx, counted);
    }
  }

  private Optional<Instant> retryAt(Result result) {
    return result.sent().isRefused()
        ? retries.retryAt(result.operation(), result.sent().at(), result.sent().retryAfter())
        : Optional.empty();
  }

  /// Empty if the login does not have the entry, or not yet.
  private Optional<Result> ofLogin(Result result, String login) {
    return database
        .read(tx -> moved.entry(tx, login, result.key()))
        .map(id -> new Result(result.operation().movedTo(login, id), result.key(), result.sent()));
  }
}
