package dev.torg.alerts.match;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.NamedReasons;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Collapses a storm before it fans out. The offers are numbered. Followers of the seller and subscribers
/// of searches with large audiences are served from a log that a job processes ([dev.torg.alerts.storm]).
/// A subscriber of other searches gets one record with all offers of this portion, or an alert each if
/// they are few. All on the topic of storms. Blocks.
///
/// **Memory.** At most 5,000 recipients and 100,000 of their reasons are buffered, and those of one
/// audience ([StormRecipients]). What comes after them is sent separately: a recipient then gets several
/// records, or several alerts about an offer, of which the first decides.
final class StormDispatcher {
  private static final int MAX_BUFFERED_ALERTS = 5_000;
  private static final int MAX_BUFFERED_STORMS = 1_000;

  /// Offers that a recipient is notified of one by one.
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

  void dispatch(String seller, List<OfferMatch> offerMatches) {
    boolean followed = !audiences.followers(Set.of(seller), 1).isEmpty();
    List<OfferMatch> relevant =
        offerMatches.stream()
            .filter(match -> !match.searches().isEmpty() || match.followers() && followed)
            .toList();
    if (!relevant.isEmpty()) {
      new Storm(seller, relevant, followed).dispatch();
    }
  }

  /// The offers of one seller in one portion of a call. Sets of them are sets of indexes into `contents`,
  /// which need little memory however high the positions are.
  private final class Storm {
    private final String seller;
    private final List<AlertContent> contents = new ArrayList<>();
    private final List<Integer> positions = new ArrayList<>();
    private final BitSet forFollowers = new BitSet();
    private final Map<SearchId, BitSet> bySearch = new LinkedHashMap<>();
    private final Map<AlertReason, OfferPositions> large = new LinkedHashMap<>();
    private final StormRecipients recipients = new StormRecipients();

    Storm(String seller, List<OfferMatch> offerMatches, boolean followed) {
      this.seller = seller;
      Map<OfferId, Integer> numbers = number(offerMatches);
      for (OfferMatch match : offerMatches) {
        int index = contents.size();
        contents.add(match.content());
        positions.add(Objects.requireNonNull(numbers.get(match.content().offer())));
        forFollowers.set(index, match.followers() && followed);
        match.searches().forEach(id -> bySearch.computeIfAbsent(id, _ -> new BitSet()).set(index));
      }
    }

    private OfferPositions positions(BitSet indexes) {
      return OfferPositions.of(indexes.stream().map(positions::get).toArray());
    }

    private Map<OfferId, Integer> number(List<OfferMatch> offerMatches) {
      List<StormStore.StormOffer> offers =
          offerMatches.stream()
              .map(OfferMatch::content)
              .map(content -> new StormStore.StormOffer(content.offer(), content.activatedAt()))
              .toList();
      return database.inTransaction(tx -> store.number(tx, seller, offers));
    }

    void dispatch() {
      if (!forFollowers.isEmpty()) {
        large.put(AlertReason.seller(seller), positions(forFollowers));
      }
      Set<SearchId> batch = new LinkedHashSet<>();
      for (SearchId search : bySearch.keySet()) {
        batch.add(search);
        if (batch.size() == Recipients.MAX_AUDIENCES_PER_READ) {
          resolveRecipients(batch);
          batch.clear();
        }
      }
      resolveRecipients(batch);
      send();
      append();
    }

    private void resolveRecipients(Set<SearchId> searches) {
      Recipients audience = Recipients.of(audiences, searches, Set.of(), largeAudience);
      for (SearchId search : searches) {
        AlertReason reason = AlertReason.search(search.hex());
        BitSet matched = bySearch.getOrDefault(search, new BitSet());
        if (audience.isLarge(reason)) {
          large.put(reason, positions(matched));
        } else {
          addRecipients(reason, matched, audience.of(reason));
        }
        if (recipients.isFull()) {
          send();
        }
      }
    }

    /// Members with the same delivery and the same offers share them in memory.
    private void addRecipients(AlertReason reason, BitSet matched, List<Member> audience) {
      Map<Map.Entry<Delivery, BitSet>, StormRecipients.Match> distinct = new HashMap<>();
      for (Member member : audience) {
        BitSet offers = eligible(matched, member);
        if (!offers.isEmpty()) {
          StormRecipients.Match match =
              distinct.computeIfAbsent(
                  Map.entry(member.delivery(), offers),
                  _ -> new StormRecipients.Match(member.delivery(), offers, positions(offers)));
          recipients.add(member.owner(), reason, match);
        }
      }
    }

    private BitSet eligible(BitSet matched, Member member) {
      BitSet offers = new BitSet();
      matched.stream()
          .filter(
              index ->
                  AlertEligibility.isEligible(
                      contents.get(index), member.owner(), member.createdAt()))
          .forEach(offers::set);
      return offers;
    }

    private void send() {
      List<Alert> single = new ArrayList<>();
      List<StormAlert> collapsed = new ArrayList<>();
      recipients.drain(
          (recipient, matches) -> {
            BitSet all = new BitSet();
            matches.values().forEach(match -> all.or(match.offers()));
            if (all.cardinality() <= MAX_SINGLE_OFFERS) {
              all.stream().forEach(index -> single.add(alert(recipient, index, matches)));
            } else {
              collapsed.addAll(storm(recipient, matches).inParts());
            }
            if (single.size() >= MAX_BUFFERED_ALERTS || collapsed.size() >= MAX_BUFFERED_STORMS) {
              send(single, collapsed);
            }
          });
      send(single, collapsed);
    }

    private void send(List<Alert> single, List<StormAlert> collapsed) {
      sink.send(AlertTopics.STORM, single);
      storms.send(collapsed);
      single.clear();
      collapsed.clear();
    }

    private Alert alert(
        String recipient, int index, Map<AlertReason, StormRecipients.Match> matches) {
      AlertContent content = contents.get(index);
      NamedReasons reasons = new NamedReasons(content.offer());
      matches.forEach(
          (reason, match) -> {
            if (match.offers().get(index)) {
              reasons.add(reason, match.delivery());
            }
          });
      return reasons.alert(recipient, content, List.of());
    }

    /// The best reasons first: of several records of a recipient the first one decides.
    private StormAlert storm(String recipient, Map<AlertReason, StormRecipients.Match> matches) {
      ReasonRanking reasons = new ReasonRanking();
      matches.forEach((reason, match) -> reasons.add(reason, match.delivery()));
      Map<AlertReason, OfferPositions> all = new LinkedHashMap<>();
      for (AlertReason reason : reasons.inOrder(contents.getFirst().offer())) {
        all.put(reason, Objects.requireNonNull(matches.get(reason)).positions());
      }
      return new StormAlert(recipient, seller, all);
    }

    private void append() {
      if (!large.isEmpty()) {
        database.transact(tx -> targets.append(tx, seller, large, clock.instant()));
      }
    }
  }
}
