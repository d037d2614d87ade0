package dev.torg.bench.load;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.URI;

/// A gRPC channel for load. It shares the machine with the server it measures, so it must be lean: responses
/// are delivered on the event loop's own thread, and their handlers must not block.
public final class LoadChannel {
  private LoadChannel() {}

  public static ManagedChannel to(String address) {
    URI uri = URI.create(address);
    return NettyChannelBuilder.forAddress(uri.getHost(), uri.getPort())
        .usePlaintext()
        .directExecutor()
        .build();
  }
}
