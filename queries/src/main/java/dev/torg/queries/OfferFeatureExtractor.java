package dev.torg.queries;

import com.google.protobuf.Value;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.matching.OfferFeatures;
import java.math.BigDecimal;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;

/// Turns an offer into the features that queries are matched against.
public final class OfferFeatureExtractor {
  private OfferFeatureExtractor() {}

  public static OfferFeatures of(Offer offer, CategoryParents parents) {
    return facts(offer, parents)
        .title(offer.getTitle())
        .description(offer.getDescription())
        .build();
  }

  /// All features except the text, which is the most expensive to analyse.
  public static OfferFeatures withoutText(Offer offer, CategoryParents parents) {
    return facts(offer, parents).build();
  }

  private static OfferFeatures.Builder facts(Offer offer, CategoryParents parents) {
    OfferFeatures.Builder features =
        OfferFeatures.builder()
            .categoryPath(path(offer.getCategory(), parents))
            .seller(offer.getSellerId())
            .photos(offer.getPhotosList().stream().anyMatch(OfferFeatureExtractor::isShown));
    if (!offer.getRegion().isEmpty()) {
      features.region(offer.getRegion());
    }
    if (offer.hasPrice()) {
      features.price(offer.getPrice().getAmount(), offer.getPrice().getCurrency());
    }
    offer.getAttributesMap().forEach((key, value) -> add(features, key, value));
    return features;
  }

  /// From the root down. A category that is no longer in the tree forms a path by itself.
  private static List<String> path(String id, CategoryParents parents) {
    LinkedList<String> path = new LinkedList<>();
    for (Optional<String> category = Optional.of(id);
        category.isPresent();
        category = parents.parentOf(category.get())) {
      path.addFirst(category.get());
    }
    return path;
  }

  /// Pending and failed photos are not displayed.
  private static boolean isShown(Photo photo) {
    return photo.getStatus() == Photo.Status.READY;
  }

  private static void add(OfferFeatures.Builder features, String key, Value value) {
    switch (value.getKindCase()) {
      case STRING_VALUE -> features.value(key, value.getStringValue());
      case NUMBER_VALUE -> features.number(key, BigDecimal.valueOf(value.getNumberValue()));
      case BOOL_VALUE -> features.flag(key, value.getBoolValue());
      case LIST_VALUE ->
          value.getListValue().getValuesList().forEach(item -> add(features, key, item));
      case NULL_VALUE, STRUCT_VALUE, KIND_NOT_SET -> {}
    }
  }
}
