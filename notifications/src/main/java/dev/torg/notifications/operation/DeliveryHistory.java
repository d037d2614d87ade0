package dev.torg.notifications.operation;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds what became of the deliveries of a notification, for 30 days.
public final class DeliveryHistory {
  /// Attempts per response, the newest: a campaign has millions.
  public static final int MAX_ATTEMPTS = 1_000;

  private final Database database;
  private final DeliveryAttemptStore attempts = new DeliveryAttemptStore();

  public DeliveryHistory(Database database) {
    this.database = database;
  }

  /// Newest first.
  ///
  /// @param id the id that the sender chose, or that of an entry in a bell
  /// @param recipient empty: all
  public List<DeliveryAttempt> find(String id, String recipient) {
    List<Home> homes = recipient.isEmpty() ? Home.all() : List.of(Home.of(recipient));
    List<DeliveryAttempt> found =
        new ArrayList<>(
            database.read(tx -> attempts.bySource(tx, homes, id, recipient, MAX_ATTEMPTS)));
    number(id)
        .ifPresent(
            entry ->
                found.addAll(
                    database.read(
                        tx -> attempts.byNotification(tx, homes, entry, recipient, MAX_ATTEMPTS))));
    return found.stream()
        .distinct()
        .sorted(Comparator.comparing(DeliveryAttempt::at).reversed())
        .limit(MAX_ATTEMPTS)
        .toList();
  }

  private static Optional<Long> number(String id) {
    try {
      return Optional.of(Long.parseLong(id));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
