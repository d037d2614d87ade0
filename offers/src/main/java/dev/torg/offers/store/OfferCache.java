package dev.torg.offers.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Offers read lately, each with the `seq` of the row it was read from. Whether one is still current
/// only the database can say; this spares it the sending of what has not changed, and us the parsing
/// and most of the encoding.
///
/// `seq` tells the states of an offer apart: every change of a main row sets another one, from the
/// clock in microseconds.
final class OfferCache {
  /// Of the heap; an offer counts what its body has, and takes about twice that.
  private static final int HEAP_SHARE = 32;

  /// No row has it.
  private static final long NEVER = Long.MIN_VALUE;

  private final Cache<OfferId, Seen> offers =
      Caffeine.newBuilder()
          .maximumWeight(Runtime.getRuntime().maxMemory() / HEAP_SHARE)
          .weigher((OfferId id, Seen seen) -> seen.offer().getSerializedSize())
          .build();

  record Seen(long seq, Offer offer) {}

  Map<OfferId, Seen> of(Collection<OfferId> ids) {
    Map<OfferId, Seen> seen = HashMap.newHashMap(ids.size());
    for (OfferId id : ids) {
      Seen one = offers.getIfPresent(id);
      if (one != null) {
        seen.put(id, one);
      }
    }
    return seen;
  }

  static long seq(@Nullable Seen seen) {
    return seen == null ? NEVER : seen.seq();
  }

  Offer keep(OfferId id, long seq, byte[] body) {
    Offer offer = OfferStore.parse(body);
    ByteString unused = offer.getDescriptionBytes(); // From now on it is held as it will be sent.
    offers.put(id, new Seen(seq, offer));
    return offer;
  }
}
