package dev.torg.offers.imports;

import dev.torg.api.v1.Offer;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.offers.lifecycle.ImportOffer;
import dev.torg.offers.lifecycle.PublishOffer;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.OfferWriteResult;
import dev.torg.offers.store.OfferWriter;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.idempotency.IdempotentRequest;
import dev.torg.platform.identity.Subject;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// Imports existing offers, for services that are trusted with the times and sellers they state.
public final class ImportService {
  private static final int ID_ATTEMPTS = 5;

  private final OfferWriter writer;
  private final PublishingTerms terms;
  private final InstantSource clock;

  public ImportService(OfferWriter writer, PublishingTerms terms, InstantSource clock) {
    this.writer = writer;
    this.terms = terms;
    this.clock = clock;
  }

  /// With an idempotency key, a repetition has the same result and no further effect.
  public CompletableFuture<Offer> importOffer(Caller caller, Offer offer, Optional<String> key) {
    Subject.parse(offer.getSellerId(), "offer.sellerId");
    ValidatedOffer checked = terms.rules().check(offer);
    Optional<IdempotentRequest> keyed = key.map(k -> keyed(caller, k, offer));
    return importOffer(offer, checked, keyed, ID_ATTEMPTS);
  }

  private CompletableFuture<Offer> importOffer(
      Offer offer, ValidatedOffer checked, Optional<IdempotentRequest> keyed, int attempts) {
    return writer
        .submit(command(offer, checked), keyed)
        .thenApply(writeResult -> ((OfferWriteResult.Current) writeResult).offer())
        .exceptionallyCompose(
            error ->
                attempts > 1 && isIdInUse(error)
                    ? importOffer(offer, checked, keyed, attempts - 1)
                    : CompletableFuture.failedFuture(error));
  }

  private ImportOffer command(Offer offer, ValidatedOffer checked) {
    long now = EpochMicros.of(clock.instant());
    return new ImportOffer(
        OfferId.random(Home.of(offer.getSellerId())),
        offer.getSellerId(),
        checked,
        ImportValidator.status(offer),
        ImportValidator.createdAt(offer, now),
        offer.hasExpiresAt()
            ? OptionalLong.of(EpochMicros.of(offer.getExpiresAt()))
            : OptionalLong.empty(),
        terms,
        now);
  }

  private IdempotentRequest keyed(Caller caller, String key, Offer offer) {
    return IdempotentRequest.of(
        Home.of(offer.getSellerId()),
        caller.subject(),
        "ImportOffer",
        key,
        offer.toByteArray(),
        clock.instant());
  }

  private static boolean isIdInUse(Throwable error) {
    return Futures.unwrap(error) instanceof Failure failure
        && failure.code().equals(PublishOffer.ID_IN_USE);
  }
}
