package dev.torg.notifications.content;

import com.google.protobuf.Value;
import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Button;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.OpenAction;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Validates the content of a notification and reports all violations at once.
public final class ContentValidator {
  private static final TextRule TITLE = new TextRule(200, false);
  private static final TextRule TEXT = new TextRule(4_000, true);
  private static final TextRule BUTTON = new TextRule(50, false);
  private static final int MAX_ATTACHMENTS = 10;
  private static final int MAX_BUTTONS = 5;
  private static final int MAX_PAYLOAD_BYTES = 4 << 10;

  /// Serialized size: the content is stored once for every recipient.
  private static final int MAX_BYTES = 16 << 10;

  private static final Pattern ACTION_TYPE = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");
  private static final Pattern IOS_CATEGORY = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final List<Violation> violations = new ArrayList<>();

  private ContentValidator() {}

  /// @param field the path of the content in the request
  public static List<Violation> violations(String field, NotificationContent content) {
    ContentValidator validator = new ContentValidator();
    validator.content(field, content);
    return validator.violations;
  }

  private void content(String field, NotificationContent content) {
    if (content.getSerializedSize() > MAX_BYTES) {
      add(field, "must have at most " + MAX_BYTES + " bytes");
      return;
    }
    require(field + ".title", content.getTitle());
    add(field + ".title", TITLE.problem(content.getTitle()));
    add(field + ".text", TEXT.problem(content.getText()));
    attachments(field + ".attachments", content.getAttachmentsList());
    open(field + ".open", content.getOpen());
    buttons(field + ".buttons", content.getButtonsList());
    String category = content.getIosCategory();
    if (!category.isEmpty() && !IOS_CATEGORY.matcher(category).matches()) {
      add(field + ".iosCategory", "must have up to 64 letters, digits or . _ -");
    }
  }

  private void attachments(String field, List<Attachment> attachments) {
    if (attachments.size() > MAX_ATTACHMENTS) {
      add(field, "must have at most " + MAX_ATTACHMENTS + " items");
      return;
    }
    for (int i = 0; i < attachments.size(); i++) {
      attachment(field + "[" + i + "]", attachments.get(i));
    }
  }

  private void attachment(String field, Attachment attachment) {
    switch (attachment.getKind()) {
      case IMAGE, VIDEO, FILE -> {}
      case KIND_UNSPECIFIED, UNRECOGNIZED ->
          add(field + ".kind", "must be one of IMAGE, VIDEO, FILE");
    }
    require(field + ".url", attachment.getUrl());
    link(field + ".url", attachment.getUrl(), LinkRule.WEB);
    link(field + ".preview", attachment.getPreview(), LinkRule.WEB);
  }

  private void open(String field, OpenAction open) {
    link(field + ".web", open.getWeb(), LinkRule.WEB);
    link(field + ".android", open.getAndroid(), LinkRule.APP);
    link(field + ".ios", open.getIos(), LinkRule.APP);
    if (!open.getType().isEmpty() && !ACTION_TYPE.matcher(open.getType()).matches()) {
      add(field + ".type", "must begin with a letter and have up to 64 letters, digits or . _ -");
    }
    if (open.hasPayload()) {
      payload(field + ".payload", open.getPayload());
    }
  }

  private void payload(String field, Value payload) {
    if (payload.getSerializedSize() > MAX_PAYLOAD_BYTES) {
      add(field, "must have at most " + MAX_PAYLOAD_BYTES + " bytes");
    } else if (!isJson(payload)) {
      add(field, "must be a JSON value");
    }
  }

  /// Over gRPC a value may be absent, and a number may be infinite or none.
  private static boolean isJson(Value value) {
    return switch (value.getKindCase()) {
      case NULL_VALUE, STRING_VALUE, BOOL_VALUE -> true;
      case NUMBER_VALUE -> Double.isFinite(value.getNumberValue());
      case STRUCT_VALUE ->
          value.getStructValue().getFieldsMap().values().stream()
              .allMatch(ContentValidator::isJson);
      case LIST_VALUE ->
          value.getListValue().getValuesList().stream().allMatch(ContentValidator::isJson);
      case KIND_NOT_SET -> false;
    };
  }

  private void buttons(String field, List<Button> buttons) {
    if (buttons.size() > MAX_BUTTONS) {
      add(field, "must have at most " + MAX_BUTTONS + " items");
      return;
    }
    for (int i = 0; i < buttons.size(); i++) {
      button(field + "[" + i + "]", buttons.get(i));
    }
  }

  private void button(String field, Button button) {
    String label = BellContent.label(button);
    require(field + ".text", label);
    add(field + ".text", BUTTON.problem(label));
    OpenAction open = BellContent.open(button);
    if (open.equals(OpenAction.getDefaultInstance())) {
      add(field + ".open", "must have a link or a type");
    }
    open(field + ".open", open);
  }

  private void link(String field, String link, LinkRule rule) {
    if (!link.isEmpty()) {
      add(field, rule.problem(link));
    }
  }

  private void require(String field, String value) {
    if (value.isBlank()) {
      add(field, "is missing");
    }
  }

  private void add(String field, Optional<String> problem) {
    problem.ifPresent(message -> add(field, message));
  }

  private void add(String field, String message) {
    violations.add(new Violation(field, message));
  }
}
