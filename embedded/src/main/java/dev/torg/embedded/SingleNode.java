package dev.torg.embedded;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.loader.MetadataLoader;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/// A controller and its only broker, assembled as [KafkaRaftServer] does, with one difference: the controller
/// unregisters the former broker, killed or stopped, before the new one starts.
///
/// Otherwise the new broker begins with the leaderships of the former one, resumes its unfinished transactions,
/// and then loses the leaderships until its own registration completes. A commit whose markers are in flight at
/// that time is reported as complete without them, and read-committed consumers wait at it for ever
/// (`docs/decisions/embedded-kafka.md`).
final class SingleNode {
  private static final Logger LOG = LoggerFactory.getLogger(SingleNode.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration RETRY = Duration.ofMillis(10);

  private final KafkaConfig config;
  private final SharedServer shared;
  private final ControllerServer controller;
  private final BrokerServer broker;

  SingleNode(KafkaConfig config) {
    this.config = config;
    Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> prepared =
        KafkaRaftServer.initializeLogDirs(config, LOG, "");
    this.shared = shared(config, prepared._1());
    this.controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), prepared._2());
    this.broker = new BrokerServer(shared);
  }

  private static SharedServer shared(KafkaConfig config, MetaPropertiesEnsemble properties) {
    return new SharedServer(
        config,
        properties,
        Time.SYSTEM,
        Server.initializeMetrics(config, Time.SYSTEM, properties.clusterId().orElseThrow()),
        CompletableFuture.completedFuture(
            QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
        List.of(),
        new StandardFaultHandlerFactory(),
        ServerSocketFactory.INSTANCE);
  }

  void start() {
    controller.startup();
    removeFormerBroker();
    broker.startup();
  }

  /// The broker keeps its leaderships to the end, as a commit may still be in progress.
  void stop() {
    broker.shutdown();
    controller.shutdown();
    broker.awaitShutdown();
    controller.awaitShutdown();
  }

  /// One that was never ready is fenced, and leads nothing.
  private void removeFormerBroker() {
    BrokerRegistration former = image().cluster().broker(config.nodeId());
    if (former != null && !former.fenced()) {
      await(this::unregister);
    }
  }

  /// The contents of the controller's log.
  private MetadataImage image() {
    FirstImage first = new FirstImage();
    MetadataLoader loader = shared.loader();
    await(() -> loader.installPublishers(List.of(first)));
    MetadataImage image = await(() -> first.image);
    await(() -> loader.removeAndClosePublisher(first));
    return image;
  }

  private CompletableFuture<Void> unregister() {
    ControllerRequestContext context =
        new ControllerRequestContext(
            new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty());
    return controller.controller().unregisterBroker(context, config.nodeId());
  }

  /// Retries while the controller is being elected.
  private static <T> T await(Supplier<CompletableFuture<T>> question) {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (true) {
      try {
        return question.get().get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof NotControllerException) || System.nanoTime() > deadline) {
          throw new KafkaException("the controller refuses: " + e.getMessage(), e);
        }
        LockSupport.parkNanos(RETRY.toNanos());
      } catch (TimeoutException e) {
        throw new KafkaException("the controller did not respond within " + START_TIMEOUT, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new KafkaException("interrupted while starting", e);
      }
    }
  }

  private static final class FirstImage implements MetadataPublisher {
    private final CompletableFuture<MetadataImage> image = new CompletableFuture<>();

    @Override
    public String name() {
      return "FirstImage";
    }

    @Override
    public void onMetadataUpdate(
        MetadataDelta delta, MetadataImage newImage, LoaderManifest manifest) {
      image.complete(newImage);
    }
  }
}
