package dev.torg.bench.feed;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceStub;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.bench.load.LoadChannel;
import dev.torg.bench.load.LoadResult;
import dev.torg.bench.load.Unary;
import dev.torg.bench.offers.Texts;
import dev.torg.bench.process.ApiClient;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/// Sellers who publish single offers at a steady rate, whatever the outcome. A call's latency counts from its
/// scheduled time.
final class OtherSellers implements AutoCloseable {
  private static final int SELLERS = 50;
  private static final long MAX_LATENCY_MICROS = Duration.ofMinutes(1).toNanos() / 1_000;

  private final ManagedChannel channel;
  private final List<OfferServiceStub> sellers = new ArrayList<>();
  private final Texts texts = new Texts();
  private final AtomicInteger next = new AtomicInteger();
  private final Recorder latency = new Recorder(MAX_LATENCY_MICROS, 3);
  private final LongAdder failures = new LongAdder();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final long period;
  private long start = System.nanoTime();

  OtherSellers(String address, double perSecond) {
    channel = LoadChannel.to(address);
    period = (long) (1e9 / perSecond);
    try (ApiClient anonymous = new ApiClient(address)) {
      for (int i = 0; i < SELLERS; i++) {
        Metadata header = new Metadata();
        header.put(
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
            "Bearer " + anonymous.token("feed-other-" + i));
        sellers.add(
            OfferServiceGrpc.newStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header)));
      }
    }
    long begin = System.nanoTime();
    timer.scheduleAtFixedRate(() -> publish(begin), 0, period, TimeUnit.NANOSECONDS);
  }

  /// Discards the results so far.
  void reset() {
    latency.reset();
    failures.reset();
    start = System.nanoTime();
  }

  /// The results since the start or the last reset.
  LoadResult result() {
    return new LoadResult(
        latency.getIntervalHistogram(),
        failures.sum(),
        Duration.ofNanos(System.nanoTime() - start));
  }

  private void publish(long begin) {
    int number = next.getAndIncrement();
    long due = begin + number * period;
    PublishOfferRequest request =
        PublishOfferRequest.newBuilder().setOffer(texts.offer(number)).build();
    Unary.<Offer>future(response -> sellers.get(number % SELLERS).publishOffer(request, response))
        .whenComplete(
            (offer, error) -> {
              if (error != null) {
                failures.increment();
              } else {
                latency.recordValue(
                    Math.clamp((System.nanoTime() - due) / 1_000, 0, MAX_LATENCY_MICROS));
              }
            });
  }

  @Override
  public void close() {
    timer.shutdownNow();
    channel.shutdownNow();
  }
}
