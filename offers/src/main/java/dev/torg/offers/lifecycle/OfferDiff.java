package dev.torg.offers.lifecycle;

import com.google.protobuf.Value;
import dev.torg.api.v1.MatchingFields;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/// The fields that differ between two states of an offer, by their JSON names.
public final class OfferDiff {
  private final List<String> changedFields = new ArrayList<>();

  private OfferDiff() {}

  public static List<String> between(Offer before, Offer after) {
    OfferDiff changes = new OfferDiff();
    changes.compare("category", before.getCategory(), after.getCategory());
    changes.compare("title", before.getTitle(), after.getTitle());
    changes.compare("description", before.getDescription(), after.getDescription());
    changes.compare("price", before.getPrice(), after.getPrice());
    changes.compare("region", before.getRegion(), after.getRegion());
    changes.compareAttributes(before.getAttributesMap(), after.getAttributesMap());
    changes.compare("photos", before.getPhotosList(), after.getPhotosList());
    changes.compare("status", before.getStatus(), after.getStatus());
    changes.compare("externalId", before.getExternalId(), after.getExternalId());
    changes.compare("activatedAt", before.getActivatedAt(), after.getActivatedAt());
    changes.compare("expiresAt", before.getExpiresAt(), after.getExpiresAt());
    changes.compare("promotions", before.getPromotionsList(), after.getPromotionsList());
    changes.compare("banReasons", before.getBanReasonsList(), after.getBanReasonsList());
    return changes.changedFields;
  }

  /// The fields that matching uses.
  public static MatchingFields matching(Offer offer) {
    MatchingFields.Builder fields =
        MatchingFields.newBuilder()
            .setStatus(offer.getStatus())
            .setCategory(offer.getCategory())
            .setTitle(offer.getTitle())
            .setDescription(offer.getDescription())
            .setRegion(offer.getRegion())
            .putAllAttributes(offer.getAttributesMap())
            .setHasPhotos(hasReadyPhoto(offer));
    return (offer.hasPrice() ? fields.setPrice(offer.getPrice()) : fields).build();
  }

  /// Pending and failed photos do not count.
  private static boolean hasReadyPhoto(Offer offer) {
    for (Photo photo : offer.getPhotosList()) {
      if (photo.getStatus() == Photo.Status.READY) {
        return true;
      }
    }
    return false;
  }

  public static boolean samePrice(Offer before, Offer after) {
    return before.hasPrice() == after.hasPrice() && before.getPrice().equals(after.getPrice());
  }

  private void compare(String field, Object before, Object after) {
    if (!before.equals(after)) {
      changedFields.add(field);
    }
  }

  private void compareAttributes(Map<String, Value> before, Map<String, Value> after) {
    if (before.equals(after)) {
      return;
    }
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    for (String key : keys) {
      if (!Objects.equals(before.get(key), after.get(key))) {
        changedFields.add("attributes." + key);
      }
    }
  }
}
