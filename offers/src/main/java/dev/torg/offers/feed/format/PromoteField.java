package dev.torg.offers.feed.format;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The field `promote` of an item: the names of promotion services. Which services exist, module `promotions` decides.
final class PromoteField {
  static final String PROBLEM =
      "promote must be a list of services like premium, at most 20, of lower-case letters, digits"
          + " and dashes";

  private static final int MAX_SERVICES = 20;
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");
  private static final Pattern SEPARATORS = Pattern.compile("[,|]");

  private PromoteField() {}

  /// The names between commas or bars.
  static List<String> split(String text) {
    return Arrays.asList(SEPARATORS.split(text, -1));
  }

  /// The names without blank ones and repetitions, in lower case.
  static List<String> normalized(Collection<String> names) {
    return names.stream()
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .filter(name -> !name.isEmpty())
        .distinct()
        .toList();
  }

  static boolean isValid(List<String> names) {
    return names.size() <= MAX_SERVICES
        && names.stream().allMatch(name -> NAME.matcher(name).matches());
  }
}
