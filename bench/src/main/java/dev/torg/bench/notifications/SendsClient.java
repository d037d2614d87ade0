package dev.torg.bench.notifications;

import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.api.v1.SendNotificationResponse;
import dev.torg.api.v1.SendingServiceGrpc;
import dev.torg.api.v1.SendingServiceGrpc.SendingServiceStub;
import dev.torg.bench.load.LoadChannel;
import dev.torg.bench.load.Unary;
import dev.torg.bench.wire.PlainNotificationsGrpc;
import dev.torg.bench.wire.PlainNotificationsGrpc.PlainNotificationsStub;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/// A service that sends notifications, each to one of many people and with an id of its own.
final class SendsClient implements AutoCloseable {
  private static final int RECIPIENTS = 100_000;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final SendingServiceStub sending;
  private final PlainNotificationsStub plain;
  private final NotificationContent content;
  private final AtomicLong ids = new AtomicLong();
  private final AtomicLong written = new AtomicLong();

  SendsClient(String address, String token, NotificationContent content) {
    this.channel = LoadChannel.to(address);
    this.sending = as(SendingServiceGrpc.newStub(channel), token);
    this.plain = as(PlainNotificationsGrpc.newStub(channel), token);
    this.content = content;
  }

  private static <S extends AbstractStub<S>> S as(S stub, String token) {
    Metadata header = new Metadata();
    header.put(AUTHORIZATION, "Bearer " + token);
    return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header));
  }

  CompletableFuture<?> send() {
    return toBells(Unary.future(response -> sending.sendNotification(request(), response)));
  }

  CompletableFuture<?> sendPlainly() {
    return toBells(Unary.future(response -> plain.send(request(), response)));
  }

  CompletableFuture<?> recordPlainly() {
    return Unary.<SendNotificationResponse>future(response -> plain.record(request(), response));
  }

  /// The entries that the calls so far must have written to bells.
  long entries() {
    return written.get();
  }

  private CompletableFuture<?> toBells(CompletableFuture<SendNotificationResponse> response) {
    return response.thenAccept(accepted -> written.addAndGet(accepted.getAccepted()));
  }

  private SendNotificationRequest request() {
    return SendNotificationRequest.newBuilder()
        .setId("sent-" + ids.incrementAndGet())
        .addRecipients("user:reader-" + ThreadLocalRandom.current().nextInt(RECIPIENTS))
        .setTopic("news")
        .setContent(content)
        .build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
