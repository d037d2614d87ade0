package dev.torg.notifications.sending;

import com.google.protobuf.Timestamp;
import dev.torg.api.v1.AppVersions;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.content.ContentValidator;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure.Violation;
import dev.torg.platform.identity.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Validates what requests to send have in common, and reports all violations at once. The parameters of a template
/// are validated by the template.
public final class SendRequestValidator {
  /// Recipients of one request, duplicates included.
  static final int MAX_RECIPIENTS = 500;

  private static final Duration MAX_DELAY = Duration.ofDays(366);
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~:@|+=-]{1,128}");
  private static final Pattern VERSION = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9}){0,3}");

  private static final Set<String> CHANNELS =
      Arrays.stream(Channel.values()).map(Channel::name).collect(Collectors.toUnmodifiableSet());

  private final NotificationTopics topics;
  private final List<Violation> violations = new ArrayList<>();

  private SendRequestValidator(NotificationTopics topics) {
    this.topics = topics;
  }

  /// @param now the time by which `sendAt` and `expiresAt` are judged
  static List<Violation> violations(
      SendNotificationRequest request, NotificationTopics topics, Instant now) {
    SendRequestValidator validator = new SendRequestValidator(topics);
    validator.recipients(request.getRecipientsList());
    validator.message(request, now);
    return validator.violations;
  }

  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /// Everything but the recipients.
  private void message(SendNotificationRequest request, Instant now) {
    if (!isId(request.getId())) {
      add("id", "must have 1 to 128 letters, digits or . _ ~ : @ | + = -");
    }
    if (!topics.has(request.getTopic())) {
      add("topic", "there is no such topic");
    }
    if (request.hasContent() == request.hasTemplate()) {
      add("content", "exactly one of content and template must be given");
    } else if (request.hasContent()) {
      violations.addAll(ContentValidator.violations("content", request.getContent()));
    }
    channels(request.getChannelsList());
    times(request, now);
    versions(request.getMinAppVersion());
  }

  private void recipients(List<String> recipients) {
    if (recipients.isEmpty() || recipients.size() > MAX_RECIPIENTS) {
      add("recipients", "must have 1 to " + MAX_RECIPIENTS + " items");
      return;
    }
    for (int i = 0; i < recipients.size(); i++) {
      if (!isRecipient(recipients.get(i))) {
        add("recipients[" + i + "]", "must be a user or an anonymous identity like user:42");
      }
    }
  }

  /// Whether the text names a user or an anonymous identity.
  public static boolean isRecipient(String subject) {
    return Subject.isValid(subject)
        && (subject.startsWith(Caller.USER_PREFIX) || subject.startsWith(Caller.ANONYMOUS_PREFIX));
  }

  private void channels(List<String> channels) {
    for (int i = 0; i < channels.size(); i++) {
      if (!CHANNELS.contains(channels.get(i))) {
        add("channels[" + i + "]", "must be one of EMAIL, PUSH, SMS, WEBHOOK");
      }
    }
  }

  private void times(SendNotificationRequest request, Instant now) {
    if (request.hasSendAt() && after(request.getSendAt(), now.plus(MAX_DELAY))) {
      add("sendAt", "must be at most a year ahead");
    }
    if (request.hasExpiresAt()) {
      Instant expiresAt = EpochMicros.instant(request.getExpiresAt());
      if (!expiresAt.isAfter(now)) {
        add("expiresAt", "must be in the future");
      } else if (request.hasSendAt() && !after(request.getExpiresAt(), sendAt(request))) {
        add("expiresAt", "must be after sendAt");
      }
    }
  }

  private static Instant sendAt(SendNotificationRequest request) {
    return EpochMicros.instant(request.getSendAt());
  }

  private static boolean after(Timestamp time, Instant other) {
    return EpochMicros.instant(time).isAfter(other);
  }

  private void versions(AppVersions versions) {
    version("minAppVersion.android", versions.getAndroid());
    version("minAppVersion.ios", versions.getIos());
    version("minAppVersion.web", versions.getWeb());
  }

  private void version(String field, String version) {
    if (!version.isEmpty() && !VERSION.matcher(version).matches()) {
      add(field, "must be a version like 5.12");
    }
  }

  private void add(String field, String message) {
    violations.add(new Violation(field, message));
  }
}
