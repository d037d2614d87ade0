package dev.torg.offers.moderation;

import com.google.common.hash.Hashing;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.ModerationEvent;
import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Turns what outside moderators write to `torg.moderation` into opinions. A record about an offer
/// that does not exist, or that cannot be read, fails and is parked.
public final class ModerationOpinionsConsumer implements EventHandler {
  public static final String TOPIC = "torg.moderation";

  /// Opinions handled at once; what a redelivery brings back is at most this.
  public static final int BATCH = 250;

  private final ModerationService moderation;

  public ModerationOpinionsConsumer(ModerationService moderation) {
    this.moderation = moderation;
  }

  /// Opinions on one offer keep their order: the writer decides them as they come.
  @Override
  public void handle(List<Event> events) throws Exception {
    List<CompletableFuture<Offer>> heard = new ArrayList<>();
    for (Event event : events) {
      heard.add(applyFromTopic(event));
    }
    for (CompletableFuture<Offer> opinion : heard) {
      await(opinion);
    }
  }

  private CompletableFuture<Offer> applyFromTopic(Event event)
      throws InvalidProtocolBufferException {
    ModerationEvent said = ModerationEvent.parseFrom(event.payload());
    return moderation.applyFromTopic(
        OfferId.parse(said.getOfferId()), said.getOpinion(), identity(event));
  }

  /// Tells a record from every other, also from those of a topic that was made anew.
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
