package dev.torg.server.run;

import dev.torg.platform.kafka.ConsumerGroupLag;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether campaigns may be written: while alerts and individual notifications wait for their consumers, they pause.
final class BulkAdmission implements BooleanSupplier, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkAdmission.class);

  /// Records of a consumer that may wait: less than a second of work.
  private static final long MAX_WAITING = 500;

  private final List<ConsumerGroupLag> individual;

  BulkAdmission(ConsumerGroupLag... individual) {
    this.individual = List.of(individual);
  }

  /// Does not admit if Kafka cannot be asked.
  @Override
  public boolean getAsBoolean() {
    try {
      return individual.stream().allMatch(lag -> lag.now() <= MAX_WAITING);
    } catch (RuntimeException e) {
      LOG.debug("cannot read the lag of notifications", e);
      return false;
    }
  }

  @Override
  public void close() {
    individual.forEach(ConsumerGroupLag::close);
  }
}
