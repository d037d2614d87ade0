package dev.torg.notifications.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.http.ActionPayload;

/// The body of a webhook call: the notification, in the form of the HTTP API.
final class WebhookBody {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private WebhookBody() {}

  static String json(OutgoingMessage message) {
    MessageContent content = message.content();
    ObjectNode body =
        JSON.objectNode()
            .put("id", message.notificationId())
            .put("topic", message.topic())
            .put("title", content.title())
            .put("text", content.text());
    content.image().ifPresent(image -> body.putArray("media").add(image));
    ArrayNode attachments = body.putArray("attachments");
    content
        .attachments()
        .forEach(
            one ->
                attachments
                    .addObject()
                    .put("kind", one.kind().name())
                    .put("url", one.url())
                    .put("preview", one.preview()));
    body.set("open", open(content.action()));
    ArrayNode buttons = body.putArray("buttons");
    content
        .buttons()
        .forEach(
            button ->
                buttons
                    .addObject()
                    .put("text", button.text())
                    .put("title", button.text())
                    .set("open", open(button.action())));
    return body.toString();
  }

  private static ObjectNode open(MessageAction action) {
    ObjectNode open = JSON.objectNode();
    putIfPresent(open, "web", action.web());
    putIfPresent(open, "android", action.android());
    putIfPresent(open, "ios", action.ios());
    putIfPresent(open, "type", action.type());
    if (!action.payload().isEmpty()) {
      open.set("payload", ActionPayload.json(action.payload()));
    }
    return open;
  }

  private static void putIfPresent(ObjectNode node, String name, String value) {
    if (!value.isEmpty()) {
      node.put(name, value);
    }
  }
}
