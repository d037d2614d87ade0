package dev.torg.bench.abuse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;

/// Calls that never end: bodies that stall, streams that are not read, connections that send nothing.
final class StalledCalls {
  private StalledCalls() {}

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /// Feeds that are refused, because they are for another seller, and whose bodies stall.
  static final class RefusedFeeds implements Attack {
    @Override
    public String name() {
      return "9a-stalled-refused-feeds";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      String token = target.userToken();
      try (OpenConnections connections = new OpenConnections(attackers)) {
        connections.open(
            1_500,
            number -> {
              Socket socket = target.connect(number / 100);
              write(
                  socket,
                  "POST /v1/feeds/user:other?taskId=1&format=ndjson HTTP/1.1\r\nHost: "
                      + target.host()
                      + "\r\nAuthorization: Bearer "
                      + token
                      + "\r\nContent-Length: 1000000\r\n\r\n{");
              return socket;
            });
        connections.hold();
      }
    }
  }

  /// Feeds of 200 MB of blank lines, 200 kB on the wire.
  static final class BlankFeeds implements Attack {
    private static final int UNPACKED_MB = 200;

    @Override
    public String name() {
      return "9b-gzipped-blank-feeds";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      byte[] feed = blankLines();
      String[] tokens = {target.userToken(), target.userToken(), target.userToken()};
      attackers.repeat(
          tokens.length,
          Duration.ofMillis(50),
          () -> {
            String token = tokens[(int) (Thread.currentThread().threadId() % tokens.length)];
            return target.post(
                "/v1/feeds/me?taskId=" + System.nanoTime() + "&format=ndjson", token, feed);
          });
    }

    private static byte[] blankLines() {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      byte[] lines = "\n".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        for (int i = 0; i < UNPACKED_MB; i++) {
          gzip.write(lines);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return packed.toByteArray();
    }
  }

  /// gRPC calls without a deadline whose message of 8 MB never arrives, and any number of health
  /// watches.
  static final class GrpcCalls implements Attack {
    private static final int CONNECTIONS = 40;
    private static final int CALLS_PER_CONNECTION = 100;
    private static final byte[] UNFINISHED = {0, 0, 0x70, 0, 0, 1, 2, 3};
    private static final byte[] EMPTY_MESSAGE = {0, 0, 0, 0, 0};

    @Override
    public String name() {
      return "9cd-unfinished-grpc-calls";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      try (OpenConnections connections = new OpenConnections(attackers)) {
        connections.open(CONNECTIONS, number -> calls(target, number));
        connections.hold();
      }
    }

    private static Http2Attacker calls(AbuseTarget target, int number) throws IOException {
      Http2Attacker connection = Http2Attacker.open(target, number / 4);
      for (int i = 0; i < CALLS_PER_CONNECTION; i++) {
        if (number % 2 == 0) {
          connection.startCall(target.host(), "/torg.v1.OfferService/BatchGetOffers", UNFINISHED);
        } else {
          connection.startCall(target.host(), "/grpc.health.v1.Health/Watch", EMPTY_MESSAGE);
        }
      }
      return connection;
    }
  }

  /// Bodies of almost a megabyte that are never finished, from several addresses and without a token.
  static final class Bodies implements Attack {
    private static final int CONNECTIONS = 1_600;
    private static final int CONNECTIONS_PER_ATTACKER = 200;
    private static final int BODY_BYTES = 1_000_000;

    @Override
    public String name() {
      return "9c-unfinished-bodies";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      byte[] body = " ".repeat(BODY_BYTES - 1).getBytes(StandardCharsets.US_ASCII);
      try (OpenConnections connections = new OpenConnections(attackers)) {
        connections.open(
            CONNECTIONS,
            number -> {
              Socket socket = target.connect(number / CONNECTIONS_PER_ATTACKER);
              send(socket, target.host(), body);
              return socket;
            });
        connections.hold();
      }
    }

    private static void send(Socket socket, String host, byte[] body) throws IOException {
      write(
          socket,
          "POST /v1/offers:batchGet HTTP/1.1\r\nHost: "
              + host
              + "\r\nContent-Length: "
              + BODY_BYTES
              + "\r\n\r\n");
      socket.getOutputStream().write(body);
    }
  }

  /// As many connections as possible, idle or with an event stream each.
  static final class Connections implements Attack {
    private static final int CONNECTIONS = 2_000;
    private static final int IDENTITIES = 20;

    @Override
    public String name() {
      return "9ef-connections-and-event-streams";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      String[] tokens = new String[IDENTITIES];
      for (int i = 0; i < IDENTITIES; i++) {
        tokens[i] = target.userToken();
      }
      try (OpenConnections connections = new OpenConnections(attackers)) {
        connections.open(
            CONNECTIONS,
            number -> {
              Socket socket = target.connect(number / 200);
              if (number % 5 == 0) {
                write(
                    socket,
                    "GET /v1/notifications/stream HTTP/1.1\r\nHost: "
                        + target.host()
                        + "\r\nAuthorization: Bearer "
                        + tokens[number / 5 % IDENTITIES]
                        + "\r\n\r\n");
              }
              return socket;
            });
        connections.hold();
      }
    }
  }
}
