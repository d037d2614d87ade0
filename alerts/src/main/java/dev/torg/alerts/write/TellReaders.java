package dev.torg.alerts.write;

import dev.torg.alerts.AlertSettings;
import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.digest.DigestHour;
import dev.torg.alerts.digest.DigestStore;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteRules;
import dev.torg.favorites.FavoriteRules.PriceToTell;
import dev.torg.favorites.HeldRules;
import dev.torg.favorites.PriceHash;
import dev.torg.favorites.RuleKey;
import dev.torg.notifications.Bell;
import dev.torg.notifications.Growth;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.ReaderSettings;
import dev.torg.offers.Categories;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Tells readers, in their home and in the caller's transaction: what decides (`told`, the price in
/// the reader's own row) and what is told (bell or digest) commit together or not at all.
///
/// **Locks**, each in the order of its keys: favorite_owner FOR SHARE, alert_budget, favorite (prices of
/// saved offers), told, digest_due, favorite (matches of searches, which only alerts count), bell,
/// notification, unread. The budget comes first because it keeps storms away ([NotifyOfStorms]).
public final class TellReaders {
  private final FavoriteRules rules;
  private final ReaderSettings settings;
  private final Bell bell;
  private final Categories categories;
  private final AlertSettings limits;
  private final InstantSource clock;
  private final AlertMeters meters;
  private final ToldStore told = new ToldStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final BudgetStore budgets = new BudgetStore();
  private final DigestStore digests = new DigestStore();

  public TellReaders(
      FavoriteRules rules,
      ReaderSettings settings,
      Bell bell,
      Categories categories,
      AlertSettings limits,
      InstantSource clock,
      AlertMeters meters) {
    this.rules = rules;
    this.settings = settings;
    this.bell = bell;
    this.categories = categories;
    this.limits = limits;
    this.clock = clock;
    this.meters = meters;
  }

  /// What was not done: the readers who have moved to a login meanwhile, and those alerts whose offers
  /// may have got a position in a storm since positions were read.
  record Rest(Map<String, String> moved, List<Alert> unsure) {}

  /// Where tables are distributed, all candidates are of one home.
  ///
  /// @param known the positions of their offers in storms, read before
  Rest tell(Tx tx, List<Candidate> candidates, StormStore.Known known) throws SQLException {
    HeldRules held = rules.hold(tx, ChooseAlerts.keys(candidates));
    Set<String> readers =
        candidates.stream()
            .map(candidate -> candidate.alert().reader())
            .filter(reader -> !held.moved().containsKey(reader))
            .collect(Collectors.toSet());
    List<Alert> unsure = new ArrayList<>();
    if (!readers.isEmpty()) {
      Map<String, NotificationSettings> said = settings.of(tx, readers);
      List<Choice> chosen = choose(tx, candidates, held, said);
      Map<String, Budget> left = lock(tx, chosen);
      List<Choice> news = decide(tx, withoutStorms(tx, chosen, known, unsure));
      if (!news.isEmpty()) {
        write(tx, news, said, left);
      }
    }
    return new Rest(held.moved(), unsure);
  }

  private Map<String, Budget> lock(Tx tx, List<Choice> chosen) throws SQLException {
    Set<String> readers =
        chosen.stream().map(Choice::reader).collect(Collectors.toCollection(LinkedHashSet::new));
    return budgets.lock(tx, readers, clock.instant());
  }

  /// Those that their readers were not notified of in a storm.
  private List<Choice> withoutStorms(
      Tx tx, List<Choice> chosen, StormStore.Known known, List<Alert> unsure) throws SQLException {
    Map<List<String>, List<StormNotifiedStore.Block>> notifiedOf = new HashMap<>();
    List<StormNotifiedStore.Key> keys =
        chosen.stream()
            .map(Choice::alert)
            .filter(alert -> alert.news().isNew())
            .map(alert -> StormCheck.key(alert, known))
            .toList();
    for (StormNotifiedStore.Block block : notified.find(tx, keys)) {
      notifiedOf
          .computeIfAbsent(
              List.of(block.key().owner(), block.key().seller()), _ -> new ArrayList<>())
          .add(block);
    }
    List<Choice> left = new ArrayList<>();
    for (Choice choice : chosen) {
      News news = choice.alert().news();
      List<StormNotifiedStore.Block> blocks =
          notifiedOf.getOrDefault(List.of(choice.reader(), news.seller()), List.of());
      switch (news.isNew() ? StormCheck.of(news, blocks, known) : StormCheck.NEW) {
        case NEW -> left.add(choice);
        case NOTIFIED -> tx.afterCommit(() -> meters.deduplicated(choice.first().reason()));
        case UNSURE -> unsure.add(choice.alert());
      }
    }
    return left;
  }

  private List<Choice> choose(
      Tx tx, List<Candidate> candidates, HeldRules held, Map<String, NotificationSettings> said)
      throws SQLException {
    Map<Candidate, Choice.Held> further = further(tx, candidates, held, said);
    List<Choice> chosen = new ArrayList<>();
    for (Candidate candidate : candidates) {
      NotificationSettings ofReader = said.get(candidate.alert().reader());
      if (ofReader != null) {
        Optional<Choice> choice =
            ChooseAlerts.choose(
                candidate,
                held,
                ofReader,
                Optional.ofNullable(further.get(candidate)).stream().toList());
        choice.ifPresentOrElse(chosen::add, () -> meters.dropped("no-reason"));
      }
    }
    return chosen;
  }

  /// The readers' other searches that count where reasons were cut and those named do not decide.
  private Map<Candidate, Choice.Held> further(
      Tx tx, List<Candidate> candidates, HeldRules held, Map<String, NotificationSettings> said)
      throws SQLException {
    List<Candidate> instant = new ArrayList<>();
    List<Candidate> daily = new ArrayList<>();
    for (Candidate candidate : candidates) {
      NotificationSettings ofReader = said.get(candidate.alert().reader());
      if (ofReader != null) {
        List<Delivery> worth =
            ChooseAlerts.worthFinding(
                candidate, ChooseAlerts.choose(candidate, held, ofReader), held, ofReader);
        if (worth.contains(Delivery.INSTANT)) {
          instant.add(candidate);
        }
        if (worth.contains(Delivery.DAILY)) {
          daily.add(candidate);
        }
      }
    }
    FurtherSearches searches = new FurtherSearches(rules, categories);
    Map<Candidate, Choice.Held> found = searches.find(tx, instant, Delivery.INSTANT);
    daily.removeIf(found::containsKey);
    found.putAll(searches.find(tx, daily, Delivery.DAILY));
    return found;
  }

  /// Those that are news to their readers; from here on they were told.
  private List<Choice> decide(Tx tx, List<Choice> chosen) throws SQLException {
    List<Choice> prices = chosen.stream().filter(c -> !c.alert().news().isNew()).toList();
    Set<ToldStore.Key> newPrices =
        rules.tellPrices(tx, prices.stream().map(TellReaders::price).toList()).stream()
            .map(price -> new ToldStore.Key(price.reader(), OfferId.parse(price.offerId())))
            .collect(Collectors.toSet());
    Set<ToldStore.Key> newOffers =
        told.tell(
            tx, chosen.stream().map(Choice::alert).filter(alert -> alert.news().isNew()).toList());
    List<Choice> news = new ArrayList<>();
    for (Choice choice : chosen) {
      Set<ToldStore.Key> decided = choice.alert().news().isNew() ? newOffers : newPrices;
      if (decided.contains(new ToldStore.Key(choice.reader(), choice.alert().news().offer()))) {
        news.add(choice);
      } else {
        tx.afterCommit(() -> meters.deduplicated(choice.first().reason()));
      }
    }
    return news;
  }

  private static PriceToTell price(Choice choice) {
    return new PriceToTell(
        choice.reader(),
        choice.offer().getId(),
        PriceHash.of(choice.offer()),
        choice.offer().getVersion());
  }

  private void write(
      Tx tx, List<Choice> news, Map<String, NotificationSettings> said, Map<String, Budget> left)
      throws SQLException {
    Instant now = clock.instant();
    Telling telling = new Telling(now, said);
    for (Choice choice : news) {
      Budget budget = left.get(choice.reader());
      Budget.Way way =
          choice.isInstant() && budget != null
              ? budget.spend(choice.first().reason(), limits)
              : Budget.Way.DIGEST;
      telling.add(choice, way);
      tx.afterCommit(
          () -> meters.written(choice.alert().news(), choice.first().reason(), name(way), now));
    }
    budgets.write(tx, spent(news, left));
    digests.add(tx, telling.dues.values(), telling.items);
    rules.countMatches(tx, matches(news), now);
    bell.write(tx, telling.entries, telling.growths);
  }

  private static List<Budget> spent(List<Choice> news, Map<String, Budget> left) {
    Set<String> readers =
        news.stream().filter(Choice::isInstant).map(Choice::reader).collect(Collectors.toSet());
    return left.values().stream().filter(budget -> readers.contains(budget.owner)).toList();
  }

  private static String name(Budget.Way way) {
    return switch (way) {
      case ONE_BY_ONE -> "instant";
      case COLLAPSED -> "collapsed";
      case DIGEST -> "digest";
    };
  }

  private static List<RuleKey> matches(List<Choice> news) {
    return news.stream()
        .flatMap(choice -> choice.held().stream())
        .map(held -> held.rule().key())
        .filter(key -> key.kind() == FavoriteKind.SEARCH)
        .toList();
  }

  /// What a transaction puts into bells and digests.
  private static final class Telling {
    final List<NewNotification> entries = new ArrayList<>();
    final List<Growth> growths = new ArrayList<>();
    final List<DigestStore.Item> items = new ArrayList<>();
    final Map<String, DigestStore.Due> dues = new HashMap<>();
    private final Instant now;
    private final Map<String, NotificationSettings> said;

    Telling(Instant now, Map<String, NotificationSettings> said) {
      this.now = now;
      this.said = said;
    }

    void add(Choice choice, Budget.Way way) {
      NotificationSettings settings = said.getOrDefault(choice.reader(), ReaderSettings.DEFAULTS);
      switch (way) {
        case ONE_BY_ONE -> entries.add(entry(choice, new Texts(settings)));
        case COLLAPSED ->
            growths.add(
                StormEntries.growth(choice.reader(), choice.first(), 1, now, new Texts(settings)));
        case DIGEST -> gather(choice, settings);
      }
    }

    private NewNotification entry(Choice choice, Texts texts) {
      OfferId offer = choice.alert().news().offer();
      boolean isNew = choice.alert().news().isNew();
      return new NewNotification(
          choice.reader(),
          isNew ? "new:" + offer : "price:" + offer + ":" + choice.offer().getVersion(),
          choice.first().reason().kind().topic(),
          now,
          offer,
          isNew ? texts.ofNew(choice) : texts.ofPrice(choice, known(choice)));
    }

    private void gather(Choice choice, NotificationSettings settings) {
      Set<Reason> reasons =
          choice.held().stream()
              .map(Choice.Held::reason)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Alert kept = new Alert(choice.reader(), choice.alert().news(), reasons);
      items.add(new DigestStore.Item(now, kept));
      dues.computeIfAbsent(
          choice.reader(),
          reader -> new DigestStore.Due(reader, now, DigestHour.next(now, settings)));
    }

    /// The price that the reader knows, if it is one of the former ones.
    private static @Nullable Money known(Choice choice) {
      long hash = choice.first().rule().priceHash();
      return choice.alert().news().formerPrices().stream()
          .filter(price -> PriceHash.of(price) == hash)
          .findFirst()
          .orElse(null);
    }
  }
}
