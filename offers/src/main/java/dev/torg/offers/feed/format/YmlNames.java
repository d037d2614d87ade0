package dev.torg.offers.feed.format;

import java.util.HashSet;
import java.util.Set;
import org.codehaus.stax2.XMLStreamReader2;
import org.jspecify.annotations.Nullable;

/// The names of elements and attributes that a feed uses. The parser retains each of them until the end of
/// the feed, so a feed with too many different names is rejected.
final class YmlNames {
  /// A shop uses some dozens.
  private static final int MAX_NAMES = 5_000;

  private static final int MAX_CHARACTERS = 1 << 20;

  private final Set<String> seen = new HashSet<>();
  private int characters;

  /// Adds the names of the current start element.
  void see(XMLStreamReader2 reader) throws UnreadableFeedException {
    see(reader.getLocalName(), reader);
    see(reader.getPrefix(), reader);
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      see(reader.getAttributeLocalName(i), reader);
      see(reader.getAttributePrefix(i), reader);
    }
    for (int i = 0; i < reader.getNamespaceCount(); i++) {
      see(reader.getNamespacePrefix(i), reader);
      see(reader.getNamespaceURI(i), reader);
    }
  }

  void see(@Nullable String name, XMLStreamReader2 reader) throws UnreadableFeedException {
    if (name != null && seen.add(name)) {
      characters += name.length();
      if (seen.size() > MAX_NAMES || characters > MAX_CHARACTERS) {
        throw new UnreadableFeedException(
            "feed.names",
            "more than %d different names, or %d characters of them"
                .formatted(MAX_NAMES, MAX_CHARACTERS),
            YmlFeedReader.line(reader));
      }
    }
  }
}
