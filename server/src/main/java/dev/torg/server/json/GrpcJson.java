package dev.torg.server.json;

import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.linecorp.armeria.common.grpc.GrpcJsonMarshaller;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
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
    Message prototype = (Message) ((PrototypeMarshaller<T>) marshaller).getMessagePrototype();
    Message.Builder message = prototype.newBuilderForType();
    ProtoJson.read(in.readAllBytes(), message);
    return (T) message.build();
  }
}
