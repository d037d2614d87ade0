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

/// Recently read offers, each with the `seq` of its row. Every read still asks the database whether the
/// `seq` is current; a hit saves sending the body, parsing it and most of the encoding.
///
/// `seq` identifies the state of an offer: every change of a main row sets a new one, from the clock in
/// microseconds.
final class OfferCache {
  /// The cache may use 1/32 of the heap, measured in serialized bytes; an offer uses about twice its
  /// serialized size.
  private static final int HEAP_SHARE = 32;

  /// A `seq` that no row has.
  private static final long NO_SEQ = Long.MIN_VALUE;

  private final Cache<OfferId, Seen> offers =
      Caffeine.newBuilder()
          .maximumWeight(Runtime.getRuntime().maxMemory() / HEAP_SHARE)
          .weigher((OfferId id, Seen seen) -> seen.offer().getSerializedSize())
          .build();

  record Seen(long seq, Offer offer) {}

  Map<OfferId, Seen> of(Collection<OfferId> ids) {
    Map<OfferId, Seen> seen = HashMap.newHashMap(ids.size());
    for (OfferId id : ids) {
      Seen entry = offers.getIfPresent(id);
      if (entry != null) {
        seen.put(id, entry);
      }
    }
    return seen;
  }

  static long seq(@Nullable Seen seen) {
    return seen == null ? NO_SEQ : seen.seq();
  }

  Offer put(OfferId id, long seq, byte[] body) {
    Offer offer = OfferStore.parse(body);
    ByteString unused =
        offer.getDescriptionBytes(); // Caches the UTF-8 form, which responses contain.
    offers.put(id, new Seen(seq, offer));
    return offer;
  }
}
