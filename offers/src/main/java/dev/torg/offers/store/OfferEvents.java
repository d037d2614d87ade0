package dev.torg.offers.store;

import com.google.protobuf.CodedOutputStream;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.lifecycle.OfferDiff;
import dev.torg.offers.lifecycle.StoredOffer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.outbox.OutboxMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Creates the event of a change. The offer after the change is copied from the row's bytes instead of
/// being serialized again.
final class OfferEvents {
  private OfferEvents() {}

  static OutboxMessage of(
      @Nullable StoredOffer before, StoredOffer after, byte[] body, long at, boolean silent) {
    OfferEvent.Builder event =
        OfferEvent.newBuilder()
            .setOfferId(after.shown().getId())
            .setSeq(after.seq())
            .setAt(EpochMicros.timestamp(at))
            .setVersion(after.version())
            .setSilent(silent);
    if (before == null) {
      event.addAllChanged(OfferDiff.between(Offer.getDefaultInstance(), after.shown()));
    } else {
      event
          .setBefore(OfferDiff.matching(before.shown()))
          .addAllChanged(OfferDiff.between(before.shown(), after.shown()));
    }
    return new OutboxMessage(
        after.id().home(),
        after.seq(),
        OfferTopics.OFFERS,
        after.shown().getId(),
        withAfter(event.build(), body));
  }

  private static byte[] withAfter(OfferEvent event, byte[] after) {
    int size =
        event.getSerializedSize()
            + CodedOutputStream.computeByteArraySize(OfferEvent.AFTER_FIELD_NUMBER, after);
    byte[] bytes = new byte[size];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      event.writeTo(out);
      out.writeByteArray(OfferEvent.AFTER_FIELD_NUMBER, after);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }
}
