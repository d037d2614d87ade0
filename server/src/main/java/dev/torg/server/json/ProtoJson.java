package dev.torg.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.server.bounds.MessageBounds;
import dev.torg.server.bounds.OutOfBoundsException;
import dev.torg.server.problem.Problems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Proto3 JSON as Torg uses it: zero values and empty lists are printed; input must be UTF-8, one JSON object
/// without repeated names, and every field must be known and of its type.
///
/// The protobuf library reads JSON leniently (single quotes, text after the end, a number or a list of one
/// where a string is expected), so syntax and shape are checked first.
public final class ProtoJson {
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().alwaysPrintFieldsWithNoPresence().omittingInsignificantWhitespace();
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();

  /// For requests.
  private static final ObjectMapper BOUNDED =
      JsonMapper.builder(
              JsonFactory.builder().streamReadConstraints(JsonBounds.CONSTRAINTS).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ProtoJson() {}

  public static String print(MessageOrBuilder message) {
    return print(message, new JsonBuffer(Integer.MAX_VALUE)).toString();
  }

  /// In UTF-8. A document longer than allowed is a failure, detected before it is printed
  /// completely.
  static byte[] print(MessageOrBuilder message, int maxBytes) {
    return print(message, new JsonBuffer(maxBytes)).toBytes();
  }

  private static JsonBuffer print(MessageOrBuilder message, JsonBuffer into) {
    try {
      PRINTER.appendTo(message, into);
      return into;
    } catch (JsonBuffer.FullException e) {
      throw Problems.responseTooLarge();
    } catch (IOException e) {
      throw new IllegalStateException("cannot print " + message.getDescriptorForType(), e);
    }
  }

  /// Reads the bytes of a body into the message; an empty body is an empty object. A request beyond
  /// its bounds is refused before anything is built.
  static void read(byte[] json, Message.Builder into, MessageBounds bounds) {
    if (json.length > 0) {
      String text = decode(json);
      check(text, bounds);
      List<Violation> faults = JsonFieldErrors.ofShape(parse(text), into.getDescriptorForType());
      if (!faults.isEmpty()) {
        throw wrongFields(faults, null);
      }
      merge(text, into);
    }
  }

  /// Reads text that is known to be well-formed.
  static void read(String json, Message.Builder into, MessageBounds bounds) {
    check(json, bounds);
    merge(json, into);
  }

  private static void check(String json, MessageBounds bounds) {
    try {
      JsonBounds.check(BOUNDED.getFactory(), json, bounds);
    } catch (OutOfBoundsException e) {
      throw e.asFailure();
    } catch (IOException e) {
      throw notJson(e);
    }
  }

  private static void merge(String json, Message.Builder into) {
    try {
      PARSER.merge(json, into);
    } catch (InvalidProtocolBufferException e) {
      List<Violation> faults = JsonFieldErrors.ofValues(parse(json), into.getDescriptorForType());
      throw wrongFields(
          faults.isEmpty() ? List.of(new Violation("", "cannot be read")) : faults, e);
    }
  }

  private static String decode(byte[] json) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
    } catch (CharacterCodingException e) {
      throw invalid("the body is not UTF-8", List.of(), e);
    }
  }

  private static ObjectNode parse(String text) {
    try {
      if (BOUNDED.readTree(text) instanceof ObjectNode object) {
        return object;
      }
      throw invalid("the body must be a JSON object", List.of(), null);
    } catch (IOException e) {
      throw notJson(e);
    }
  }

  private static Failure notJson(IOException e) {
    return invalid("the body is not JSON", List.of(JsonSyntax.fault(e)), e);
  }

  private static Failure wrongFields(List<Violation> faults, @Nullable Throwable cause) {
    return invalid("a field of the request is unknown or has a wrong value", faults, cause);
  }

  private static Failure invalid(
      String message, List<Violation> violations, @Nullable Throwable cause) {
    return new Failure(Failure.Kind.INVALID, "request.malformed", message, violations, cause);
  }
}
