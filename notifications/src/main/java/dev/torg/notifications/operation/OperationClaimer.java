package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.notifications.delivery.SuppressionReason;
import dev.torg.notifications.operation.OperationStore.Due;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Takes due operations out of the queue: in one transaction their messages are decided, deleted from the queue, counted
/// against the limits and recorded. What it returns is committed and is to be sent once; after a failure, or a COMMIT
/// whose result is unknown, nothing is sent. So a crash loses at most what was in flight.
///
/// The number of statements of a claim does not depend on the number of operations.
public final class OperationClaimer {
  /// Operations per claim.
  public static final int MAX_OPERATIONS = 512;

  private final Database database;
  private final ClaimDependencies dependencies;
  private final InstantSource clock;
  private final OperationStore operations = new OperationStore();
  private final DeliveryCountStore counts = new DeliveryCountStore();
  private final DeliveryAttemptStore attempts = new DeliveryAttemptStore();

  public OperationClaimer(Database database, ClaimDependencies dependencies, InstantSource clock) {
    this.database = database;
    this.dependencies = dependencies;
    this.clock = clock;
  }

  /// How many operations a claim may take.
  ///
  /// @param total at most [#MAX_OPERATIONS]
  /// @param bulk how many of them may be of campaigns
  public record Allowance(int total, int bulk) {}

  /// What a claim took out of the queue.
  ///
  /// @param more homes that may have further operations that are due
  public record Claim(List<ClaimedMessage> messages, List<Suppression> suppressed, Set<Home> more) {
    /// Whether nothing was decided about an operation, except to hold it back.
    public boolean isEmpty() {
      return messages.isEmpty() && suppressed.isEmpty();
    }
  }

  /// An operation that was decided against.
  public record Suppression(String topic, SuppressionReason reason) {}

  /// The homes with operations that are due. A plan that was made while few operations waited would read all of them
  /// when there are many, so it is not cached.
  public List<Home> homesDue(List<Home> homes, Channel channel) {
    Instant now = clock.instant();
    return database.inTransaction(
        tx -> {
          tx.forceCustomPlans();
          return operations.homesDue(tx, homes, channel, now);
        });
  }

  /// The operations that wait on a channel in some homes.
  ///
  /// @param age how long the oldest is overdue; zero if none is due
  public record Backlog(long operations, Duration age) {}

  public Backlog backlog(List<Home> homes, Channel channel) {
    OperationStore.Queue queue = database.read(tx -> operations.queue(tx, homes, channel));
    Instant now = clock.instant();
    return new Backlog(
        queue.size(),
        queue
            .oldestDue()
            .filter(due -> due.isBefore(now))
            .map(due -> Duration.between(due, now))
            .orElse(Duration.ZERO));
  }

  /// Claims the oldest operations of these homes, which are of one shard and of the lease's group; those of campaigns
  /// after the others.
  public Claim claim(Lease lease, List<Home> homes, Channel channel, Allowance allowance) {
    Instant now = clock.instant();
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          tx.forceCustomPlans();
          return claim(tx, homes, channel, allowance, now);
        });
  }

  private Claim claim(Tx tx, List<Home> homes, Channel channel, Allowance allowance, Instant now)
      throws SQLException {
    Page single = page(tx, homes, channel, false, now, allowance.total());
    int bulk = Math.min(allowance.bulk(), allowance.total() - single.due.size());
    Page campaigns =
        bulk > 0 ? page(tx, homes, channel, true, now, bulk) : new Page(List.of(), Set.of());
    List<Due> due =
        new ArrayList<>(Stream.concat(single.due.stream(), campaigns.due.stream()).toList());
    due.addAll(restOfHeld(tx, due, now));
    Set<Home> more =
        Stream.concat(single.more.stream(), campaigns.more.stream()).collect(Collectors.toSet());
    if (bulk <= 0) {
      more.addAll(homes);
    }
    ClaimDecisions.Result result = decide(tx, due, channel, now);
    write(tx, channel, result, now);
    return new Claim(
        result.messages(),
        result.suppressed().stream()
            .map(one -> new Suppression(one.operation().topic(), one.reason()))
            .toList(),
        more);
  }

  /// @param more the homes of which as many operations were locked as were requested
  private record Page(List<Due> due, Set<Home> more) {}

  private Page page(Tx tx, List<Home> homes, Channel channel, boolean bulk, Instant now, int limit)
      throws SQLException {
    List<Home> some = homes.subList(0, Math.min(homes.size(), limit));
    int perHome = limit / some.size();
    List<Due> due = operations.claim(tx, some, channel, bulk, now, perHome);
    Set<Home> more =
        due.stream()
            .collect(Collectors.groupingBy(one -> one.operation().home(), Collectors.counting()))
            .entrySet()
            .stream()
            .filter(home -> home.getValue() == perHome)
            .map(home -> home.getKey())
            .collect(Collectors.toSet());
    more.addAll(homes.subList(some.size(), homes.size()));
    return new Page(due, more);
  }

  /// The operations of a person that were held back have the same due time, so they follow each other; only those of the
  /// last person of a home can be cut off.
  private List<Due> restOfHeld(Tx tx, List<Due> due, Instant now) throws SQLException {
    List<Due> rest = new ArrayList<>();
    var byHome = due.stream().collect(Collectors.groupingBy(one -> one.operation().home()));
    for (List<Due> ofHome : byHome.values()) {
      DeliveryOperation last = ofHome.getLast().operation();
      int limit = MAX_OPERATIONS - due.size() - rest.size();
      if (last.isHeld() && limit > 0) {
        long[] claimed =
            ofHome.stream()
                .filter(one -> one.operation().owner().equals(last.owner()))
                .flatMapToLong(one -> LongStream.of(one.operation().notificationId()))
                .toArray();
        rest.addAll(operations.claimHeld(tx, last, claimed, now, limit));
      }
    }
    return rest;
  }

  private ClaimDecisions.Result decide(Tx tx, List<Due> due, Channel channel, Instant now)
      throws SQLException {
    Set<String> owners =
        due.stream().map(one -> one.operation().owner()).collect(Collectors.toSet());
    if (owners.isEmpty()) {
      return new ClaimDecisions.Result(List.of(), List.of(), List.of(), List.of());
    }
    ClaimContext context =
        new ClaimContext(
            channel,
            now,
            dependencies.topics(),
            dependencies.settings().of(tx, owners),
            dependencies.targets().find(tx, owners, channel),
            dependencies.configured());
    return ClaimDecisions.decide(due, context, counts.read(tx, owners, channel));
  }

  private void write(Tx tx, Channel channel, ClaimDecisions.Result result, Instant now)
      throws SQLException {
    List<DeliveryOperation> removed = new ArrayList<>();
    List<DeliveryAttempt> recorded = new ArrayList<>();
    CampaignCounts campaigns = new CampaignCounts();
    for (ClaimedMessage message : result.messages()) {
      for (ClaimedMessage.Part part : message.parts()) {
        removed.add(part.operation());
        recorded.add(DeliveryAttempt.of(part.operation(), now, AttemptOutcome.SENDING, ""));
      }
    }
    for (ClaimDecisions.Suppressed one : result.suppressed()) {
      String reason = one.reason().code();
      removed.add(one.operation());
      recorded.add(
          DeliveryAttempt.of(
              one.operation(),
              now,
              one.reason().isCancellation() ? AttemptOutcome.CANCELLED : AttemptOutcome.SUPPRESSED,
              reason));
      campaigns.add(one.operation(), CampaignProgress.Outcome.SUPPRESSED, reason);
    }
    operations.delete(tx, removed);
    operations.hold(tx, result.held());
    counts.put(tx, channel, result.counts());
    attempts.put(tx, recorded);
    addProgress(tx, campaigns);
  }

  private void addProgress(Tx tx, CampaignCounts campaigns) throws SQLException {
    List<CampaignProgress.Count> counted = campaigns.list();
    if (!counted.isEmpty()) {
      dependencies.campaigns().add(tx, counted);
    }
  }
}
