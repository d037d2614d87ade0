package dev.torg.offers.feed.format;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.exc.WstxEOFException;
import com.ctc.wstx.exc.WstxIOException;
import com.ctc.wstx.stax.WstxInputFactory;
import dev.torg.offers.category.Categories;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLInputFactory2;
import org.codehaus.stax2.XMLStreamReader2;
import org.jspecify.annotations.Nullable;

/// Reads the XML of Yandex Market: `yml_catalog/shop/categories` and `offers/offer`.
///
/// No DTD is loaded and only the five predefined entities of XML are known; a document that declares others
/// is rejected before its first item. Encodings are those that XML declares.
public final class YmlFeedReader implements FeedReader {
  private static final int MAX_DEPTH = 64;

  /// Maximum size of one tag, comment or piece of text, in bytes.
  private static final int MAX_STEP = 2 * FeedEntry.MAX_BYTES;

  /// Part of the parser's message, which has no exception type for this error.
  private static final String UNKNOWN_ENCODING = "Unsupported encoding";

  private static final WstxInputFactory FACTORY = factory();

  private final YmlCategories categories;
  private final YmlNames names = new YmlNames();
  private final StepLimitedInputStream in;
  private @Nullable XMLStreamReader2 xml;
  private @Nullable YmlOffer offer;

  public YmlFeedReader(
      InputStream in, String seller, Categories categories, CategoryMapping mapping) {
    this.in = new StepLimitedInputStream(in, MAX_STEP);
    this.categories = new YmlCategories(seller, mapping, categories);
  }

  private static WstxInputFactory factory() {
    WstxInputFactory factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    factory.setProperty(XMLInputFactory2.P_REPORT_PROLOG_WHITESPACE, false);
    // Otherwise malformed text is detected only when it is used, with another type of exception.
    factory.setProperty(WstxInputProperties.P_LAZY_PARSING, false);
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, MAX_DEPTH);
    factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, FeedEntry.MAX_BYTES);
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("external entities are not read");
        });
    return factory;
  }

  @Override
  public @Nullable FeedEntry next() throws IOException, UnreadableFeedException {
    try {
      XMLStreamReader2 reader = xml == null ? open() : xml;
      while (reader.hasNext()) {
        FeedEntry entry = step(reader);
        if (entry != null) {
          return entry;
        }
      }
      return null;
    } catch (WstxIOException e) {
      throw asIo(e);
    } catch (WstxEOFException e) {
      throw broken("feed.truncated", "the feed ends before its root does: " + firstLine(e), e);
    } catch (XMLStreamException e) {
      throw broken("feed.xml", "not well-formed: " + firstLine(e), e);
    }
  }

  private XMLStreamReader2 open() throws XMLStreamException {
    XMLStreamReader2 reader = (XMLStreamReader2) FACTORY.createXMLStreamReader(in);
    xml = reader;
    return reader;
  }

  private @Nullable FeedEntry step(XMLStreamReader2 reader)
      throws XMLStreamException, UnreadableFeedException {
    in.nextStep();
    switch (reader.next()) {
      case XMLStreamConstants.DTD -> refuseDeclarations(reader);
      case XMLStreamConstants.PROCESSING_INSTRUCTION -> names.see(reader.getPITarget(), reader);
      case XMLStreamConstants.ENTITY_REFERENCE -> names.see(reader.getLocalName(), reader);
      case XMLStreamConstants.START_ELEMENT -> start(reader);
      case XMLStreamConstants.END_ELEMENT -> {
        YmlOffer done = offer;
        if (done != null && reader.getLocalName().equals("offer")) {
          offer = null;
          return done.entry(categories);
        }
      }
      default -> {}
    }
    return null;
  }

  /// Many shops refer to `shops.dtd`, which is never read; none needs its own declarations.
  private static void refuseDeclarations(XMLStreamReader2 reader)
      throws XMLStreamException, UnreadableFeedException {
    String declared = reader.getDTDInfo().getDTDInternalSubset();
    if (declared != null && !declared.isBlank()) {
      throw new UnreadableFeedException(
          "feed.dtd", "declarations inside DOCTYPE are not allowed", line(reader));
    }
  }

  private void start(XMLStreamReader2 reader) throws XMLStreamException, UnreadableFeedException {
    names.see(reader);
    String name = reader.getLocalName();
    YmlOffer current = offer;
    if (current != null) {
      inOffer(reader, name, current);
    } else if (name.equals("offer")) {
      offer = new YmlOffer(line(reader), attribute(reader, "id"));
    } else if (name.equals("category")) {
      int line = line(reader);
      String id = attribute(reader, "id");
      String parent = attribute(reader, "parentId");
      categories.add(id, parent, text(reader, new YmlOffer(line, id)), line);
    }
  }

  private void inOffer(XMLStreamReader2 reader, String name, YmlOffer current)
      throws XMLStreamException, UnreadableFeedException {
    boolean isParam = name.equals("param");
    String key = isParam ? attribute(reader, "name") : name;
    boolean hasCapacity = current.acceptsElement(key.length());
    String text = text(reader, current);
    if (hasCapacity && isParam) {
      current.param(key, text);
    } else if (hasCapacity) {
      current.element(key, text);
    }
  }

  /// The text of an element and its descendants, limited by the offer's remaining size.
  private String text(XMLStreamReader2 reader, YmlOffer owner)
      throws XMLStreamException, UnreadableFeedException {
    StringBuilder text = new StringBuilder();
    for (int depth = 1; depth > 0; ) {
      in.nextStep();
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          names.see(reader);
          depth++;
        }
        case XMLStreamConstants.END_ELEMENT -> depth--;
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          if (owner.accepts(reader.getTextLength())) {
            text.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
          }
        }
        case XMLStreamConstants.ENTITY_REFERENCE -> {
          names.see(reader.getLocalName(), reader);
          owner.unknownEntity(reader.getLocalName());
        }
        case XMLStreamConstants.PROCESSING_INSTRUCTION -> names.see(reader.getPITarget(), reader);
        default -> {}
      }
    }
    return text.toString();
  }

  private static String attribute(XMLStreamReader2 reader, String name) {
    String value = reader.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  static int line(XMLStreamReader2 reader) {
    return Math.max(1, reader.getLocation().getLineNumber());
  }

  /// The parser wraps exceptions of its stream.
  private IOException asIo(WstxIOException e) throws UnreadableFeedException {
    IOException cause =
        e.getNestedException() instanceof IOException io ? io : new IOException(e.getMessage(), e);
    if (cause instanceof StepLimitedInputStream.TooLarge) {
      throw broken("feed.item-too-large", String.valueOf(cause.getMessage()), e);
    }
    String text = String.valueOf(cause.getMessage());
    if (text.startsWith(UNKNOWN_ENCODING)) {
      throw broken("feed.encoding", text, e);
    }
    if (cause instanceof CharConversionException) {
      throw broken("feed.encoding", "the feed is not in the encoding it declares", e);
    }
    return cause;
  }

  private UnreadableFeedException broken(String code, String message, XMLStreamException e) {
    int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
    return new UnreadableFeedException(code, message, Math.max(0, line));
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
