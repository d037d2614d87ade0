package dev.torg.promotions.apply;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.notifications.Bell;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.TopicChannels;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.Subject;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.price.ServiceCatalog;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Notifies sellers of services that have ended at their time, in the transaction that ends them, by a fixed number of
/// statements. Other ends are not reported here: a seller who sold or removed the offer knows of it, and bans and refunds
/// have notices of their own.
public final class EndNotices {
  private final Bell bell;
  private final RecipientSettings settings;
  private final TopicChannels channels;
  private final ServiceCatalog catalog;
  private final String publicUrl;
  private final EndNoticeStore store = new EndNoticeStore();

  /// @param publicUrl `https://example.org`, or empty: links are paths then
  public EndNotices(
      Bell bell,
      RecipientSettings settings,
      TopicChannels channels,
      ServiceCatalog catalog,
      String publicUrl) {
    this.bell = bell;
    this.settings = settings;
    this.channels = channels;
    this.catalog = catalog;
    this.publicUrl = publicUrl;
  }

  /// To be called last in a transaction, once.
  ///
  /// @param offers read before the transaction
  void write(Tx tx, List<EndedServices> ended, Map<OfferId, Offer> offers, Instant now)
      throws SQLException {
    SortedMap<String, List<EndedOffer>> bySeller = bySeller(ended, offers);
    if (bySeller.isEmpty()) {
      return;
    }
    Map<String, Integer> sizes = new TreeMap<>();
    bySeller.forEach((seller, ofSeller) -> sizes.put(seller, ofSeller.size()));
    Map<String, Integer> before = store.count(tx, sizes, EndNoticePlan.hour(now));
    Map<String, NotificationSettings> settingsOf = settings.of(tx, bySeller.keySet());
    List<BellEntry> entries = new ArrayList<>();
    bySeller.forEach(
        (seller, ofSeller) -> {
          NotificationSettings wishes = settingsOf.getOrDefault(seller, RecipientSettings.DEFAULTS);
          EndNoticePlan plan =
              new EndNoticePlan(seller, before.getOrDefault(seller, 0), delivery(wishes), now);
          entries.addAll(plan.entries(ofSeller, new EndTexts(wishes.getLanguage(), publicUrl)));
        });
    var _ = bell.write(tx, entries);
  }

  /// Without offers that are banned, sold or gone, whose events have not been consumed yet.
  private SortedMap<String, List<EndedOffer>> bySeller(
      Collection<EndedServices> ended, Map<OfferId, Offer> offers) {
    SortedMap<String, List<EndedOffer>> bySeller = new TreeMap<>();
    for (EndedServices services : ended) {
      Offer offer = offer(services.entity(), offers);
      if (EntityState.of(offer).isPromotable() && Subject.isValid(services.seller())) {
        bySeller
            .computeIfAbsent(services.seller(), _ -> new ArrayList<>())
            .add(new EndedOffer(offer, catalog.withoutParts(services.services()), services.seq()));
      }
    }
    return bySeller;
  }

  private static Offer offer(PromotedEntity entity, Map<OfferId, Offer> offers) {
    return entity.isOffer()
        ? offers.getOrDefault(entity.offer(), Offer.getDefaultInstance())
        : Offer.getDefaultInstance();
  }

  private DeliveryRequest delivery(NotificationSettings wishes) {
    return DeliveryRequest.on(channels.of(NotificationTopics.PROMOTIONS, wishes));
  }
}
