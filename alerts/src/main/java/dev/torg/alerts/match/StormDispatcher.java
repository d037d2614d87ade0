package dev.torg.alerts.match;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.ReasonRanking;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.event.StormSink;
import dev.torg.alerts.storm.StormStore;
import dev.torg.alerts.storm.StormTargetStore;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.Member;
import dev.torg.matching.SearchId;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Collapses a storm before it fans out. The offers are numbered; the followers of the seller and the
/// subscribers of searches with large audiences get theirs from a log that a job walks
/// ([dev.torg.alerts.storm]); a subscriber of other searches gets one record at once, with all offers of
/// this portion, or an alert each where they are few. All on the topic of storms. Blocks.
final class StormDispatcher {
  private static final int MAX_BUFFERED_RECIPIENTS = 5_000;
  private static final int MAX_BUFFERED_ALERTS = 5_000;
  private static final int MAX_BUFFERED_STORMS = 1_000;

  /// Offers that a reader hears of one by one.
  private static final int MAX_SINGLE_OFFERS = SellerRates.MAX_ORDINARY_OFFERS;

  private final Database database;
  private final Audiences audiences;
  private final AlertSink sink;
  private final StormSink storms;
  private final int largeAudience;
  private final InstantSource clock;
  private final StormStore store = new StormStore();
  private final StormTargetStore targets = new StormTargetStore();

  StormDispatcher(
      Database database,
      Audiences audiences,
      AlertSink sink,
      StormSink storms,
      int largeAudience,
      InstantSource clock) {
    this.database = database;
    this.audiences = audiences;
    this.sink = sink;
    this.storms = storms;
    this.largeAudience = largeAudience;
    this.clock = clock;
  }

  void dispatch(String seller, List<OfferMatch> interests) {
    boolean followed = !audiences.followers(Set.of(seller), 1).isEmpty();
    List<OfferMatch> wanted =
        interests.stream()
            .filter(one -> !one.searches().isEmpty() || one.followers() && followed)
            .toList();
    if (!wanted.isEmpty()) {
      new Storm(seller, wanted, followed).dispatch();
    }
  }

  /// What a reader's search found, and how the reader wants to hear of it.
  private record Found(Delivery delivery, BitSet offers) {}

  /// The offers of one seller in one portion of a call. Sets of them are of their indexes in `news`, which
  /// take little memory however high their positions are.
  private final class Storm {
    private final String seller;
    private final List<AlertContent> news = new ArrayList<>();
    private final List<Integer> positions = new ArrayList<>();
    private final BitSet forFollowers = new BitSet();
    private final Map<SearchId, BitSet> bySearch = new LinkedHashMap<>();
    private final Map<AlertReason, OfferPositions> large = new LinkedHashMap<>();
    private final Map<String, Map<AlertReason, Found>> recipients = new LinkedHashMap<>();

    Storm(String seller, List<OfferMatch> interests, boolean followed) {
      this.seller = seller;
      Map<OfferId, Integer> numbers = number(interests);
      for (OfferMatch interest : interests) {
        int index = news.size();
        news.add(interest.news());
        positions.add(Objects.requireNonNull(numbers.get(interest.news().offer())));
        forFollowers.set(index, interest.followers() && followed);
        interest
            .searches()
            .forEach(id -> bySearch.computeIfAbsent(id, _ -> new BitSet()).set(index));
      }
    }

    private OfferPositions positions(BitSet indexes) {
      return OfferPositions.of(indexes.stream().map(positions::get).toArray());
    }

    private Map<OfferId, Integer> number(List<OfferMatch> interests) {
      List<StormStore.StormOffer> offers =
          interests.stream()
              .map(OfferMatch::news)
              .map(one -> new StormStore.StormOffer(one.offer(), one.activatedAt()))
              .toList();
      return database.inTransaction(tx -> store.number(tx, seller, offers));
    }

    void dispatch() {
      if (!forFollowers.isEmpty()) {
        large.put(AlertReason.seller(seller), positions(forFollowers));
      }
      Set<SearchId> some = new LinkedHashSet<>();
      for (SearchId search : bySearch.keySet()) {
        some.add(search);
        if (some.size() == Recipients.MAX_AUDIENCES_PER_READ) {
          resolveRecipients(some);
          some.clear();
        }
      }
      resolveRecipients(some);
      send();
      append();
    }

    private void resolveRecipients(Set<SearchId> searches) {
      Recipients found = Recipients.of(audiences, searches, Set.of(), largeAudience);
      for (SearchId search : searches) {
        AlertReason reason = AlertReason.search(search.hex());
        BitSet matched = bySearch.getOrDefault(search, new BitSet());
        if (found.isLarge(reason)) {
          large.put(reason, positions(matched));
        } else {
          found.of(reason).forEach(member -> addRecipient(member, reason, matched));
        }
        if (recipients.size() >= MAX_BUFFERED_RECIPIENTS) {
          send();
        }
      }
    }

    /// By stored times alone, as for an offer by itself.
    private void addRecipient(Member member, AlertReason reason, BitSet matched) {
      BitSet concerned = new BitSet();
      matched.stream()
          .filter(index -> member.createdAt().isBefore(news.get(index).activatedAt()))
          .forEach(concerned::set);
      if (!concerned.isEmpty() && !member.owner().equals(seller)) {
        recipients
            .computeIfAbsent(member.owner(), _ -> new LinkedHashMap<>())
            .put(reason, new Found(member.delivery(), concerned));
      }
    }

    private void send() {
      List<Alert> single = new ArrayList<>();
      List<StormAlert> collapsed = new ArrayList<>();
      recipients.forEach(
          (reader, matches) -> {
            BitSet all = new BitSet();
            matches.values().forEach(found -> all.or(found.offers));
            if (all.cardinality() <= MAX_SINGLE_OFFERS) {
              all.stream().forEach(index -> single.add(alert(reader, index, matches)));
            } else {
              collapsed.addAll(storm(reader, matches).inParts());
            }
            if (single.size() >= MAX_BUFFERED_ALERTS || collapsed.size() >= MAX_BUFFERED_STORMS) {
              send(single, collapsed);
            }
          });
      recipients.clear();
      send(single, collapsed);
    }

    private void send(List<Alert> single, List<StormAlert> collapsed) {
      sink.send(AlertProducer.STORM, single);
      storms.send(collapsed);
      single.clear();
      collapsed.clear();
    }

    private Alert alert(String reader, int index, Map<AlertReason, Found> matches) {
      ReasonRanking reasons = new ReasonRanking();
      matches.forEach(
          (reason, found) -> {
            if (found.offers.get(index)) {
              reasons.add(reason, found.delivery);
            }
          });
      return new Alert(reader, news.get(index), reasons.inOrder(news.get(index).offer()));
    }

    /// The best reasons first: of several records of a reader the first one decides.
    private StormAlert storm(String reader, Map<AlertReason, Found> matches) {
      ReasonRanking reasons = new ReasonRanking();
      matches.forEach((reason, found) -> reasons.add(reason, found.delivery));
      Map<AlertReason, OfferPositions> all = new LinkedHashMap<>();
      for (AlertReason reason : reasons.inOrder(news.getFirst().offer())) {
        all.put(reason, positions(Objects.requireNonNull(matches.get(reason)).offers));
      }
      return new StormAlert(reader, seller, all);
    }

    private void append() {
      if (!large.isEmpty()) {
        database.inTransaction(
            tx -> {
              targets.append(tx, seller, large, clock.instant());
              return true;
            });
      }
    }
  }
}
