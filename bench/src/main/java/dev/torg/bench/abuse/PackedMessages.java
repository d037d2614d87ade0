package dev.torg.bench.abuse;

import dev.torg.api.v1.BatchGetOffersRequest;
import dev.torg.api.v1.EstimateSearchRequest;
import dev.torg.api.v1.FavoriteServiceGrpc;
import dev.torg.api.v1.Filter;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.SearchQuery;
import io.grpc.Attributes;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;

/// gRPC messages that are 8 kB on the wire and millions of objects when unpacked.
final class PackedMessages implements Attack {
  private static final int IDS = 2_700_000;
  private static final int FILTERS = 3_900_000;
  private static final int CALL_SECONDS = 20;

  @Override
  public String name() {
    return "N4-packed-messages";
  }

  @Override
  public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
    BatchGetOffersRequest ids =
        BatchGetOffersRequest.newBuilder().addAllIds(Collections.nCopies(IDS, "1")).build();
    EstimateSearchRequest filters =
        EstimateSearchRequest.newBuilder()
            .setQuery(
                SearchQuery.newBuilder()
                    .addAllFilters(Collections.nCopies(FILTERS, Filter.getDefaultInstance())))
            .build();
    String token = target.anonymousToken();
    ManagedChannel channel = channel(target);
    try {
      attackers.repeat(
          2,
          Duration.ofMillis(100),
          () -> {
            attackers.count(outcome(() -> offers(channel).batchGetOffers(ids)));
            return outcome(() -> favorites(channel, token).estimateSearch(filters));
          });
    } finally {
      channel.shutdownNow();
    }
  }

  private static OfferServiceGrpc.OfferServiceBlockingStub offers(ManagedChannel channel) {
    return OfferServiceGrpc.newBlockingStub(channel)
        .withCompression("gzip")
        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
  }

  private static FavoriteServiceGrpc.FavoriteServiceBlockingStub favorites(
      ManagedChannel channel, String token) {
    Metadata header = new Metadata();
    header.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return FavoriteServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header))
        .withCompression("gzip")
        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
  }

  private static String outcome(Runnable call) {
    try {
      call.run();
      return "OK";
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode().toString();
    }
  }

  private static ManagedChannel channel(AbuseTarget target) {
    return NettyChannelBuilder.forAddress(target.socketAddress())
        .usePlaintext()
        .localSocketPicker(
            new NettyChannelBuilder.LocalSocketPicker() {
              @Override
              public InetSocketAddress createSocketAddress(
                  SocketAddress remote, Attributes attributes) {
                return new InetSocketAddress(AbuseTarget.attacker(0), 0);
              }
            })
        .build();
  }
}
