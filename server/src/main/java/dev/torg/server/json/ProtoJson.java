package dev.torg.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Proto3 JSON as Torg speaks it: zero values and empty lists are printed; what is read must be UTF-8, one JSON object
/// without repeated names, and every field must be known and of its type.
///
/// The protobuf library reads JSON leniently (single quotes, text after the end), so the syntax is checked first.
public final class ProtoJson {
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().alwaysPrintFieldsWithNoPresence().omittingInsignificantWhitespace();
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();
  private static final JsonFactory STRICT =
      new JsonFactoryBuilder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private ProtoJson() {}

  public static String print(MessageOrBuilder message) {
    try {
      return PRINTER.print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("cannot print " + message.getDescriptorForType(), e);
    }
  }

  /// Reads the bytes of a body into the message; an empty body is an empty object.
  static void read(byte[] json, Message.Builder into) {
    if (json.length > 0) {
      String text = decode(json);
      checkSyntax(text);
      merge(text, into);
    }
  }

  /// Reads text that is known to be well-formed.
  static void merge(String json, Message.Builder into) {
    try {
      PARSER.merge(json, into);
    } catch (InvalidProtocolBufferException e) {
      List<Violation> faults = JsonFaults.find(json, into.getDescriptorForType());
      throw invalid(
          "a field of the request is unknown or has a wrong value",
          faults.isEmpty() ? List.of(new Violation("", message(e))) : faults,
          e);
    }
  }

  private static String decode(byte[] json) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
    } catch (CharacterCodingException e) {
      throw invalid("the body is not UTF-8", List.of(), e);
    }
  }

  private static void checkSyntax(String text) {
    try (JsonParser parser = STRICT.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw invalid("the body must be a JSON object", List.of(), null);
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw invalid("there is something after the JSON object", List.of(), null);
      }
    } catch (IOException e) {
      throw invalid("the body is not JSON", List.of(new Violation("", place(e))), e);
    }
  }

  private static String place(IOException e) {
    return e instanceof com.fasterxml.jackson.core.JsonProcessingException syntax
        ? syntax.getOriginalMessage()
            + (syntax.getLocation() == null
                ? ""
                : " at line "
                    + syntax.getLocation().getLineNr()
                    + ", column "
                    + syntax.getLocation().getColumnNr())
        : "unreadable";
  }

  static String message(InvalidProtocolBufferException e) {
    String message = e.getMessage();
    return message == null ? "cannot be read" : message;
  }

  private static Failure invalid(
      String message, List<Violation> violations, @Nullable Throwable cause) {
    return new Failure(Failure.Kind.INVALID, "request.malformed", message, violations, cause);
  }
}
