package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Operations as rows. Several values of one column are separated by line feeds.
final class OperationRows {
  private static final String SEPARATOR = "\n";

  /// The columns of an operation `o`, in the order that [#operation] reads.
  static final String SELECTED =
      """
      o.owner, o.notification_id, o.channel, o.topic, o.created_at, o.attempts, o.bulk, o.held,
             o.expires_at, o.campaign, o.source_id, o.min_app_version, o.ios_category, o.devices\
      """;

  static final int SELECTED_COUNT = 14;

  /// An operation and when it is due.
  record Queued(DeliveryOperation operation, Instant dueAt) {}

  static final BatchColumns<DeliveryOperation> KEYS =
      BatchColumns.of(DeliveryOperation::home)
          .texts("owner", DeliveryOperation::owner)
          .longs("notification_id", DeliveryOperation::notificationId)
          .texts("channel", operation -> operation.channel().name());

  static final BatchColumns<Queued> QUEUED =
      BatchColumns.<Queued>of(queued -> queued.operation().home())
          .texts("owner", queued -> queued.operation().owner())
          .longs("notification_id", queued -> queued.operation().notificationId())
          .texts("channel", queued -> queued.operation().channel().name())
          .texts("topic", queued -> queued.operation().topic())
          .instants("due_at", Queued::dueAt)
          .instants("created_at", queued -> queued.operation().createdAt())
          .ints("attempts", queued -> queued.operation().attempts())
          .booleans("bulk", queued -> queued.operation().isBulk())
          .booleans("held", queued -> queued.operation().isHeld())
          .instants("expires_at", queued -> queued.operation().expiresAt().orElse(null))
          .texts("campaign", queued -> queued.operation().campaign().orElse(null))
          .texts("source_id", queued -> queued.operation().sourceId().orElse(null))
          .texts("min_app_version", queued -> joined(queued.operation().minAppVersion()))
          .texts("ios_category", queued -> queued.operation().iosCategory().orElse(null))
          .texts("devices", queued -> joined(queued.operation().devices()));

  private OperationRows() {}

  static DeliveryOperation operation(Row row) throws SQLException {
    return new DeliveryOperation(
        row.textAt(1),
        row.longAt(2),
        Channel.valueOf(row.textAt(3)),
        row.textAt(4),
        row.instantAt(5),
        row.intAt(6),
        row.booleanAt(7),
        row.booleanAt(8),
        row.optionalInstantAt(9),
        row.optionalTextAt(10),
        row.optionalTextAt(11),
        row.optionalTextAt(12).map(OperationRows::pairs).orElse(Map.of()),
        row.optionalTextAt(13),
        row.optionalTextAt(14).map(OperationRows::values).orElse(Set.of()));
  }

  private static @Nullable String joined(Set<String> values) {
    return values.isEmpty()
        ? null
        : values.stream().sorted().collect(Collectors.joining(SEPARATOR));
  }

  private static @Nullable String joined(Map<String, String> pairs) {
    return joined(
        pairs.entrySet().stream()
            .map(pair -> pair.getKey() + "=" + pair.getValue())
            .collect(Collectors.toSet()));
  }

  private static Set<String> values(String joined) {
    return Set.of(joined.split(SEPARATOR, -1));
  }

  private static Map<String, String> pairs(String joined) {
    return Arrays.stream(joined.split(SEPARATOR, -1))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }
}
