package dev.torg.alerts.digest;

import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.write.Texts;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Why;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteRules;
import dev.torg.favorites.HeldRules;
import dev.torg.favorites.Rule;
import dev.torg.favorites.RuleKey;
import dev.torg.notifications.Bell;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.ReaderSettings;
import dev.torg.notifications.Topics;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Sends what has gathered, once: the entry in the bell and the end of what it was made of are one
/// transaction. Its reasons are asked again: who has unsubscribed, or blocked the seller, since then
/// hears nothing of it, and neither does anybody of offers that are over. Blocks.
public final class SendDigests {
  /// Readers in one transaction.
  private static final int AT_ONCE = 100;

  /// Titles that an entry lists.
  private static final int TITLES = 10;

  private final Database database;
  private final boolean distributed;
  private final Offers offers;
  private final FavoriteRules rules;
  private final ReaderSettings settings;
  private final Bell bell;
  private final DigestStore store = new DigestStore();
  private final DigestMoves moves = new DigestMoves();
  private final Timer timer;
  private final Counter people;

  public SendDigests(
      Database database,
      Offers offers,
      FavoriteRules rules,
      ReaderSettings settings,
      Bell bell,
      MeterRegistry registry) {
    this.database = database;
    this.distributed = database.isDistributed();
    this.offers = offers;
    this.rules = rules;
    this.settings = settings;
    this.bell = bell;
    this.timer =
        Timer.builder("torg.alerts.digest")
            .description("Time to send a page of digests")
            .register(registry);
    this.people =
        Counter.builder("torg.alerts.digest.people")
            .description("People whose digest was sent")
            .register(registry);
  }

  /// Whether there may be more to do at once.
  public boolean run(Lease lease, Instant now) {
    List<DigestStore.Due> due = database.read(tx -> store.next(tx, lease.homes(), now, AT_ONCE));
    for (List<String> owners : groups(due)) {
      timer.record(() -> send(lease, owners, now));
    }
    return due.size() == AT_ONCE;
  }

  private Collection<List<String>> groups(List<DigestStore.Due> due) {
    if (due.isEmpty()) {
      return List.of();
    }
    return due.stream()
        .collect(
            Collectors.groupingBy(
                one -> distributed ? one.home().number() : 0,
                Collectors.mapping(DigestStore.Due::owner, Collectors.toList())))
        .values();
  }

  private void send(Lease lease, List<String> owners, Instant now) {
    Set<OfferId> ids =
        database.read(tx -> store.items(tx, owners)).stream()
            .map(DigestStore.Item::offer)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Map<OfferId, Offer> found = offers.find(ids).join();
    int sent =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              return send(tx, owners, found, now);
            });
    people.increment(sent);
  }

  /// What is asked about before the digests are locked: what comes later waits for the next one.
  private record Asked(Set<Thing> things, HeldRules held, Map<OfferId, Offer> offers) {
    boolean isActive(OfferId id) {
      return Optional.ofNullable(offers.get(id))
          .filter(offer -> offer.getStatus() == Offer.Status.ACTIVE)
          .isPresent();
    }
  }

  private record Thing(String owner, OfferId offer, int kind) {
    static Thing of(DigestStore.Item item) {
      return new Thing(item.owner(), item.offer(), item.kind());
    }
  }

  private int send(Tx tx, List<String> owners, Map<OfferId, Offer> found, Instant now)
      throws SQLException {
    List<DigestStore.Item> before =
        store.items(tx, owners).stream().filter(item -> found.containsKey(item.offer())).toList();
    Asked asked =
        new Asked(
            before.stream().map(Thing::of).collect(Collectors.toSet()),
            rules.hold(tx, keys(before, owners)),
            found);
    Map<String, NotificationSettings> said = settings.of(tx, owners);
    List<NewNotification> entries = new ArrayList<>();
    List<DigestStore.Item> gone = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    List<DigestStore.Due> locked = lock(tx, owners, now);
    Map<String, List<DigestStore.Item>> items = itemsOf(tx, locked);
    for (DigestStore.Due due : locked) {
      NotificationSettings ofReader = said.getOrDefault(due.owner(), ReaderSettings.DEFAULTS);
      Instant hour = DigestHour.next(due.since(), ofReader);
      if (hour.isAfter(now)) {
        store.runAt(tx, due.owner(), hour);
      } else if (!asked.held.moved().containsKey(due.owner())) {
        List<DigestStore.Item> all = items.getOrDefault(due.owner(), List.of());
        List<DigestStore.Item> ripe =
            all.stream().filter(item -> asked.things.contains(Thing.of(item))).toList();
        entry(due, ripe, asked, ofReader, now).ifPresent(entries::add);
        gone.addAll(ripe);
        end(tx, due, all.size() == ripe.size(), ended, DigestHour.next(now, ofReader));
      }
    }
    store.remove(tx, gone);
    store.removeDue(tx, ended);
    bell.write(tx, entries);
    return entries.size();
  }

  /// Without those that somebody began to move to before they were locked.
  private List<DigestStore.Due> lock(Tx tx, List<String> owners, Instant now) throws SQLException {
    List<DigestStore.Due> locked = store.lock(tx, owners, now);
    Set<String> open = moves.open(tx, owners);
    return locked.stream().filter(due -> !open.contains(due.owner())).toList();
  }

  private void end(Tx tx, DigestStore.Due due, boolean empty, List<String> ended, Instant next)
      throws SQLException {
    if (empty) {
      ended.add(due.owner());
    } else {
      store.runAt(tx, due.owner(), next);
    }
  }

  private Map<String, List<DigestStore.Item>> itemsOf(Tx tx, List<DigestStore.Due> locked)
      throws SQLException {
    Map<String, List<DigestStore.Item>> items = new HashMap<>();
    if (!locked.isEmpty()) {
      for (DigestStore.Item item :
          store.items(tx, locked.stream().map(DigestStore.Due::owner).toList())) {
        items.computeIfAbsent(item.owner(), _ -> new ArrayList<>()).add(item);
      }
    }
    return items;
  }

  private static Set<RuleKey> keys(List<DigestStore.Item> items, List<String> owners) {
    Set<RuleKey> keys = new LinkedHashSet<>();
    // Every reader is held, whether or not anything is left to say.
    owners.forEach(owner -> keys.add(new RuleKey(owner, FavoriteKind.BLOCK, "")));
    for (DigestStore.Item item : items) {
      String reader = item.owner();
      item.alert().reasons().forEach(reason -> keys.add(reason.key(reader)));
      keys.add(new RuleKey(reader, FavoriteKind.BLOCK, item.alert().news().seller()));
    }
    return keys;
  }

  private static Optional<NewNotification> entry(
      DigestStore.Due due,
      List<DigestStore.Item> items,
      Asked asked,
      NotificationSettings settings,
      Instant now) {
    List<DigestStore.Item> left =
        items.stream()
            .filter(item -> asked.isActive(item.offer()) && isWanted(item, asked.held))
            .toList();
    if (left.isEmpty() || ReaderSettings.isMuted(settings, Topics.DIGEST)) {
      return Optional.empty();
    }
    String id = due.runAt().toString();
    List<String> titles =
        left.stream().limit(TITLES).map(item -> item.alert().news().title()).toList();
    return Optional.of(
        new NewNotification(
            due.owner(),
            key(due),
            Topics.DIGEST,
            now,
            null,
            new Texts(settings).ofDigest(id, titles, left.size(), reasons(left, asked.held))));
  }

  /// With the owner in it: an entry that moves to a login must not meet one of the login's own.
  private static String key(DigestStore.Due due) {
    return "digest:" + due.owner() + ":" + due.since() + ":" + due.runAt();
  }

  private static boolean isWanted(DigestStore.Item item, HeldRules held) {
    String reader = item.owner();
    return !held.isBlocked(reader, item.alert().news().seller())
        && item.alert().reasons().stream().anyMatch(reason -> holds(reason, reader, held));
  }

  private static boolean holds(Reason reason, String reader, HeldRules held) {
    return held.rule(reason.key(reader))
        .filter(rule -> rule.delivery() != Delivery.OFF)
        .isPresent();
  }

  /// Each once.
  private static List<Why> reasons(List<DigestStore.Item> items, HeldRules held) {
    Map<Reason, Why> reasons = new LinkedHashMap<>();
    for (DigestStore.Item item : items) {
      for (Reason reason : item.alert().reasons()) {
        held.rule(reason.key(item.owner()))
            .ifPresent(rule -> reasons.put(reason, why(reason, rule)));
      }
    }
    return List.copyOf(reasons.values());
  }

  private static Why why(Reason reason, Rule rule) {
    String name = reason.kind() == Reason.Kind.SEARCH ? rule.name() : reason.id();
    return Why.newBuilder().setKind(reason.kind().name()).setId(reason.id()).setName(name).build();
  }
}
