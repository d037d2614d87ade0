package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer;
import dev.torg.offers.Offers;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.ActiveService;
import dev.torg.promotions.apply.PromotionReader;
import dev.torg.promotions.apply.PromotionWriter;
import dev.torg.promotions.intent.IntentDecision.Prices;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Reads what the decision about due intents needs, without a lock: offers, active services, and prices of those that are
/// not active. Blocks.
final class IntentReader {
  private static final int PURCHASE_BYTES = 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final IntentOffers offers;
  private final PromotionReader promotions;
  private final IntentPrices prices;

  IntentReader(
      Database database,
      Offers offers,
      PromotionWriter writer,
      PromotionReader promotions,
      IntentPrices prices) {
    this.offers = new IntentOffers(database, offers, writer);
    this.promotions = promotions;
    this.prices = prices;
  }

  List<ExaminedIntent> read(List<Intent> due) {
    Map<IntentKey, Offer> found = offers.of(due);
    Map<PromotedEntity, List<ActiveService>> active =
        promotions.active(found.values().stream().map(IntentReader::entity).toList()).join();
    Map<IntentKey, CompletableFuture<List<PaymentLine>>> requested = new HashMap<>();
    for (Intent intent : due) {
      Offer offer = found.get(intent.key());
      if (offer != null && !isActive(intent, active.getOrDefault(entity(offer), List.of()))) {
        requested.put(intent.key(), prices.lines(offer, intent.services()));
      }
    }
    return due.stream()
        .map(
            intent ->
                new ExaminedIntent(
                    intent,
                    Optional.ofNullable(found.get(intent.key())),
                    prices(Optional.ofNullable(requested.get(intent.key()))),
                    purchase()))
        .toList();
  }

  private static boolean isActive(Intent intent, List<ActiveService> active) {
    return active.stream().map(ActiveService::service).toList().containsAll(intent.services());
  }

  private static Prices prices(Optional<CompletableFuture<List<PaymentLine>>> requested) {
    if (requested.isEmpty()) {
      return new Prices.NotNeeded();
    }
    try {
      return new Prices.Lines(requested.get().join());
    } catch (CompletionException e) {
      if (Futures.unwrap(e) instanceof Failure failure) {
        return new Prices.Failed(failure);
      }
      throw e;
    }
  }

  private static String purchase() {
    byte[] bytes = new byte[PURCHASE_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static PromotedEntity entity(Offer offer) {
    return PromotedEntity.of(OfferId.parse(offer.getId()));
  }
}
