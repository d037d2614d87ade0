package dev.torg.alerts.event;

import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/// The content of an alert, the same for all recipients. `causedAt` is the commit time of the change.
/// Price alerts have former prices, latest first.
public record AlertContent(
    AlertEvent.Type type,
    OfferId offer,
    String seller,
    long version,
    Instant activatedAt,
    Instant causedAt,
    String title,
    Optional<Money> price,
    List<Money> formerPrices) {
  /// Characters of a shortened title.
  private static final int MAX_SHORT_TITLE = 200;

  public AlertContent {
    formerPrices = List.copyOf(formerPrices);
  }

  public static AlertContent newOffer(Offer offer, Instant causedAt) {
    return of(AlertEvent.Type.NEW_OFFER, offer, causedAt, List.of());
  }

  public static AlertContent priceChange(Offer offer, Instant causedAt, List<Money> formerPrices) {
    return of(AlertEvent.Type.PRICE, offer, causedAt, formerPrices);
  }

  /// Many new offers of a seller, represented by one.
  public static AlertContent ofStorm(
      OfferId sample, String seller, Instant activatedAt, Instant causedAt, String title) {
    return new AlertContent(
        AlertEvent.Type.STORM,
        sample,
        seller,
        0,
        activatedAt,
        causedAt,
        title,
        Optional.empty(),
        List.of());
  }

  private static AlertContent of(
      AlertEvent.Type type, Offer offer, Instant causedAt, List<Money> formerPrices) {
    return new AlertContent(
        type,
        OfferId.parse(offer.getId()),
        offer.getSellerId(),
        offer.getVersion(),
        EpochMicros.instant(offer.getActivatedAt()),
        causedAt,
        offer.getTitle(),
        offer.hasPrice() ? Optional.of(offer.getPrice()) : Optional.empty(),
        formerPrices);
  }

  static AlertContent of(AlertEvent event) {
    return new AlertContent(
        event.getType(),
        OfferId.parse(event.getOfferId()),
        event.getSellerId(),
        event.getOfferVersion(),
        EpochMicros.instant(event.getActivatedAt()),
        EpochMicros.instant(event.getCausedAt()),
        event.getTitle(),
        event.hasPrice() ? Optional.of(event.getPrice()) : Optional.empty(),
        event.getFormerPricesList());
  }

  AlertEvent.Builder toEvent() {
    AlertEvent.Builder event =
        AlertEvent.newBuilder()
            .setType(type)
            .setOfferId(offer.toString())
            .setSellerId(seller)
            .setOfferVersion(version)
            .setActivatedAt(EpochMicros.timestamp(activatedAt))
            .setCausedAt(EpochMicros.timestamp(causedAt))
            .setTitle(title)
            .addAllFormerPrices(formerPrices);
    price.ifPresent(event::setPrice);
    return event;
  }

  /// Reduced to what an entry displays.
  AlertContent shortened() {
    int end =
        title.offsetByCodePoints(
            0, Math.min(MAX_SHORT_TITLE, title.codePointCount(0, title.length())));
    return new AlertContent(
        type,
        offer,
        seller,
        version,
        activatedAt,
        causedAt,
        title.substring(0, end),
        price,
        List.of());
  }

  public boolean isStorm() {
    return type == AlertEvent.Type.STORM;
  }

  public boolean isNew() {
    return type == AlertEvent.Type.NEW_OFFER;
  }

  /// The first day of the month of the offer's first activation, by which `told` is partitioned.
  public LocalDate activatedMonth() {
    return LocalDate.ofInstant(activatedAt, ZoneOffset.UTC).withDayOfMonth(1);
  }
}
