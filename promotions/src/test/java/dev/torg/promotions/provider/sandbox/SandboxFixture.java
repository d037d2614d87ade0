package dev.torg.promotions.provider.sandbox;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.webhook.WebhookSignature;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentProviderSettings.SandboxCalls;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookRequest;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestSite;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// The sandbox on a real database, and a server that receives and verifies its webhooks.
final class SandboxFixture implements AutoCloseable {
  private static final List<WebhookSignature> SIGNATURES =
      List.of(new WebhookSignature(WebhookSignature.secret(new byte[32])));

  /// So that a second one does not share the leases of the first.
  private static final AtomicLong NUMBERS = new AtomicLong();

  final TestClock clock = new TestClock();
  final SandboxProvider provider;
  SandboxPayments payments;
  private final Database database;
  private final TestSite receiver = new TestSite();
  private final WebhookCaller caller;
  private final SendSandboxWebhooksJob job;
  private final LeaseCoordinator coordinator;
  private final List<Lease> leases = new CopyOnWriteArrayList<>();
  private final List<WebhookEvent> received = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private boolean isReceiverStopped;

  SandboxFixture(String url) {
    database = Database.connect(url, 8);
    coordinator = new LeaseCoordinator(database);
    String address = receiver.put("/v1/payments/webhook", this::receive);
    payments = payments(SandboxCalls.defaults());
    provider = new SandboxProvider(payments, "https://torg.example", () -> SIGNATURES);
    caller =
        new WebhookCaller(URI.create(address), () -> SIGNATURES, Duration.ofSeconds(30), clock);
    job = new SendSandboxWebhooksJob(database, caller);
    coordinator.work(
        "sandbox-test-" + NUMBERS.incrementAndGet(),
        lease -> {
          leases.add(lease);
          return () -> Duration.ofHours(1);
        });
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "promotions", url -> Migrations.of("platform", "promotions").migrate(url));
  }

  private SandboxPayments payments(SandboxCalls calls) {
    return new SandboxPayments(database, new WebhookSchedule(calls), clock, new Random(1));
  }

  /// How the webhook is called for what happens from now on.
  void use(SandboxCalls calls) {
    payments = payments(calls);
  }

  /// The status of the receiver's responses from now on.
  void respondWith(int newStatus) {
    status = newStatus;
  }

  /// Nothing answers at the address of the webhook any more.
  void stopReceiver() {
    if (!isReceiverStopped) {
      isReceiverStopped = true;
      receiver.close();
    }
  }

  /// Runs the job for the home of a payment until nothing more is due.
  void runJob(PaymentId id) {
    Lease lease = lease(id.home());
    while (job.run(lease, clock.instant())) {
      // A page was full.
    }
  }

  /// Runs the purge for the group of a payment.
  void purge(PaymentId id) {
    Lease lease = lease(id.home());
    while (new PurgeSandboxPaymentsJob(database).run(lease, clock.instant())) {
      // A page was full.
    }
  }

  long refunds(PaymentId id) {
    return database.read(
        tx ->
            tx.sql("SELECT count(*) FROM sandbox_refund WHERE home = ? AND payment_id = ?")
                .set(id.home())
                .set(id.text())
                .first(row -> row.longAt(1))
                .orElseThrow());
  }

  private Lease lease(Home home) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> leases.stream().anyMatch(lease -> lease.group() == home.group()));
    return leases.stream().filter(lease -> lease.group() == home.group()).findFirst().orElseThrow();
  }

  /// The events that were received and verified, in the order of arrival.
  List<WebhookEvent> receivedOf(PaymentId id) {
    return received.stream()
        .filter(event -> event.paymentId().stream().anyMatch(id::equals))
        .toList();
  }

  private void receive(HttpExchange call) throws IOException {
    Map<String, String> headers = new HashMap<>();
    call.getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    ByteString body = ByteString.readFrom(call.getRequestBody());
    received.add(provider.verify(new WebhookRequest(headers, body), clock.instant()));
    call.sendResponseHeaders(status, -1);
    call.close();
  }

  @Override
  public void close() {
    coordinator.close();
    caller.close();
    stopReceiver();
    database.close();
  }
}
