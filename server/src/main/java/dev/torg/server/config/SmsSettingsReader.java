package dev.torg.server.config;

import dev.torg.notifications.SenderSettings.Header;
import dev.torg.notifications.SenderSettings.SmsGateway;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Reads the description of the SMS gateway.
final class SmsSettingsReader {
  private static final Pattern HEADER =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\x20-\\x7e]*)");

  private static final Pattern STATUS = Pattern.compile("[1-5]\\d\\d(-[1-5]\\d\\d)?");

  private SmsSettingsReader() {}

  static Optional<SmsGateway> of(SettingReader read) {
    List<Header> headers = headers(read);
    Set<Integer> statuses =
        read.parse(
            Setting.SMS_GATEWAY_SUCCESS,
            "must be statuses and ranges like 200,202-204",
            SmsSettingsReader::statuses);
    String method = method(read);
    int segments = read.number(Setting.SMS_GATEWAY_SEGMENTS, 1, 10);
    return read.text(Setting.SMS_GATEWAY_URL)
        .map(
            url ->
                new SmsGateway(
                    method,
                    checkedUrl(url),
                    headers,
                    read.value(Setting.SMS_GATEWAY_BODY),
                    statuses,
                    segments));
  }

  private static String method(SettingReader read) {
    return read.oneOf(Setting.SMS_GATEWAY_METHOD, List.of("get", "post", "put"))
        .toUpperCase(Locale.ROOT);
  }

  /// The placeholders are not part of a URL.
  private static String checkedUrl(String url) {
    if (!url.matches("https?://[^\\s/{}]+(/\\S*)?")) {
      throw SettingReader.invalid(Setting.SMS_GATEWAY_URL, "must be a URL, http:// or https://");
    }
    return url;
  }

  private static List<Header> headers(SettingReader read) {
    return read.value(Setting.SMS_GATEWAY_HEADERS)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .map(SmsSettingsReader::header)
        .toList();
  }

  private static Header header(String line) {
    var parts = HEADER.matcher(line);
    if (!parts.matches()) {
      throw SettingReader.invalid(
          Setting.SMS_GATEWAY_HEADERS, "must be headers like `Name: value`, one on each line");
    }
    return new Header(parts.group(1), parts.group(2).strip());
  }

  private static Set<Integer> statuses(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .flatMapToInt(SmsSettingsReader::range)
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  private static IntStream range(String text) {
    if (!STATUS.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    int first = Integer.parseInt(text.substring(0, 3));
    int last = text.length() > 3 ? Integer.parseInt(text.substring(4)) : first;
    if (last < first) {
      throw new IllegalArgumentException(text);
    }
    return IntStream.rangeClosed(first, last);
  }
}
