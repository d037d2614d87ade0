package dev.torg.server.route;

import com.google.protobuf.Descriptors.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import org.jspecify.annotations.Nullable;

/// From a served method to its description in the .proto file.
public final class Methods {
  private Methods() {}

  public static @Nullable MethodDescriptor descriptor(ServerMethodDefinition<?, ?> method) {
    return method.getMethodDescriptor().getSchemaDescriptor()
            instanceof ProtoMethodDescriptorSupplier proto
        ? proto.getMethodDescriptor()
        : null;
  }
}
