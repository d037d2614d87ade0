package dev.torg.bench.money;

import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TorgProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/// Two processes that serve calls and run jobs, next to one that embeds PostgreSQL and Kafka. Their ports stay the same
/// across restarts. The sandbox of each sends the webhooks to the other one: repeated, delayed, and in any order.
final class MoneyProcesses implements AutoCloseable {
  private static final int COUNT = 2;

  private final TorgProcess host;
  private final List<Integer> ports = new ArrayList<>();
  private final List<TorgProcess> processes = new ArrayList<>();
  private int kills;

  private MoneyProcesses(TorgProcess host) {
    this.host = host;
  }

  static MoneyProcesses start(TorgProcess host) {
    MoneyProcesses started = new MoneyProcesses(host);
    for (int i = 0; i < COUNT; i++) {
      started.ports.add(freePort());
    }
    for (int i = 0; i < COUNT; i++) {
      started.processes.add(started.process(i));
    }
    return started;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TorgProcess process(int number) {
    return TorgProcess.serve(
        host.data().resolveSibling("money" + number),
        host,
        List.of(
            "--port",
            Integer.toString(ports.get(number)),
            "--roles",
            "api,relay,jobs",
            "--login",
            "insecure",
            "--payment-provider",
            "sandbox",
            "--sandbox-webhook-url",
            address((number + 1) % COUNT) + "/v1/payments/webhook",
            "--sandbox-webhook-repeats",
            "2",
            "--sandbox-webhook-delay",
            "PT0.5S",
            "--sandbox-webhook-shuffle",
            "true",
            "--rate-limit",
            "1000000",
            "--log-level",
            "warn"));
  }

  private String address(int number) {
    return "http://127.0.0.1:" + ports.get(number);
  }

  /// A client of each process.
  List<ApiClient> clients() {
    List<ApiClient> clients = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      clients.add(new ApiClient(address(i)));
    }
    return clients;
  }

  void kill(int number) {
    processes.get(number).kill();
    kills++;
  }

  void restart(int number) {
    processes.set(number, process(number));
  }

  int kills() {
    return kills;
  }

  @Override
  public void close() {
    processes.forEach(TorgProcess::kill);
  }
}
