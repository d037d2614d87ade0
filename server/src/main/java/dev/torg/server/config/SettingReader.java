package dev.torg.server.config;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Reads single settings by type. An invalid value fails with the key's name and the expected form.
final class SettingReader {
  private static final List<String> WEB = List.of("http", "https");

  /// A hundred years: durations in nanoseconds overflow a long after 292 years.
  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  private final SettingValues settings;

  SettingReader(SettingValues settings) {
    this.settings = settings;
  }

  String value(Setting setting) {
    return settings.value(setting).strip();
  }

  /// A password may begin or end with a space.
  String unstripped(Setting setting) {
    return settings.value(setting);
  }

  int number(Setting setting, int from, int to) {
    String problem = "must be a number from " + from + " to " + to;
    int value = parse(setting, problem, Integer::parseInt);
    if (value < from || value > to) {
      throw invalid(setting, problem);
    }
    return value;
  }

  boolean yesOrNo(Setting setting) {
    return oneOf(setting, List.of("true", "false")).equals("true");
  }

  String oneOf(Setting setting, List<String> choices) {
    String value = value(setting).toLowerCase(Locale.ROOT);
    if (!choices.contains(value)) {
      throw invalid(setting, "must be one of " + String.join(", ", choices));
    }
    return value;
  }

  Duration duration(Setting setting) {
    String problem = "must be a positive duration like PT12H or P180D, at most P36500D";
    Duration value = parse(setting, problem, Duration::parse);
    if (!value.isPositive() || value.compareTo(MAX_DURATION) > 0) {
      throw invalid(setting, problem);
    }
    return value;
  }

  Optional<Path> file(Setting setting) {
    Optional<Path> file = path(setting);
    file.filter(path -> !Files.isReadable(path))
        .ifPresent(
            path -> {
              throw invalid(setting, "must name a readable file: " + path);
            });
    return file;
  }

  Optional<Path> path(Setting setting) {
    return text(setting).map(_ -> parse(setting, "must be a path", Path::of));
  }

  Optional<String> text(Setting setting) {
    return Optional.of(value(setting)).filter(value -> !value.isEmpty());
  }

  URI url(Setting setting) {
    String problem = "must be a URL, http:// or https://";
    URI url = parse(setting, problem, URI::create);
    if (!WEB.contains(String.valueOf(url.getScheme())) || url.getHost() == null) {
      throw invalid(setting, problem);
    }
    return url;
  }

  /// Words between commas.
  Set<String> words(Setting setting) {
    return Arrays.stream(value(setting).split(",", -1))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  List<String> ranges(Setting setting) {
    return parse(
        setting,
        "must be a comma-separated list of addresses and ranges like 10.0.0.0/8",
        text ->
            text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .map(SettingReader::range)
                    .toList());
  }

  /// Addresses only: a name would have to be resolved, at every start. Parsed here rather than by Armeria, which creates
  /// loggers: the log is configured from these values.
  private static String range(String text) {
    int slash = text.indexOf('/');
    InetAddress address = InetAddresses.forString(slash < 0 ? text : text.substring(0, slash));
    if (slash >= 0 && !isPrefix(text.substring(slash + 1), address.getAddress().length * 8)) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  /// A number of bits or, for IPv4, a mask.
  private static boolean isPrefix(String text, int bits) {
    if (bits == 32 && InetAddresses.isInetAddress(text)) {
      int unmasked = ~InetAddresses.coerceToInteger(InetAddresses.forString(text));
      return (unmasked & (unmasked + 1)) == 0;
    }
    return text.matches("\\d{1,3}") && Integer.parseInt(text) <= bits;
  }

  <T> T parse(Setting setting, String problem, Function<String, T> parser) {
    try {
      return parser.apply(value(setting));
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw invalid(setting, problem);
    }
  }

  static InvalidSettingException invalid(Setting setting, String problem) {
    return new InvalidSettingException(setting.key(), problem);
  }
}
