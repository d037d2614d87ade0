package dev.torg.alerts.text;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.api.v1.OpenAction;
import java.util.Map;

/// What notifications open. With a public address, the links lead there on every platform: an app that is installed
/// opens them itself. Without one they are paths on the web.
///
/// @param publicUrl `https://example.org`, or empty
public record OpenLinks(String publicUrl) {
  /// Paths only.
  public static final OpenLinks RELATIVE = new OpenLinks("");

  public OpenLinks {
    publicUrl =
        publicUrl.endsWith("/") ? publicUrl.substring(0, publicUrl.length() - 1) : publicUrl;
  }

  public OpenAction offer(String offerId) {
    return action("/offers/" + offerId, "offer", Map.of("offerId", offerId));
  }

  public OpenAction search(String searchId) {
    return action("/favorites", "search", Map.of("searchId", searchId));
  }

  public OpenAction seller(String sellerId) {
    return action("/favorites", "seller", Map.of("sellerId", sellerId));
  }

  public OpenAction favorites() {
    return action("/favorites", "favorites", Map.of());
  }

  /// The recipient's own offers.
  public OpenAction ownOffers() {
    return action("/my/offers", "own-offers", Map.of());
  }

  public OpenAction feed(String taskId) {
    return action("/my/feeds/" + taskId, "feed", Map.of("taskId", taskId));
  }

  public OpenAction feeds() {
    return action("/my/feeds", "feeds", Map.of());
  }

  /// The address of an image, which is a path if this installation serves it.
  public String image(String address) {
    return address.startsWith("/") ? publicUrl + address : address;
  }

  private OpenAction action(String path, String type, Map<String, String> parameters) {
    OpenAction.Builder action = OpenAction.newBuilder().setWeb(publicUrl + path).setType(type);
    if (!publicUrl.isEmpty()) {
      action.setAndroid(publicUrl + path).setIos(publicUrl + path);
    }
    if (!parameters.isEmpty()) {
      Struct.Builder payload = Struct.newBuilder();
      parameters.forEach(
          (name, value) ->
              payload.putFields(name, Value.newBuilder().setStringValue(value).build()));
      action.setPayload(Value.newBuilder().setStructValue(payload));
    }
    return action.build();
  }
}
