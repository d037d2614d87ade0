package dev.torg.server;

import dev.torg.server.quota.Bound;
import dev.torg.server.quota.Quotas;
import java.time.Duration;

/// The default quotas with some of them replaced.
final class TestQuotas {
  private Bound connections = Quotas.defaults().connections();
  private Bound calls = Quotas.defaults().calls();
  private Bound streams = Quotas.defaults().streams();
  private Bound requestBytes = Quotas.defaults().requestBytes();
  private Bound responseBytes = Quotas.defaults().responseBytes();
  private Duration stall = Quotas.defaults().stall();

  TestQuotas connections(Bound bound) {
    connections = bound;
    return this;
  }

  TestQuotas calls(Bound bound) {
    calls = bound;
    return this;
  }

  TestQuotas streams(Bound bound) {
    streams = bound;
    return this;
  }

  TestQuotas requestBytes(Bound bound) {
    requestBytes = bound;
    return this;
  }

  TestQuotas responseBytes(Bound bound) {
    responseBytes = bound;
    return this;
  }

  TestQuotas stall(Duration timeout) {
    stall = timeout;
    return this;
  }

  Quotas build() {
    Quotas defaults = Quotas.defaults();
    return new Quotas(
        connections,
        defaults.http2Streams(),
        calls,
        streams,
        requestBytes,
        responseBytes,
        stall,
        defaults.photoUploads(),
        defaults.itemsPerCall());
  }
}
