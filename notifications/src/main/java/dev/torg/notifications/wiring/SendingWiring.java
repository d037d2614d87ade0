package dev.torg.notifications.wiring;

import dev.torg.notifications.Bell;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.campaign.Campaigns;
import dev.torg.notifications.rpc.SendingRpc;
import dev.torg.notifications.sending.MessageSequence;
import dev.torg.notifications.sending.ReceivedNotificationWriter;
import dev.torg.notifications.sending.SendScheduledJob;
import dev.torg.notifications.sending.SendingConsumer;
import dev.torg.notifications.sending.SendingMetrics;
import dev.torg.notifications.sending.SendingService;
import dev.torg.notifications.sending.SendingTopics;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.notifications.template.TemplateService;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.CrossPartitionBatcher;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.module.ModuleContext;
import io.grpc.BindableService;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Builds what other systems send with: the API in every process; the consumer and the job in role jobs.
public final class SendingWiring implements AutoCloseable {
  public static final List<TopicSpec> TOPICS =
      List.of(new TopicSpec(SendingTopics.NOTIFICATIONS, Duration.ofDays(7)));

  /// The most frequent method, which responds by a future.
  public static final Set<String> NON_BLOCKING_METHODS = Set.of("SendNotification");

  private static final String CONSUMER = "notifications.sending";

  private final SendingService sending;
  private final SendScheduledJob scheduled;
  private final ConsumerBinding consumer;
  private final BindableService service;

  public SendingWiring(
      ModuleContext context,
      NotificationTopics topics,
      Bell bell,
      RecipientSettings settings,
      StoredTemplates templates,
      Campaigns campaigns) {
    Database database = context.database();
    this.sending =
        new SendingService(
            database, context.outbox(), topics, templates, context.clock(), context.metrics());
    ReceivedNotificationWriter writer =
        new ReceivedNotificationWriter(
            bell,
            settings,
            context.outbox(),
            new MessageSequence(context.clock()),
            new SendingMetrics(context.metrics()));
    this.scheduled = new SendScheduledJob(database, templates, writer);
    this.consumer =
        new ConsumerBinding(
            ConsumerSpec.of(CONSUMER, SendingTopics.NOTIFICATIONS),
            new CrossPartitionBatcher(
                new SendingConsumer(database, templates, writer, context.clock())));
    this.service =
        new SendingRpc(
            sending, new TemplateService(database, templates, context.clock()), campaigns);
  }

  /// Blocks on the database and must run on threads that may block, except for [#NON_BLOCKING_METHODS].
  public BindableService service() {
    return service;
  }

  /// The consumer that writes notifications to bells.
  public ConsumerBinding consumer() {
    return consumer;
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(Duration.ofSeconds(1), "notifications.scheduled", scheduled::due, scheduled::run);
  }

  /// Completes what was accepted.
  @Override
  public void close() {
    sending.close();
  }
}
