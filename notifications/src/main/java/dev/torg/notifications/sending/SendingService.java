package dev.torg.notifications.sending;

import com.google.protobuf.Timestamp;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.api.v1.SentNotification;
import dev.torg.api.v1.TemplateUse;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.content.CanonicalHash;
import dev.torg.notifications.sending.AcceptedNotification.Key;
import dev.torg.notifications.template.CompiledTemplate;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.WriteCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import io.grpc.Context;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Accepts notifications to named recipients. Never blocks: what needs the database before the write runs on a
/// virtual thread.
///
/// A request that was accepted before is answered like then, even if it would not be valid any more: its time may
/// have passed, or its template changed.
public final class SendingService implements AutoCloseable {
  /// Concurrent batches of ordinary and of large notifications.
  private static final int BATCHES = 4;

  private static final int LARGE_BATCHES = 2;

  /// Larger ones are written one by one, so that a batch of others stays below some 16 MB.
  private static final long MAX_BATCHED_BYTES = 64 << 10;

  /// Each waits with up to a megabyte.
  private static final int MAX_WAITING_LARGE = 200;

  private final NotificationTopics topics;
  private final StoredTemplates templates;
  private final InstantSource clock;
  private final Database database;
  private final AcceptedNotificationStore store = new AcceptedNotificationStore();
  private final WriteCoalescer<AcceptedNotification, Integer> writes;
  private final WriteCoalescer<AcceptedNotification, Integer> largeWrites;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  public SendingService(
      Database database,
      Outbox outbox,
      NotificationTopics topics,
      StoredTemplates templates,
      InstantSource clock,
      MeterRegistry registry) {
    this.database = database;
    this.topics = topics;
    this.templates = templates;
    this.clock = clock;
    AcceptHandler handler =
        new AcceptHandler(outbox, new MessageSequence(clock), new SendingMetrics(registry));
    this.writes =
        new WriteCoalescer<>(
            CoalescerSettings.of("notifications.write", database, BATCHES),
            database,
            handler,
            registry);
    this.largeWrites =
        new WriteCoalescer<>(
            CoalescerSettings.of("notifications.write.large", database, LARGE_BATCHES)
                .withMaxBatch(1)
                .withCapacity(MAX_WAITING_LARGE),
            database,
            handler,
            registry);
  }

  /// Returns the number of recipients once the notification is durable.
  ///
  /// @param sender the subject of the caller
  public CompletableFuture<Integer> send(String sender, SendNotificationRequest request) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    List<Violation> violations = SendRequestValidator.violations(request, topics, now);
    if (!violations.isEmpty()) {
      return onThread(() -> acceptedBefore(sender, request, invalid(violations)));
    }
    return request.hasTemplate()
        ? onThread(() -> sendTemplate(sender, request, now))
        : write(accepted(sender, request, message(sender, request, now).build(), now));
  }

  private <T> CompletableFuture<T> onThread(Supplier<CompletableFuture<T>> work) {
    return CompletableFuture.supplyAsync(work, Context.currentContextExecutor(threads))
        .thenCompose(future -> future);
  }

  private CompletableFuture<Integer> sendTemplate(
      String sender, SendNotificationRequest request, Instant now) {
    TemplateUse use = request.getTemplate();
    Optional<CompiledTemplate> template = templates.newest(use.getId());
    if (template.isEmpty()) {
      return acceptedBefore(sender, request, unknownTemplate());
    }
    List<Violation> violations = template.get().violations("template.params", use.getParamsMap());
    if (!violations.isEmpty()) {
      return acceptedBefore(sender, request, invalid(violations));
    }
    SentNotification message =
        message(sender, request, now)
            .setTemplate(use)
            .setTemplateVersion(template.get().version())
            .build();
    return write(accepted(sender, request, message, now));
  }

  private CompletableFuture<Integer> write(AcceptedNotification notification) {
    return notification.bytes() > MAX_BATCHED_BYTES
        ? largeWrites.submit(notification)
        : writes.submit(notification);
  }

  /// The response to an equal request that was accepted, else the failure.
  private CompletableFuture<Integer> acceptedBefore(
      String sender, SendNotificationRequest request, Failure failure) {
    Key key = new Key(sender, request.getId());
    return Optional.of(key)
        .filter(known -> SendRequestValidator.isId(known.id()))
        .map(known -> database.read(tx -> store.find(tx, List.of(known))).get(known))
        .filter(stored -> stored.bodyHash().equals(CanonicalHash.of(body(request))))
        .map(stored -> CompletableFuture.completedFuture(stored.recipients()))
        .orElseGet(() -> CompletableFuture.failedFuture(failure));
  }

  private static AcceptedNotification accepted(
      String sender, SendNotificationRequest request, SentNotification message, Instant now) {
    SendNotificationRequest body = body(request);
    return new AcceptedNotification(
        new Key(sender, request.getId()),
        CanonicalHash.of(body),
        request.getTopic(),
        body.getRecipientsList(),
        message.toByteArray(),
        now);
  }

  /// The request in the form by which it is compared: recipients and channels are sets.
  private static SendNotificationRequest body(SendNotificationRequest request) {
    return request.toBuilder()
        .clearId()
        .clearRecipients()
        .addAllRecipients(request.getRecipientsList().stream().distinct().sorted().toList())
        .clearChannels()
        .addAllChannels(request.getChannelsList().stream().distinct().sorted().toList())
        .build();
  }

  private static SentNotification.Builder message(
      String sender, SendNotificationRequest request, Instant now) {
    Timestamp at = EpochMicros.timestamp(now);
    SentNotification.Builder message =
        SentNotification.newBuilder()
            .setSender(sender)
            .setId(request.getId())
            .setTopic(request.getTopic())
            .addAllChannels(body(request).getChannelsList())
            .setMinAppVersion(request.getMinAppVersion())
            .setAcceptedAt(at);
    if (request.hasContent()) {
      message.setContent(request.getContent());
    }
    if (request.hasSendAt()) {
      message.setSendAt(request.getSendAt());
    }
    if (request.hasExpiresAt()) {
      message.setExpiresAt(request.getExpiresAt());
    }
    return message;
  }

  /// An unknown topic alone has its own code, as in other calls.
  static Failure invalid(List<Violation> violations) {
    boolean isTopic = violations.size() == 1 && violations.getFirst().field().equals("topic");
    return isTopic
        ? Failure.invalid("topic.unknown", "there is no such topic", violations)
        : Failure.invalid("notification.invalid", "invalid notification", violations);
  }

  static Failure unknownTemplate() {
    return Failure.invalid(
        "template.unknown",
        "there is no such template",
        "template.id",
        "there is no such template");
  }

  /// Completes what was accepted.
  @Override
  public void close() {
    threads.close();
    writes.close();
    largeWrites.close();
  }
}
