package dev.torg.alerts.storm;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.event.AlertReason;
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

/// Walks the audiences of storms, a page of each seller in turn. A walk takes everything that has
/// gathered for the audience when it begins; what comes meanwhile waits for the next walk, which begins
/// no sooner than [#MIN_WALK_INTERVAL] after this one ended. A page is sent, then noted under the lease:
/// after a crash in between it is sent again, which readers' rows make harmless. Blocks.
public final class StormFanoutJob {
  /// A storm lasts for minutes or hours: fewer walks with more offers each cost less, and nobody waits
  /// for the exact number.
  static final Duration MIN_WALK_INTERVAL = Duration.ofSeconds(10);

  /// Positions in one walk. A record of as many takes a few bytes for a catalogue in a row, and 64 kB at
  /// worst.
  static final int MAX_OFFERS_PER_WALK = 50_000;

  /// Rows of a target's log read at once. A row holds what one portion of the matcher's call found: some
  /// 40 kB at worst.
  static final int LOG_PAGE_SIZE = 100;

  /// Offers for a search that its subscribers hear of one by one.
  private static final int MAX_SINGLE_OFFERS = 20;

  /// Late repetitions of events find targets that are done.
  private static final Duration TARGET_RETENTION = Duration.ofDays(8);

  /// As long as `told`: an offer first activated 120 days ago is news to nobody.
  private static final Duration OFFER_RETENTION = Duration.ofDays(183);

  private static final int SWEEP_PAGE_SIZE = 10_000;

  private final Database database;
  private final Offers offers;
  private final Audiences audiences;
  private final AlertProducer topic;
  private final BulkBackpressure gate;
  private final StormStore storms = new StormStore();
  private final StormTargetStore targets = new StormTargetStore();

  /// Whose turn it was last in each home.
  private final Map<Home, String> turns = new ConcurrentHashMap<>();

  public StormFanoutJob(
      Database database,
      Offers offers,
      Audiences audiences,
      AlertProducer topic,
      BulkBackpressure gate) {
    this.database = database;
    this.offers = offers;
    this.audiences = audiences;
    this.topic = topic;
    this.gate = gate;
  }

  /// Where there is something to do.
  public List<Home> waiting(List<Home> homes, Instant now) {
    return database.read(tx -> targets.homesWaiting(tx, homes, now));
  }

  /// Whether there may be more to do at once.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(waiting(lease.homes(), now), home -> sendPage(lease, home, now));
  }

  private boolean sendPage(Lease lease, Home home, Instant now) {
    Optional<Target> next = gate.allowsStorms() ? next(home, now) : Optional.empty();
    next.ifPresent(
        target -> {
          turns.put(home, target.seller());
          sendPage(lease, target, now);
        });
    return next.isPresent();
  }

  /// After the last seller comes the first.
  private Optional<Target> next(Home home, Instant now) {
    String last = turns.getOrDefault(home, "");
    return database
        .read(tx -> targets.next(tx, home, last, now))
        .or(() -> database.read(tx -> targets.next(tx, home, "", now)));
  }

  private void sendPage(Lease lease, Target target, Instant now) {
    Walk walk = walk(target);
    List<Member> members = members(target);
    List<String> readers =
        members.stream().map(Member::owner).filter(o -> !o.equals(target.seller())).toList();
    send(target, walk.positions, readers);
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

  /// What a walk brings: the log up to and with `end`.
  private record Walk(long end, OfferPositions positions) {}

  /// One under way goes on with what it began with.
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

  private void send(Target target, OfferPositions positions, List<String> readers) {
    boolean few = positions.size() <= MAX_SINGLE_OFFERS;
    if (few && target.reason().kind() == AlertReason.Kind.SEARCH) {
      topic.send(AlertProducer.STORM, singly(target, positions, readers));
    } else {
      StormAlert alert = new StormAlert("", target.seller(), Map.of(target.reason(), positions));
      topic.send(readers.stream().map(alert::to).toList());
    }
  }

  private List<Alert> singly(Target target, OfferPositions positions, List<String> readers) {
    List<Alert> alerts = new ArrayList<>();
    for (Offer offer : offers(target.seller(), positions)) {
      AlertContent news =
          AlertContent.newOffer(offer, AlertContent.instant(offer.getActivatedAt()));
      readers.forEach(reader -> alerts.add(new Alert(reader, news, Set.of(target.reason()))));
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
