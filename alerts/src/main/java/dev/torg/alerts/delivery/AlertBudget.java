package dev.torg.alerts.delivery;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// What a reader has heard today and this hour, and what is left. Days and hours are those of UTC.
final class AlertBudget {
  /// How an instant alert is to be told.
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

  static AlertBudget fresh(String owner, Instant now) {
    return new AlertBudget(owner, hour(now), 0, new TreeMap<>());
  }

  /// As it was kept; what is of another day or hour is over.
  static AlertBudget stored(
      String owner, int day, int today, int hour, String sources, Instant now) {
    AlertBudget fresh = fresh(owner, now);
    fresh.today = day == fresh.day ? today : 0;
    if (hour == fresh.hour) {
      sources
          .lines()
          .forEach(
              line -> {
                int equals = line.lastIndexOf('=');
                fresh.sources.put(
                    line.substring(0, equals), Integer.parseInt(line.substring(equals + 1)));
              });
    }
    return fresh;
  }

  static int hour(Instant now) {
    return (int) (now.getEpochSecond() / SECONDS_PER_HOUR);
  }

  /// Takes an instant alert for this reason into account.
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

  /// Takes a storm of so many offers into account. Whether it is to be shown at once, in the entry that
  /// counts for one alert in this hour however it grows; otherwise it goes to the digest.
  boolean spendStorm(AlertReason reason, int offers, AlertSettings settings) {
    boolean shown = sources.getOrDefault(reason.source(), 0) > settings.perHour();
    if (!shown && today >= settings.perDay()) {
      return false;
    }
    today += shown ? 0 : 1;
    // From here on the hour's alerts of this source are collapsed, however few the storm had.
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
