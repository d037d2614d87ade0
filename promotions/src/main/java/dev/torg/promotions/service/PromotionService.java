package dev.torg.promotions.service;

import dev.torg.api.v1.Offer;
import dev.torg.offers.Offers;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.promotions.CreatedPayment;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.Payments;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.ActiveService;
import dev.torg.promotions.apply.EntityState;
import dev.torg.promotions.apply.PromotionPaymentHandler;
import dev.torg.promotions.apply.PromotionReader;
import dev.torg.promotions.apply.PromotionWriter;
import dev.torg.promotions.price.OfferParameters;
import dev.torg.promotions.price.ServiceCatalog;
import dev.torg.promotions.price.ServiceDefinition;
import dev.torg.promotions.quote.Quote;
import dev.torg.promotions.quote.QuoteIssuer;
import dev.torg.promotions.quote.QuoteIssuer.SignedQuote;
import dev.torg.promotions.quote.QuoteToken;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/// Quotes and purchases of services for offers. Blocks, except for [#active].
public final class PromotionService {
  /// Offers of one request.
  public static final int MAX_OFFERS = 500;

  private final Database database;
  private final Offers offers;
  private final ServiceCatalog catalog;
  private final CatalogLines lines;
  private final QuoteIssuer quotes;
  private final MessageAuthenticator authenticator;
  private final PromotionReader promotions;
  private final PromotionWriter writer;
  private final Payments payments;
  private final InstantSource clock;

  public PromotionService(
      Database database,
      Offers offers,
      ServiceCatalog catalog,
      QuoteIssuer quotes,
      MessageAuthenticator authenticator,
      PromotionReader promotions,
      PromotionWriter writer,
      Payments payments,
      InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.catalog = catalog;
    this.lines = new CatalogLines(catalog);
    this.quotes = quotes;
    this.authenticator = authenticator;
    this.promotions = promotions;
    this.writer = writer;
    this.payments = payments;
    this.clock = clock;
  }

  public SignedQuote quote(Caller caller, OfferId id, List<String> services) {
    List<ServiceDefinition> definitions = catalog.require(services);
    Offer offer = promotable(caller, id);
    requireInactive(id, definitions);
    return join(
        quotes.issue(
            OfferParameters.of(offer), definitions.stream().map(ServiceDefinition::name).toList()));
  }

  /// The same key returns the same payment, also after the quote has expired or its services are active, and with another
  /// quote of the same services at the same prices.
  public CreatedPayment purchase(Caller caller, OfferId id, String token, String key) {
    Quote quote = QuoteToken.verify(authenticator, token).requireFor(caller.subject(), id);
    NewPayment payment = payment(caller, id, quote, key);
    if (payments.find(payment.id()).isEmpty()) {
      Quote valid = quote.requireValid(clock.instant());
      Offer offer = promotable(caller, id);
      requireInactive(id, definitions(valid));
      watch(id, offer);
    }
    return payments.create(payment);
  }

  /// From now on each change of the offer's status is recorded, so that the payment is applied to its current one.
  private void watch(OfferId id, Offer offer) {
    try {
      watchOnce(id, offer);
    } catch (CommitUnknown e) {
      watchOnce(id, offer);
    }
  }

  private void watchOnce(OfferId id, Offer offer) {
    database.transact(tx -> writer.watch(tx, PromotedEntity.of(id), EntityState.of(offer)));
  }

  private NewPayment payment(Caller caller, OfferId id, Quote quote, String key) {
    return new NewPayment(
        caller.subject(),
        PromotionPaymentHandler.PURPOSE,
        id.toString(),
        key,
        id + "\n" + quote.content(),
        "Promotion of offer " + id.display(),
        quote.lines().stream()
            .map(line -> lines.of(line.service(), line.price(), line.duration()))
            .toList());
  }

  private List<ServiceDefinition> definitions(Quote quote) {
    return quote.services().stream().flatMap(name -> catalog.find(name).stream()).toList();
  }

  /// The offer, if the caller is its seller and it is active.
  private Offer promotable(Caller caller, OfferId id) {
    Offer offer = join(offers.visible(caller.subject(), List.of(id))).get(id);
    if (offer == null) {
      throw Failure.notFound("offer.not-found", "there is no such offer");
    }
    if (!offer.getSellerId().equals(caller.subject())) {
      throw Failure.forbidden("offer.not-yours", "the offer is another seller's");
    }
    if (offer.getStatus() != Offer.Status.ACTIVE) {
      throw Failure.conflict("promotion.offer-not-active", "only an active offer can be promoted");
    }
    return offer;
  }

  private void requireInactive(OfferId id, List<ServiceDefinition> services) {
    PromotedEntity entity = PromotedEntity.of(id);
    Set<String> active =
        join(promotions.active(List.of(entity))).getOrDefault(entity, List.of()).stream()
            .map(ActiveService::service)
            .collect(Collectors.toSet());
    for (ServiceDefinition service : services) {
      for (String name : catalog.activatedBy(service)) {
        if (active.contains(name) && !lines.isExtendable(name)) {
          throw Failure.conflict("promotion.active", "the service " + name + " is already active");
        }
      }
    }
  }

  /// Those of the offers that have active services. The future completes on a reader's thread.
  public CompletableFuture<Map<PromotedEntity, List<ActiveService>>> active(List<OfferId> ids) {
    if (ids.size() > MAX_OFFERS) {
      throw Failure.invalid(
          "batch.size", "too many offers", "offerIds", "must be at most " + MAX_OFFERS);
    }
    return promotions.active(ids.stream().map(PromotedEntity::of).toList());
  }

  private static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      Throwable cause = Futures.unwrap(e);
      throw cause instanceof Failure failure ? failure : e;
    }
  }
}
