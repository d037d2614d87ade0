package dev.torg.bench.abuse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Connections that an attack opens and holds; a refused one is an outcome of the attack.
final class OpenConnections implements AutoCloseable {
  /// Opens a connection and sends on it what the attack sends.
  interface Opening {
    AutoCloseable open(int number) throws IOException;
  }

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Attackers attackers;

  OpenConnections(Attackers attackers) {
    this.attackers = attackers;
  }

  /// Opens up to this many connections, fewer when the attack's time has ended.
  void open(int connections, Opening opening) {
    for (int i = 0; i < connections && !attackers.isFinished(); i++) {
      try {
        open.add(opening.open(i));
        attackers.count("opened");
      } catch (IOException e) {
        attackers.count(e.getClass().getSimpleName());
      }
    }
  }

  /// Holds the connections until the attack ends, then counts what the server has sent on those of
  /// HTTP/2.
  void hold() throws InterruptedException {
    attackers.hold();
    for (AutoCloseable connection : open) {
      if (connection instanceof Http2Attacker http2) {
        http2.countFrames(attackers);
      }
    }
  }

  @Override
  public void close() {
    for (AutoCloseable connection : open) {
      try {
        connection.close();
      } catch (Exception e) { // the server has closed it already
        attackers.count("closed by server");
      }
    }
  }
}
