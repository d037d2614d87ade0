package dev.torg.offers.imports;

import dev.torg.api.v1.Offer;
import dev.torg.offers.category.CheckedOffer;
import dev.torg.offers.life.BringIn;
import dev.torg.offers.life.Micros;
import dev.torg.offers.life.Publish;
import dev.torg.offers.life.Terms;
import dev.torg.offers.store.OfferWriter;
import dev.torg.offers.store.Written;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.idempotency.KeyedRequest;
import dev.torg.platform.identity.Subject;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// Brings existing offers in, for services that are trusted with the times and sellers they name.
public final class ImportService {
  private static final int ID_ATTEMPTS = 5;

  private final OfferWriter writer;
  private final Terms terms;
  private final InstantSource clock;

  public ImportService(OfferWriter writer, Terms terms, InstantSource clock) {
    this.writer = writer;
    this.terms = terms;
    this.clock = clock;
  }

  /// With an idempotency key, a repetition has the same answer and no further effect.
  public CompletableFuture<Offer> bringIn(Caller caller, Offer offer, Optional<String> key) {
    Subject.parse(offer.getSellerId(), "offer.sellerId");
    CheckedOffer checked = terms.rules().check(offer);
    Optional<KeyedRequest> keyed = key.map(k -> keyed(caller, k, offer));
    return bringIn(offer, checked, keyed, ID_ATTEMPTS);
  }

  private CompletableFuture<Offer> bringIn(
      Offer offer, CheckedOffer checked, Optional<KeyedRequest> keyed, int attempts) {
    return writer
        .submit(command(offer, checked), keyed)
        .thenApply(written -> ((Written.Here) written).offer())
        .exceptionallyCompose(
            error ->
                attempts > 1 && isIdTaken(error)
                    ? bringIn(offer, checked, keyed, attempts - 1)
                    : CompletableFuture.failedFuture(error));
  }

  private BringIn command(Offer offer, CheckedOffer checked) {
    long now = Micros.of(clock.instant());
    return new BringIn(
        OfferId.random(Home.of(offer.getSellerId())),
        offer.getSellerId(),
        checked,
        ImportValidator.status(offer),
        ImportValidator.createdAt(offer, now),
        offer.hasExpiresAt()
            ? OptionalLong.of(Micros.of(offer.getExpiresAt()))
            : OptionalLong.empty(),
        terms,
        now);
  }

  private KeyedRequest keyed(Caller caller, String key, Offer offer) {
    return KeyedRequest.of(
        Home.of(offer.getSellerId()),
        caller.subject(),
        "ImportOffer",
        key,
        offer.toByteArray(),
        clock.instant());
  }

  private static boolean isIdTaken(Throwable error) {
    Throwable cause = error.getCause() != null ? error.getCause() : error;
    return cause instanceof Failure failure && failure.code().equals(Publish.ID_TAKEN);
  }
}
