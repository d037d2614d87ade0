package dev.torg.notifications.push;

import dev.torg.notifications.channel.MessageContent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;

/// Decides on the category of a push on iOS, which provides its buttons.
final class IosCategories {
  private final Set<String> known;
  private final Counter unknown;
  private final Counter missing;

  IosCategories(Set<String> known, MeterRegistry metrics) {
    this.known = known;
    this.unknown = counter(metrics, "unknown");
    this.missing = counter(metrics, "missing");
  }

  private static Counter counter(MeterRegistry metrics, String category) {
    return Counter.builder("torg.push.ios.without.buttons")
        .description("pushes to iOS whose buttons were left out, by the fault of their category")
        .tag("category", category)
        .register(metrics);
  }

  /// Empty: a plain push.
  String category(MessageContent content) {
    String category = content.iosCategory().orElse("");
    if (known.contains(category)) {
      return category;
    }
    if (!category.isEmpty()) {
      unknown.increment();
    } else if (!content.buttons().isEmpty()) {
      missing.increment();
    }
    return "";
  }
}
