package dev.torg.offers.moderation;

import com.google.common.hash.Hashing;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.ModerationEvent;
import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.ApplyOpinion;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Applies the opinions that external moderators write to [OfferTopics#MODERATION]. A record that cannot be
/// parsed or refers to an unknown offer fails and is parked.
public final class ModerationOpinionsConsumer implements EventHandler {
  /// Maximum number of opinions handled at once.
  public static final int BATCH = ApplyOpinion.MAX_REDELIVERED_RECORDS;

  private final ModerationService moderation;

  public ModerationOpinionsConsumer(ModerationService moderation) {
    this.moderation = moderation;
  }

  /// Opinions on one offer keep their order: the writer decides them in the order of submission.
  @Override
  public void handle(List<Event> events) throws Exception {
    List<CompletableFuture<Offer>> applied = new ArrayList<>();
    for (Event event : events) {
      applied.add(applyFromTopic(event));
    }
    for (CompletableFuture<Offer> opinion : applied) {
      await(opinion);
    }
  }

  private CompletableFuture<Offer> applyFromTopic(Event event)
      throws InvalidProtocolBufferException {
    ModerationEvent record = ModerationEvent.parseFrom(event.payload());
    return moderation.applyFromTopic(
        OfferId.parse(record.getOfferId()), record.getOpinion(), identity(event));
  }

  /// Identifies a record, also if the topic was deleted and created again.
  private static long identity(Event event) {
    return Hashing.farmHashFingerprint64()
        .newHasher()
        .putString(event.topic(), StandardCharsets.UTF_8)
        .putInt(event.partition())
        .putLong(event.offset())
        .putLong(event.at().toEpochMilli())
        .putBytes(event.payload())
        .hash()
        .asLong();
  }

  private static void await(CompletableFuture<Offer> opinion) throws Exception {
    try {
      opinion.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
