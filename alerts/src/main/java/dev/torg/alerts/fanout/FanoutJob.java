package dev.torg.alerts.fanout;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.fanout.FanoutStore.Target;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.Member;
import dev.torg.notifications.Bell;
import dev.torg.notifications.WithdrawnNotifications;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Processes fan-outs, a page of each seller or search in turn, so that many offers of one do not delay
/// the others. A page is sent, then its end is recorded under the lease: after a crash in between it is
/// sent again, which delivery deduplicates. Blocks.
public final class FanoutJob {
  private static final Logger LOG = LoggerFactory.getLogger(FanoutJob.class);

  /// Withdrawals of a home per turn.
  private static final int WITHDRAWALS_PAGE_SIZE = 20;

  /// Recipients per withdrawal transaction.
  private static final int WITHDRAWAL_PAGE_SIZE = 500;

  /// How often a long fan-out logs its progress.
  private static final int PAGES_PER_LOG_LINE = 50;

  /// Finished fan-outs are retained so that late duplicates of their events find them.
  private static final Duration RETENTION = Duration.ofDays(8);

  private final Database database;
  private final Offers offers;
  private final Audiences audiences;
  private final Bell bell;
  private final AlertProducer producer;
  private final BulkBackpressure backpressure;
  private final FanoutMetrics metrics;
  private final FanoutStore store = new FanoutStore();

  /// The target of the last turn in each home. Another process that acquires the lease begins again.
  private final Map<Home, Target> lastTargets = new ConcurrentHashMap<>();

  public FanoutJob(
      Database database,
      Offers offers,
      Audiences audiences,
      Bell bell,
      AlertProducer producer,
      BulkBackpressure backpressure,
      FanoutMetrics metrics) {
    this.database = database;
    this.offers = offers;
    this.audiences = audiences;
    this.bell = bell;
    this.producer = producer;
    this.backpressure = backpressure;
    this.metrics = metrics;
  }

  /// Homes with waiting fan-outs.
  public List<Home> waiting(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesWaiting(tx, homes));
  }

  /// Returns whether more may be due. Each home gets a turn: its withdrawals, regardless of backpressure,
  /// and a page of the next seller's or search's audience.
  public boolean run(Lease lease, Instant now) {
    List<Home> homes = waiting(lease.homes(), now);
    return EachHome.run(homes, home -> withdraw(lease, home, now) | sendPage(lease, home, now));
  }

  private boolean withdraw(Lease lease, Home home, Instant now) {
    Target last = Target.FIRST;
    for (int worked = 0; worked < WITHDRAWALS_PAGE_SIZE; worked++) {
      Optional<Fanout> next = next(home, last, store::nextWithdrawal);
      if (next.isEmpty()) {
        return worked > 0;
      }
      work(lease, next.get(), now);
      last = Target.of(next.get());
    }
    return true;
  }

  private boolean sendPage(Lease lease, Home home, Instant now) {
    Target last = lastTargets.getOrDefault(home, Target.FIRST);
    Optional<Fanout> next =
        backpressure.allowsBulk() ? next(home, last, store::next) : Optional.empty();
    next.ifPresent(
        fanout -> {
          lastTargets.put(home, Target.of(fanout));
          work(lease, fanout, now);
        });
    return next.isPresent();
  }

  private interface Next {
    Optional<Fanout> after(Tx tx, Home home, Target last) throws SQLException;
  }

  /// After the last target the turns begin again.
  private Optional<Fanout> next(Home home, Target last, Next next) {
    return database
        .read(tx -> next.after(tx, home, last))
        .or(() -> database.read(tx -> next.after(tx, home, Target.FIRST)));
  }

  public boolean sweep(Lease lease, Instant now) {
    for (Home home : lease.homes()) {
      database.inTransaction(
          tx -> {
            lease.check(tx);
            return store.sweep(tx, home, now.minus(RETENTION));
          });
    }
    return false;
  }

  private void work(Lease lease, Fanout fanout, Instant now) {
    Optional<Status> status = status(fanout);
    FanoutStore.Page page;
    if (fanout.rule() == Fanout.Audience.WITHDRAWAL) {
      page = status.filter(Status.BANNED::equals).isPresent() ? withdraw(fanout) : finished(fanout);
    } else {
      page = status.filter(Status.ACTIVE::equals).isPresent() ? send(fanout) : finished(fanout);
    }
    boolean advanced =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              return store.advance(tx, fanout, page, now);
            });
    if (advanced) {
      metrics.worked(fanout, page);
      logProgress(fanout, page, now);
    }
  }

  private Optional<Status> status(Fanout fanout) {
    Offer offer = offers.find(List.of(fanout.offer())).join().get(fanout.offer());
    return Optional.ofNullable(offer).map(Offer::getStatus);
  }

  private static FanoutStore.Page finished(Fanout fanout) {
    return new FanoutStore.Page(fanout.cursor(), 0, fanout.audience(), true);
  }

  private FanoutStore.Page send(Fanout fanout) {
    long audience = fanout.audience() > 0 ? fanout.audience() : count(fanout);
    AlertContent content = fanout.alert().content();
    List<Member> members = members(fanout);
    List<Alert> alerts =
        members.stream()
            .filter(m -> AlertEligibility.isEligible(content, m.owner(), m.createdAt()))
            .map(member -> fanout.alert().to(member.owner()))
            .toList();
    producer.send(AlertTopics.BULK, alerts);
    boolean last = members.size() < Audiences.PAGE_SIZE;
    String cursor = members.isEmpty() ? fanout.cursor() : members.getLast().owner();
    return new FanoutStore.Page(cursor, members.size(), audience, last);
  }

  private List<Member> members(Fanout fanout) {
    return switch (fanout.rule()) {
      case SEARCH -> audiences.subscribers(fanout.target(), fanout.cursor(), Audiences.PAGE_SIZE);
      case SELLER -> audiences.followers(fanout.target(), fanout.cursor(), Audiences.PAGE_SIZE);
      case PRICE -> audiences.savers(fanout.offer(), fanout.cursor(), Audiences.PAGE_SIZE);
      case WITHDRAWAL -> List.of();
    };
  }

  private long count(Fanout fanout) {
    return switch (fanout.rule()) {
      case SEARCH -> audiences.subscriberCount(fanout.target());
      case SELLER -> audiences.followerCount(fanout.target());
      case PRICE -> audiences.saveCount(fanout.offer());
      case WITHDRAWAL -> 0;
    };
  }

  /// Withdraws unread notifications in every home; idempotent.
  private FanoutStore.Page withdraw(Fanout fanout) {
    int withdrawn = 0;
    for (Home home : database.read(tx -> bell.homesWithUnread(tx, fanout.offer()))) {
      WithdrawnNotifications page;
      do {
        page =
            database.inTransaction(
                tx -> bell.withdraw(tx, home, fanout.offer(), WITHDRAWAL_PAGE_SIZE));
        withdrawn += page.entries();
      } while (page.mayBeMore());
    }
    return new FanoutStore.Page("", withdrawn, withdrawn, true);
  }

  private static void logProgress(Fanout fanout, FanoutStore.Page page, Instant now) {
    long recipients = fanout.recipients() + page.recipients();
    Duration elapsed = Duration.between(fanout.startedAt(), now);
    if (page.last() && fanout.rule() != Fanout.Audience.WITHDRAWAL) {
      LOG.info(
          "fan-out of {} to {} {}: {} recipients in {}, {}/s",
          fanout.offer(),
          fanout.rule(),
          fanout.target(),
          recipients,
          elapsed,
          recipients * 1000 / Math.max(1, elapsed.toMillis()));
    } else if (fanout.pages() % PAGES_PER_LOG_LINE == PAGES_PER_LOG_LINE - 1) {
      LOG.info(
          "fan-out of {} to {} {}: {} of {} recipients",
          fanout.offer(),
          fanout.rule(),
          fanout.target(),
          recipients,
          page.audience());
    }
  }
}
