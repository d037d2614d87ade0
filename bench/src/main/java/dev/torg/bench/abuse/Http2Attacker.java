package dev.torg.bench.abuse;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// An HTTP/2 connection (RFC 9113) of a client that misbehaves in ways a library would not: it
/// advertises a window of 0 bytes, so that the server can send no body, and leaves requests
/// unfinished. Headers are literals without compression (RFC 7541, 6.2.2).
final class Http2Attacker implements AutoCloseable {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int FRAME_HEAD = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int READ_TIMEOUT_MILLIS = 50;

  private final Socket socket;
  private final DataOutputStream out;
  private int nextStream = 1;

  private Http2Attacker(Socket socket) throws IOException {
    this.socket = socket;
    out = new DataOutputStream(socket.getOutputStream());
    out.write(PREFACE);
    frame(SETTINGS, 0, 0, windowOfZero());
    frame(SETTINGS, 1, 0, new byte[0]); // acknowledges the server's settings, which are not read
    out.flush();
  }

  static Http2Attacker open(AbuseTarget target, int attacker) throws IOException {
    return new Http2Attacker(target.connect(attacker));
  }

  /// Sends a whole request without a body.
  void get(String authority, String path) throws IOException {
    frame(HEADERS, END_STREAM | END_HEADERS, nextStream, headers("GET", authority, path, Map.of()));
    out.flush();
    nextStream += 2;
  }

  /// Starts a gRPC call and sends these bytes of its body, without ending it.
  void startCall(String authority, String method, byte[] body) throws IOException {
    Map<String, String> grpc = Map.of("content-type", "application/grpc", "te", "trailers");
    frame(HEADERS, END_HEADERS, nextStream, headers("POST", authority, method, grpc));
    frame(DATA, 0, nextStream, body);
    out.flush();
    nextStream += 2;
  }

  /// Counts what the server has sent so far: responses (their headers), reset streams, the end of the connection.
  void countFrames(Attackers attackers) {
    try {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      InputStream in = socket.getInputStream();
      for (byte[] head = in.readNBytes(FRAME_HEAD);
          head.length == FRAME_HEAD;
          head = in.readNBytes(FRAME_HEAD)) {
        in.skipNBytes((head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | head[2] & 0xFF);
        switch (head[3]) {
          case HEADERS -> attackers.count("responses");
          case RST_STREAM -> attackers.count("reset streams");
          case GOAWAY -> attackers.count("connections ended");
          default -> {}
        }
      }
      attackers.count("connections closed");
    } catch (SocketTimeoutException e) {
      attackers.count("connections still open");
    } catch (IOException e) {
      attackers.count("connections closed");
    }
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    out.writeByte(payload.length >>> 16);
    out.writeShort(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
  }

  private static byte[] windowOfZero() {
    return new byte[] {0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0};
  }

  private static byte[] headers(
      String method, String authority, String path, Map<String, String> more) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, ":method", method);
    literal(block, ":scheme", "http");
    literal(block, ":authority", authority);
    literal(block, ":path", path);
    more.forEach((name, value) -> literal(block, name, value));
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  /// All names and values here are shorter than the 127 bytes that a length of one byte allows.
  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    block.write(bytes.length);
    block.writeBytes(bytes);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
