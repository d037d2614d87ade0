package dev.torg.bench.feed;

import dev.torg.bench.wire.PlainFeedDone;
import dev.torg.bench.wire.PlainFeedGrpc;
import dev.torg.bench.wire.PlainFeedGrpc.PlainFeedBlockingStub;
import dev.torg.bench.wire.PlainFeedRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.URI;

/// The plain implementation's three uploads, of fewer items.
record PlainRun(int items, double createSeconds, double allSeconds) {
  private static final int TENTH = 10;

  static PlainRun of(String address, String token, int items, int workers) {
    URI uri = URI.create(address);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(uri.getHost(), uri.getPort()).usePlaintext().build();
    try {
      Metadata header = new Metadata();
      header.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
      PlainFeedBlockingStub plain =
          PlainFeedGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header));
      PlainFeedRequest.Builder request =
          PlainFeedRequest.newBuilder().setItems(items).setWorkers(workers);
      PlainFeedDone create = plain.run(request.setTaskId(1).build());
      PlainFeedDone change = plain.run(request.setTaskId(2).setChangedEvery(TENTH).build());
      PlainFeedDone remove = plain.run(request.setTaskId(3).setGoneEvery(TENTH).build());
      if (create.getCreated() != items || remove.getRemoved() != items / TENTH) {
        throw new IllegalStateException("the plain way did something else: " + create + remove);
      }
      return new PlainRun(
          items,
          create.getSeconds(),
          create.getSeconds() + change.getSeconds() + remove.getSeconds());
    } finally {
      channel.shutdownNow();
    }
  }

  double createPerSecond() {
    return items / createSeconds;
  }

  double perSecond() {
    return (2.0 * items + items * (TENTH - 1.0) / TENTH) / allSeconds;
  }
}
