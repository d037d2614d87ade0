package dev.torg.server.bounds;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.torg.server.problem.Problems;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/// Parses requests that are within their bounds, and drops unknown fields, so that nothing
/// unchecked is stored or forwarded.
///
/// It is deliberately no [PrototypeMarshaller]: the server would bypass it and parse the buffer
/// itself.
public final class BoundedMarshaller<Q> implements Marshaller<Q> {
  private final PrototypeMarshaller<Q> unbounded;
  private final Message prototype;
  private final Parser<? extends Message> parser;
  private final RequestBounds bounds;

  public BoundedMarshaller(Marshaller<Q> unbounded, RequestBounds bounds) {
    this.unbounded = (PrototypeMarshaller<Q>) unbounded;
    this.prototype = prototype(unbounded);
    this.parser = DiscardUnknownFieldsParser.wrap(prototype.getParserForType());
    this.bounds = bounds;
  }

  /// For a method whose .proto file belongs to another project.
  public static <Q> BoundedMarshaller<Q> thirdParty(Marshaller<Q> unbounded) {
    return new BoundedMarshaller<>(unbounded, RequestBounds.thirdParty(prototype(unbounded)));
  }

  private static Message prototype(Marshaller<?> marshaller) {
    if (marshaller instanceof PrototypeMarshaller<?> known
        && known.getMessagePrototype() instanceof Message message) {
      return message;
    }
    throw new IllegalStateException("only protobuf messages can be served");
  }

  public Message prototype() {
    return prototype;
  }

  public RequestBounds bounds() {
    return bounds;
  }

  /// The bytes of a message, unless there are too many of them.
  public byte[] bytes(InputStream message) throws IOException {
    byte[] bytes = message.readNBytes(bounds.maxBytes() + 1);
    if (bytes.length > bounds.maxBytes()) {
      throw Problems.tooLarge();
    }
    return bytes;
  }

  @Override
  public InputStream stream(Q value) {
    return unbounded.stream(value);
  }

  @Override
  @SuppressWarnings("unchecked")
  public Q parse(InputStream stream) {
    try {
      byte[] bytes = bytes(stream);
      bounds.message().check(bytes);
      return (Q) parser.parseFrom(bytes);
    } catch (OutOfBoundsException e) {
      throw e.asFailure();
    } catch (InvalidProtocolBufferException e) {
      throw Status.INTERNAL.withDescription("no protobuf").withCause(e).asRuntimeException();
    } catch (IOException e) {
      throw Status.INTERNAL.withCause(e).asRuntimeException();
    }
  }
}
