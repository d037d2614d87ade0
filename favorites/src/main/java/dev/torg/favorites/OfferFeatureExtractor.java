package dev.torg.favorites;

import com.google.protobuf.Value;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.matching.OfferFeatures;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryNode;
import java.math.BigDecimal;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;

/// An offer as matching sees it.
public final class OfferFeatureExtractor {
  private OfferFeatureExtractor() {}

  public static OfferFeatures of(Offer offer, Categories categories) {
    return facts(offer, categories)
        .title(offer.getTitle())
        .description(offer.getDescription())
        .build();
  }

  /// All but the text, which costs most to analyse.
  public static OfferFeatures withoutText(Offer offer, Categories categories) {
    return facts(offer, categories).build();
  }

  private static OfferFeatures.Builder facts(Offer offer, Categories categories) {
    OfferFeatures.Builder features =
        OfferFeatures.builder()
            .categoryPath(path(offer.getCategory(), categories))
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

  /// Topmost first. A category that is no longer in the tree stands alone.
  private static List<String> path(String id, Categories categories) {
    LinkedList<String> path = new LinkedList<>();
    for (Optional<String> at = Optional.of(id);
        at.isPresent();
        at = categories.find(at.get()).flatMap(CategoryNode::parent)) {
      path.addFirst(at.get());
    }
    return path;
  }

  /// What is still being prepared, or has failed, cannot be looked at.
  private static boolean isShown(Photo photo) {
    return photo.getStatus() == Photo.Status.READY;
  }

  private static void add(OfferFeatures.Builder features, String key, Value value) {
    switch (value.getKindCase()) {
      case STRING_VALUE -> features.value(key, value.getStringValue());
      case NUMBER_VALUE -> features.number(key, BigDecimal.valueOf(value.getNumberValue()));
      case BOOL_VALUE -> features.flag(key, value.getBoolValue());
      case LIST_VALUE ->
          value.getListValue().getValuesList().forEach(one -> add(features, key, one));
      case NULL_VALUE, STRUCT_VALUE, KIND_NOT_SET -> {}
    }
  }
}
