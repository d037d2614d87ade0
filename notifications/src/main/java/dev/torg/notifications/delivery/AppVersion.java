package dev.torg.notifications.delivery;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A version of an app: numbers separated by dots, such as `4.12.0`. What follows the numbers (`-beta`, `+17`) does not
/// count, and `4.2` equals `4.2.0`.
public record AppVersion(List<Long> numbers) implements Comparable<AppVersion> {
  private static final Pattern NUMBERS = Pattern.compile("\\d{1,18}(\\.\\d{1,18}){0,9}");
  private static final Pattern SUFFIX = Pattern.compile("[-+ ].*", Pattern.DOTALL);

  /// Empty if the text states no version.
  public static Optional<AppVersion> parse(String text) {
    String version = SUFFIX.matcher(text.strip()).replaceFirst("");
    return NUMBERS.matcher(version).matches()
        ? Optional.of(
            new AppVersion(Arrays.stream(version.split("\\.")).map(Long::valueOf).toList()))
        : Optional.empty();
  }

  /// Whether a device with this version receives what needs at least `min`. An unknown version does not suffice.
  public static boolean isAtLeast(String version, String min) {
    Optional<AppVersion> required = parse(min);
    return parse(version)
        .filter(known -> required.isPresent() && known.compareTo(required.get()) >= 0)
        .isPresent();
  }

  @Override
  public int compareTo(AppVersion other) {
    for (int i = 0; i < Math.max(numbers.size(), other.numbers.size()); i++) {
      int compared = Long.compare(numberAt(i), other.numberAt(i));
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private long numberAt(int index) {
    return index < numbers.size() ? numbers.get(index) : 0;
  }
}
