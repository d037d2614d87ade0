package dev.torg.server.json;

import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.linecorp.armeria.common.grpc.GrpcJsonMarshaller;
import dev.torg.server.bounds.BoundedMarshaller;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// The same JSON where gRPC itself carries it: the interactive documentation calls methods this way.
public final class GrpcJson implements GrpcJsonMarshaller {
  @Override
  public <T> void serializeMessage(Marshaller<T> marshaller, T message, OutputStream out)
      throws IOException {
    out.write(ProtoJson.print((MessageOrBuilder) message).getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("unchecked")
  @Override
  public <T> T deserializeMessage(Marshaller<T> marshaller, InputStream in) throws IOException {
    BoundedMarshaller<T> bounded =
        marshaller instanceof BoundedMarshaller<T> ours
            ? ours
            : BoundedMarshaller.foreign(marshaller);
    Message.Builder message = bounded.prototype().newBuilderForType();
    ProtoJson.read(bounded.bytes(in), message, bounded.bounds().message());
    return (T) message.build();
  }
}
