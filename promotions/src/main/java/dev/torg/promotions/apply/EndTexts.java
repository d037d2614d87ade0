package dev.torg.promotions.apply;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.OpenAction;
import dev.torg.api.v1.Why;
import java.util.List;

/// What sellers are told when paid services end at their time, in English or Russian.
final class EndTexts {
  private static final String RUSSIAN = "ru";
  private static final String KIND = "PROMOTION_ENDED";
  private static final String OWN_OFFERS = "/my/offers";

  private final boolean isRussian;
  private final String publicUrl;

  EndTexts(String language, String publicUrl) {
    this.isRussian = language.equals(RUSSIAN);
    this.publicUrl = publicUrl;
  }

  /// One offer, which the entry opens.
  Notification one(EndedOffer ended) {
    String id = ended.offer().getId();
    String path = "/offers/" + id;
    return Notification.newBuilder()
        .setTitle(title(ended))
        .setText(String.join(", ", ended.services()))
        .setAction(path)
        .setOpen(open(path, "offer").setPayload(payload(id)))
        .setWhy(Why.newBuilder().setKind(KIND).setId(id).setName(ended.offer().getTitle()))
        .build();
  }

  private String title(EndedOffer ended) {
    String title =
        ended.services().size() == 1
            ? select(
                "A paid service of your offer ‘%s’ has ended",
                "Платная услуга для объявления ‘%s’ завершена")
            : select(
                "Paid services of your offer ‘%s’ have ended",
                "Платные услуги для объявления ‘%s’ завершены");
    return title.formatted(ended.offer().getTitle());
  }

  /// Many offers.
  ///
  /// @param examples titles of some of them
  Notification many(int count, List<String> examples) {
    return Notification.newBuilder()
        .setTitle(
            select(
                "Paid services of " + count + " of your offers have ended",
                "Завершены платные услуги, объявлений: " + count))
        .setText(select("Among them: ", "В том числе: ") + String.join(", ", examples))
        .setAction(OWN_OFFERS)
        .setOpen(open(OWN_OFFERS, "own-offers"))
        .setWhy(Why.newBuilder().setKind(KIND))
        .build();
  }

  private OpenAction.Builder open(String path, String type) {
    OpenAction.Builder action = OpenAction.newBuilder().setWeb(publicUrl + path).setType(type);
    if (!publicUrl.isEmpty()) {
      action.setAndroid(publicUrl + path).setIos(publicUrl + path);
    }
    return action;
  }

  private static Value payload(String offerId) {
    Value id = Value.newBuilder().setStringValue(offerId).build();
    return Value.newBuilder().setStructValue(Struct.newBuilder().putFields("offerId", id)).build();
  }

  private String select(String english, String russian) {
    return isRussian ? russian : english;
  }
}
