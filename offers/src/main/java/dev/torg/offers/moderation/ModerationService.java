package dev.torg.offers.moderation;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.lifecycle.ApplyOpinion;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.moderation.ReportStore.Report;
import dev.torg.offers.store.ModerationStore;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriter;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Accepts opinions and reports, and returns the opinions on an offer.
public final class ModerationService {
  private final OfferWriter writer;
  private final OfferReader reader;
  private final Database database;
  private final PublishingTerms terms;
  private final InstantSource clock;
  private final Executor blocking;
  private final ModerationStore moderation = new ModerationStore();
  private final ReportStore reports = new ReportStore();

  public ModerationService(
      OfferWriter writer,
      OfferReader reader,
      Database database,
      PublishingTerms terms,
      InstantSource clock,
      Executor blocking) {
    this.writer = writer;
    this.reader = reader;
    this.database = database;
    this.terms = terms;
    this.clock = clock;
    this.blocking = blocking;
  }

  /// Applies an opinion submitted by RPC.
  public CompletableFuture<Offer> applyOpinion(Caller moderator, OfferId offer, Opinion opinion) {
    return applyOpinion(offer, signed(opinion, moderator.subject()), OptionalLong.empty());
  }

  /// Applies an opinion from the topic. The record's identity prevents a second delivery from having an
  /// effect.
  CompletableFuture<Offer> applyFromTopic(OfferId offer, Opinion opinion, long recordNumber) {
    String moderator =
        opinion.getModerator().isEmpty() ? OfferTopics.MODERATION : opinion.getModerator();
    return applyOpinion(offer, signed(opinion, moderator), OptionalLong.of(recordNumber));
  }

  /// Newest first; for moderators and the owner.
  public CompletableFuture<List<Opinion>> opinions(Caller caller, OfferId offer) {
    return reader
        .get(offer)
        .thenApply(stored -> visible(caller, stored))
        .thenApplyAsync(
            visibleOffer -> {
              OfferAccess.requireSellerOrStaff(caller, visibleOffer.getSellerId());
              return database.read(tx -> moderation.opinions(tx, offer));
            },
            blocking);
  }

  /// Stores one report per reporter and offer; a repetition has no effect. A removed offer leaves the queue
  /// and cannot be reported, even by callers who still see it.
  public CompletableFuture<Boolean> report(
      Caller reporter, OfferId offer, String reason, String text) {
    ModerationValidator.checkReport(reason, text);
    Report report = new Report(offer, reporter.subject(), reason, text, clock.instant());
    return reader
        .get(offer)
        .thenApply(stored -> visible(reporter, stored))
        .thenApplyAsync(_ -> database.inTransaction(tx -> report(tx, report)), blocking);
  }

  private boolean report(Tx tx, Report report) throws SQLException {
    Optional<Status> status = reports.lockStatus(tx, report.offer());
    if (status.filter(current -> current != Status.REMOVED).isEmpty()) {
      throw OfferAccess.notFound();
    }
    boolean isNew = reports.add(tx, report);
    if (isNew) {
      reports.enqueue(tx, report, Effect.Cause.REPORTED.bit());
    }
    return isNew;
  }

  private CompletableFuture<Offer> applyOpinion(
      OfferId offer, Opinion opinion, OptionalLong recordNumber) {
    ModerationValidator.checkOpinion(opinion);
    long at = EpochMicros.of(opinion.getAt());
    return writer.apply(new ApplyOpinion(offer, opinion, recordNumber, terms, at));
  }

  private Opinion signed(Opinion opinion, String moderator) {
    return opinion.toBuilder()
        .setModerator(moderator)
        .setAt(EpochMicros.timestamp(EpochMicros.of(clock.instant())))
        .build();
  }

  private Offer visible(Caller caller, Optional<Offer> offer) {
    return OfferAccess.requireVisible(Optional.of(caller), offer, clock.instant());
  }
}
