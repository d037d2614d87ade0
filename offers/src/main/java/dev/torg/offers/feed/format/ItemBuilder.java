package dev.torg.offers.feed.format;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.protobuf.Value;
import dev.torg.api.v1.Offer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Builds an item while it is read. Its external id is the given one, else the VIN, else the partner's id,
/// else a hash of its content: two items with the same content are one item.
final class ItemBuilder {
  /// The attribute that identifies a car.
  static final String VIN = "vin";

  /// More photos than any offer may have; further ones are ignored.
  private static final int MAX_PHOTOS = 200;

  /// Maximum number of attribute values, including those in lists: more than any category has.
  private static final int MAX_VALUES = 1_000;

  static final String TOO_MANY = "there are more than " + MAX_VALUES + " values in attributes";

  /// The approximate memory of a value or an address in addition to its text, in bytes.
  private static final int VALUE_OVERHEAD_BYTES = 200;

  final Offer.Builder offer = Offer.newBuilder();
  private final List<String> photoUrls = new ArrayList<>();
  private Optional<List<String>> promote = Optional.empty();
  private String partnerId = "";

  void partnerId(String id) {
    partnerId = id.strip();
  }

  void vin(String vin) {
    offer.putAttributes(VIN, Value.newBuilder().setStringValue(vin).build());
  }

  void photo(String url) {
    String address = url.strip();
    if (!address.isEmpty() && photoUrls.size() < MAX_PHOTOS) {
      photoUrls.add(address);
    }
  }

  /// An empty list withdraws what an earlier feed asked for.
  void promote(Collection<String> services) {
    promote = Optional.of(PromoteField.normalized(services));
  }

  /// Whether an item may have this many values.
  static boolean acceptsValues(int count) {
    return count <= MAX_VALUES;
  }

  /// @param bytes its size as sent
  FeedEntry.Item build(int line, int bytes) throws InvalidItemException {
    int values = values();
    if (!acceptsValues(values)) {
      throw new InvalidItemException("feed.item-too-large", TOO_MANY, knownId());
    }
    if (!PromoteField.isValid(promote.orElse(List.of()))) {
      throw new InvalidItemException("feed.promote", PromoteField.PROBLEM, knownId());
    }
    HashCode contentHash = contentHash();
    offer.setExternalId(externalId(contentHash));
    long hash = contentHash.asLong() == 0 ? 1 : contentHash.asLong();
    return new FeedEntry.Item(
        line,
        offer.getExternalId(),
        offer.build(),
        List.copyOf(photoUrls),
        promote,
        hash,
        bytes + VALUE_OVERHEAD_BYTES * (values + photoUrls.size()));
  }

  private int values() {
    int values = 0;
    for (Value value : offer.getAttributesMap().values()) {
      values += Math.max(1, value.getListValue().getValuesCount());
    }
    return values;
  }

  private String externalId(HashCode hash) {
    String externalId = knownId();
    return externalId.isEmpty() ? "hash:" + hash : externalId;
  }

  /// The external id if it does not depend on the whole content; otherwise empty.
  String knownId() {
    String externalId = offer.getExternalId().strip();
    if (!externalId.isEmpty()) {
      return externalId;
    }
    String vin = offer.getAttributesOrDefault(VIN, Value.getDefaultInstance()).getStringValue();
    if (!vin.isBlank()) {
      return "vin:" + vin.strip().toUpperCase(Locale.ROOT);
    }
    return partnerId.isEmpty() ? "" : "partner:" + partnerId;
  }

  /// A hash of everything but the external id, in a fixed order. Promotions are no content of the offer: an item that
  /// asks for others is unchanged.
  private HashCode contentHash() {
    Hasher hasher = Hashing.murmur3_128().newHasher();
    put(hasher, offer.getCategory());
    put(hasher, offer.getTitle());
    put(hasher, offer.getDescription());
    put(hasher, offer.getRegion());
    hasher.putBoolean(offer.hasPrice()).putLong(offer.getPrice().getAmount());
    put(hasher, offer.getPrice().getCurrency());
    Map<String, Value> attributes = new TreeMap<>(offer.getAttributesMap());
    attributes.forEach(
        (key, value) -> {
          put(hasher, key);
          hasher.putBytes(value.toByteArray());
        });
    hasher.putInt(attributes.size());
    photoUrls.forEach(url -> put(hasher, url));
    return hasher.hash();
  }

  private static void put(Hasher hasher, String text) {
    hasher.putInt(text.length()).putUnencodedChars(text);
  }

  /// Distinguishes unreadable entries.
  static long fingerprint(String text) {
    return Hashing.murmur3_128().hashUnencodedChars(text).asLong();
  }

  static long fingerprint(byte[] bytes, int length) {
    return Hashing.murmur3_128().hashBytes(bytes, 0, length).asLong();
  }

  /// The approximate memory use in bytes.
  static int weight(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
