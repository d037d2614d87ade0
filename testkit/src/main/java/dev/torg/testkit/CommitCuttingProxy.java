package dev.torg.testkit;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A TCP proxy in front of PostgreSQL that parses the client's messages and, on request, cuts the connection at
/// a COMMIT: before the server has received it, or after the server has responded and before the client has
/// received the response.
public final class CommitCuttingProxy implements AutoCloseable {
  /// When to cut.
  public enum Cut {
    NEVER,
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  private static final Pattern ADDRESS =
      Pattern.compile("(jdbc:postgresql://)([^:/]+)(?::(\\d+))?(/.*)");
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  private final Matcher address;
  private final ServerSocket serverSocket;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NEVER);
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicLong statements = new AtomicLong();
  private volatile long killAt = Long.MAX_VALUE;
  private volatile Cut killCut = Cut.NEVER;
  private volatile boolean killed;
  private volatile boolean refusing;

  private CommitCuttingProxy(Matcher address, ServerSocket serverSocket) {
    this.address = address;
    this.serverSocket = serverSocket;
  }

  /// In front of the server at this JDBC address.
  public static CommitCuttingProxy inFrontOf(String url) {
    Matcher address = ADDRESS.matcher(url);
    if (!address.matches()) {
      throw new IllegalArgumentException("not a PostgreSQL address: " + url);
    }
    try {
      ServerSocket serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      CommitCuttingProxy cutter = new CommitCuttingProxy(address, serverSocket);
      Thread.ofPlatform().daemon().name("commit-cutter").start(cutter::accept);
      return cutter;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The JDBC address of the same database through this proxy.
  public String url() {
    return address.group(1) + "127.0.0.1:" + serverSocket.getLocalPort() + address.group(4);
  }

  /// Cuts the next COMMIT, and only that one.
  public void cutNext(Cut cut) {
    next.set(cut);
  }

  /// From the next cut on, new connections are refused, or accepted again.
  public void refuseConnections(boolean refuse) {
    refusing = refuse;
  }

  /// Kills the client at a statement, COMMIT included: before the server has received it, or after the server has executed
  /// it and before the client has received the response. From then on nothing of the client reaches the server.
  ///
  /// @param statement counted from now, from 1
  public void killAt(long statement, Cut cut) {
    statements.set(0);
    killCut = cut;
    killAt = statement;
  }

  /// Kills the client now.
  public void kill() {
    killed = true;
    open.forEach(CommitCuttingProxy::closeQuietly);
  }

  public boolean isKilled() {
    return killed;
  }

  /// How many connections were cut at a COMMIT.
  public int cuts() {
    return cuts.get();
  }

  @Override
  public void close() {
    closeQuietly(serverSocket);
    open.forEach(CommitCuttingProxy::closeQuietly);
  }

  private void accept() {
    while (!serverSocket.isClosed()) {
      try {
        Socket client = serverSocket.accept();
        if (killed || (refusing && cuts.get() > 0)) {
          client.close();
        } else {
          connect(client);
        }
      } catch (IOException e) {
        // The proxy was closed, or the server is unavailable: the client detects it.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    int port = address.group(3) == null ? 5432 : Integer.parseInt(address.group(3));
    Connection connection = new Connection(client, new Socket(address.group(2), port));
    Thread.ofPlatform().daemon().start(connection::pumpClient);
    Thread.ofPlatform().daemon().start(connection::pumpServer);
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // Already closed.
    }
  }

  /// One client and its server.
  private final class Connection {
    private final Socket client;
    private final Socket server;
    private final Set<String> commitNames = new HashSet<>();
    private volatile boolean dropResponse;

    Connection(Socket client, Socket server) throws IOException {
      this.client = client;
      this.server = server;
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      open.add(client);
      open.add(server);
    }

    void pumpClient() {
      try (client;
          server) {
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(client.getInputStream(), 1 << 16));
        OutputStream out = server.getOutputStream();
        greet(in, out);
        while (forward(in, out)) {
          // Forwards one message at a time.
        }
      } catch (IOException e) {
        // The other side is gone.
      }
    }

    void pumpServer() {
      byte[] buffer = new byte[1 << 16];
      try (client;
          server) {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int read = in.read(buffer); read > 0 && !dropResponse; read = in.read(buffer)) {
          out.write(buffer, 0, read);
        }
      } catch (IOException e) {
        // The other side is gone.
      }
    }

    /// The first messages have no type: requests for encryption, then the start itself. Encryption is refused,
    /// since encrypted messages cannot be parsed.
    private void greet(DataInputStream in, OutputStream out) throws IOException {
      while (true) {
        int length = in.readInt();
        byte[] body = in.readNBytes(length - Integer.BYTES);
        int code = ByteBuffer.wrap(body).getInt();
        if (code != SSL_REQUEST && code != GSS_REQUEST) {
          out.write(ByteBuffer.allocate(length).putInt(length).put(body).array());
          return;
        }
        client.getOutputStream().write('N');
      }
    }

    private boolean forward(DataInputStream in, OutputStream out) throws IOException {
      int type = in.read();
      if (type < 0) {
        return false;
      }
      int length = in.readInt();
      byte[] body = in.readNBytes(length - Integer.BYTES);
      if (isCommit(type, body) && cut() == Cut.BEFORE_COMMIT) {
        return false;
      }
      if (isStatement(type) && !survives()) {
        return false;
      }
      byte[] message = new byte[1 + length];
      ByteBuffer.wrap(message).put((byte) type).putInt(length).put(body);
      out.write(message);
      return true;
    }

    /// A simple query, or the execution of a prepared statement.
    private static boolean isStatement(int type) {
      return type == 'Q' || type == 'E';
    }

    /// False if the client dies before this statement.
    private boolean survives() {
      if (killed) {
        return dropResponse;
      }
      if (statements.incrementAndGet() != killAt) {
        return true;
      }
      killed = true;
      dropResponse = killCut == Cut.AFTER_COMMIT;
      open.stream()
          .filter(socket -> !dropResponse || (socket != client && socket != server))
          .forEach(CommitCuttingProxy::closeQuietly);
      return dropResponse;
    }

    private Cut cut() {
      Cut cut = next.getAndSet(Cut.NEVER);
      if (cut != Cut.NEVER) {
        cuts.incrementAndGet();
      }
      dropResponse |= cut == Cut.AFTER_COMMIT;
      return cut;
    }

    /// Sent as a simple query (`Q`), or prepared under a name (`P`) and then bound (`B`).
    private boolean isCommit(int type, byte[] body) {
      String[] words = new String(body, StandardCharsets.ISO_8859_1).split("\0", 3);
      return switch (type) {
        case 'Q' -> words[0].equals("COMMIT");
        case 'P' -> {
          boolean commit = words[1].equals("COMMIT");
          var _ = commit ? commitNames.add(words[0]) : commitNames.remove(words[0]);
          yield false;
        }
        case 'B' -> commitNames.contains(words[1]);
        default -> false;
      };
    }
  }
}
