package dev.torg.notifications.push;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.http.ActionPayload;
import java.time.Duration;
import java.util.List;

/// The JSON of pushes.
final class PushJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// Messages are written on virtual threads of their own, for which the buffers that Jackson keeps per thread would be
  /// allocated anew.
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
              .build());

  private PushJson() {}

  static byte[] bytes(ObjectNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written", e);
    }
  }

  /// What a service worker of a browser receives.
  static byte[] web(OutgoingMessage message, MessageContent content) {
    ObjectNode push = about(message).put("title", content.title()).put("text", content.text());
    content.image().ifPresent(image -> push.put("image", image));
    putAction(push, content.action(), PushPlatform.WEB);
    putButtons(push, content.buttons(), PushPlatform.WEB);
    return bytes(push);
  }

  /// @param category that the app knows; empty: none
  static byte[] apns(OutgoingMessage message, MessageContent content, String category) {
    ObjectNode push = JSON.objectNode();
    ObjectNode aps = push.putObject("aps");
    aps.putObject("alert").put("title", content.title()).put("body", content.text());
    aps.put("sound", "default").put("thread-id", message.topic());
    content.image().ifPresent(_ -> aps.put("mutable-content", 1));
    push.setAll(about(message));
    content.image().ifPresent(image -> push.put("image", image));
    putAction(push, content.action(), PushPlatform.IOS);
    if (!category.isEmpty()) {
      aps.put("category", category);
      putButtons(push, content.buttons(), PushPlatform.IOS);
    }
    return bytes(push);
  }

  /// Android itself shows no buttons. A message that has some contains data only, and the app shows it.
  static byte[] fcm(OutgoingMessage message, MessageContent content, String token, Duration ttl) {
    ObjectNode root = JSON.objectNode();
    ObjectNode push = root.putObject("message").put("token", token);
    if (content.buttons().isEmpty()) {
      ObjectNode shown =
          push.putObject("notification").put("title", content.title()).put("body", content.text());
      content.image().ifPresent(image -> shown.put("image", image));
    }
    push.set("data", data(message, content));
    ObjectNode android =
        push.putObject("android").put("priority", "HIGH").put("ttl", ttl.toSeconds() + "s");
    if (content.buttons().isEmpty()) {
      android.putObject("notification").put("tag", message.notificationId());
    }
    return bytes(root);
  }

  /// Values are texts.
  private static ObjectNode data(OutgoingMessage message, MessageContent content) {
    ObjectNode data = about(message).put("title", content.title()).put("text", content.text());
    content.image().ifPresent(image -> data.put("image", image));
    putIfPresent(data, "link", PushPlatform.ANDROID.link(content.action()));
    putIfPresent(data, "type", content.action().type());
    putIfPresent(data, "payload", content.action().payload());
    if (!content.buttons().isEmpty()) {
      data.put("buttons", buttons(content.buttons(), PushPlatform.ANDROID).toString());
    }
    return data;
  }

  private static ObjectNode about(OutgoingMessage message) {
    return JSON.objectNode().put("id", message.notificationId()).put("topic", message.topic());
  }

  private static void putButtons(
      ObjectNode push, List<MessageButton> buttons, PushPlatform platform) {
    if (!buttons.isEmpty()) {
      push.set("buttons", buttons(buttons, platform));
    }
  }

  private static ArrayNode buttons(List<MessageButton> buttons, PushPlatform platform) {
    ArrayNode array = JSON.arrayNode();
    buttons.forEach(
        button ->
            putAction(array.addObject().put("title", button.text()), button.action(), platform));
    return array;
  }

  private static void putAction(ObjectNode node, MessageAction action, PushPlatform platform) {
    putIfPresent(node, "link", platform.link(action));
    putIfPresent(node, "type", action.type());
    if (!action.payload().isEmpty()) {
      node.set("payload", ActionPayload.json(action.payload()));
    }
  }

  private static void putIfPresent(ObjectNode node, String name, String value) {
    if (!value.isEmpty()) {
      node.put(name, value);
    }
  }
}
