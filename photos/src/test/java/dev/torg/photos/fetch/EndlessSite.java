package dev.torg.photos.fetch;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/// Responds to every request with an endless body and counts the bytes that were read.
final class EndlessSite implements AutoCloseable {
  private static final byte[] CHUNK =
      ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket server;
  private final byte[] head;
  private final AtomicLong sent = new AtomicLong();

  EndlessSite(String status) throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    head =
        ("HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    Thread.ofVirtual().start(this::serve);
  }

  int port() {
    return server.getLocalPort();
  }

  long sent() {
    return sent.get();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        respond(socket.getOutputStream());
      } catch (IOException e) {
        // The client disconnected, as expected, or the test is over.
      }
    }
  }

  private void respond(OutputStream out) throws IOException {
    out.write(head);
    while (true) {
      out.write(CHUNK);
      sent.addAndGet(CHUNK.length);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
