package dev.torg.matching;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Writes and reads the canonical text of a query; its grammar is in the package documentation.
final class CanonicalText {
  private static final String ATTRIBUTE = "attr.";
  private static final String FROM = "-from";
  private static final String TO = "-to";
  private static final String IN = "-in";
  private static final String NOT_IN = "-not-in";

  private record Pair(String key, String value) {}

  private static final Comparator<Pair> ORDER =
      Comparator.comparing(Pair::key, CanonicalText::byCodePoint)
          .thenComparing(Pair::value, CanonicalText::byCodePoint);

  private final List<Pair> pairs = new ArrayList<>();

  private CanonicalText() {}

  static String of(Query query) {
    CanonicalText text = new CanonicalText();
    text.simpleFields(query);
    query.ranges().forEach(text::range);
    query.anyOf().forEach((key, values) -> text.all(ATTRIBUTE + key + IN, values));
    query.noneOf().forEach((key, values) -> text.all(ATTRIBUTE + key + NOT_IN, values));
    text.all("text", query.words());
    text.all("phrase", query.phrases());
    text.all("text-not", query.excludedWords());
    text.all("phrase-not", query.excludedPhrases());
    return text.pairs.stream()
        .sorted(ORDER)
        .map(pair -> pair.key + '=' + pair.value)
        .collect(Collectors.joining("&"));
  }

  private void simpleFields(Query query) {
    if (query.category() != null) {
      add("category", query.category());
    }
    all("region", query.regions());
    if (query.price() != null) {
      price(query.price());
    }
    if (query.seller() != null) {
      add("seller", query.seller());
    }
    if (query.withPhotos()) {
      add("photos", "true");
    }
  }

  private void price(PriceBounds price) {
    add("price-currency", price.currency());
    if (price.from() != Long.MIN_VALUE) {
      add("price-from", Long.toString(price.from()));
    }
    if (price.to() != Long.MAX_VALUE) {
      add("price-to", Long.toString(price.to()));
    }
  }

  private void range(String key, NumericBounds range) {
    if (range.from() != Long.MIN_VALUE) {
      add(ATTRIBUTE + key + FROM, Decimals.plain(Decimals.decimal(range.from())));
    }
    if (range.to() != Long.MAX_VALUE) {
      add(ATTRIBUTE + key + TO, Decimals.plain(Decimals.decimal(range.to())));
    }
  }

  private void all(String key, Collection<String> values) {
    values.forEach(value -> add(key, value));
  }

  private void add(String key, String value) {
    pairs.add(new Pair(key, escape(value)));
  }

  private static String escape(String value) {
    StringBuilder escaped = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '%' || c == '&' || c == '=' || c < ' ' || c == 0x7F) {
        escaped
            .append('%')
            .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
            .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /// As `compareTo`, but characters beyond the basic plane sort above all others, as their code points do.
  private static int byCodePoint(String first, String second) {
    int length = Math.min(first.length(), second.length());
    for (int i = 0; i < length; i++) {
      char a = first.charAt(i);
      char b = second.charAt(i);
      if (a != b) {
        boolean beyondA = Character.isSurrogate(a);
        return beyondA == Character.isSurrogate(b) ? Character.compare(a, b) : beyondA ? 1 : -1;
      }
    }
    return Integer.compare(first.length(), second.length());
  }

  static Query parse(String text) {
    QueryBuilder query = new QueryBuilder();
    Map<String, SortedSet<String>> pairs = split(text);
    pairs.forEach((key, values) -> values.forEach(value -> read(query, key, value)));
    return query.build();
  }

  private static Map<String, SortedSet<String>> split(String text) {
    Map<String, SortedSet<String>> pairs = new TreeMap<>();
    for (String pair : text.split("&")) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new InvalidQuery("query", "Not a canonical search: '" + pair + "'.");
      }
      pairs
          .computeIfAbsent(pair.substring(0, equals), k -> new TreeSet<>())
          .add(unescape(pair.substring(equals + 1)));
    }
    return pairs;
  }

  private static String unescape(String value) {
    StringBuilder plain = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '%' && i + 2 < value.length()) {
        plain.append((char) Integer.parseInt(value.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private static void read(QueryBuilder query, String key, String value) {
    switch (key) {
      case "category" -> query.category(value);
      case "region" -> query.region(value);
      case "price-currency" -> query.priceCurrency(value);
      case "price-from" -> query.priceFrom(Long.parseLong(value));
      case "price-to" -> query.priceTo(Long.parseLong(value));
      case "seller" -> query.seller(value);
      case "photos" -> query.withPhotos(true);
      case "text" -> query.stem(value);
      case "text-not" -> query.excludedStem(value);
      case "phrase" -> query.stemmedPhrase(value);
      case "phrase-not" -> query.excludedStemmedPhrase(value);
      default -> attribute(query, key, value);
    }
  }

  private static void attribute(QueryBuilder query, String key, String value) {
    String name = key.startsWith(ATTRIBUTE) ? key.substring(ATTRIBUTE.length()) : "";
    if (name.endsWith(NOT_IN)) {
      query.noneOf(removeSuffix(name, NOT_IN), List.of(value));
    } else if (name.endsWith(IN)) {
      query.anyOfMore(removeSuffix(name, IN), value);
    } else if (name.endsWith(FROM)) {
      query.range(removeSuffix(name, FROM), new BigDecimal(value), null);
    } else if (name.endsWith(TO)) {
      query.range(removeSuffix(name, TO), null, new BigDecimal(value));
    } else {
      throw new InvalidQuery("query", "Not a canonical search: unknown key '" + key + "'.");
    }
  }

  private static String removeSuffix(String name, String suffix) {
    return name.substring(0, name.length() - suffix.length());
  }
}
