package dev.torg.bench.alerts;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceStub;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.bench.load.Load;
import dev.torg.bench.load.LoadChannel;
import dev.torg.bench.load.LoadResult;
import dev.torg.bench.load.Unary;
import dev.torg.bench.process.ServiceToken;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.workload.SampleOffer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Publishes offers at a steady rate, each for a seller in turn, as a service does.
final class Publisher implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION = header("authorization");
  private static final Metadata.Key<String> ON_BEHALF_OF = header("torg-on-behalf-of");

  /// Distributes offers over sellers that are not adjacent: a prime larger than any number of
  /// sellers.
  private static final long STRIDE = 1_000_003;

  private final ManagedChannel channel;
  private final OfferServiceStub service;
  private final AlertRecipients recipients;
  private final Supplier<SampleOffer> offers;
  private final String authorization;
  private long next;

  Publisher(TorgProcess torg, AlertRecipients recipients, Supplier<SampleOffer> offers) {
    this.channel = LoadChannel.to(torg.address());
    this.service = OfferServiceGrpc.newStub(channel);
    this.recipients = recipients;
    this.offers = offers;
    this.authorization = "Bearer " + ServiceToken.of(torg);
  }

  private static Metadata.Key<String> header(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /// The published offers, and the results of the calls.
  record Published(List<Offer> offers, LoadResult calls) {}

  Published run(double perSecond, Duration time) {
    List<Offer> published = Collections.synchronizedList(new ArrayList<>());
    LoadResult calls =
        Load.steady(perSecond, time, () -> publish(offers.get()).thenAccept(published::add));
    return new Published(List.copyOf(published), calls);
  }

  private CompletableFuture<Offer> publish(SampleOffer sample) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, authorization);
    headers.put(
        ON_BEHALF_OF, AlertRecipients.seller((int) (next++ * STRIDE % recipients.sellers())));
    PublishOfferRequest request =
        PublishOfferRequest.newBuilder().setOffer(Site.offer(sample)).build();
    return Unary.future(
        response ->
            service
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .publishOffer(request, response));
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
