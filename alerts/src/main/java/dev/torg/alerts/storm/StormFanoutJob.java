package dev.torg.alerts.storm;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertStormDetector;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.fanout.BulkBackpressure;
import dev.torg.alerts.storm.StormTargetStore.Logged;
import dev.torg.alerts.storm.StormTargetStore.Progress;
import dev.torg.alerts.storm.StormTargetStore.Target;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.Member;
import dev.torg.offers.Offers;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Walks the audiences of storms, a page of each seller in turn. A walk takes everything logged for the
/// audience when it begins; later entries wait for the next walk, which begins no sooner than
/// [#MIN_WALK_INTERVAL] after this one ended. A page is sent, then recorded under the lease: after a
/// crash in between it is sent again, which delivery deduplicates. Blocks.
public final class StormFanoutJob {
  /// A storm lasts for minutes or hours: fewer walks with more offers each cost less.
  static final Duration MIN_WALK_INTERVAL = Duration.ofSeconds(10);

  /// Positions in one walk. A record of as many takes a few bytes for a contiguous catalogue, and 64 kB
  /// at worst.
  static final int MAX_OFFERS_PER_WALK = 50_000;

  /// Rows of a target's log per page. A row holds the matches of one portion of the matcher's call: about
  /// 40 kB at worst.
  static final int LOG_PAGE_SIZE = 100;

  /// Offers for a search that its subscribers are notified of one by one.
  private static final int MAX_SINGLE_OFFERS = AlertStormDetector.STORM_THRESHOLD_OFFERS;

  /// Retained so that late duplicates of events find finished targets.
  private static final Duration TARGET_RETENTION = Duration.ofDays(8);

  /// As long as the deduplication rows: older offers cause no alerts.
  private static final Duration OFFER_RETENTION = Duration.ofDays(183);

  private static final int SWEEP_PAGE_SIZE = 10_000;

  private final Database database;
  private final Offers offers;
  private final Audiences audiences;
  private final AlertProducer producer;
  private final BulkBackpressure backpressure;
  private final StormStore storms = new StormStore();
  private final StormTargetStore targets = new StormTargetStore();

  /// The seller of the last turn in each home.
  private final Map<Home, String> lastSellers = new ConcurrentHashMap<>();

  public StormFanoutJob(
      Database database,
      Offers offers,
      Audiences audiences,
      AlertProducer producer,
      BulkBackpressure backpressure) {
    this.database = database;
    this.offers = offers;
    this.audiences = audiences;
    this.producer = producer;
    this.backpressure = backpressure;
  }

  /// Homes with waiting targets.
  public List<Home> waiting(List<Home> homes, Instant now) {
    return database.read(tx -> targets.homesWaiting(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(waiting(lease.homes(), now), home -> sendPage(lease, home, now));
  }

  private boolean sendPage(Lease lease, Home home, Instant now) {
    Optional<Target> next = backpressure.allowsStorms() ? next(home, now) : Optional.empty();
    next.ifPresent(
        target -> {
          lastSellers.put(home, target.seller());
          sendPage(lease, target, now);
        });
    return next.isPresent();
  }

  /// After the last seller the turns begin again.
  private Optional<Target> next(Home home, Instant now) {
    String last = lastSellers.getOrDefault(home, "");
    return database
        .read(tx -> targets.next(tx, home, last, now))
        .or(() -> database.read(tx -> targets.next(tx, home, "", now)));
  }

  private void sendPage(Lease lease, Target target, Instant now) {
    Walk walk = walk(target);
    List<Member> members = members(target);
    List<String> recipients =
        members.stream()
            .map(Member::owner)
            .filter(owner -> !AlertEligibility.isOwnOffer(target.seller(), owner))
            .toList();
    send(target, walk.positions, recipients);
    boolean last = members.size() < Audiences.PAGE_SIZE;
    Progress progress =
        last
            ? new Progress(walk.end, walk.end, "", now.plus(MIN_WALK_INTERVAL))
            : new Progress(target.doneSeq(), walk.end, members.getLast().owner(), now);
    database.inTransaction(
        tx -> {
          lease.check(tx);
          return targets.advance(tx, target, progress, now);
        });
  }

  /// The content of a walk: the log up to and including `end`.
  private record Walk(long end, OfferPositions positions) {}

  /// A walk in progress continues with the content it began with.
  private Walk walk(Target target) {
    boolean begins = target.cursor().isEmpty();
    long until = begins ? target.lastSeq() : target.roundSeq();
    OfferPositions positions = OfferPositions.none();
    long end = target.doneSeq();
    List<Logged> page;
    do {
      long after = end;
      page = database.read(tx -> targets.matches(tx, target, after, until, LOG_PAGE_SIZE));
      for (Logged logged : page) {
        if (begins && positions.size() >= MAX_OFFERS_PER_WALK) {
          return new Walk(end, positions);
        }
        positions = positions.plus(logged.positions());
        end = logged.seq();
      }
    } while (page.size() == LOG_PAGE_SIZE);
    return new Walk(until, positions);
  }

  private List<Member> members(Target target) {
    String id = target.reason().id();
    return target.reason().kind() == AlertReason.Kind.SEARCH
        ? audiences.subscribers(id, target.cursor(), Audiences.PAGE_SIZE)
        : audiences.followers(id, target.cursor(), Audiences.PAGE_SIZE);
  }

  private void send(Target target, OfferPositions positions, List<String> recipients) {
    boolean isSmall = positions.size() <= MAX_SINGLE_OFFERS;
    if (isSmall && target.reason().kind() == AlertReason.Kind.SEARCH) {
      producer.send(AlertTopics.STORM, singly(target, positions, recipients));
    } else {
      StormAlert alert = new StormAlert("", target.seller(), Map.of(target.reason(), positions));
      producer.send(recipients.stream().map(alert::to).toList());
    }
  }

  private List<Alert> singly(Target target, OfferPositions positions, List<String> recipients) {
    List<Alert> alerts = new ArrayList<>();
    for (Offer offer : offers(target.seller(), positions)) {
      AlertContent content =
          AlertContent.newOffer(offer, EpochMicros.instant(offer.getActivatedAt()));
      recipients.forEach(
          recipient -> alerts.add(new Alert(recipient, content, Set.of(target.reason()))));
    }
    return alerts;
  }

  private List<Offer> offers(String seller, OfferPositions positions) {
    List<OfferId> ids = database.read(tx -> storms.offersAt(tx, seller, positions));
    return List.copyOf(offers.find(ids).join().values());
  }

  public boolean sweep(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> sweep(lease, home, now));
  }

  private boolean sweep(Lease lease, Home home, Instant now) {
    int removed =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              targets.sweep(tx, home, now.minus(TARGET_RETENTION));
              return storms.sweep(tx, home, now.minus(OFFER_RETENTION), SWEEP_PAGE_SIZE);
            });
    return removed == SWEEP_PAGE_SIZE;
  }
}
