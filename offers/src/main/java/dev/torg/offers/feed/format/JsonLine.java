package dev.torg.offers.feed.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/// Extracts the external id from a line whose item is invalid, whatever the error.
final class JsonLine {
  private static final JsonFactory JSON = JsonFactory.builder().build();

  private JsonLine() {}

  /// Whether the text is exactly one complete JSON object.
  static boolean isWhole(String text) {
    try (JsonParser json = JSON.createParser(text)) {
      boolean object = json.nextToken() == JsonToken.START_OBJECT;
      json.skipChildren();
      return object && json.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  /// The external id, if it can be read: the offer is still in the feed.
  static String externalId(String text) {
    ItemBuilder item = new ItemBuilder();
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        field(json, item);
      }
    } catch (IOException e) {
      // The fields before the error may contain the id.
    }
    return item.knownId();
  }

  private static void field(JsonParser json, ItemBuilder item) throws IOException {
    String name = json.currentName();
    json.nextToken();
    switch (name) {
      case "externalId" -> item.offer.setExternalId(id(json));
      case "partnerId" -> item.partnerId(id(json));
      case "attributes" -> vin(json, item);
      default -> json.skipChildren();
    }
  }

  private static String id(JsonParser json) throws IOException {
    boolean id =
        json.currentToken() == JsonToken.VALUE_STRING
            || json.currentToken() == JsonToken.VALUE_NUMBER_INT;
    json.skipChildren();
    return id ? json.getText() : "";
  }

  private static void vin(JsonParser json, ItemBuilder item) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean vin = json.currentName().equals(ItemBuilder.VIN);
      if (json.nextToken() == JsonToken.VALUE_STRING && vin) {
        item.vin(json.getText());
      }
      json.skipChildren();
    }
  }
}
