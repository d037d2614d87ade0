package dev.torg.testkit;

import dev.torg.embedded.EmbeddedKafka;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// The one Kafka of this JVM: embedded, or the one that `TORG_TEST_KAFKA` names by its bootstrap
/// servers. A test class uses a [#prefix] for its topics, groups and transactional ids, so that classes never
/// interfere.
public final class TestKafka {
  private TestKafka() {}

  /// Holds the broker from the first use to the end of the JVM.
  private static final class Shared {
    static final String SERVERS = start();

    private Shared() {}
  }

  public static String servers() {
    return Shared.SERVERS;
  }

  /// A prefix that is unique to one test class: `t4f9a01c2-`.
  public static String prefix() {
    return "t%s-".formatted(HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8));
  }

  private static String start() {
    String bootstrapServers = System.getenv("TORG_TEST_KAFKA");
    if (bootstrapServers != null && !bootstrapServers.isEmpty()) {
      return bootstrapServers;
    }
    EmbeddedKafka embedded = EmbeddedKafka.temporary();
    AtExit.run(embedded::close);
    return embedded.bootstrapServers();
  }
}
