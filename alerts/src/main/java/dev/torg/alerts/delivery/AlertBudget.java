package dev.torg.alerts.delivery;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// The alerts that a recipient got today and in this hour. Days and hours are in UTC.
final class AlertBudget {
  /// How an instant alert is delivered.
  enum Mode {
    INSTANT,
    COLLAPSED,
    DIGEST
  }

  private static final long SECONDS_PER_HOUR = 3600;
  private static final long HOURS_PER_DAY = 24;

  final String owner;
  final int day;
  final int hour;
  private final Map<String, Integer> sources;
  private int today;

  private AlertBudget(String owner, int hour, int today, Map<String, Integer> sources) {
    this.owner = owner;
    this.hour = hour;
    this.day = (int) (hour / HOURS_PER_DAY);
    this.today = today;
    this.sources = sources;
  }

  static AlertBudget unused(String owner, Instant now) {
    return new AlertBudget(owner, hour(now), 0, new TreeMap<>());
  }

  /// From the stored row; counts of another day or hour have expired.
  static AlertBudget stored(
      String owner, int day, int today, int hour, String sources, Instant now) {
    AlertBudget budget = unused(owner, now);
    budget.today = day == budget.day ? today : 0;
    if (hour == budget.hour) {
      sources
          .lines()
          .forEach(
              line -> {
                int equals = line.lastIndexOf('=');
                budget.sources.put(
                    line.substring(0, equals), Integer.parseInt(line.substring(equals + 1)));
              });
    }
    return budget;
  }

  static int hour(Instant now) {
    return (int) (now.getEpochSecond() / SECONDS_PER_HOUR);
  }

  /// Counts an instant alert for this reason, and returns how it is delivered.
  Mode spend(AlertReason reason, AlertSettings settings) {
    if (today >= settings.perDay()) {
      return Mode.DIGEST;
    }
    today++;
    if (reason.kind() == AlertReason.Kind.PRICE) {
      return Mode.INSTANT;
    }
    int ofSource = sources.merge(reason.source(), 1, Integer::sum);
    return ofSource > settings.perHour() ? Mode.COLLAPSED : Mode.INSTANT;
  }

  /// Counts a storm. Returns whether it is displayed at once, in the entry that counts as one alert in
  /// this hour however it grows; otherwise it goes to the digest.
  boolean spendStorm(AlertReason reason, int offers, AlertSettings settings) {
    boolean shown = sources.getOrDefault(reason.source(), 0) > settings.perHour();
    if (!shown && today >= settings.perDay()) {
      return false;
    }
    today += shown ? 0 : 1;
    // From now on this hour's alerts of this source are collapsed, however few offers the storm
    // had.
    sources.merge(reason.source(), Math.max(offers, settings.perHour() + 1), Integer::sum);
    return true;
  }

  Home home() {
    return Home.of(owner);
  }

  int today() {
    return today;
  }

  String sources() {
    StringBuilder lines = new StringBuilder();
    sources.forEach((source, count) -> lines.append(source).append('=').append(count).append('\n'));
    return lines.toString();
  }
}
