package dev.torg.server.json;

import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.linecorp.armeria.common.grpc.GrpcJsonMarshaller;
import dev.torg.server.bounds.BoundedMarshaller;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// The same JSON for gRPC with a JSON serialization format, which the interactive documentation
/// uses.
public final class GrpcJson implements GrpcJsonMarshaller {
  private final int maxBytes;

  /// @param maxBytes of a response
  public GrpcJson(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public <T> void serializeMessage(Marshaller<T> marshaller, T message, OutputStream out)
      throws IOException {
    out.write(ProtoJson.print((MessageOrBuilder) message, maxBytes));
  }

  @SuppressWarnings("unchecked")
  @Override
  public <T> T deserializeMessage(Marshaller<T> marshaller, InputStream in) throws IOException {
    BoundedMarshaller<T> bounded =
        marshaller instanceof BoundedMarshaller<T> own
            ? own
            : BoundedMarshaller.thirdParty(marshaller);
    Message.Builder message = bounded.prototype().newBuilderForType();
    ProtoJson.read(bounded.bytes(in), message, bounded.bounds().message());
    return (T) message.build();
  }
}
