package dev.torg.offers.feed.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.ListValue;
import com.google.protobuf.Value;
import dev.torg.api.v1.Money;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// An offer's JSON, as in `POST /v1/offers`, with the addresses of its photos.
final class OfferJson {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// Fields set by Torg. They are ignored, so that a response can be edited and sent as an item.
  private static final Set<String> SERVER_ASSIGNED_FIELDS =
      Set.of(
          "id",
          "displayId",
          "sellerId",
          "status",
          "createdAt",
          "activatedAt",
          "updatedAt",
          "expiresAt",
          "version",
          "promotions",
          "banReasons");

  private final JsonParser json;
  private final ItemBuilder item = new ItemBuilder();
  private int values;

  private OfferJson(JsonParser json) {
    this.json = json;
  }

  static ItemBuilder read(String text) throws InvalidItemException {
    try (JsonParser json = JSON.createParser(text)) {
      OfferJson reading = new OfferJson(json);
      reading.object();
      return reading.item;
    } catch (IOException e) {
      throw new InvalidItemException(
          e instanceof JsonParseException ? "feed.json" : "feed.field",
          messageOf(e),
          JsonLine.externalId(text));
    }
  }

  private void object() throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new WrongField("the line must be a JSON object");
    }
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      field(name);
    }
    if (json.nextToken() != null) {
      throw new WrongField("unexpected content after the JSON object");
    }
  }

  private void field(String name) throws IOException {
    switch (name) {
      case "externalId" -> item.offer.setExternalId(text(name));
      case "partnerId" -> item.partnerId(text(name));
      case "category" -> item.offer.setCategory(text(name));
      case "title" -> item.offer.setTitle(text(name));
      case "description" -> item.offer.setDescription(text(name));
      case "region" -> item.offer.setRegion(text(name));
      case "price" -> price();
      case "attributes" -> attributes();
      case "photos" -> photos();
      case "promote" -> promote();
      default -> {
        if (!SERVER_ASSIGNED_FIELDS.contains(name)) {
          throw new WrongField("the field " + name + " is not known");
        }
        json.skipChildren();
      }
    }
  }

  /// A number is accepted as an id.
  private String text(String name) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_STRING -> json.getText();
      case VALUE_NULL -> "";
      case VALUE_NUMBER_INT -> {
        if (!name.endsWith("Id")) {
          throw new WrongField(name + " must be text");
        }
        yield json.getText();
      }
      default -> throw new WrongField(name + " must be text");
    };
  }

  private void price() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    require(json.currentToken() == JsonToken.START_OBJECT, "price must be {amount, currency}");
    Money.Builder price = Money.newBuilder();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "amount" -> price.setAmount(amount());
        case "currency" -> price.setCurrency(text("price.currency"));
        default -> throw new WrongField("the field price." + name + " is not known");
      }
    }
    item.offer.setPrice(price);
  }

  private long amount() throws IOException {
    try {
      if (json.currentToken() == JsonToken.VALUE_STRING) {
        return Long.parseLong(json.getText());
      }
      if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
        return json.getLongValue();
      }
    } catch (NumberFormatException e) {
      // The value is rejected below.
    }
    throw new WrongField("price.amount must be a whole number of minor units");
  }

  private void attributes() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    require(json.currentToken() == JsonToken.START_OBJECT, "attributes must be an object");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      requireCapacity();
      if (json.currentToken() != JsonToken.VALUE_NULL) {
        item.offer.putAttributes(key, value(key));
      }
    }
  }

  private Value value(String key) throws IOException {
    Value.Builder value = Value.newBuilder();
    return switch (json.currentToken()) {
      case VALUE_STRING -> value.setStringValue(json.getText()).build();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          value.setNumberValue(json.getDoubleValue()).build();
      case VALUE_TRUE, VALUE_FALSE -> value.setBoolValue(json.getBooleanValue()).build();
      case START_ARRAY -> value.setListValue(list(key)).build();
      default ->
          throw new WrongField(
              "attributes." + key + " must be text, a number, a boolean or a list of texts");
    };
  }

  private ListValue list(String key) throws IOException {
    ListValue.Builder list = ListValue.newBuilder();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      require(
          json.currentToken() == JsonToken.VALUE_STRING,
          "attributes." + key + " must be a list of texts");
      requireCapacity();
      list.addValues(Value.newBuilder().setStringValue(json.getText()));
    }
    return list.build();
  }

  /// Checked before a value is read, because an item may consist of small values only.
  private void requireCapacity() throws WrongField {
    require(ItemBuilder.acceptsValues(++values), ItemBuilder.TOO_MANY);
  }

  /// Addresses, alone or as `{"url": …}`. Photos copied from a response have no address and stay with their
  /// offer.
  private void photos() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    require(json.currentToken() == JsonToken.START_ARRAY, "photos must be a list of addresses");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      switch (json.currentToken()) {
        case VALUE_STRING -> item.photo(json.getText());
        case START_OBJECT -> photo();
        default -> throw new WrongField("photos must be a list of addresses");
      }
    }
  }

  /// A list of services, or a text with commas.
  private void promote() throws IOException {
    switch (json.currentToken()) {
      case VALUE_NULL -> {}
      case VALUE_STRING -> item.promote(PromoteField.split(json.getText()));
      case START_ARRAY -> item.promote(services());
      default -> throw new WrongField(PromoteField.PROBLEM);
    }
  }

  private List<String> services() throws IOException {
    List<String> services = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      require(json.currentToken() == JsonToken.VALUE_STRING, PromoteField.PROBLEM);
      services.add(json.getText());
    }
    return services;
  }

  private void photo() throws IOException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      if (name.equals("url") && json.currentToken() == JsonToken.VALUE_STRING) {
        item.photo(json.getText());
      } else {
        json.skipChildren();
      }
    }
  }

  private static void require(boolean retained, String message) throws WrongField {
    if (!retained) {
      throw new WrongField(message);
    }
  }

  private static String messageOf(IOException e) {
    if (e instanceof JsonProcessingException syntax) {
      String where =
          syntax.getLocation() == null ? "" : " at column " + syntax.getLocation().getColumnNr();
      return "not JSON: " + syntax.getOriginalMessage() + where;
    }
    String message = e.getMessage();
    return message == null ? "cannot be read" : message;
  }

  private static final class WrongField extends IOException {
    WrongField(String message) {
      super(message);
    }
  }
}
