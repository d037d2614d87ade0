package dev.torg.offers.offer;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.EditOffer;
import dev.torg.offers.lifecycle.MarkSold;
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.offers.lifecycle.OwnerAction;
import dev.torg.offers.lifecycle.PublishOffer;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriteResult;
import dev.torg.offers.store.OfferWriter;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.idempotency.IdempotentRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Publishes, edits and reads offers. Every change and its event commit together.
public final class OfferService {
  /// With 230 million offers, about one in four thousand new ids is in use.
  private static final int ID_ATTEMPTS = 5;

  private final OfferWriter writer;
  private final OfferReader reader;
  private final PublishingTerms terms;
  private final InstantSource clock;
  private final Executor blocking;

  public OfferService(
      OfferWriter writer,
      OfferReader reader,
      PublishingTerms terms,
      InstantSource clock,
      Executor blocking) {
    this.writer = writer;
    this.reader = reader;
    this.terms = terms;
    this.clock = clock;
    this.blocking = blocking;
  }

  public CompletableFuture<Offer> publish(Caller caller, Offer content) {
    return publish(caller, content, Optional.empty());
  }

  /// With an idempotency key, a repetition has the same result and no further effect.
  public CompletableFuture<Offer> publish(Caller caller, Offer content, Optional<String> key) {
    requireLogin(caller);
    PublishOffer.Source source = new PublishOffer.Source.Content(terms.rules().check(content));
    return publish(caller, source, key.map(k -> keyed(caller, k, content)), ID_ATTEMPTS);
  }

  /// A repetition returns the offer that the draft became.
  public CompletableFuture<Offer> publish(Caller caller, DraftKey draft) {
    requireLogin(caller);
    return publish(caller, new PublishOffer.Source.FromDraft(draft), Optional.empty(), ID_ATTEMPTS);
  }

  public CompletableFuture<Offer> get(Optional<Caller> caller, OfferId id) {
    return reader
        .get(id)
        .thenApply(offer -> OfferAccess.requireVisible(caller, offer, clock.instant()));
  }

  /// The offers that exist and are visible to the caller, in the order of the ids.
  public CompletableFuture<Map<OfferId, Offer>> get(Optional<Caller> caller, List<OfferId> ids) {
    return reader
        .get(ids)
        .thenApply(offers -> OfferAccess.visible(caller, offers, clock.instant()));
  }

  public CompletableFuture<Offer> update(
      Caller caller, OfferId id, Offer content, OptionalLong version) {
    var checked = terms.rules().check(content);
    return writer.apply(new EditOffer(id, caller, checked, version, now()));
  }

  public CompletableFuture<Offer> apply(Caller caller, OfferId id, OwnerAction.Action action) {
    return writer.apply(new OwnerAction(id, caller, action, terms, now()));
  }

  public CompletableFuture<Offer> markSold(
      Caller caller, OfferId id, Optional<Money> price, boolean soldHere) {
    return writer.apply(new MarkSold(id, caller, price, soldHere, now()));
  }

  /// Oldest first.
  public CompletableFuture<List<PricePoint>> priceHistory(Optional<Caller> caller, OfferId id) {
    return get(caller, id).thenApplyAsync(_ -> reader.priceHistory(id), blocking);
  }

  private CompletableFuture<Offer> publish(
      Caller caller, PublishOffer.Source source, Optional<IdempotentRequest> keyed, int attempts) {
    OfferId id = OfferId.random(caller.home());
    return writer
        .submit(new PublishOffer(id, caller.subject(), source, terms, now()), keyed)
        .thenCompose(this::published)
        .exceptionallyCompose(
            error ->
                attempts > 1 && isIdInUse(error)
                    ? publish(caller, source, keyed, attempts - 1)
                    : CompletableFuture.failedFuture(error));
  }

  private CompletableFuture<Offer> published(OfferWriteResult writeResult) {
    return switch (writeResult) {
      case OfferWriteResult.Current current -> CompletableFuture.completedFuture(current.offer());
      case OfferWriteResult.ExistingOffer existingOffer ->
          reader
              .get(existingOffer.offer())
              .thenApply(offer -> offer.orElseThrow(OfferAccess::notFound));
    };
  }

  private IdempotentRequest keyed(Caller caller, String key, Offer content) {
    return IdempotentRequest.of(
        caller.home(),
        caller.subject(),
        "PublishOffer",
        key,
        content.toByteArray(),
        clock.instant());
  }

  private static boolean isIdInUse(Throwable error) {
    return Futures.unwrap(error) instanceof Failure failure
        && failure.code().equals(PublishOffer.ID_IN_USE);
  }

  private static void requireLogin(Caller caller) {
    if (caller.isAnonymous()) {
      throw Failure.unauthenticated("login.needed", "log in to publish");
    }
  }

  private long now() {
    return EpochMicros.of(clock.instant());
  }
}
