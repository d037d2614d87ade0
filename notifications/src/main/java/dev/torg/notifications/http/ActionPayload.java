package dev.torg.notifications.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;

/// The payload of an action as JSON.
public final class ActionPayload {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ActionPayload() {}

  /// A payload that is not JSON is a text.
  public static JsonNode json(String payload) {
    try {
      return MAPPER.readTree(payload);
    } catch (JsonProcessingException e) {
      return TextNode.valueOf(payload);
    }
  }
}
