package dev.torg.notifications.email;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A mail server that gives the scripted replies. The reply `close` closes the connection instead.
final class ScriptedSmtpServer implements AutoCloseable {
  static final String CLOSE = "close";

  private final ServerSocket server;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger mails = new AtomicInteger();
  private final AtomicInteger encryptedMails = new AtomicInteger();
  private volatile Map<String, String> replies;
  private volatile @Nullable SSLContext tls;
  private volatile boolean tlsFromTheStart;

  /// @param replies by command; `.` is the end of the data
  ScriptedSmtpServer(Map<String, String> replies) throws IOException {
    this.replies = replies;
    this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  int mails() {
    return mails.get();
  }

  /// Mails received over TLS.
  int encryptedMails() {
    return encryptedMails.get();
  }

  /// Expects TLS from the start of connections.
  void requireTls(SSLContext context) {
    tls = context;
    tlsFromTheStart = true;
  }

  /// Offers STARTTLS.
  void offerTls(SSLContext context) {
    tls = context;
    replies = Map.of("EHLO", "250-localhost\r\n250 STARTTLS", "STARTTLS", "220 go ahead");
  }

  void replies(Map<String, String> others) {
    replies = others;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        SSLContext context = tls;
        Socket channel = tlsFromTheStart && context != null ? server(context, socket) : socket;
        Thread.ofVirtual().start(() -> serve(channel, true));
      }
    } catch (IOException e) {
      // The server was closed.
    }
  }

  private static SSLSocket server(SSLContext context, Socket socket) throws IOException {
    SSLSocket encrypted =
        (SSLSocket) context.getSocketFactory().createSocket(socket, null, socket.getPort(), true);
    encrypted.setUseClientMode(false);
    return encrypted;
  }

  private void serve(Socket socket, boolean greets) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      boolean data = false;
      if (greets && !reply(socket, replies.getOrDefault("greeting", "220 hello"))) {
        return;
      }
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (data && !line.equals(".")) {
          continue;
        }
        data = false;
        String command = line.split("[ :]", 2)[0].toUpperCase(java.util.Locale.ROOT);
        String answer = replies.getOrDefault(command, usual(command));
        if (command.equals(".") && answer.startsWith("250")) {
          mails.incrementAndGet();
          encryptedMails.addAndGet(socket instanceof SSLSocket ? 1 : 0);
        }
        if (!reply(socket, answer)) {
          return;
        }
        SSLContext context = tls;
        if (command.equals("STARTTLS") && context != null) {
          serve(server(context, socket), false);
          return;
        }
        data = command.equals("DATA") && answer.startsWith("354");
      }
    } catch (IOException e) {
      // The client closed the connection.
    }
  }

  private static String usual(String command) {
    return command.equals("DATA") ? "354 go on" : "250 ok";
  }

  private static boolean reply(Socket socket, String reply) throws IOException {
    if (reply.equals(CLOSE)) {
      return false;
    }
    OutputStream out = socket.getOutputStream();
    out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return true;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
